/// How many retries a client affords, and when it stops calling a service that does not answer.
///
/// A retry helps one caller and costs the service. While the service is overloaded, the retries of all its clients can
/// keep it so: a server with a queue works on requests whose callers are gone, the new ones run out of time too, and
/// each of them comes twice. A budget ends that, with what one client can see by itself:
///
/// * **A bucket of retries.** Each retry takes one, each success gives back a tenth of one. While most calls succeed,
///   all failures are retried; when a service is down, its clients soon send each call only once.
/// * **Silence.** After two timeouts in a row, not both at once, no call goes to that service for a random time; such
///   calls fail at once with ``RejectionError/Code/silence``, and ``Failure/retryAfter`` says how long it lasts. Then
///   one call goes out as a probe. A call that a person repeats, by a handler's `.retry` or with
///   ``CallOptions/isUserRetry``, always goes out as a probe. Only a request that may have arrived is a sign: a timeout
///   while it was still being sent is none. After a redirect, the sign is that of the destination asked last.
/// * **One slow endpoint.** While all timeouts came from calls of one name (``CallContext/name``), only those are
///   refused. Of the others one goes out at a time: if it is answered, all others go out as usual; if not, the whole
///   destination is silent.
/// * **Room after a timeout.** A retry after a timeout waits 2.5 to 5 s, or half to the whole limit that was reached if
///   that is shorter.
///
/// A client, with all clients derived from it, has a budget for each destination (``CallRequest/destination``), and so
/// has a ``Policy``. In a ``Chain`` without either, each ``Retry`` has.
///
/// ```swift
/// let spare = try RetryBudget(capacity: 10, refill: 0.2)
/// let policy = try RetryPolicy(attempts: 4, budget: spare)
/// ```
/// The defaults come from a simulation of a million clients, `backstop storm`; `Docs/Resilience.md` shows it.
public struct RetryBudget: Sendable, Hashable {
    /// How many retries a client has at first, and at most. Range: 0 to 1,000,000.
    ///
    /// Default: 2. A phone makes a call a minute: with a larger bucket, it repeats every call of an outage, and a fleet
    /// of phones triples the load on a service that is down. A busy client lives on ``refill``.
    public let capacity: Double
    /// How much of a retry each success gives back. Range: 0 to 1.
    ///
    /// Default: 0.1. Retries then add at most a tenth to the load, and the failure of one call in ten is always
    /// retried.
    public let refill: Double
    /// How long no call is made after timeouts in a row; nil for never. Range: 1 s to 1 hour.
    ///
    /// Default: 40 to 70 s, from the fourth time in a row twice that. Shorter ones do not let a queue drain: with 15 to
    /// 45 s, fewer calls succeed in every outage simulated. With longer ones, clients stay away after it has drained:
    /// with 40 to 80 s, recovery from an outage of a minute takes 127 s in most runs, and 185 s in every third. A client
    /// that has refused 20 calls meanwhile is busy enough to find out sooner, and probes after a twelfth of the time.
    public let silence: ClosedRange<Duration>?
    /// How many retries must remain after each.
    let reserve: Double
    /// Whether every transient failure takes from the bucket, and not only a retry.
    let chargesFailures: Bool

    /// 2 retries, a tenth of one for each success, silence of 40 to 70 s after two timeouts in a row.
    public static let standard = RetryBudget(
        uncheckedCapacity: 2, refill: 0.1, silence: .seconds(40) ... .seconds(70))

    /// The standard budget of a policy: enough for the retries of one call.
    static func standard(attempts: Int) -> RetryBudget {
        RetryBudget(
            uncheckedCapacity: max(standard.capacity, Double(attempts - 1)), refill: standard.refill,
            silence: standard.silence)
    }

    /// No limit, and no silence.
    public static let unlimited = RetryBudget(uncheckedCapacity: .infinity, refill: 0, silence: nil)

    /// As the standard mode of the AWS SDKs: 500 tokens, of which a retry takes 5 and a success gives back 1.
    public static let awsStandard = RetryBudget(uncheckedCapacity: 100, refill: 0.2, silence: nil)

    /// As gRPC's retry throttling: 10 tokens, of which a failure takes 1 and a success gives back a tenth; retries only
    /// while more than half are left.
    public static let grpc = RetryBudget(
        uncheckedCapacity: 10, refill: 0.1, silence: nil, reserve: 5, chargesFailures: true)

    private init(
        uncheckedCapacity capacity: Double, refill: Double, silence: ClosedRange<Duration>?, reserve: Double = 0,
        chargesFailures: Bool = false
    ) {
        self.capacity = capacity
        self.refill = refill
        self.silence = silence
        self.reserve = reserve
        self.chargesFailures = chargesFailures
    }

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - capacity: How many retries a client has at first, and at most, from 0 to 1,000,000.
    ///   - refill: How much of a retry each success gives back, from 0 to 1.
    ///   - silence: How long no call is made after two timeouts in a row, from 1 s to 1 hour; nil for never.
    /// - Throws: ``ConfigurationError`` when a value is out of its range.
    public init(
        capacity: Double = 2, refill: Double = 0.1, silence: ClosedRange<Duration>? = .seconds(40) ... .seconds(70)
    ) throws(ConfigurationError) {
        guard (0...1_000_000).contains(capacity) else {
            throw ConfigurationError(
                setting: "RetryBudget.capacity", problem: "must be from 0 to 1,000,000, but is \(capacity)",
                fix: "Set how many retries a client has at most; for no limit, use RetryBudget.unlimited")
        }
        guard (0...1).contains(refill) else {
            throw ConfigurationError(
                setting: "RetryBudget.refill", problem: "must be from 0 to 1, but is \(refill)",
                fix: "Set the part of a retry that a success gives back, for example 0.1")
        }
        if let silence, silence.lowerBound < .seconds(1) || silence.upperBound > .seconds(3600) {
            throw ConfigurationError(
                setting: "RetryBudget.silence",
                problem: "must be from 1 s to 1 hour, but is \(silence.lowerBound.text) to \(silence.upperBound.text)",
                fix: "Set how long no call is made after two timeouts in a row, or nil for never")
        }
        self.init(uncheckedCapacity: capacity, refill: refill, silence: silence)
    }

    /// Whether it limits anything.
    package var isLimiting: Bool {
        capacity.isFinite || silence != nil
    }

    /// The wait before a retry: after a timeout at least half of the limit that was reached, and of 5 s.
    ///
    /// - Parameters:
    ///   - wait: What the backoff says.
    ///   - limit: The limit that was reached; nil for another failure than a timeout.
    package func wait(_ wait: Duration, afterTimeoutOf limit: Duration?, random: any RandomSource) -> Duration {
        guard silence != nil, let limit, limit > .zero else {
            return wait
        }
        let room = min(limit, .seconds(5))
        return max(wait, room.scaled(by: 0.5 + random.unit() / 2, limit: room))
    }
}
