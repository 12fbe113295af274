/// The request could not be built, encoded or sent in full; no server has received it.
public struct RequestError: Error, Sendable, FailureReasonConvertible, DescribedInDumps {
    /// What is wrong.
    public var code: Code { parts.value.code }
    /// What is wrong, in words, with the given value.
    public var detail: String { parts.value.detail }
    /// The underlying error; nil when there is none.
    public var underlying: (any Error)? { parts.value.underlying }

    private let parts: Shared<(code: Code, detail: String, underlying: (any Error)?)>

    /// Makes the error.
    public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
        parts = Shared((code, detail, underlying))
    }

    /// `.request` with this error.
    public var classifiedReason: Failure.Reason { .request(self) }

    /// The detail, secrets redacted.
    public var description: String { Redaction.shown(detail) }
}
