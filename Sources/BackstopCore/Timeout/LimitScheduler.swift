/// One timer for all time limits of the process.
///
/// Nearly all limits are cancelled long before they are reached, and there are only a few lengths. A sleeping task for
/// each would cost more than everything else a limit does; here a limit is an entry in a heap, and one task sleeps
/// until the earliest.
package final class LimitScheduler: Sendable {
    /// Names a scheduled action.
    package typealias Ticket = UInt64

    private struct State {
        /// The pending actions.
        var actions: [Ticket: @Sendable () -> Duration?] = [:]
        /// Their times, earliest first; entries without an action are dropped when they come up, or when there are
        /// many.
        var heap = DeadlineHeap()
        var lastTicket: Ticket = 0
        /// The task that sleeps until ``wakes``; nil when nothing is pending.
        var sleeper: Task<Void, Never>?
        var wakes = Duration.zero
        /// When it last woke more than a second late; nil for never.
        var lateWaking: Duration?
    }

    package static let shared = LimitScheduler()

    private let clock: any CallClock
    /// Actions, heap and sleeper, guarded by the lock.
    private let state = Lock(State())

    /// Makes a scheduler with a clock of its own; all limits of the process share ``shared``.
    init(clock: any CallClock = SystemClock()) {
        self.clock = clock
    }

    /// The number of entries, including those without an action.
    var entryCount: Int {
        state.withLock { $0.heap.count }
    }

    /// Whether a limit came more than a second late since a moment: the process was asleep, and a call that ran out of
    /// time then says nothing of its service.
    ///
    /// - Parameter recent: How long ago it counts at most; nil for any time.
    package func wokeLate(since moment: Duration, within recent: Duration? = nil) -> Bool {
        let first = recent.map { max(moment, clock.now - $0) } ?? moment
        return state.withLock { $0.lateWaking.map { $0 >= first } ?? false }
    }

    /// Runs an action after a time.
    ///
    /// - Parameter action: Must be short: it runs on the task shared by all limits. It returns after how long it is to
    ///   run again, nil for never.
    func schedule(after duration: Duration, action: @escaping @Sendable () -> Duration?) -> Ticket {
        let deadline = deadline(after: duration)
        return state.withLock { state in
            state.lastTicket &+= 1
            let ticket = state.lastTicket
            state.actions[ticket] = action
            insert(ticket, at: deadline, &state)
            return ticket
        }
    }

    private func deadline(after duration: Duration) -> Duration {
        clock.now + min(duration, .seconds(1_000_000_000))
    }

    private func insert(_ ticket: Ticket, at deadline: Duration, _ state: inout State) {
        state.heap.insert(deadline, ticket)
        if state.sleeper == nil || deadline < state.wakes {
            sleep(until: deadline, &state)
        }
    }

    /// Removes a pending action.
    func cancel(_ ticket: Ticket) {
        // The action may hold much memory, and is released outside the lock.
        let action = state.withLock { state in
            let action = state.actions.removeValue(forKey: ticket)
            if state.heap.count > 2 * state.actions.count + 64 {
                state.heap.keep { state.actions[$0] != nil }
            }
            return action
        }
        withExtendedLifetime(action) {}
    }

    private func sleep(until deadline: Duration, _ state: inout State) {
        state.sleeper?.cancel()
        state.wakes = deadline
        state.sleeper = Task.detached { [clock] in
            guard (try? await clock.sleep(until: deadline)) != nil else {
                return
            }
            let late = clock.now.subtracting(deadline)
            if late > .milliseconds(20) {
                if late > .seconds(1) {
                    self.state.withLock { $0.lateWaking = clock.now }
                }
                // The process was asleep, or had no thread: what has arrived meanwhile comes first. A limit that begins
                // now may be as late.
                guard (try? await clock.sleep(for: min(late, .milliseconds(500)))) != nil else {
                    return
                }
            }
            self.fire()
        }
    }

    private func fire() {
        let now = clock.now
        let due = state.withLock { state in
            var due: [(ticket: Ticket, action: @Sendable () -> Duration?)] = []
            while let earliest = state.heap.earliest {
                let action = state.actions[earliest.ticket]
                guard action == nil || earliest.deadline <= now else {
                    break
                }
                state.heap.removeEarliest()
                if let action {
                    due.append((earliest.ticket, action))
                }
            }
            state.sleeper = nil
            if let earliest = state.heap.earliest {
                sleep(until: earliest.deadline, &state)
            }
            return due
        }
        for (ticket, action) in due {
            guard let rest = action() else {
                cancel(ticket)
                continue
            }
            let deadline = deadline(after: rest)
            state.withLock { state in
                // It may have been cancelled while it ran.
                if state.actions[ticket] != nil {
                    insert(ticket, at: deadline, &state)
                }
            }
        }
    }
}

/// Deadlines with their tickets, the earliest first: a binary heap.
struct DeadlineHeap {
    private var entries: [(deadline: Duration, ticket: UInt64)] = []

    var count: Int {
        entries.count
    }

    var earliest: (deadline: Duration, ticket: UInt64)? {
        entries.first
    }

    mutating func insert(_ deadline: Duration, _ ticket: UInt64) {
        entries.append((deadline, ticket))
        var child = entries.count - 1
        while child > 0, entries[child].deadline < entries[(child - 1) / 2].deadline {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeEarliest() {
        guard let last = entries.popLast(), !entries.isEmpty else {
            return
        }
        entries[0] = last
        sink(0)
    }

    /// Drops all entries whose ticket is no longer needed.
    mutating func keep(_ isWanted: (UInt64) -> Bool) {
        entries.removeAll { !isWanted($0.ticket) }
        for position in stride(from: entries.count / 2 - 1, through: 0, by: -1) {
            sink(position)
        }
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in (2 * parent + 1)...(2 * parent + 2) where child < entries.count {
                if entries[child].deadline < entries[least].deadline {
                    least = child
                }
            }
            guard least != parent else {
                return
            }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
