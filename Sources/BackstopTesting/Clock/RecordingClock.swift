public import BackstopCore

/// A clock that never waits: it keeps the sleeps, and moves its time by them.
///
/// Use it where only the lengths of the waits matter, such as the pauses of retry.
///
/// ```swift
/// let clock = RecordingClock()
/// try await clock.sleep(for: .seconds(2))
/// try await clock.sleep(for: .seconds(4))
/// let waits = clock.sleeps  // [2 s, 4 s]
/// let time = clock.now      // 6 s
/// ```
///
/// A time limit (`AttemptTimeout`, `Deadline`) is not kept; it is reached when the sleeps have moved the time so far.
/// The delays of a ``ScriptedTransport`` are sleeps as well.
///
/// For a test about the limit itself use ``ManualClock``, which shows who sleeps.
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
    /// - Parameter date: The date it shows, since 1970-01-01 00:00:00 UTC. Default: that moment itself.
    public init(date: Duration = .zero) {
        state = WatchedState(State(date: date))
    }

    /// The sum of the sleeps, and of what ``advance(by:)`` added.
    public var now: Duration {
        state.withLock { $0.now }
    }

    /// The time since 1970-01-01 00:00:00 UTC; it goes on with ``now``, and setting it sets the date alone.
    public var date: Duration {
        get { state.withLock { $0.date } }
        set { state.withLock { $0.date = newValue } }
    }

    /// The sleeps in the order in which they began, those of zero included, limits not.
    public var sleeps: [Duration] {
        state.withLock { $0.sleeps }
    }

    /// Keeps the sleep, moves the time by it, and returns at once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; the sleep is then not kept.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.sleeps.append(duration)
            state.move(by: duration)
        }
    }

    /// Waits until the sleeps have moved the time so far; limits are not kept.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForLimit(_ duration: Duration) async throws {
        let end = now + duration
        await state.wait { $0.now >= end }
        try Task.checkCancellation()
    }

    /// Advances the time without a sleep, as slow work does.
    ///
    /// - Parameter duration: How far; zero or less moves nothing.
    public func advance(by duration: Duration) {
        state.withLock { $0.move(by: duration) }
    }
}

extension RecordingClock.State {
    mutating func move(by duration: Duration) {
        now += max(.zero, duration)
        date += max(.zero, duration)
    }
}
