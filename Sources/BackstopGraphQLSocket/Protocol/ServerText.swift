internal import Backstop
internal import BackstopCore

/// Text that a server chose, as it may stand in ours.
enum ServerText {
    /// How much of it is shown: the reason of a close has at most 123 bytes (RFC 6455, 5.5).
    private static let limit = 123

    /// The text in quotes on one line, cut and without secrets, so that none of it passes for ours.
    static func quoted(_ text: String) -> String {
        let line = Excerpt.printable(Excerpt.cut(text, to: limit))
        return Redaction.standard.body(line, contentType: "text/plain").debugDescription
    }
}
