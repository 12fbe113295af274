/// A time limit was reached.
public struct TimeoutError: Error, Sendable, Hashable, FailureReasonConvertible, CustomStringConvertible {
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
    public var classifiedReason: Failure.Reason { .timeout(self) }

    /// The limit and its length.
    public var description: String {
        classifiedReason.code + (duration.map { " after \($0.text)" } ?? "")
    }
}
