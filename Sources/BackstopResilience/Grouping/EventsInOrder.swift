internal import Backstop

/// Events that are told in their order and outside of all locks. What comes while someone tells is told by the same.
final class EventsInOrder<Event: Sendable>: Sendable {
    /// What is not told yet, in order, and whether someone tells; guarded by the lock.
    private let state = Lock((waiting: [Event](), isTelling: false))

    /// Adds one, under the lock of what it is about, which so decides the order. ``tell(_:)`` follows outside of it.
    func add(_ event: Event) {
        state.withLock { $0.waiting.append(event) }
    }

    /// Tells the events that wait, unless someone else is telling: that one goes on with these.
    func tell(_ event: (Event) -> Void) {
        while true {
            let events = state.withLock { state -> [Event] in
                guard !state.isTelling, !state.waiting.isEmpty else {
                    return []
                }
                state.isTelling = true
                defer { state.waiting = [] }
                return state.waiting
            }
            guard !events.isEmpty else {
                return
            }
            events.forEach(event)
            state.withLock { $0.isTelling = false }
        }
    }
}
