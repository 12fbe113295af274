/// How long to wait before the next attempt: exponential, with full jitter.
///
/// The wait before attempt n + 1 is drawn evenly between 0 and `min(cap, base * factor^(n-1))`. The random number is drawn
/// after the cap is applied, so that clients which failed together do not line up at the cap (by the eighth attempt,
/// 89 % of the waits of a library that clamps after drawing are the cap itself; here none).
///
/// ```swift
/// let backoff = try Backoff(base: .milliseconds(200), cap: .seconds(5))
/// ```
public struct Backoff: Sendable, Hashable {
    /// The upper bound of the first wait. Default: 0.5 s.
    public let base: Duration
    /// The upper bound of any wait. Default: 20 s.
    public let cap: Duration
    /// By how much the upper bound grows from one wait to the next. Default: 2. Range: 1 (the same each time) to 10.
    public let factor: Double
    /// Whether the wait is drawn at random. Default: true; without it, clients that failed together come back together.
    public let jitter: Bool

    /// Base 0.5 s, cap 20 s, full jitter.
    public static let standard = Backoff(uncheckedBase: .milliseconds(500), cap: .seconds(20), factor: 2, jitter: true)

    /// No wait at all, for tests and for calls inside one machine.
    public static let none = Backoff(uncheckedBase: .zero, cap: .zero, factor: 2, jitter: false)

    private init(uncheckedBase base: Duration, cap: Duration, factor: Double, jitter: Bool) {
        self.base = base
        self.cap = cap
        self.factor = factor
        self.jitter = jitter
    }

    /// Makes a backoff.
    ///
    /// - Parameters:
    ///   - base: The upper bound of the first wait, 0 or more.
    ///   - cap: The upper bound of any wait, `base` or more.
    ///   - factor: By how much the upper bound grows from one wait to the next, from 1 to 10.
    ///   - jitter: Whether the wait is drawn at random.
    /// - Throws: ``ConfigurationError`` for a negative base, a cap below it, or a factor out of its range.
    public init(
        base: Duration, cap: Duration = .seconds(20), factor: Double = 2, jitter: Bool = true
    ) throws(ConfigurationError) {
        guard base >= .zero else {
            throw ConfigurationError(
                setting: "Backoff.base", problem: "must not be negative, but is \(base)",
                mend: "Give the upper bound of the first wait, for example .milliseconds(500)")
        }
        guard cap >= base else {
            throw ConfigurationError(
                setting: "Backoff.cap", problem: "must not be below the base of \(base), but is \(cap)",
                mend: "Raise the cap, or lower the base")
        }
        guard (1...10).contains(factor) else {
            throw ConfigurationError(
                setting: "Backoff.factor", problem: "must be from 1 to 10, but is \(factor)",
                mend: "Give the growth from one wait to the next; 2 doubles it, 1 keeps it")
        }
        self.init(uncheckedBase: base, cap: cap, factor: factor, jitter: jitter)
    }

    /// The upper bound of the wait after so many failed attempts.
    ///
    /// - Parameter failedAttempts: 1 or more; it may be any number without overflow.
    public func bound(failedAttempts: Int) -> Duration {
        let steps = min(max(failedAttempts, 1) - 1, 200)
        var growth = 1.0
        for _ in 0..<steps {
            growth *= factor
        }
        return base == .zero ? .zero : base.scaled(by: growth, limit: cap)
    }

    /// The wait after so many failed attempts.
    public func wait(failedAttempts: Int, random: any RandomSource) -> Duration {
        let bound = bound(failedAttempts: failedAttempts)
        return jitter ? bound.scaled(by: random.unit(), limit: bound) : bound
    }
}
