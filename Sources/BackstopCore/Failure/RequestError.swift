/// The request could not be built, encoded or sent in full; no server has received it.
public struct RequestError: Error, Sendable, FailureReasonConvertible, CustomStringConvertible {
    /// What is wrong.
    public let code: Code
    /// What is wrong, in words, with the given value.
    public let detail: String
    /// The underlying error; nil when there is none.
    public let underlying: (any Error)?

    /// Makes the error.
    public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.detail = detail
        self.underlying = underlying
    }

    /// `.request` with this error.
    public var classifiedReason: Failure.Reason { .request(self) }

    /// The detail, secrets redacted.
    public var description: String { Redaction.shown(detail) }
}
