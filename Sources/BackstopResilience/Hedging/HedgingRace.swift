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
    }

    /// What happened, in order; it ends when the call is cancelled.
    let events: AsyncStream<Event>
    private let report: AsyncStream<Event>.Continuation
    private let clock: any CallClock
    /// Tasks and timer, until the race is decided or cancelled: nothing starts any more then.
    private let state = OneShot<Void, State>(State())

    init(clock: any CallClock) {
        self.clock = clock
        (events, report) = AsyncStream.makeStream()
    }

    /// Starts a copy in a task of its own, which has the values of the calling task, unless the race is over.
    func start(_ number: Int, _ operation: @escaping @Sendable () async throws -> Response) {
        // Created and stored under one lock: whatever ends the race finds the task and cancels it.
        state.update { state in
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
        if state.update({ $0.timer = timer }) == nil {
            timer.cancel()
        }
    }

    /// Ends the race: cancels what still runs.
    func end() {
        let end = state.end(with: .success(())) { exchange(&$0, with: State()) }
        end?.rest.timer?.cancel()
        end?.rest.tasks.forEach { $0.cancel() }
    }
}
