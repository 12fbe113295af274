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
        let turn: OneShot<Void, Void>
        let condition: @Sendable (State) -> Bool
    }

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
                storage.waiters.removeAll { waiter in ready.contains { $0.turn === waiter.turn } }
            }
            return (result, ready)
        }
        for waiter in ready {
            waiter.turn.end(with: .success(()))
        }
        return result
    }

    /// Suspends until the condition holds, or the task is cancelled.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        let turn = OneShot<Void, Void>()
        let goesOn = storage.withLock { storage in
            guard !condition(storage.state) else {
                return true
            }
            storage.waiters.append(Waiter(turn: turn, condition: condition))
            return false
        }
        if !goesOn {
            try? await turn.value(leaving: { self.storage.withLock { $0.waiters.removeAll { $0.turn === turn } } })
        }
    }
}
