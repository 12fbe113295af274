/// Runs an operation for at most so long; whoever is first, the result, the end of the time or cancellation, decides.
///
/// The operation runs in a task of its own that is cancelled when it loses; it is not waited for, so that an operation
/// which does not listen to cancellation cannot hold up the call.
func withTimeLimit<Value: Sendable>(
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
            race.limit(by: Timer(after: limit, clock: clock) { race.finish(.failure(timeout)) })
            race.run(operation)
        }
    } onCancel: {
        race.finish(.failure(CancellationError()))
    }
}

/// Something that happens after a time, unless it is cancelled.
private enum Timer: Sendable {
    case scheduled(LimitScheduler.Ticket)
    case task(Task<Void, Never>)

    /// The system's clock has one scheduler for all limits; any other clock is waited for by a task.
    init(after duration: Duration, clock: any CallClock, action: @escaping @Sendable () -> Void) {
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

    func cancel() {
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
        /// The result, when it came before there was a continuation.
        var early: Result<Value, any Error>?
        var operation: Task<Void, Never>?
        var timer: Timer?
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

    func limit(by timer: Timer) {
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

    /// Begins the operation on the spot where the system can, which spares a change of threads.
    func run(_ operation: @escaping @Sendable () async throws -> Value) {
        let body: @Sendable () async -> Void = {
            do {
                self.finish(.success(try await operation()))
            } catch {
                self.finish(.failure(error))
            }
        }
        let task: Task<Void, Never>
        #if compiler(>=6.2)
            if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
                task = Task.immediate { await body() }
            } else {
                task = Task { await body() }
            }
        #else
            task = Task { await body() }
        #endif
        let isOver = state.withLock { state in
            if !state.isOver {
                state.operation = task
            }
            return state.isOver
        }
        if isOver {
            task.cancel()
        }
    }

    func finish(_ result: Result<Value, any Error>) {
        let (continuation, operation, timer) = state.withLock { state in
            guard !state.isOver else {
                return (CheckedContinuation<Value, any Error>?.none, Task<Void, Never>?.none, Timer?.none)
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
