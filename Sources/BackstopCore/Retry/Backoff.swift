/// How long to wait before the next attempt: growing bounds, and a random wait below them.
///
/// Each wait is drawn from a range whose upper bound grows from one wait to the next, up to `maximumDelay`. The random
/// number is drawn after the maximum is applied, so that clients that failed together do not pile up at it (by the
/// eighth attempt, 89 % of the waits of a library that clamps after drawing are the maximum itself; here none).
///
/// ```swift
/// let backoff = try Backoff(baseDelay: .milliseconds(200), maximumDelay: .seconds(5))
/// let steady = try Backoff(baseDelay: .seconds(1), growth: .constant, jitter: .equal)
/// ```
public struct Backoff: Sendable, Hashable {
    /// The upper bound of the first wait; for ``Growth/decorrelated`` the least wait.
    ///
    /// Default: 0.5 s, which with jitter averages 0.25 s: enough for a new connection, and hardly noticeable.
    public let baseDelay: Duration
    /// The upper bound of any wait.
    ///
    /// Default: 20 s, which matters from the eighth attempt on: longer than a restart, shorter than an apparent hang.
    public let maximumDelay: Duration
    /// How the upper bound grows from one wait to the next.
    ///
    /// Default: ``Growth/exponential``, which halves the load of all clients with each attempt.
    public let growth: Growth
    /// Which part of the bound is random.
    ///
    /// Default: ``Jitter/full``, which spreads clients that failed together over the whole wait.
    public let jitter: Jitter

    /// From 0.5 s to 20 s, doubled each time, full jitter.
    public static let standard = Backoff(
        unchecked: .milliseconds(500), maximumDelay: .seconds(20), growth: .exponential, jitter: .full)

    /// No wait, for tests and for calls within one machine.
    public static let none = Backoff(unchecked: .zero, maximumDelay: .zero, growth: .constant, jitter: .none)

    /// The caller answers for the ranges.
    init(unchecked baseDelay: Duration, maximumDelay: Duration, growth: Growth, jitter: Jitter) {
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.growth = growth
        self.jitter = jitter
    }

    /// Makes a backoff.
    ///
    /// - Parameters:
    ///   - baseDelay: The upper bound of the first wait, 0 or more.
    ///   - maximumDelay: The upper bound of any wait, `baseDelay` or more; nil for 20 s, or `baseDelay` when that is
    ///     longer.
    ///   - growth: How the upper bound grows from one wait to the next; a factor is from 1 to 10.
    ///   - jitter: Which part of the bound is random; a share is from 0 to 1.
    /// - Throws: ``ConfigurationError`` for a negative base delay, a maximum below it, or a factor or share out of its
    ///   range.
    public init(
        baseDelay: Duration, maximumDelay: Duration? = nil, growth: Growth = .exponential, jitter: Jitter = .full
    ) throws(ConfigurationError) {
        let maximumDelay = maximumDelay ?? max(.seconds(20), baseDelay)
        try ConfigurationError.require(
            baseDelay >= .zero, "Backoff.baseDelay", "must not be negative, but is \(baseDelay)",
            fix: "Set the upper bound of the first wait, for example .milliseconds(500)")
        try ConfigurationError.require(
            maximumDelay >= baseDelay, "Backoff.maximumDelay",
            "must not be below the base delay of \(baseDelay), but is \(maximumDelay)",
            fix: "Raise the maximum delay, or lower the base delay")
        if let problem = growth.problem {
            throw ConfigurationError(
                setting: "Backoff.growth", problem: problem,
                fix: "Set the growth from one wait to the next; 2 doubles it, 1 keeps it")
        }
        if case .around(let share) = jitter, !(0...1).contains(share) {
            throw ConfigurationError(
                setting: "Backoff.jitter",
                problem: "must have a share from 0 to 1, but it is \(share)",
                fix: "Set the share of the bound, for example .around(0.2) for 80 % to 120 %")
        }
        self.init(unchecked: baseDelay, maximumDelay: maximumDelay, growth: growth, jitter: jitter)
    }

    /// The upper bound of the wait after a number of failed attempts, before jitter around it.
    ///
    /// - Parameters:
    ///   - failedAttempts: 1 or more; no number overflows.
    ///   - previous: The wait before this one, for decorrelated growth; nil for the longest that it can have been.
    package func bound(failedAttempts: Int, after previous: Duration? = nil) -> Duration {
        guard baseDelay > .zero else {
            return .zero
        }
        if growth == .decorrelated, let previous {
            return max(previous, baseDelay).times(Growth.decorrelation, limit: maximumDelay)
        }
        return baseDelay.times(growth.multiple(at: max(failedAttempts, 1)), limit: maximumDelay)
    }

    /// What the wait after a number of failed attempts can be, jitter included.
    @inline(never)
    func range(failedAttempts: Int, after previous: Duration? = nil) -> ClosedRange<Duration> {
        let upper = bound(failedAttempts: failedAttempts, after: previous)
        // Only decorrelated waits have a least length.
        let lower = growth == .decorrelated ? min(baseDelay, upper) : .zero
        return switch jitter {
        case .none: upper...upper
        case .full: lower...upper
        case .equal: (lower + (upper - lower) / 2)...upper
        case .around(let share): upper.times(1 - share, limit: .century)...upper.times(1 + share, limit: .century)
        }
    }

    /// The wait after a number of failed attempts.
    ///
    /// - Parameters:
    ///   - failedAttempts: How many attempts have failed, from 1.
    ///   - previous: The wait before the last attempt, for ``Growth/decorrelated``; nil when there was none.
    ///   - random: The source of the random part.
    public func wait(failedAttempts: Int, after previous: Duration? = nil, random: any RandomSource) -> Duration {
        let range = range(failedAttempts: failedAttempts, after: previous)
        switch jitter {
        case .none: return range.upperBound
        case .full, .equal: return random.between(range.lowerBound, range.upperBound)
        case .around(let share):
            return bound(failedAttempts: failedAttempts, after: previous)
                .times(1 - share + 2 * share * random.unit(), limit: .seconds(Int64.max))
        }
    }
}

extension RandomSource {
    /// An evenly distributed duration from the lower bound up to, but not including, the upper one.
    fileprivate func between(_ lower: Duration, _ upper: Duration) -> Duration {
        let drawn = lower + (upper - lower).times(unit(), limit: upper - lower)
        return drawn < upper ? drawn : max(lower, upper - .nanoseconds(1))
    }
}

extension Duration {
    /// The duration times a factor, in whole nanoseconds, so that three times 0.1 s is 0.3 s.
    fileprivate func times(_ factor: Double, limit: Duration) -> Duration {
        let exact = scaled(by: factor, limit: limit)
        return exact < .century ? .nanoseconds(Int64((exact.seconds * 1e9).rounded())) : exact
    }
}
