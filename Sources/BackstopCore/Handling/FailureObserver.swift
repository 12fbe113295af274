/// Observes every failure and its outcome: for metrics and crash reports.
///
/// It cannot change the outcome. It is called once for each failure, after the handlers, and the call waits for it, so
/// it should return soon. Like a handler, it may be an actor or a main-actor class; otherwise it need not be `async`.
///
/// ```swift
/// struct Counter: FailureObserver {
///     func observe(_ failure: Failure, outcome: ObservedOutcome) { print(failure.code, outcome) }
/// }
/// ```
public protocol FailureObserver: Sendable {
    /// Called once for each failure. Must not block.
    func observe(_ failure: Failure, outcome: ObservedOutcome) async
}

/// The outcome of a failure, for observers.
public enum ObservedOutcome: Sendable, Hashable, CustomStringConvertible {
    /// Thrown to the caller of `send`.
    case thrown
    /// Handled.
    case handled(by: String)
    /// Replaced with a value by the call's own handler.
    case replaced(by: String)
    /// A handler repeated the call.
    case retried(by: String)
    /// Not handled.
    case unhandled
    /// The call was cancelled.
    case cancelled

    /// The outcome in words.
    public var description: String {
        switch self {
        case .thrown: "thrown"
        case .handled(let name): "handled by \(name)"
        case .replaced(let name): "replaced by a value from \(name)"
        case .retried(let name): "retried by \(name)"
        case .unhandled: "unhandled"
        case .cancelled: "cancelled"
        }
    }
}
