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
            race.add(
                Task {
                    do {
                        race.finish(.success(try await operation()))
                    } catch {
                        race.finish(.failure(error))
                    }
                })
            race.add(
                Task {
                    guard (try? await clock.waitForLimit(limit)) != nil else {
                        return
                    }
                    race.finish(.failure(timeout))
                })
        }
    } onCancel: {
        race.finish(.failure(CancellationError()))
    }
}

/// The result of the first to finish; the tasks of the others are cancelled.
private final class Race<Value: Sendable>: Sendable {
    struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var result: Result<Value, any Error>?
        var tasks: [Task<Void, Never>] = []
    }

    /// Continuation, result and tasks, guarded by the lock.
    private let state = Lock(State())

    func begin(_ continuation: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            if state.result == nil {
                state.continuation = continuation
            }
            return state.result
        }
        if let result {
            continuation.resume(with: result)
        }
    }

    func add(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if state.result == nil {
                state.tasks.append(task)
            }
            return state.result != nil
        }
        if isOver {
            task.cancel()
        }
    }

    func finish(_ result: Result<Value, any Error>) {
        let (continuation, tasks) = state.withLock { state in
            guard state.result == nil else {
                return (CheckedContinuation<Value, any Error>?.none, [Task<Void, Never>]())
            }
            state.result = result
            defer {
                state.continuation = nil
                state.tasks = []
            }
            return (state.continuation, state.tasks)
        }
        for task in tasks {
            task.cancel()
        }
        continuation?.resume(with: result)
    }
}
