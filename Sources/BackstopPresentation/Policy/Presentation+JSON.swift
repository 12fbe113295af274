internal import Backstop

extension Presentation {
    /// The presentation as one line of JSON, for pages and tests.
    ///
    /// ```json
    /// {"kind":"banner","code":"transport.offline","field":null,"title":"You are offline",
    ///  "text":"There is no connection to the internet.","suggestion":"Please check your connection and try again.",
    ///  "actions":[{"name":"dismiss","title":"Close"}],"lifetime":"untilSuccess","countdown":null}
    /// ```
    /// `countdown` is in seconds, and so is `lifetime` where it is a number.
    public var json: String {
        JSONWriter.object([
            ("kind", JSONWriter.quoted(kind.rawValue)),
            ("code", JSONWriter.quoted(code)),
            ("field", JSONWriter.quoted(field)),
            ("title", JSONWriter.quoted(message.title)),
            ("text", JSONWriter.quoted(message.text)),
            ("suggestion", JSONWriter.quoted(message.suggestion)),
            ("actions", "[\(actions.map(\.json).joined(separator: ","))]"),
            ("lifetime", lifetime.json),
            ("countdown", countdown.map { JSONWriter.number($0.seconds) } ?? "null"),
        ])
    }
}

extension PresentationAction {
    fileprivate var json: String {
        JSONWriter.object([("name", JSONWriter.quoted(name)), ("title", JSONWriter.quoted(title))])
    }
}

extension Presentation.Lifetime {
    fileprivate var json: String {
        switch self {
        case .untilDismissed: #""untilDismissed""#
        case .untilSuccess: #""untilSuccess""#
        case .lasting(let time): JSONWriter.number(time.seconds)
        }
    }
}
