import BackstopCore

/// Holds up whoever comes until a test opens it; cancellation opens it for the one who is cancelled.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    /// Who waits before the gate, guarded by the lock.
    private let state = Lock(State())

    /// Goes through when the gate is open, and waits for that otherwise.
    func pass() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard !state.isOpen, !Task.isCancelled else {
                        return true
                    }
                    state.waiting[id] = continuation
                    return false
                }
                if goesOn {
                    continuation.resume()
                }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
    }

    /// Lets everybody through, now and later.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        waiting.values.forEach { $0.resume() }
    }
}

/// A number that several tasks count up.
final class Counter: Sendable {
    /// The number, guarded by the lock.
    private let number = Lock(0)

    var value: Int {
        number.withLock { $0 }
    }

    @discardableResult
    func increment() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
