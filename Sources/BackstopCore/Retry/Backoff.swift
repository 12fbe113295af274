/// How long to wait before the next attempt: exponential, with full jitter.
///
/// The wait before attempt n + 1 is drawn evenly between 0 and `min(maximumDelay, baseDelay * factor^(n-1))`. The
/// random number is drawn after the maximum is applied, so that clients which failed together do not line up at it (by
/// the eighth attempt, 89 % of the waits of a library that clamps after drawing are the maximum itself; here none).
///
/// ```swift
/// let backoff = try Backoff(baseDelay: .milliseconds(200), maximumDelay: .seconds(5))
/// ```
public struct Backoff: Sendable, Hashable {
    /// The upper bound of the first wait.
    ///
    /// Default: 0.5 s, with jitter 0.25 s on average: a connection is new by then, and a person hardly notices.
    public let baseDelay: Duration
    /// The upper bound of any wait.
    ///
    /// Default: 20 s, which matters from the seventh attempt on: longer than a restart, shorter than what looks like a
    /// hang.
    public let maximumDelay: Duration
    /// By how much the upper bound grows from one wait to the next. Range: 1 (the same each time) to 10.
    ///
    /// Default: 2, so that the load of all clients together halves with each attempt.
    public let factor: Double
    /// Whether the wait is drawn at random. Default: true; without it, clients that failed together come back together.
    public let jitter: Bool

    /// From 0.5 s to 20 s, full jitter.
    public static let standard = Backoff(
        unchecked: .milliseconds(500), maximumDelay: .seconds(20), factor: 2, jitter: true)

    /// No wait at all, for tests and for calls inside one machine.
    public static let none = Backoff(unchecked: .zero, maximumDelay: .zero, factor: 2, jitter: false)

    private init(unchecked baseDelay: Duration, maximumDelay: Duration, factor: Double, jitter: Bool) {
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.factor = factor
        self.jitter = jitter
    }

    /// Makes a backoff.
    ///
    /// - Parameters:
    ///   - baseDelay: The upper bound of the first wait, 0 or more.
    ///   - maximumDelay: The upper bound of any wait, `baseDelay` or more.
    ///   - factor: By how much the upper bound grows from one wait to the next, from 1 to 10.
    ///   - jitter: Whether the wait is drawn at random.
    /// - Throws: ``ConfigurationError`` for a negative base delay, a maximum below it, or a factor out of its range.
    public init(
        baseDelay: Duration, maximumDelay: Duration = .seconds(20), factor: Double = 2, jitter: Bool = true
    ) throws(ConfigurationError) {
        guard baseDelay >= .zero else {
            throw ConfigurationError(
                setting: "Backoff.baseDelay", problem: "must not be negative, but is \(baseDelay)",
                fix: "Give the upper bound of the first wait, for example .milliseconds(500)")
        }
        guard maximumDelay >= baseDelay else {
            throw ConfigurationError(
                setting: "Backoff.maximumDelay",
                problem: "must not be below the base delay of \(baseDelay), but is \(maximumDelay)",
                fix: "Raise the maximum delay, or lower the base delay")
        }
        guard (1...10).contains(factor) else {
            throw ConfigurationError(
                setting: "Backoff.factor", problem: "must be from 1 to 10, but is \(factor)",
                fix: "Give the growth from one wait to the next; 2 doubles it, 1 keeps it")
        }
        self.init(unchecked: baseDelay, maximumDelay: maximumDelay, factor: factor, jitter: jitter)
    }

    /// The upper bound of the wait after so many failed attempts.
    ///
    /// - Parameter failedAttempts: 1 or more; it may be any number without overflow.
    package func bound(failedAttempts: Int) -> Duration {
        let steps = min(max(failedAttempts, 1) - 1, 200)
        var growth = 1.0
        for _ in 0..<steps {
            growth *= factor
        }
        return baseDelay == .zero ? .zero : baseDelay.scaled(by: growth, limit: maximumDelay)
    }

    /// The wait after so many failed attempts.
    public func wait(failedAttempts: Int, random: any RandomSource) -> Duration {
        let bound = bound(failedAttempts: failedAttempts)
        return jitter ? bound.scaled(by: random.unit(), limit: bound) : bound
    }
}
