#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation

    /// One scenario of the demo.
    struct Scenario: Sendable {
        /// For `--only`.
        let name: String
        /// What it shows, in a sentence.
        let title: String
        /// The required result: `ok` or a failure code.
        let expected: String
        /// What must reach the server; nil when the result says it all.
        let arrivals: Arrivals?
        private let perform: @Sendable (DemoStage, Calls) async throws -> CallReport

        init(
            _ name: String, _ title: String, expect expected: String, arrivals: Arrivals? = nil,
            perform: @escaping @Sendable (DemoStage, Calls) async throws -> CallReport
        ) {
            self.name = name
            self.title = title
            self.expected = expected
            self.arrivals = arrivals
            self.perform = perform
        }

        func play(on stage: DemoStage) async -> Result {
            let calls = Calls()
            let earlier = await arrivals?.requests(stage.server).count ?? 0
            do {
                let report = try await perform(stage, calls)
                let arrived = await arrivals?.requests(stage.server).dropFirst(earlier).map(Arrivals.form)
                return Result(scenario: self, report: report, arrived: arrived, problem: nil)
            } catch {
                return Result(scenario: self, report: nil, arrived: nil, problem: String(describing: error))
            }
        }

        /// The GraphQL requests that must reach the server.
        struct Arrivals: Sendable {
            /// Where, without the query.
            let path: String
            /// Each with its method and how it identifies the document: "POST text", "GET hash", "POST hash and text".
            let forms: [String]

            func requests(_ server: FaultServer) async -> [RecordedRequest] {
                await server.requests(to: path)
            }

            /// The form of a request that arrived.
            static func form(of request: RecordedRequest) -> String {
                let body = String(decoding: request.body, as: UTF8.self)
                let hash = body.contains("\"sha256Hash\":") || request.target.contains("sha256Hash") ? ["hash"] : []
                let text = body.contains("\"query\":") || request.target.contains("query=") ? ["text"] : []
                return "\(request.method) " + (hash + text).joined(separator: " and ")
            }
        }

        /// The result of a scenario.
        struct Result: Sendable {
            let scenario: Scenario
            let report: CallReport?
            /// The forms of the requests that reached the server; nil if not checked.
            let arrived: [String]?
            /// Why it could not run; nil if it did.
            let problem: String?

            var code: String {
                report.map { $0.failure?.code ?? $0.call?.failure?.code ?? "ok" } ?? "not played"
            }

            var isAsExpected: Bool {
                code == scenario.expected && arrived == scenario.arrivals?.forms
            }

            /// The result as an object on one line, with the group that it belongs to.
            func json(group: ScenarioGroup) -> String {
                let arrived = arrived.map { "[" + $0.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]" }
                let head = [
                    ("name", JSONWriter.quoted(scenario.name)),
                    ("group", JSONWriter.quoted(group.title)),
                    ("title", JSONWriter.quoted(scenario.title)),
                    ("request", JSONWriter.quoted(report?.call?.request?.summary(.standard))),
                    ("arrived", arrived ?? "null"),
                    ("expected", JSONWriter.quoted(scenario.expected)),
                    ("asExpected", isAsExpected ? "true" : "false"),
                ]
                return JSONWriter.object(head + (report?.members ?? [("problem", JSONWriter.quoted(problem))]))
            }

            func text(style: Style) -> String {
                var lines = [style.bold("\(scenario.name): \(scenario.title)")]
                guard let report else {
                    return (lines + ["  \(style.red("not played")): \(problem ?? "")", ""]).joined(separator: "\n")
                }
                lines.append("  request  \(report.call?.request?.summary(.standard) ?? "nothing was sent")")
                if let arrived {
                    lines.append("  arrived  \(Self.listed(arrived))")
                }
                var drawing = Trace.TextStyle()
                drawing.color = style.color
                for (number, call) in report.calls.enumerated() {
                    if number > 0 {
                        lines.append("  and then")
                    }
                    lines += call.trace.text(style: drawing).split(separator: "\n").map { "  " + $0 }
                }
                lines += outcomeLines(report, style: style)
                if !isAsExpected {
                    let forms = scenario.arrivals.map { "; arrived: \(Self.listed($0.forms))" } ?? ""
                    lines.append("  \(style.red("expected")) \(scenario.expected)\(forms)")
                }
                return lines.joined(separator: "\n") + "\n"
            }

            private static func listed(_ forms: [String]) -> String {
                forms.isEmpty ? "nothing" : forms.joined(separator: ", ")
            }

            private func outcomeLines(_ report: CallReport, style: Style) -> [String] {
                let request = report.call?.request
                let response = report.response.map { $0.summary(.standard, answering: request) } ?? "no response"
                guard let failure = report.failure else {
                    let replaced = report.call?.failure.map { ", in the place of \($0.code)" } ?? ""
                    return ["  response \(response)", "  outcome  \(style.green("a value"))\(replaced)"]
                }
                let who =
                    switch report.kind {
                    case .handled: "handled by \(report.handledBy ?? "")"
                    case .cancelled: "no handler is asked"
                    case .unhandled, .value: "thrown to the caller"
                    }
                return [
                    "  response \(response)",
                    "  outcome  \(style.red(failure.code)), \(who)",
                    "  why      \(failure.explanation)",
                    "  stopped  \(failure.stopReason)",
                ]
            }
        }
    }
#endif
