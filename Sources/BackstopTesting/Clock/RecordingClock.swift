public import BackstopCore

/// A clock that never waits: it records each sleep, and advances its time by it, or to the limit that ends it.
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
/// A time limit (`AttemptTimeout`, `Deadline`) is not recorded; it is reached when the sleeps add up to it, and ends the
/// sleep that reaches it. The delays of a ``ScriptedTransport`` are sleeps too.
///
/// To test the limit itself, use ``ManualClock``, which shows the sleepers.
public final class RecordingClock: CallClock {
    struct State {
        var now: Duration = .zero
        var date: Duration
        var sleeps: [Duration] = []
        /// The actions of limits by number, and when each is due; nil while one runs.
        var limits: [Int: (end: Duration?, action: @Sendable () -> Duration?)] = [:]
        var lastLimit = 0
    }

    /// Time, date, sleeps and limits, guarded by its lock.
    private let state: WatchedState<State>

    /// Makes a clock at zero.
    ///
    /// - Parameter date: The initial date, since 1970-01-01 00:00:00 UTC. Default: zero.
    public init(date: Duration = .zero) {
        state = WatchedState(State(date: date))
    }

    /// The sum of all sleeps, up to the limits that ended them, and of ``advance(by:)``.
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

    /// Records the sleep, advances the time by it, or to the limit that ends it, and returns at once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; a sleep that begins then is not recorded.
    public func sleep(for duration: Duration) async throws {
        try sleep { _ in duration }
    }

    private func sleep(until end: Duration? = nil, _ duration: (State) -> Duration) throws {
        try Task.checkCancellation()
        let rest = state.withLock { state in
            let duration = duration(state)
            state.sleeps.append(duration)
            return duration
        }
        move(by: rest, until: end) { !Task.isCancelled }
        // A limit that was reached may have ended what sleeps here.
        try Task.checkCancellation()
    }

    /// Moves on, and stops at each limit to run its action, unless that has ended what moves the clock.
    ///
    /// - Parameter end: The moment until which it moves, whatever else moves the clock; nil for the duration.
    private func move(by duration: Duration, until end: Duration? = nil, while goesOn: () -> Bool = { true }) {
        var rest = max(.zero, duration)
        repeat {
            let limit = state.withLock { state in
                rest = end.map { max(.zero, $0.subtracting(state.now)) } ?? rest
                let due = state.limits.compactMap { id, limit in limit.end.map { (id: id, end: $0) } }
                    .filter { $0.end <= state.now.adding(rest) }.min { ($0.end, $0.id) < ($1.end, $1.id) }
                let step = due.map { max(.zero, $0.end.subtracting(state.now)) } ?? rest
                state.move(by: step)
                rest -= step
                return due.map { due in
                    defer { state.limits[due.id]?.end = nil }
                    return (id: due.id, action: state.limits[due.id]?.action)
                }
            }
            guard let limit else {
                return
            }
            let again = limit.action?()
            state.withLock { state in
                if let again {
                    state.limits[limit.id]?.end = state.now.adding(again)
                } else {
                    state.limits[limit.id] = nil
                }
            }
        } while goesOn()
    }

    /// Waits until the sleeps add up to the limit, which is not recorded.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForLimit(_ duration: Duration) async throws {
        let end = now.adding(duration)
        await state.wait { $0.now >= end }
        try Task.checkCancellation()
    }

    /// Advances the time without a sleep, as slow work would.
    ///
    /// - Parameter duration: How far; zero or less does nothing.
    public func advance(by duration: Duration) {
        move(by: duration)
    }
}

extension RecordingClock: SettableClock {
    package func atLimit(_ end: Duration, run action: @escaping @Sendable () -> Duration?) -> LimitTimer {
        let (id, isDue) = state.withLock { state in
            state.lastLimit += 1
            state.limits[state.lastLimit] = (end, action)
            return (state.lastLimit, end <= state.now)
        }
        if isDue {
            Task { move(by: .zero) }
        }
        return .other { [self] in
            // What the action holds is released outside of the lock.
            let limit = state.withLock { $0.limits.removeValue(forKey: id) }
            withExtendedLifetime(limit) {}
        }
    }

    package func sleepExactly(until end: Duration) async throws {
        try sleep(until: end) { max(.zero, end.subtracting($0.now)) }
    }
}

extension RecordingClock.State {
    mutating func move(by duration: Duration) {
        now = now.adding(duration)
        date = date.adding(duration)
    }
}
