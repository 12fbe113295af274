import BackstopCore

/// Holds up whoever comes until a test opens it; cancellation does not open it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// Who waits before the gate, and who waits for them, guarded by the lock.
    private let state = Lock(State())

    /// Goes through when the gate is open, and waits for that otherwise.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, ready) = state.withLock { state in
                state.arrivals += 1
                let arrivals = state.arrivals
                let ready = state.watchers.filter { $0.count <= arrivals }.map(\.continuation)
                state.watchers.removeAll { $0.count <= arrivals }
                if !state.isOpen {
                    state.waiting.append(continuation)
                }
                return (state.isOpen, ready)
            }
            ready.forEach { $0.resume() }
            if isOpen {
                continuation.resume()
            }
        }
    }

    /// Lets everybody through, now and later.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    /// Waits until so many have come.
    func waitForArrivals(_ count: Int) async {
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

/// A list that several tasks write to.
final class Notes<Element: Sendable>: Sendable {
    /// What was written, guarded by the lock.
    private let kept = Lock<[Element]>([])

    /// What was written so far.
    var all: [Element] {
        kept.withLock { $0 }
    }

    /// Writes one more.
    func add(_ element: Element) {
        kept.withLock { $0.append(element) }
    }
}
