/// An interceptor of the chain did not let the request through.
public struct RejectionError: Error, Sendable, Hashable, FailureReasonConvertible, CustomStringConvertible {
    /// The stable name for machines: `breakerOpen`, `limit`, `cacheMiss`, or one of your own.
    public let code: String
    /// Why it was rejected, in words.
    public let detail: String
    /// Whether the same call may be let through later. Default: false.
    public let isTransient: Bool

    /// Makes the error.
    public init(_ code: String, _ detail: String, isTransient: Bool = false) {
        self.code = code
        self.detail = detail
        self.isTransient = isTransient
    }

    /// `.rejected` with this error.
    public var failureReason: Failure.Reason { .rejected(self) }

    /// The code and the detail, secrets redacted.
    public var description: String {
        "rejected.\(code): \(Redaction.shown(detail))"
    }
}
