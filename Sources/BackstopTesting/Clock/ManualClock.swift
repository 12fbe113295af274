public import BackstopCore

/// A clock that stands still until a test advances it.
///
/// Use it to test what happens during a wait: while retry waits, just before a time limit, when a call is cancelled in
/// its pause. Nothing depends on real time or luck: the test first waits for a sleeper and then moves the clock. If
/// only the lengths of waits matter, ``RecordingClock`` is simpler.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(2)) }
/// await clock.waitForSleepers(1)        // suspends until the task sleeps
/// await clock.advance(by: .seconds(2))  // and wakes it
/// try await task.value
/// ```
///
/// A test that waits for a sleeper that never comes hangs, so give it a time limit (`.timeLimit(.minutes(1))` in Swift
/// Testing, `executionTimeAllowance` in XCTest). All waits of the clock end when their task is cancelled.
public final class ManualClock: CallClock {
    struct Sleeper {
        let id: UInt64
        let wake: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    struct State {
        var now: Duration = .zero
        var date: Duration
        var lastID: UInt64 = 0
        /// The sleepers in the order of waking; of two with the same time, the earlier one first.
        var sleepers: [Sleeper] = []
        /// The tasks waiting for a sleeper to leave its sleep, by the sleeper's number.
        var wakers: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    }

    /// The time, the sleepers and their wakers, guarded by its lock.
    private let state: WatchedState<State>

    /// Makes a clock at zero.
    ///
    /// - Parameter date: The initial date, since 1970-01-01 00:00:00 UTC. Default: zero.
    public init(date: Duration = .zero) {
        state = WatchedState(State(date: date))
    }

    /// The time since the clock was made.
    public var now: Duration {
        state.withLock { $0.now }
    }

    /// The time since 1970-01-01 00:00:00 UTC; it advances with ``now``. Setting it changes only the date, as when a
    /// person sets the device's clock.
    public var date: Duration {
        get { state.withLock { $0.date } }
        set { state.withLock { $0.date = newValue } }
    }

    /// The remaining time of each sleeper, shortest first.
    public var sleepers: [Duration] {
        state.withLock { state in state.sleepers.map { $0.wake - state.now } }
    }

    /// Sleeps until the clock has moved this far; returns at once when the duration is not positive.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; the sleeper is then gone.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration > .zero else {
            return
        }
        try await sleep { $0.now.adding(duration) }
    }

    /// - Parameter wake: When it ends; nil for now.
    private func sleep(_ wake: (State) -> Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Cancellation sets the flag before its handler takes the lock, so one of the two sees the other.
                let early: Result<Void, any Error>? = state.withLock { state in
                    guard !Task.isCancelled else {
                        return .failure(CancellationError())
                    }
                    guard let wake = wake(state) else {
                        return .success(())
                    }
                    state.insert(Sleeper(id: id, wake: wake, continuation: continuation))
                    return nil
                }
                if let early {
                    continuation.resume(with: early)
                }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
        state.withLock { $0.wakers.removeValue(forKey: id) }?.resume(returning: true)
    }
}

extension ManualClock: SettableClock {
    package func atLimit(_ end: Duration, run action: @escaping @Sendable () -> Duration?) -> LimitTimer {
        .task(until: end, on: self, run: action) { try await self.sleepExactly(until: $0) }
    }

    package func sleepExactly(until end: Duration) async throws {
        try await sleep { end > $0.now ? end : nil }
    }
}

extension ManualClock {
    /// Advances the clock and wakes the sleepers that are due, one by one, in order.
    ///
    /// The clock shows the new time before the first wakes, so that nothing sees a time in between, and new sleeps
    /// start at the new time. A sleeper wakes when the one before has left its sleep: tasks of one actor continue in
    /// this order, tasks on different threads in parallel. Use ``runNextSleep()`` to stop at each wake-up.
    ///
    /// - Parameter duration: How far. The clock never goes back: zero or less does nothing.
    public func advance(by duration: Duration) async {
        let end = state.withLock { state in
            state.move(by: max(.zero, duration))
            return state.now
        }
        while await wakeFirst(upTo: end) {}
    }

    /// Waits for a sleeper, moves the clock to the first wake-up, and wakes only that sleeper; for another one if it is
    /// cancelled at that moment.
    ///
    /// ```swift
    /// let clock = ManualClock()
    /// let task = Task {
    ///     try await clock.sleep(for: .seconds(1))
    ///     try await clock.sleep(for: .seconds(2))
    /// }
    /// let first = await clock.runNextSleep()   // 1 s
    /// let second = await clock.runNextSleep()  // 2 s
    /// try await task.value
    /// ```
    /// Time limits are sleepers too: with an `AttemptTimeout` in the chain, wait for the right sleeper with
    /// ``waitForSleeper(remaining:)`` and use ``advance(by:)``.
    ///
    /// - Returns: How far the clock moved; zero when the waiting task was cancelled.
    @discardableResult
    public func runNextSleep() async -> Duration {
        var moved = Duration.zero
        var end: Duration
        repeat {
            await waitForSleepers(1)
            end = state.withLock { state in
                if let first = state.sleepers.first, first.wake > state.now {
                    moved += first.wake - state.now
                    state.move(by: first.wake - state.now)
                }
                return state.now
            }
            // One that has been cancelled meanwhile was none.
        } while await !wakeFirst(upTo: end) && !Task.isCancelled
        return moved
    }

    /// Suspends until there are at least this many sleepers, or the waiting task is cancelled.
    ///
    /// - Parameter count: How many; zero or less returns at once.
    public func waitForSleepers(_ count: Int) async {
        await state.wait { $0.sleepers.count >= count }
    }

    /// Suspends until there is a sleeper with exactly this time remaining, or the waiting task is cancelled.
    ///
    /// ```swift
    /// let clock = ManualClock()
    /// let limit = Task { try await clock.sleep(for: .seconds(30)) }
    /// let pause = Task { try await clock.sleep(for: .seconds(2)) }
    /// await clock.waitForSleeper(remaining: .seconds(2))
    /// await clock.advance(by: .seconds(2))
    /// try await pause.value
    /// limit.cancel()
    /// ```
    public func waitForSleeper(remaining: Duration) async {
        await state.wait { state in state.sleepers.contains { $0.wake - state.now == remaining } }
    }

    /// Wakes the first sleeper that is due, and waits until it has left its sleep.
    ///
    /// - Returns: Whether there was one.
    private func wakeFirst(upTo end: Duration) async -> Bool {
        await withCheckedContinuation { waker in
            let sleeper = state.withLock { state -> Sleeper? in
                guard let first = state.sleepers.first, first.wake <= end else {
                    return nil
                }
                state.wakers[first.id] = waker
                return state.sleepers.removeFirst()
            }
            guard let sleeper else {
                waker.resume(returning: false)
                return
            }
            sleeper.continuation.resume()
        }
    }
}

extension ManualClock.State {
    mutating func move(by duration: Duration) {
        now = now.adding(duration)
        date = date.adding(duration)
    }

    mutating func insert(_ sleeper: ManualClock.Sleeper) {
        let index = sleepers.firstIndex { $0.wake > sleeper.wake } ?? sleepers.endIndex
        sleepers.insert(sleeper, at: index)
    }
}
