public import Backstop

/// Limits how many requests are sent in a period, for a service that allows so many.
///
/// A bucket of tokens fills at a constant rate, and each call takes one. Without a token a call waits for one, first
/// come, first served; if that would take too long, it is rejected at once with `RejectionError.Code.rateLimit`, and
/// `Failure.retryAfter` says until when. A call that sent nothing gives its token back.
///
/// It belongs inside retry, so that each attempt takes a token. The second request of an attempt, after a refused
/// access token was renewed, takes none.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com") {
///     Retry()
///     RateLimiter(100, per: .seconds(60), burst: 10, grouping: .origin)
///     Decoding()
///     StatusValidation()
/// }
/// ```
///
/// Where calls cost the service different amounts, such as GraphQL operations that it counts in points, `tokens` says
/// how many each takes:
///
/// ```swift
/// let limiter = HTTP.RateLimiter(5000, per: .seconds(3600), burst: 500) { request in
///     request.url.path.hasPrefix("/reports") ? 50 : 1
/// }
/// ```
///
/// `Retry` lets each call wait for as long as the service says when it refuses it. Some services punish clients that go on
/// calling meanwhile, such as GitHub and Discord: with `honorsServerLimit`, a refusal because the service's own limit is
/// used up, such as 429 with `Retry-After`, stops all calls of its key until it is renewed. For others, retry alone is
/// often quicker: what a service says is rounded up.
///
/// All calls of one limiter must have the same clock.
public struct RateLimiter<Request: CallRequest, Response: Sendable>: Interceptor {
    /// How many calls, or tokens, are allowed in a period.
    public var count: Int { lines.rate.count }
    /// The period.
    public var period: Duration { lines.rate.period }
    /// How many calls may come at once after a pause, or tokens be taken.
    public var burst: Int { lines.rate.burst }
    /// How long a call may wait for a token.
    public var maximumWait: Duration { lines.maximumWait }
    /// Whether calls stop while the service says that its own limit is used up.
    public let honorsServerLimit: Bool

    /// `.rateLimiter`
    public var role: Role { .rateLimiter }

    /// How long a call may wait, and how it is refused.
    public var settings: [InterceptorSetting] {
        InterceptorSetting.invalid(invalid) + [
            .longestWait(maximumWait), .rejects(with: RejectionError(.rateLimit, lines.text)),
            .state(lines),
        ]
    }

    private(set) var lines: RateLimiterLines
    private let grouping: CallGrouping<Request>
    /// How many tokens a call takes; nil for one.
    private let tokens: (@Sendable (Request) -> Int)?
    private let invalid: [ConfigurationError]

    /// Makes a limiter with a full bucket.
    ///
    /// - Parameters:
    ///   - count: How many calls are allowed in a period, from 1 to 1,000,000.
    ///   - period: The period, from 1 ms to a day.
    ///   - burst: How many calls may come at once after a pause, from 1 to 1,000,000; nil for `count`. In any period,
    ///     at most `count` and `burst` together are let through.
    ///   - maximumWait: How long a call may wait for a token, up to a day; 0 rejects it at once. Nil for 10 s, as long
    ///     as a person waits, or with `honorsServerLimit` 60 s, as long as `Retry` waits for a service.
    ///   - honorsServerLimit: Whether calls wait after a response that says that the service's own limit is used up: 403,
    ///     429 or GraphQL's `RATE_LIMITED` with `Retry-After`, or these or 503 with `RateLimit` fields
    ///     (`X-RateLimit-Remaining: 0`). Where it says a minute or less, calls wait until then; otherwise they are
    ///     rejected for a minute. Then as many leave at once as the `burst`: set it low where others share the limit. The
    ///     limit must be that of all calls of a key: where the service has one for each account, so must `grouping`. What
    ///     another server says counts for nothing, nor do calls that take no tokens. Default: false.
    ///   - grouping: Which calls share the rate; `.origin` gives each server its own. Nil for all, or with
    ///     `honorsServerLimit` for those with the same `CallRequest.destination`.
    ///   - log: Where is written that calls of a key begin to be rejected, a warning, and that this has ended: when a
    ///     call is let through and none was rejected for 10 s. Nil for nowhere.
    ///   - tokens: How many tokens a call takes, 0 or more; one that takes more than `burst` is rejected. Nil for one.
    ///     It runs for every call, outside any lock.
    public init(
        _ count: Int, per period: Duration, burst: Int? = nil, maximumWait: Duration? = nil,
        honorsServerLimit: Bool = false, grouping: CallGrouping<Request>? = nil,
        log: (any LogSink)? = SystemLog.shared, tokens: (@Sendable (Request) -> Int)? = nil
    ) {
        self.init(
            count, per: period, burst: burst, maximumWait: maximumWait ?? .seconds(honorsServerLimit ? 60 : 10),
            honorsServerLimit: honorsServerLimit, grouping: grouping ?? (honorsServerLimit ? .destination : .all),
            keys: CallGrouping<Request>.maximumKeys, lifetime: CallGrouping<Request>.lifetime, log: log, tokens: tokens)
    }

    /// Same, with other bounds for the keys.
    init(
        _ count: Int, per period: Duration, burst: Int? = nil, maximumWait: Duration,
        honorsServerLimit: Bool = false, grouping: CallGrouping<Request>, keys: Int, lifetime: Duration,
        log: (any LogSink)? = SystemLog.shared, tokens: (@Sendable (Request) -> Int)? = nil
    ) {
        let counts = 1...1_000_000
        let day = Duration.seconds(86_400)
        var invalid: [ConfigurationError] = []
        invalid.require(
            counts.contains(count), "RateLimiter.count", "must be from 1 to 1000000, but is \(count)",
            fix: "Set how many calls are allowed in a period")
        invalid.require(
            (Duration.milliseconds(1)...day).contains(period), "RateLimiter.period",
            "must be from 1 ms to a day, but is \(period.text)",
            fix: "Set the period that the service counts by, for example .seconds(60)")
        if let burst {
            invalid.require(
                counts.contains(burst), "RateLimiter.burst", "must be from 1 to 1000000, but is \(burst)",
                fix: "Set how many calls may come at once after a pause; 1 spaces all of them evenly")
        }
        invalid.require(
            (Duration.zero...day).contains(maximumWait), "RateLimiter.maximumWait",
            "must be from 0 to a day, but is \(maximumWait.text)",
            fix: "Set how long a call may wait for a token; 0 rejects it at once")
        let isValid = invalid.isEmpty
        self.honorsServerLimit = honorsServerLimit
        self.tokens = tokens
        self.invalid = invalid
        self.grouping = grouping
        lines = RateLimiterLines(
            isValid
                ? TokenBucket.Rate(count: count, period: period, burst: burst ?? count)
                : TokenBucket.Rate(count: 1, period: .seconds(1), burst: 1),
            of: tokens == nil ? "call" : "token", maximumWait: isValid ? maximumWait : .zero, keys: keys,
            lifetime: lifetime, log: log)
    }

    /// Sends the request as soon as there is a token.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        let key = grouping.key?(request)
        let tokens = max(0, tokens?(request) ?? 1)
        let line: RateLimiterLines.Entry
        if RefreshingCredentials.isAny || tokens == 0 {
            // Calls that have used up the rate may wait for this one, which gets them a new token.
            return try await next(request)
        } else if let free = lines.enter(tokens, key, context: context) {
            line = free
        } else {
            line = try await lines.wait(tokens, key, context: context)
        }
        do {
            let response = try await next(request)
            pause(line, request, context, context.receivedResponse)
            return response
        } catch {
            // An operation of a policy has its response in its error.
            pause(
                line, request, context,
                context.receivedResponse ?? context.candidate(failing: error, asking: request).receivedResponse,
                isRefused: (error as? any StatusMeaning)?.meantStatus == 429)
            // An interceptor inside refused the call, or it was cancelled before it was sent. If there were further
            // attempts inside, the first was sent.
            if context.sentRequests.isEmpty, context.decidingAttempt == context.attempt {
                lines.giveBack(tokens, line, clock: context.clock)
            }
            throw error
        }
    }

    /// Stops the calls of a line if the response says that the service's limit is used up.
    ///
    /// - Parameter isRefused: Whether its content says so, whatever its status is, as with GraphQL.
    private func pause(
        _ line: RateLimiterLines.Entry, _ request: Request, _ context: CallContext,
        _ response: @autoclosure () -> (any CallResponse)?, isRefused: Bool = false
    ) {
        // What another server says, after a redirect or in place of this one, is about that.
        guard honorsServerLimit, context.sentRequest?.destination == request.destination,
            let time = response()?.serverLimit(context.clock.date, isRefused)
        else {
            return
        }
        lines.pause(line, for: time, context: context)
    }

    /// How many calls wait for a token.
    ///
    /// - Parameter key: The key; nil for the calls of all keys.
    public func waitingCalls(of key: String? = nil) -> Int {
        lines.waiting(grouping.key(written: key))
    }
}

extension RateLimiter: StatefulInterceptor {
    package func withNewState() -> Self {
        var copy = self
        copy.lines = RateLimiterLines(
            lines.rate, of: tokens == nil ? "call" : "token", maximumWait: maximumWait,
            keys: CallGrouping<Request>.maximumKeys, lifetime: CallGrouping<Request>.lifetime, log: lines.log.sink)
        return copy
    }
}

extension CallResponse {
    /// How long the service accepts nothing more, as it says; nil when it does not.
    ///
    /// Only a refusal counts: where requests come at the rate that is allowed, each may be the last one for now, and resets
    /// are rounded up.
    fileprivate func serverLimit(_ now: Duration, _ isRefused: Bool) -> Duration? {
        switch isRefused ? 429 : statusCode {
        case 403, 429: retryAfter(now: now) ?? rateLimitReset(now: now)
        case 503: rateLimitReset(now: now)
        default: nil
        }
    }
}

extension Role {
    /// Limits how many requests are sent in a period.
    public static let rateLimiter: Role = Role(builtIn: "rateLimiter") {
        OrderRule.rules(
            .rateLimiter,
            inside: [
                .retry: "retries take no tokens, so more requests are sent than the rate allows",
                .deadline: "the call's time begins only after the wait for a token",
            ],
            outside: [
                .circuitBreaker: "calls that wait for a token passed the breaker before it opened, and are still sent",
                .attemptTimeout: "the wait for a token uses up the time of the attempt",
            ]) + [
                .settings(
                    of: .connectivity, inside: .rateLimiter, severity: .warning, when: "it waits for the network",
                    reason: "calls take tokens before they wait, and are sent all at once when the network is back",
                    fix: "Put ConnectivityCheck above RateLimiter."
                ) { check, _ in
                    check.longestWait == nil ? nil : "ConnectivityCheck waits inside RateLimiter"
                },
                .notTwice(
                    .rateLimiter, reason: "each call takes two tokens, so half as many calls are sent as it allows"),
                .settings(
                    of: .rateLimiter, inside: .retry, severity: .warning, when: "the policy retries its refusals",
                    reason: "a call that was to be refused at once waits, and may hear the same minutes later",
                    fix: "Let the policy's isRetryable return false for them, or let RateLimiter wait longer."
                ) { limiter, retry in
                    guard let refusal = limiter.rejection, retry.retries(refusal) == true else {
                        return nil
                    }
                    return "Retry retries the refusals of RateLimiter"
                },
            ]
    }
}
