internal import BackstopCore

/// Holds up whoever comes until a test opens it.
package final class Gate: Sendable {
    fileprivate struct State {
        var isOpen = false
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var arrivals = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// Who waits before the gate, and who waits for them, guarded by the lock.
    private let state = Lock(State())

    package init() {}

    /// Goes through when the gate is open, and waits for that otherwise; cancellation does not open it.
    package func pass() async {
        await pass(state.withLock { $0.nextID() }, unlessCancelled: false)
    }

    /// Goes through when the gate is open, and waits for that otherwise; cancellation ends the wait.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func passUnlessCancelled() async throws {
        let id = state.withLock { $0.nextID() }
        await withTaskCancellationHandler {
            await pass(id, unlessCancelled: true)
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
    }

    private func pass(_ id: Int, unlessCancelled: Bool) async {
        await withCheckedContinuation { continuation in
            // A cancellation sets the flag before its handler asks for the lock, so one of the two sees the other.
            let (goesOn, ready) = state.withLock { state in
                state.arrivals += 1
                let arrivals = state.arrivals
                let ready = state.watchers.filter { $0.count <= arrivals }.map(\.continuation)
                state.watchers.removeAll { $0.count <= arrivals }
                let goesOn = state.isOpen || unlessCancelled && Task.isCancelled
                if !goesOn {
                    state.waiting[id] = continuation
                }
                return (goesOn, ready)
            }
            ready.forEach { $0.resume() }
            if goesOn {
                continuation.resume()
            }
        }
    }

    /// Lets everybody through, now and later.
    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        waiting.values.forEach { $0.resume() }
    }

    /// Waits until so many have come.
    package func waitForArrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.arrivals < count else {
                    return true
                }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady {
                continuation.resume()
            }
        }
    }
}

extension Gate.State {
    fileprivate mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }
}
