/// A time limit was reached.
public struct TimeoutError: Error, Sendable, Hashable, FailureReasonConvertible, CustomStringConvertible {
    /// Which limit was reached.
    public var kind: Kind { parts.kind }
    /// How long the limit was; nil when the transport did not say.
    public var duration: Duration? { parts.duration }

    private let parts: Parts

    /// Makes the error.
    public init(_ kind: Kind, after duration: Duration? = nil) {
        parts = Parts(kind, duration)
    }

    private final class Parts: Sendable {
        let kind: Kind
        let duration: Duration?

        init(_ kind: Kind, _ duration: Duration?) {
            self.kind = kind
            self.duration = duration
        }
    }

    /// Whether both have the same kind and duration.
    public static func == (left: TimeoutError, right: TimeoutError) -> Bool {
        left.kind == right.kind && left.duration == right.duration
    }

    /// Hashes kind and duration.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(duration)
    }

    /// `.timeout` with this error.
    public var classifiedReason: Failure.Reason { .timeout(self) }

    /// The limit and its length.
    public var description: String {
        classifiedReason.code + (duration.map { " after \($0.text)" } ?? "")
    }
}
