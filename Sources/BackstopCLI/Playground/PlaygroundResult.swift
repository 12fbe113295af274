#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopPresentation
    internal import Foundation

    /// What came of a call of the playground.
    struct PlaygroundResult: Sendable {
        let report: CallReport?
        /// Why no call was made; nil when one was.
        let problem: String?
        let log: [LogEntry]
        /// What arrived of a stream; nil for a call that was none.
        let streamed: String?
        /// The language of the texts for people.
        let language: PlaygroundCall.Language

        /// The object of `get --json`, with the trace, what a person sees, and the texts for developers.
        var json: String {
            guard let report else {
                return WebRefusal.badRequest(problem ?? "").json
            }
            let lines = log.map { entry in
                JSONWriter.object([
                    ("level", JSONWriter.quoted("\(entry.level)")), ("text", JSONWriter.quoted(entry.message)),
                ])
            }
            let request = report.call?.request
            let texts: PresentationTexts = language == .de ? .german : .english
            let presentation = Self.presentation(of: report, in: texts)
            return JSONWriter.object(
                report.members
                    + GetCommand.members(of: report.response, showsBody: false).filter { $0.0 != "body" } + [
                        ("trace", report.call?.trace.json ?? "null"),
                        ("presentation", presentation?.json ?? "null"),
                        (
                            "countdownText",
                            JSONWriter.quoted(presentation?.countdown.map { texts.countdown($0) })
                        ),
                        ("report", JSONWriter.quoted(report.failure?.report)),
                        ("request", JSONWriter.quoted(request?.summary(.standard))),
                        ("response", JSONWriter.quoted(report.response?.summary(.standard, answering: request))),
                        ("body", JSONWriter.quoted(streamed ?? report.response.map(Self.excerpt))),
                        ("log", JSONWriter.list(lines)),
                    ])
        }

        /// What a person sees of a failure, as the standard policy has it; "Try again" counts, as in a call's handler. The
        /// presenter is a default handler: what a handler of the call's own took, it is never asked about.
        private static func presentation(of report: CallReport, in texts: PresentationTexts) -> Presentation? {
            guard let failure = report.failure, report.handledBy == nil || report.handledBy == "default" else {
                return nil
            }
            return PresentationPolicy(texts: texts).presentation(of: failure, canRetry: true)
        }

        /// The beginning of a body.
        private static func excerpt(_ response: HTTP.Response) -> String {
            let text = String(decoding: response.body.prefix(2000), as: UTF8.self)
            return response.body.count > 2000 ? text + "…" : text
        }
    }
#endif
