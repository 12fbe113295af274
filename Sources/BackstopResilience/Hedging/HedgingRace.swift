internal import Backstop

/// The copies of one request that run at the same time, and what happens to them.
///
/// Copies and the timer report events; the task of the call takes them one by one and decides. Nothing waits for a copy
/// that was cancelled.
final class HedgingRace<Response: Sendable>: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// It is time for another copy.
        case due
        /// A copy has ended.
        case ended(Int, Result<Response, any Error>)
        /// The call was cancelled.
        case cancelled
    }

    private struct State {
        var events: [Event] = []
        /// The call's task, waiting for an event.
        var waiter: CheckedContinuation<Event, Never>?
        var tasks: [Int: Task<Void, Never>] = [:]
        var timer: LimitTimer?
        /// Whether the race was decided or cancelled: nothing starts any more.
        var isOver = false

        /// Ends the race; returns what is to be cancelled.
        mutating func end() -> (tasks: [Task<Void, Never>], timer: LimitTimer?) {
            isOver = true
            defer {
                tasks = [:]
                timer = nil
            }
            return (Array(tasks.values), timer)
        }
    }

    private let clock: any CallClock
    /// Events, waiter, tasks and timer, guarded by the lock.
    private let state = Lock(State())

    init(clock: any CallClock) {
        self.clock = clock
    }

    /// The next event, in the order they came.
    func event() async -> Event {
        await withCheckedContinuation { waiter in
            let event = state.withLock { state -> Event? in
                guard !state.events.isEmpty else {
                    state.waiter = waiter
                    return nil
                }
                return state.events.removeFirst()
            }
            if let event {
                waiter.resume(returning: event)
            }
        }
    }

    /// Starts a copy in a task of its own, which has the values of the calling task, unless the race is over.
    func start(_ number: Int, _ operation: @escaping @Sendable () async throws -> Response) {
        // Created and stored under one lock: whatever ends the race finds the task and cancels it.
        state.withLock { state in
            guard !state.isOver else {
                return
            }
            state.tasks[number] = Task {
                let result: Result<Response, any Error>
                do {
                    // The race may have ended before this task had its turn.
                    try Task.checkCancellation()
                    result = .success(try await operation())
                } catch {
                    result = .failure(error)
                }
                self.report(.ended(number, result), from: number)
            }
        }
    }

    /// Reports after a time that another copy is due.
    func schedule(after delay: Duration) {
        let timer = LimitTimer(after: delay, clock: clock) { [weak self] in
            self?.report(.due, from: nil)
        }
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

    /// Ends the race: cancels what still runs.
    func end() {
        let (tasks, timer) = state.withLock { $0.end() }
        timer?.cancel()
        for task in tasks {
            task.cancel()
        }
    }

    /// Ends the race because the call was cancelled. When this returns, every copy is cancelled.
    func cancel() {
        end()
        report(.cancelled, from: nil)
    }

    private func report(_ event: Event, from number: Int?) {
        let waiter = state.withLock { state -> CheckedContinuation<Event, Never>? in
            if let number {
                state.tasks[number] = nil
            }
            guard let waiter = state.waiter else {
                state.events.append(event)
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: event)
    }
}
