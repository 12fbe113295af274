/// How many retries a client affords for each destination.
///
/// A retry helps one caller and costs the service. While nine attempts in ten succeed, nearly all failures are retried;
/// while a service is down, its clients soon send each call only once. No call is ever refused: only a retry may be missing.
///
/// * A retry takes one from the bucket, a retry after a timeout two: the service may still be at work on the first. Calls
///   whose shared connection is lost (a GraphQL socket) take one together.
/// * A success gives back ``refill``. Of what is above ``capacity``, two thirds fade within ten seconds, so that a busy
///   client can retry a burst of failures, and a phone does not save up retries for the next outage.
/// * Time gives back one in each ``interval``, so that a client that calls rarely, always over a connection that has
///   died meanwhile, has a retry each time.
///
/// A client, with all clients derived from it, has a bucket for each destination (``CallRequest/destination``), and so
/// has a `Policy`. In a ``Chain`` without either, each ``Retry`` has.
///
/// ```swift
/// let spare = try RetryBudget(capacity: 10, refill: 0.1)
/// let policy = try RetryPolicy(attempts: 4, budget: spare)
/// ```
/// `backstop storm` simulates what a budget does to a service; `Docs/Resilience.md` shows it.
public struct RetryBudget: Sendable, Hashable {
    /// How many retries a client has at first, and without recent successes at most. Range: 0 to 1,000,000.
    ///
    /// Default: 2, those of one call with three attempts. A phone makes a call a minute: with more, it sends each call
    /// of a minute's outage three times. A busy client lives on ``refill``.
    public let capacity: Double
    /// How much of a retry each success gives back. Range: 0 to 1.
    ///
    /// Default: 0.2, as in Finagle and tower. Retries then add at most a fifth to the load, those after timeouts a
    /// tenth, and a client that loses one attempt in ten can retry each.
    public let refill: Double
    /// How long it takes until time alone gives back one retry; nil for never. Range: 1 ms to a day.
    ///
    /// Default: 60 s. Servers close a connection that is idle for a minute or more, so a client that finds it dead each
    /// time comes that rarely, and has its retry. In a long outage, it is one retry a minute.
    public let interval: Duration?
    /// Whether successes count beyond the capacity.
    let keepsSurplus: Bool
    /// How many retries must remain after each.
    private(set) var reserve = 0.0
    /// Whether every transient failure takes from the bucket, and not only a retry.
    private(set) var chargesFailures = false

    /// 2 retries, a fifth of one for each success, one a minute.
    public static let standard = RetryBudget(capacity: 2, refill: 0.2, interval: .seconds(60), keepsSurplus: true)

    /// The budget of a policy whose attempts somebody chose: enough for the retries of one call, timeouts or not.
    static func standard(attempts: Int) -> RetryBudget {
        RetryBudget(
            capacity: Double(attempts - 1) * timeoutCost, refill: standard.refill, interval: standard.interval,
            keepsSurplus: true)
    }

    /// No limit.
    public static let unlimited = RetryBudget(
        capacity: .infinity, refill: standard.refill, interval: nil, keepsSurplus: false)

    /// As the standard mode of the AWS SDKs: 500 tokens, of which a retry takes 5, one after a timeout 10, and a success
    /// gives back 1.
    public static let awsStandard = RetryBudget(capacity: 100, refill: 0.2, interval: nil, keepsSurplus: false)

    /// As gRPC's retry throttling: 10 tokens, of which a failure takes 1 and a success gives back a tenth; retries only
    /// while more than half are left.
    public static let grpc = RetryBudget(
        capacity: 10, refill: 0.1, interval: nil, keepsSurplus: false, reserve: 5, chargesFailures: true)

    /// Copies of slow requests: one for ten that were quick. None is saved up, which would meet a service in trouble.
    package static let copies = RetryBudget(
        capacity: 10, refill: 0.1, interval: .seconds(60), keepsSurplus: false)
}

extension RetryBudget {
    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - capacity: How many retries a client has at first, and without recent successes at most, from 0 to 1,000,000.
    ///   - refill: How much of a retry each success gives back, from 0 to 1.
    ///   - interval: How long it takes until time alone gives back one retry, from 1 ms to a day; nil for never.
    /// - Throws: ``ConfigurationError`` when a value is out of its range.
    public init(
        capacity: Double = 2, refill: Double = 0.2, interval: Duration? = .seconds(60)
    ) throws(ConfigurationError) {
        try ConfigurationError.require(
            (0...1_000_000).contains(capacity), "RetryBudget.capacity",
            "must be from 0 to 1,000,000, but is \(capacity)",
            fix: "Set how many retries a client has at first; for no limit, use RetryBudget.unlimited")
        try ConfigurationError.require(
            (0...1).contains(refill), "RetryBudget.refill", "must be from 0 to 1, but is \(refill)",
            fix: "Set the part of a retry that a success gives back, for example 0.2")
        if let interval, interval < .milliseconds(1) || interval > .seconds(86_400) {
            throw ConfigurationError(
                setting: "RetryBudget.interval", problem: "must be from 1 ms to a day, but is \(interval.text)",
                fix: "Set how long it takes until time gives back one retry, or nil for never")
        }
        self.init(capacity: capacity, refill: refill, interval: interval, keepsSurplus: true)
    }

    /// What a retry after a timeout takes, as in the AWS SDKs.
    package static var timeoutCost: Double { 2 }

    /// What a retry costs: of a budget of less than two, a timeout takes all.
    fileprivate func price(_ cost: Double) -> Double {
        min(cost, max(1, capacity))
    }

    /// What a client knows of one destination: the retries it took, and when it was answered last.
    ///
    /// A value without clock or lock, so that a simulation can keep a million of them.
    package struct Account: Sendable, Equatable {
        /// The retries taken and not given back; below zero, what the last successes have added.
        private var spent = 0.0
        /// As of when.
        private(set) var time = Duration.zero
        /// When the latest of the attempts began that were answered; before all time for none.
        private var lastAnswered = Duration.seconds(Int64.min)

        /// How long what is above the capacity counts, about.
        private static var memory: Double { 10 }

        package init() {}

        /// Notes a success.
        ///
        /// - Returns: How much of a retry it has given back.
        @discardableResult package mutating func succeed(at now: Duration, _ budget: RetryBudget) -> Double {
            advance(to: now, budget)
            let before = spent
            add(budget.refill, budget)
            return before - spent
        }

        /// Takes back what a success has given.
        mutating func takeBack(_ gain: Double, _ budget: RetryBudget) {
            add(-gain, budget)
        }

        /// Notes a transient failure, for a budget that charges for those.
        package mutating func fail(at now: Duration, _ budget: RetryBudget) {
            guard budget.chargesFailures else {
                return
            }
            advance(to: now, budget)
            spent = min(budget.capacity, spent + 1)
        }

        /// Takes a retry.
        ///
        /// - Parameter cost: 1, or ``RetryBudget/timeoutCost``.
        /// - Returns: Whether there was one.
        package mutating func take(_ cost: Double = 1, at now: Duration, _ budget: RetryBudget) -> Bool {
            advance(to: now, budget)
            let left = budget.capacity - (budget.keepsSurplus ? spent : max(spent, 0))
            guard !budget.chargesFailures else {
                return left > budget.reserve
            }
            let cost = budget.price(cost)
            guard left > cost - 1e-9 else {
                return false
            }
            spent += budget.capacity.isFinite ? cost : 0
            return true
        }

        /// Gives back a retry that was taken and not made.
        package mutating func giveBack(_ cost: Double = 1, _ budget: RetryBudget) {
            if !budget.chargesFailures, budget.capacity.isFinite {
                add(budget.price(cost), budget)
            }
        }

        private mutating func add(_ retries: Double, _ budget: RetryBudget) {
            spent = max(spent - retries, budget.keepsSurplus ? -.infinity : min(spent, 0))
        }

        /// Notes an answer, whatever it says, to an attempt that began at a moment.
        package mutating func noteAnswer(toAttemptAt start: Duration) {
            lastAnswered = max(lastAnswered, start)
        }

        /// Whether an attempt that began later has been answered.
        ///
        /// An answer to an earlier one proves nothing: the service may have stopped in between, and where requests wait
        /// in a line, those further ahead are answered even when the rest of the line is lost.
        package func hasAnsweredAttempt(after start: Duration) -> Bool {
            lastAnswered > start
        }

        /// Whether forgetting it loses nothing: a new account is a full one.
        func isFull(at now: Duration) -> Bool {
            spent <= 0 || now - time >= .seconds(600)
        }

        private mutating func advance(to now: Duration, _ budget: RetryBudget) {
            // A clock that goes back gives nothing back.
            let passed = max(.zero, now.subtracting(time)).seconds
            time = now
            if spent < 0 {
                spent *= 1 - min(1, passed / Self.memory)
            } else if let interval = budget.interval {
                spent = max(0, spent - passed / interval.seconds)
            }
        }
    }
}
