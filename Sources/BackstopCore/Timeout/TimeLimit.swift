/// Runs an operation for a limited time; the result, the limit or cancellation decides, whichever comes first.
///
/// The operation runs in a task of its own, which is cancelled if it loses. Nothing waits for it, so an operation that
/// ignores cancellation, or blocks its thread before its first suspension, cannot hold up the call. If the race is over
/// before the operation starts, it never does.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, clock: any CallClock, throwing timeout: TimeoutError,
    operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    guard limit > .zero else {
        throw timeout
    }
    let race = Race<Value>()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            race.begin(continuation)
            race.limit(by: LimitTimer(after: limit, clock: clock) { race.finish(.failure(timeout)) })
            race.run(operation)
        }
    } onCancel: {
        race.finish(.failure(CancellationError()))
    }
}

/// An action that runs after a time, unless it is cancelled.
package enum LimitTimer: Sendable {
    case scheduled(LimitScheduler.Ticket)
    case task(Task<Void, Never>)

    /// The system's clock has one scheduler for all limits; for any other clock, a task waits.
    ///
    /// - Parameter action: Must be short: it may run on the task shared by all limits.
    package init(after duration: Duration, clock: any CallClock, action: @escaping @Sendable () -> Void) {
        guard !(clock is SystemClock) else {
            self = .scheduled(LimitScheduler.shared.schedule(after: duration, action: action))
            return
        }
        self = .task(
            Task {
                guard (try? await clock.waitForLimit(duration)) != nil else {
                    return
                }
                action()
            })
    }

    /// Cancels the action, unless it is already running.
    package func cancel() {
        switch self {
        case .scheduled(let ticket): LimitScheduler.shared.cancel(ticket)
        case .task(let task): task.cancel()
        }
    }
}

/// The result of the first to finish; the others are cancelled.
private final class Race<Value: Sendable>: Sendable {
    struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var isOver = false
        /// The result, if it came before the continuation.
        var early: Result<Value, any Error>?
        var operation: Task<Void, Never>?
        var timer: LimitTimer?
    }

    /// Continuation, result, operation and timer, guarded by the lock.
    private let state = Lock(State())

    func begin(_ continuation: CheckedContinuation<Value, any Error>) {
        let early = state.withLock { state -> Result<Value, any Error>? in
            guard state.isOver else {
                state.continuation = continuation
                return nil
            }
            defer { state.early = nil }
            return state.early
        }
        if let early {
            continuation.resume(with: early)
        }
    }

    func limit(by timer: LimitTimer) {
        let isOver = state.withLock { state in
            if !state.isOver {
                state.timer = timer
            }
            return state.isOver
        }
        if isOver {
            timer.cancel()
        }
    }

    /// Starts the operation in a task of its own, unless the race is over.
    ///
    /// Not on the spot (`Task.immediate`), which would spare a change of threads: an operation that blocks before it
    /// first suspends would hold up the caller beyond every limit.
    func run(_ operation: @escaping @Sendable () async throws -> Value) {
        // Created and stored under one lock: the end of the race finds the task and cancels it before the caller resumes.
        state.withLock { state in
            guard !state.isOver else {
                return
            }
            state.operation = Task {
                do {
                    // The race may have ended before this task had its turn.
                    try Task.checkCancellation()
                    self.finish(.success(try await operation()))
                } catch {
                    self.finish(.failure(error))
                }
            }
        }
    }

    func finish(_ result: Result<Value, any Error>) {
        let (continuation, operation, timer) = state.withLock { state in
            guard !state.isOver else {
                return (CheckedContinuation<Value, any Error>?.none, Task<Void, Never>?.none, LimitTimer?.none)
            }
            state.isOver = true
            if state.continuation == nil {
                state.early = result
            }
            defer {
                state.continuation = nil
                state.operation = nil
                state.timer = nil
            }
            return (state.continuation, state.operation, state.timer)
        }
        timer?.cancel()
        operation?.cancel()
        continuation?.resume(with: result)
    }
}
