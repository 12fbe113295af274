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
    }

    private struct State {
        var tasks: [Task<Void, Never>] = []
        var timer: LimitTimer?
        /// Whether the race was decided or cancelled: nothing starts any more.
        var isOver = false
    }

    /// What happened, in order; it ends when the call is cancelled.
    let events: AsyncStream<Event>
    private let report: AsyncStream<Event>.Continuation
    private let clock: any CallClock
    /// Tasks and timer, guarded by the lock.
    private let state = Lock(State())

    init(clock: any CallClock) {
        self.clock = clock
        (events, report) = AsyncStream.makeStream()
    }

    /// Starts a copy in a task of its own, which has the values of the calling task, unless the race is over.
    func start(_ number: Int, _ operation: @escaping @Sendable () async throws -> Response) {
        // Created and stored under one lock: whatever ends the race finds the task and cancels it.
        state.withLock { state in
            guard !state.isOver else {
                return
            }
            state.tasks.append(
                Task { [report] in
                    do {
                        // The race may have ended before this task had its turn.
                        try Task.checkCancellation()
                        report.yield(.ended(number, .success(try await operation())))
                    } catch {
                        report.yield(.ended(number, .failure(error)))
                    }
                })
        }
    }

    /// Reports after a time that another copy is due.
    func schedule(after delay: Duration) {
        let timer = LimitTimer(after: delay, clock: clock) { [report] in
            report.yield(.due)
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
        let (tasks, timer) = state.withLock { state in
            state.isOver = true
            defer {
                state.tasks = []
                state.timer = nil
            }
            return (state.tasks, state.timer)
        }
        timer?.cancel()
        for task in tasks {
            task.cancel()
        }
    }
}
