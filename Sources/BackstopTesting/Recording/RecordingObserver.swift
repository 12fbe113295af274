public import BackstopCore

/// An observer that records failures with their outcomes, and finished calls with their traces.
///
/// ```swift
/// let observer = RecordingObserver()
/// var handling = FailureHandling()
/// handling.observers = [observer]
/// var options = CallOptions()
/// options.observers = [observer]
/// // after some calls:
/// let outcomes = observer.failures.map(\.outcome)
/// let traces = observer.calls.map(\.trace)
/// ```
public final class RecordingObserver: FailureObserver, CallObserver {
    /// A failure and its outcome.
    public struct ObservedFailure: Sendable {
        /// The failure.
        public let failure: Failure
        /// The outcome.
        public let outcome: ObservedOutcome
    }

    struct State {
        var failures: [ObservedFailure] = []
        var calls: [FinishedCall] = []
    }

    /// The records so far, guarded by the lock.
    private let state = Lock(State())

    /// Makes an empty observer.
    public init() {}

    /// The failures in the order they were decided.
    public var failures: [ObservedFailure] {
        state.withLock { $0.failures }
    }

    /// The calls in the order they ended.
    public var calls: [FinishedCall] {
        state.withLock { $0.calls }
    }

    /// Records a failure.
    public func observe(_ failure: Failure, outcome: ObservedOutcome) {
        state.withLock { $0.failures.append(ObservedFailure(failure: failure, outcome: outcome)) }
    }

    /// Records a finished call.
    public func callFinished(_ call: FinishedCall) {
        state.withLock { $0.calls.append(call) }
    }
}
