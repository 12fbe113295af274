internal import BackstopCore

/// A locked state that tasks can wait on: a waiter resumes as soon as a change makes its condition true.
///
/// Conditions run under the lock, so only this module's own are passed.
final class WatchedState<State>: Sendable {
    private struct Storage {
        var state: State
        var waiters: [Waiter] = []
    }

    private struct Waiter {
        let token: Token
        let condition: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    /// Identifies a waiter.
    private final class Token: Sendable {}

    /// The state and its waiters, guarded by the lock.
    private let storage: Lock<Storage>

    init(_ state: State) {
        storage = Lock(Storage(state: state))
    }

    /// Reads or changes the state, then wakes those whose condition holds.
    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        let (result, ready) = try storage.withLock { storage in
            let result = try body(&storage.state)
            let state = storage.state
            let ready = storage.waiters.filter { $0.condition(state) }
            if !ready.isEmpty {
                storage.waiters.removeAll { waiter in ready.contains { $0.token === waiter.token } }
            }
            return (result, ready.map { $0.continuation })
        }
        for continuation in ready {
            continuation.resume()
        }
        return result
    }

    /// Suspends until the condition holds, or the task is cancelled.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        let token = Token()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancellation sets the flag before its handler takes the lock, so one of the two sees the other.
                let goesOn = storage.withLock { storage in
                    guard !Task.isCancelled, !condition(storage.state) else {
                        return true
                    }
                    storage.waiters.append(Waiter(token: token, condition: condition, continuation: continuation))
                    return false
                }
                if goesOn {
                    continuation.resume()
                }
            }
        } onCancel: {
            let waiter = storage.withLock { storage in
                storage.waiters.firstIndex { $0.token === token }.map { storage.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}
