public import BackstopCore

/// A clock that never waits: it records each sleep, and advances its time by it.
///
/// Use it if only the lengths of waits matter, such as the pauses of retry.
///
/// ```swift
/// let clock = RecordingClock()
/// try await clock.sleep(for: .seconds(2))
/// try await clock.sleep(for: .seconds(4))
/// let waits = clock.sleeps  // [2 s, 4 s]
/// let time = clock.now      // 6 s
/// ```
///
/// A time limit (`AttemptTimeout`, `Deadline`) is not recorded; it is reached when the sleeps add up to it. The delays
/// of a ``ScriptedTransport`` are sleeps too.
///
/// To test the limit itself, use ``ManualClock``, which shows the sleepers.
public final class RecordingClock: CallClock {
    struct State {
        var now: Duration = .zero
        var date: Duration
        var sleeps: [Duration] = []
    }

    /// Time, date and sleeps, guarded by its lock.
    private let state: WatchedState<State>

    /// Makes a clock at zero.
    ///
    /// - Parameter date: The initial date, since 1970-01-01 00:00:00 UTC. Default: zero.
    public init(date: Duration = .zero) {
        state = WatchedState(State(date: date))
    }

    /// The sum of all sleeps and of ``advance(by:)``.
    public var now: Duration {
        state.withLock { $0.now }
    }

    /// The time since 1970-01-01 00:00:00 UTC; it advances with ``now``. Setting it changes only the date.
    public var date: Duration {
        get { state.withLock { $0.date } }
        set { state.withLock { $0.date = newValue } }
    }

    /// The sleeps in the order they began, including those of zero, without limits.
    public var sleeps: [Duration] {
        state.withLock { $0.sleeps }
    }

    /// Records the sleep, advances the time by it, and returns at once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; the sleep is then not recorded.
    public func sleep(for duration: Duration) async throws {
        try sleep { _ in duration }
    }

    private func sleep(_ duration: (State) -> Duration) throws {
        try Task.checkCancellation()
        state.withLock { state in
            let duration = duration(state)
            state.sleeps.append(duration)
            state.move(by: duration)
        }
    }

    /// Waits until the sleeps add up to the limit, which is not recorded.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForLimit(_ duration: Duration) async throws {
        try await waitForLimit(until: now.adding(duration))
    }

    /// Advances the time without a sleep, as slow work would.
    ///
    /// - Parameter duration: How far; zero or less does nothing.
    public func advance(by duration: Duration) {
        state.withLock { $0.move(by: duration) }
    }
}

extension RecordingClock: SettableClock {
    package func waitForLimit(until end: Duration) async throws {
        await state.wait { $0.now >= end }
        try Task.checkCancellation()
    }

    package func sleepExactly(until end: Duration) async throws {
        try sleep { max(.zero, end.subtracting($0.now)) }
    }
}

extension RecordingClock.State {
    mutating func move(by duration: Duration) {
        now = now.adding(max(.zero, duration))
        date = date.adding(max(.zero, duration))
    }
}
