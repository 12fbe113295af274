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

extension Error {
    /// The same, without the secrets that the server repeats.
    func shown(_ redaction: Redaction) -> any Error {
        switch self {
        case let error as TransportError:
            TransportError(
                error.code, phase: error.phase, detail: redaction.text(error.detail),
                bytesReceived: error.bytesReceived, underlying: error.underlying)
        case let error as StatusError:
            StatusError(error.code, detail: error.detail.map { redaction.text($0) }, response: error.response)
        default: self
        }
    }
}
