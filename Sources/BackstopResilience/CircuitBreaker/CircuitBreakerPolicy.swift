public import Backstop

/// When a circuit breaker opens, for how long, and how it closes again.
///
/// ```swift
/// let careful = try CircuitBreakerPolicy(
///     failureRatio: 0.2, window: .time(.seconds(30)), minimumThroughput: 100, slowCallDuration: .seconds(2))
/// ```
public struct CircuitBreakerPolicy: Sendable {
    /// The share of failed attempts at which it opens. Range: more than 0, up to 1.
    ///
    /// Default: 0.9, so that it opens for a service that is down. Where a part of the calls fails at random, retries get
    /// more of them through than a break: of a service that fails half of its calls, it refuses about 1 % at most, at
    /// any rate.
    public let failureRatio: Double
    /// Over what it counts. Default: the last 100 calls. They suit any rate: of fewer, nine in ten fail by chance
    /// again and again where there are hundreds a second, and a window of time is empty where there are few.
    public let window: CircuitWindow
    /// How many calls the window must have before the ratios count. Range: 1 or more, at most the calls of the window.
    ///
    /// Default: 10; with fewer, a few lost connections would stop all calls.
    public let minimumThroughput: Int
    /// From which duration on a call is slow; nil to count no slow calls. Default: nil, because only you know what is
    /// slow for a service.
    public let slowCallDuration: Duration?
    /// The share of slow calls at which it opens. Range: more than 0, up to 1. Default: 0.5.
    public let slowCallRatio: Double
    /// How long the first break lasts at most; repeated ones grow by ``growth``. Range: more than 0, up to a day.
    ///
    /// Default: 5 s, as in Polly: longer than a fail-over, and short for a person. An opening is repeated when a probe
    /// failed, or when the circuit was closed for less than ``maximumBreakDuration``.
    public let breakDuration: Duration
    /// How the bound grows with each repeated break; not `.decorrelated`. Default: `.exponential`, twice as long as the
    /// one before.
    public let growth: Backoff.Growth
    /// The upper bound of a break. Range: `breakDuration` up to a day. Default: 60 s; a service that is back is noticed
    /// within a minute.
    ///
    /// A server's `Retry-After` extends a break up to this bound.
    public let maximumBreakDuration: Duration
    /// Whether a break is random, from half of its bound to all of it. The random number is drawn after the cap is
    /// applied. Default: true; otherwise clients that opened together probe together.
    public let jitter: Bool
    /// How many probes must succeed for the circuit to close, and how many may run at once. Range: 1 to 100. One whose own
    /// deadline leaves it less than a second takes no place from others.
    ///
    /// Default: 1, as in Polly: an app makes few calls, and each that is not a probe is rejected meanwhile.
    public let probes: Int
    /// How long a probe may take before its place goes to another call; late, only its success counts. Range: more
    /// than 0, up to a day.
    ///
    /// Default: 60 s, twice the limit of the standard `AttemptTimeout`, so that a probe usually ends by itself.
    public let probeLease: Duration
    /// Whether a call that a person repeats goes through whatever the state: one that a handler repeats with `.retry`,
    /// or one with `CallOptions.isUserRetry`. While the circuit is not closed, its success closes it, and
    /// its failure changes nothing. Default: false.
    public let admitsPeople: Bool
    /// Whether it refuses calls. Default: true. With false it only watches: it counts, opens and tells its changes
    /// (``CircuitBreaker/transitions()``), and lets every call through, unless a person isolates it. So you see what it
    /// would do before it does.
    public let refusesCalls: Bool
    /// Whether a failure counts only if nothing was answered since its attempt began.
    var countsInRow = false
    /// What a failed call says about the service. Default: ``CircuitCandidate/standardOutcome``. It is not asked about a
    /// call that its own deadline ended within a second.
    public let outcome: @Sendable (CircuitCandidate) -> CircuitOutcome

    /// Nine tenths of the last 100 calls, at least 10 of them; breaks from 5 s to 60 s; one probe.
    public static let standard = CircuitBreakerPolicy(
        failureRatio: 0.9, window: .standard, minimumThroughput: 10, slowCallDuration: nil, slowCallRatio: 0.5,
        breakDuration: .seconds(5), growth: .exponential, maximumBreakDuration: .seconds(60), jitter: true, probes: 1,
        probeLease: .seconds(60), admitsPeople: false, refusesCalls: true, outcome: \.standardOutcome)

    /// For a service that hangs: opens after three timeouts in a row, while nothing else was answered, for a break of 10
    /// to 20 s, later of up to a minute; one probe; people go through.
    ///
    /// Only timeouts after the request was sent count against the service, and any response counts for it: a network
    /// that fails, or a service that refuses, is left to `Retry`. ``CircuitBreaker/forTimeouts(log:)`` has it.
    public static let timeouts = CircuitBreakerPolicy(
        failureRatio: 1, window: .lastThree, minimumThroughput: 3, slowCallDuration: nil, slowCallRatio: 1,
        breakDuration: .seconds(20), growth: .exponential, maximumBreakDuration: .seconds(60), jitter: true, probes: 1,
        probeLease: .seconds(60), admitsPeople: true, refusesCalls: true, countsInRow: true
    ) { candidate in
        guard candidate.receivedResponse == nil else {
            return .success
        }
        return candidate.wasSent && candidate.reason.isTimeoutAfterSending(in: candidate.phase) ? .failure : .ignored
    }
}

// Apart from the properties, so that the compiler makes the initializer that checks nothing.
extension CircuitBreakerPolicy {
    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - failureRatio: The share of failed calls at which it opens, more than 0, up to 1.
    ///   - window: Over what it counts; nil for the last 100 calls.
    ///   - minimumThroughput: How many calls must count before the ratios do, 1 or more; nil for 10, or for all calls
    ///     of a window that has fewer.
    ///   - slowCallDuration: From which duration on a call is slow, more than 0; nil to count none.
    ///   - slowCallRatio: The share of slow calls at which it opens, more than 0, up to 1.
    ///   - breakDuration: How long the first break lasts at most, more than 0, up to a day.
    ///   - growth: How the bound grows with each repeated break; a factor is from 1 to 10.
    ///   - maximumBreakDuration: The upper bound of a break; nil for 60 s, or `breakDuration` when that is longer.
    ///   - jitter: Whether a break is random, from half of its bound to all of it.
    ///   - probes: How many probes must succeed, from 1 to 100.
    ///   - probeLease: How long a probe may take, more than 0, up to a day.
    ///   - admitsPeople: Whether a call that a person repeats goes through whatever the state.
    ///   - refusesCalls: Whether it refuses calls; false only to watch.
    ///   - outcome: What a failed call says about the service. Cancelled calls are never asked about.
    /// - Throws: `ConfigurationError` when a value is out of its range.
    public init(
        failureRatio: Double = 0.9, window: CircuitWindow? = nil, minimumThroughput: Int? = nil,
        slowCallDuration: Duration? = nil, slowCallRatio: Double = 0.5, breakDuration: Duration = .seconds(5),
        growth: Backoff.Growth = .exponential, maximumBreakDuration: Duration? = nil, jitter: Bool = true,
        probes: Int = 1, probeLease: Duration = .seconds(60), admitsPeople: Bool = false, refusesCalls: Bool = true,
        outcome: @escaping @Sendable (CircuitCandidate) -> CircuitOutcome = { $0.standardOutcome }
    ) throws(ConfigurationError) {
        let window = window ?? .standard
        let maximum = maximumBreakDuration ?? max(.seconds(60), breakDuration)
        try Self.check(failureRatio, "failureRatio")
        try Self.check(slowCallRatio, "slowCallRatio")
        try Self.check(
            breakDuration, "breakDuration", fix: "Set how long the first break lasts, for example .seconds(5)")
        try Self.check(probeLease, "probeLease", fix: "Set how long a probe may take, for example .seconds(60)")
        try ConfigurationError.require(
            slowCallDuration.map { $0 > .zero } ?? true, "CircuitBreakerPolicy.slowCallDuration",
            "must be more than 0, but is \(slowCallDuration?.description ?? "")",
            fix: "Set from which duration on a call is slow, or nil to count no slow calls")
        try ConfigurationError.require(
            maximum >= breakDuration && maximum <= .seconds(86_400), "CircuitBreakerPolicy.maximumBreakDuration",
            "must be from the break duration of \(breakDuration.text) to a day, but is \(maximum.text)",
            fix: "Raise the maximum, or lower the break duration")
        if let problem = growth.problemWithoutJitter {
            throw ConfigurationError(
                setting: "CircuitBreakerPolicy.growth", problem: problem,
                fix: "Set how the bound grows, for example .exponential, which doubles it")
        }
        let most = window.cellNanoseconds == nil ? window.cells : 1_000_000
        let minimumThroughput = minimumThroughput ?? min(10, most)
        try ConfigurationError.require(
            (1...most).contains(minimumThroughput), "CircuitBreakerPolicy.minimumThroughput",
            "must be from 1 to \(most), but is \(minimumThroughput)",
            fix: "Set how many calls must count before the breaker may open, at most those of its window")
        try ConfigurationError.require(
            (1...100).contains(probes), "CircuitBreakerPolicy.probes", "must be from 1 to 100, but is \(probes)",
            fix: "Set how many probes must succeed before the breaker closes")
        self.init(
            failureRatio: failureRatio, window: window, minimumThroughput: minimumThroughput,
            slowCallDuration: slowCallDuration, slowCallRatio: slowCallRatio, breakDuration: breakDuration,
            growth: growth, maximumBreakDuration: maximum, jitter: jitter, probes: probes, probeLease: probeLease,
            admitsPeople: admitsPeople, refusesCalls: refusesCalls, outcome: outcome)
    }

    private static func check(_ ratio: Double, _ name: String) throws(ConfigurationError) {
        try ConfigurationError.require(
            ratio > 0 && ratio <= 1, "CircuitBreakerPolicy.\(name)", "must be more than 0 and up to 1, but is \(ratio)",
            fix: "Set the share of calls at which the breaker opens; 0.5 is half of them")
    }

    private static func check(_ duration: Duration, _ name: String, fix: String) throws(ConfigurationError) {
        try ConfigurationError.require(
            duration > .zero && duration <= .seconds(86_400), "CircuitBreakerPolicy.\(name)",
            "must be more than 0 and up to a day, but is \(duration.text)", fix: fix)
    }

    /// How long a break lasts.
    ///
    /// - Parameters:
    ///   - openings: How many openings in a row, including this one; 1 or more.
    ///   - unit: A random number from 0 up to, but not including, 1.
    ///   - asked: The server's `Retry-After`; nil for none.
    func breakDuration(openings: Int, unit: Double, asked: Duration?) -> Duration {
        let bound = breakDuration.scaled(by: growth.multiple(at: openings), limit: maximumBreakDuration)
        let drawn = jitter ? bound.scaled(by: 0.5 + 0.5 * unit, limit: bound) : bound
        return max(drawn, min(asked ?? .zero, maximumBreakDuration))
    }
}
