/// Sees every failure together with what became of it: for metrics and crash reports.
///
/// It cannot change the outcome. It is called once for each failure, after the handlers, and the call waits for it: it
/// returns soon. Like a handler it may be an actor, or a class of the main actor; one that is neither need not be
/// `async`.
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

/// What became of a failure.
public enum ObservedOutcome: Sendable, Hashable, CustomStringConvertible {
    /// It was thrown to the caller of `send`.
    case thrown
    /// A handler dealt with it.
    case handled(by: String)
    /// The call's own handler gave a value instead.
    case replaced(by: String)
    /// A handler asked for the whole call anew.
    case retried(by: String)
    /// Nobody dealt with it.
    case unhandled
    /// The call was cancelled.
    case cancelled

    /// The outcome in words.
    public var description: String {
        switch self {
        case .thrown: "thrown"
        case .handled(let name): "handled by \(name)"
        case .replaced(let name): "replaced by a value of \(name)"
        case .retried(let name): "sent anew by \(name)"
        case .unhandled: "unhandled"
        case .cancelled: "cancelled"
        }
    }
}
