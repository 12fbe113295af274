#if Demo
    internal import Backstop
    internal import BackstopCore

    /// One thing that the demo shows.
    struct Scenario: Sendable {
        /// For `--only`.
        let name: String
        /// What is shown, in a sentence.
        let title: String
        /// How the call must end: `ok` or a failure code.
        let expected: String
        private let perform: @Sendable (DemoStage, Calls) async throws -> CallReport

        init(
            _ name: String, _ title: String, expect expected: String,
            perform: @escaping @Sendable (DemoStage, Calls) async throws -> CallReport
        ) {
            self.name = name
            self.title = title
            self.expected = expected
            self.perform = perform
        }

        func play(on stage: DemoStage) async -> Result {
            let calls = Calls()
            do {
                return Result(scenario: self, report: try await perform(stage, calls), problem: nil)
            } catch {
                return Result(scenario: self, report: nil, problem: String(describing: error))
            }
        }

        /// What came of a scenario.
        struct Result: Sendable {
            let scenario: Scenario
            let report: CallReport?
            /// Why it could not be played; nil when it was.
            let problem: String?

            var code: String {
                report.map { $0.failure?.code ?? $0.call?.failure?.code ?? "ok" } ?? "not played"
            }

            var isAsExpected: Bool {
                code == scenario.expected
            }

            var json: String {
                let head = [
                    ("name", JSONWriter.quoted(scenario.name)),
                    ("title", JSONWriter.quoted(scenario.title)),
                    ("asked", JSONWriter.quoted(report?.call?.request?.summary(.standard))),
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
                lines.append("  asked    \(report.call?.request?.summary(.standard) ?? "nothing was sent")")
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
                    lines.append("  \(style.red("expected")) \(scenario.expected)")
                }
                return lines.joined(separator: "\n") + "\n"
            }

            private func outcomeLines(_ report: CallReport, style: Style) -> [String] {
                let asked = report.call?.request
                let came = report.response.map { $0.summary(.standard, answering: asked) } ?? "no response"
                guard let failure = report.failure else {
                    let replaced = report.call?.failure.map { ", in the place of \($0.code)" } ?? ""
                    return ["  came     \(came)", "  outcome  \(style.green("a value"))\(replaced)"]
                }
                let who =
                    switch report.kind {
                    case .handled: "handled by \(report.handledBy ?? "")"
                    case .cancelled: "no handler is asked"
                    case .unhandled, .value: "thrown to the caller"
                    }
                return [
                    "  came     \(came)",
                    "  outcome  \(style.red(failure.code)), \(who)",
                    "  why      \(failure.explanation)",
                    "  stopped  \(failure.stopReason)",
                ]
            }
        }
    }
#endif
