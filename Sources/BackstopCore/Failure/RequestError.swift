/// The request could not be built, encoded or sent in full; no server has received it.
public struct RequestError: Error, Sendable, FailureReasonConvertible, CustomStringConvertible {
    /// What is wrong.
    public var code: Code { parts.code }
    /// What is wrong, in words, with the given value.
    public var detail: String { parts.detail }
    /// The underlying error; nil when there is none.
    public var underlying: (any Error)? { parts.underlying }

    private let parts: Parts

    /// Makes the error.
    public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
        parts = Parts(code, detail, underlying)
    }

    private final class Parts: Sendable {
        let code: Code
        let detail: String
        let underlying: (any Error)?

        init(_ code: Code, _ detail: String, _ underlying: (any Error)?) {
            self.code = code
            self.detail = detail
            self.underlying = underlying
        }
    }

    /// `.request` with this error.
    public var classifiedReason: Failure.Reason { .request(self) }

    /// The detail, secrets redacted.
    public var description: String { Redaction.shown(detail) }
}
