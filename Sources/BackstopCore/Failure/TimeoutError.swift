/// A time limit was reached.
public struct TimeoutError: Error, Sendable, Equatable, FailureReasonConvertible, CustomStringConvertible {
    /// Which limit was reached.
    public var kind: Kind { parts.value.kind }
    /// How long the limit was; nil when the transport did not say.
    public var duration: Duration? { parts.value.duration }

    private let parts: Shared<(kind: Kind, duration: Duration?)>

    /// Makes the error.
    public init(_ kind: Kind, after duration: Duration? = nil) {
        parts = Shared((kind, duration))
    }

    /// Whether both have the same kind and duration.
    public static func == (left: TimeoutError, right: TimeoutError) -> Bool {
        left.kind == right.kind && left.duration == right.duration
    }

    /// `.timeout` with this error.
    public var classifiedReason: Failure.Reason { .timeout(self) }

    /// The limit and its length.
    public var description: String {
        classifiedReason.code + (duration.map { " after \($0.text)" } ?? "")
    }
}
