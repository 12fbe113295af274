/// A time limit was reached.
public struct TimeoutError: Error, Sendable, Hashable, FailureReasonConvertible, CustomStringConvertible {
    /// Which limit was reached.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The limit of one attempt; the next one may be faster.
        case attempt
        /// The limit of the wait for a connection, while others to the same host were in use; nothing was sent, or
        /// nothing after a redirect.
        case connection
        /// The limit of the whole call; there is no time for another attempt.
        case deadline
    }

    /// Which limit was reached.
    public let kind: Kind
    /// How long the limit was; nil when the transport did not say.
    public let duration: Duration?

    /// Makes the error.
    public init(_ kind: Kind, after duration: Duration? = nil) {
        self.kind = kind
        self.duration = duration
    }

    /// `.timeout` with this error.
    public var failureReason: Failure.Reason { .timeout(self) }

    /// The limit and its length.
    public var description: String {
        "timeout.\(kind.rawValue)" + (duration.map { " after \($0.text)" } ?? "")
    }
}
