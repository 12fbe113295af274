/// One timer for all time limits of the process.
///
/// Nearly all limits are cancelled long before they are reached. A sleeping task for each would cost more than everything
/// else a limit does; here, one task sleeps until the earliest.
package final class LimitScheduler: Sendable {
    /// Names a scheduled action.
    package typealias Ticket = UInt64

    private struct State {
        /// The pending actions.
        var actions: [Ticket: (deadline: Duration, run: @Sendable () -> Void)] = [:]
        var lastTicket: Ticket = 0
        /// The task that sleeps until ``wakes``; nil when nothing is pending.
        var sleeper: Task<Void, Never>?
        var wakes = Duration.zero
    }

    static let shared = LimitScheduler()

    private let clock: any CallClock
    /// Actions and sleeper, guarded by the lock.
    private let state = Lock(State())

    /// Makes a scheduler with a clock of its own; all limits of the process share ``shared``.
    init(clock: any CallClock = SystemClock()) {
        self.clock = clock
    }

    /// Runs an action after a time.
    ///
    /// - Parameter action: Must be short: it runs on the task shared by all limits.
    func schedule(after duration: Duration, action: @escaping @Sendable () -> Void) -> Ticket {
        let deadline = clock.now + min(duration, .seconds(1_000_000_000))
        return state.withLock { state in
            state.lastTicket &+= 1
            state.actions[state.lastTicket] = (deadline, action)
            if state.sleeper == nil || deadline < state.wakes {
                sleep(until: deadline, &state)
            }
            return state.lastTicket
        }
    }

    /// Removes a pending action.
    func cancel(_ ticket: Ticket) {
        // The action may hold much memory, and is released outside the lock.
        let action = state.withLock { $0.actions.removeValue(forKey: ticket) }
        withExtendedLifetime(action) {}
    }

    private func sleep(until deadline: Duration, _ state: inout State) {
        state.sleeper?.cancel()
        state.wakes = deadline
        state.sleeper = Task.detached { [clock] in
            guard (try? await clock.sleep(for: deadline - clock.now)) != nil else {
                return
            }
            self.fire()
        }
    }

    private func fire() {
        let now = clock.now
        let due = state.withLock { state in
            var due: [@Sendable () -> Void] = []
            var earliest: Duration?
            for (ticket, action) in state.actions {
                if action.deadline <= now {
                    due.append(action.run)
                    state.actions[ticket] = nil
                } else {
                    earliest = min(earliest ?? action.deadline, action.deadline)
                }
            }
            state.sleeper = nil
            if let earliest {
                // Each time looks at all of them, so not more than a thousand times a second.
                sleep(until: max(earliest, now + .milliseconds(1)), &state)
            }
            return due
        }
        for action in due {
            action()
        }
    }
}
