#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The clock of a call: monotonic time, the date, and a way to sleep.
///
/// The standard library's `Clock` has no date, and its instants cannot be compared through an existential; this one
/// solves both. Tests use `ManualClock` and `RecordingClock` of BackstopTesting.
///
/// ```swift
/// let clock: any CallClock = SystemClock()
/// let start = clock.now
/// try await clock.sleep(for: .milliseconds(1))
/// let waited = clock.now - start
/// ```
public protocol CallClock: Sendable {
    /// The monotonic time since some fixed moment; it keeps running while the machine sleeps.
    var now: Duration { get }

    /// The time since 1970-01-01 00:00:00 UTC, for headers that carry a date.
    var date: Duration { get }

    /// Sleeps; returns at once when the duration is not positive.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws

    /// Waits until a time limit is reached: an attempt's or a call's. Default: ``sleep(for:)``.
    ///
    /// It is a separate method so that a test clock that never waits can distinguish a limit, usually not reached, from
    /// a pause.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func waitForLimit(_ duration: Duration) async throws
}

extension CallClock {
    /// Waits like any other sleep.
    public func waitForLimit(_ duration: Duration) async throws {
        try await sleep(for: duration)
    }
}

/// The system's clock.
public struct SystemClock: CallClock {
    private static let origin = ContinuousClock.now

    /// About a hundred years: `Task.sleep` crashes when the wake-up time does not fit into 64 bits of seconds, and
    /// `.seconds(Int64.max)` is a common way to write "no limit".
    private static let longestSleep = Duration.century

    /// Makes the clock; all instances show the same time.
    public init() {}

    /// The time since the first use of any system clock in this process.
    public var now: Duration {
        Self.origin.duration(to: .now)
    }

    /// The system's date, as the time since 1970-01-01 00:00:00 UTC.
    public var date: Duration {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else {
            return .zero
        }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// Sleeps with `Task.sleep`, for a hundred years at most.
    public func sleep(for duration: Duration) async throws {
        guard duration > .zero else {
            try Task.checkCancellation()
            return
        }
        try await Task.sleep(for: min(duration, Self.longestSleep), clock: .continuous)
    }
}
