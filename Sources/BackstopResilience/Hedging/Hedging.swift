public import Backstop

/// Sends a second copy of a request that takes unusually long; the first success wins, and the rest is cancelled.
///
/// A few slow responses decide how slow a service feels: with the delay at the 95th percentile, one request in twenty is
/// sent twice, and most of the slowest come back in a fraction of their time.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com") {
///     Retry()
///     Hedging(afterPercentile: 0.95)
///     Decoding()
///     StatusValidation()
///     AttemptTimeout(.seconds(10))
/// }
/// ```
/// Only a request that is idempotent (RFC 9110, 9.2.2), or has an idempotency key, and whose body can be sent again, is
/// sent twice. What was sent meanwhile counts too: a copy is not started when an interceptor further in has made a
/// request that must not be repeated. The delay begins when interceptors further in let the request go on, such as a rate
/// limiter: a copy would wait in the same line.
///
/// A copy costs the service as much as a retry, so it takes a retry from the budget of the chain's `Retry`
/// (`RetryBudget`): when none is left, no copy is sent, and the trace says why. Nor is one sent where too many requests
/// are slow, which copies would keep so: a destination gets ten copies at first, another for ten requests that were
/// answered before the delay, and not with a transient failure, and one a minute. Choose a delay that at most one request
/// in ten exceeds.
///
/// A transient failure of one copy leaves the others running, but starts no further one: the service is in enough
/// trouble. So does the status 404, 409, 410 or 412 of a change: a server may answer that to a copy of what it is doing,
/// or has done. Any other failure ends them all. What an interceptor further in refused before it was sent, even the first
/// request, leaves the others running too. When all have failed, retry sees the last failure that is not such an answer.
///
/// With ``init(after:toHost:)`` the copy goes to another host, and at once when the first request has failed.
///
/// All copies belong inside retry and outside the limit of an attempt. `Failure.attempts` lists each of them.
public struct Hedging<Request: CallRequest, Response: Sendable>: Interceptor {
    /// How many requests are sent at most, including the first.
    public let attempts: Int
    /// When the next copy is sent.
    public let delay: HedgingDelay
    /// Whether requests are sent twice that are not idempotent.
    public let repeatsUnsafeRequests: Bool
    private let grouping: CallGrouping<Request>
    /// Another host for the copy; nil when it goes to the same.
    private let elsewhere: Elsewhere?
    private let invalid: [ConfigurationError]
    /// How long attempts took; nil with a fixed delay.
    private(set) var latencies: LatencyRecord?
    /// How many copies quick requests have made room for, by destination.
    private(set) var room = RetryLedger()

    /// `.hedging`
    public var role: Role { .hedging }

    /// How many copies it sends, and whether of requests that are not idempotent.
    public var settings: [InterceptorSetting] {
        InterceptorSetting.invalid(invalid)
            + [.attempts(attempts), .repeatsUnsafeRequests(repeatsUnsafeRequests)]
    }

    /// Makes an interceptor that sends the next copy after a fixed delay.
    ///
    /// Choose a delay that few requests exceed: each that does costs another request.
    ///
    /// - Parameters:
    ///   - delay: When to send the next copy, since the one before; more than 0.
    ///   - attempts: How many requests to send at most, from 2 to 10. Default: 2, because a third hardly helps.
    ///   - repeatsUnsafeRequests: Whether to send requests twice that are not idempotent. Default: false. If the server
    ///     ignores duplicates of some requests, say so in those (`isRepeatable`).
    public init(after delay: Duration, attempts: Int = 2, repeatsUnsafeRequests: Bool = false) {
        self.init(.fixed(delay), attempts: attempts, repeatsUnsafeRequests: repeatsUnsafeRequests)
    }

    /// Makes an interceptor that sends the next copy when an attempt takes longer than most have taken.
    ///
    /// The last 100 times count, for ten minutes. The time of an attempt that was cancelled because another won counts
    /// as far as it got.
    ///
    /// - Parameters:
    ///   - percentile: The share of attempts that are faster, from 0.5 up to, but not including, 1: 0.95 sends about one
    ///     request in twenty twice.
    ///   - minimumSamples: How many times must be known first, from 1 to 100. Default: 20, the fewest that have a 95th
    ///     percentile.
    ///   - delay: The delay until they are known, more than 0; nil to send no copies until then. Default: nil.
    ///   - attempts: How many requests to send at most, from 2 to 10. Default: 2, because a third hardly helps.
    ///   - repeatsUnsafeRequests: Whether to send requests twice that are not idempotent. Default: false. If the server
    ///     ignores duplicates of some requests, say so in those (`isRepeatable`).
    ///   - grouping: Which requests take equally long. Default: all; for a client that calls several hosts, use
    ///     `.origin`.
    public init(
        afterPercentile percentile: Double, minimumSamples: Int = 20, initially delay: Duration? = nil,
        attempts: Int = 2, repeatsUnsafeRequests: Bool = false, grouping: CallGrouping<Request> = .all
    ) {
        self.init(
            .percentile(percentile, minimumSamples: minimumSamples, initially: delay), attempts: attempts,
            repeatsUnsafeRequests: repeatsUnsafeRequests, grouping: grouping)
    }

    /// Makes one; with another host, its copy goes there.
    init(
        _ delay: HedgingDelay, attempts: Int = 2, repeatsUnsafeRequests: Bool = false,
        grouping: CallGrouping<Request> = .all, elsewhere: Elsewhere? = nil, invalid: [ConfigurationError] = []
    ) {
        var invalid = invalid + delay.invalid
        invalid.require(
            (2...10).contains(attempts), "Hedging.attempts", "must be from 2 to 10, but is \(attempts)",
            fix: "Set how many requests to send at most, including the first, or remove the interceptor")
        self.invalid = invalid
        // A chain with invalid settings is refused; outside of one, no copy is sent.
        self.attempts = invalid.isEmpty ? attempts : 1
        self.delay = invalid.isEmpty ? delay : .fixed(.seconds(1))
        self.repeatsUnsafeRequests = repeatsUnsafeRequests
        self.grouping = grouping
        self.elsewhere = elsewhere
        if case .percentile = delay {
            latencies = LatencyRecord()
        }
    }

    /// A host in the place of that of a request.
    struct Elsewhere: Sendable {
        let name: String
        /// The request for that host; nil where it must not go there.
        let request: @Sendable (Request, CallContext) -> Request?
    }

    /// Sends the request, and copies of it if it takes long.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        // A stream has one reader, who may take hours.
        guard attempts > 1, !context.isStream, request.isReplayable, request.isIdempotent || repeatsUnsafeRequests,
            elsewhere == nil || request.isReadOnly
        else {
            return try await next(request)
        }
        if elsewhere != nil {
            // What an earlier attempt took is not the answer any more.
            context.withValues { $0.fallback = nil }
        }
        let key = latencies == nil ? "" : grouping.key?(request) ?? ""
        let now = context.clock.now
        let delay = delay.duration { share, minimumSamples in
            latencies?.time(of: share, minimumSamples: minimumSamples, key: key, at: now)
        }
        guard let delay, elsewhere != nil || context.deadline.map({ delay < $0.subtracting(now) }) ?? true else {
            func remember() {
                let end = context.clock.now
                latencies?.add(end - max(now, context.holding.end ?? now), to: key, at: end)
            }
            do {
                let response = try await next(request)
                remember()
                return response
            } catch {
                if context.candidate(failing: error, asking: request).isAnswer { remember() }
                throw error
            }
        }
        let race = HedgingRace<Response>(clock: context.clock)
        return try await withTaskCancellationHandler {
            var copies = HedgingCopies(context)
            defer {
                race.end()
                remember(copies, request, key: key)
                giveBack(copies, request, next: next)
            }
            return try await run(&copies, race, request, delay: delay, next: next)
        } onCancel: {
            race.end()
        }
    }

    /// Starts copies and waits for what comes of them. Everything is decided here, in the task of the call.
    private func run(
        _ copies: inout HedgingCopies, _ race: HedgingRace<Response>, _ request: Request, delay: Duration,
        next: Next<Request, Response>
    ) async throws -> Response {
        start(copies.first, race, request, next: next)
        race.schedule(after: delay)
        for await event in race.events {
            switch event {
            case .due:
                guard copies.failed == nil, copies.count < attempts else {
                    continue
                }
                // A copy would wait in the same line of an interceptor further in.
                if elsewhere == nil, let rest = copies.rest(of: delay) {
                    race.schedule(after: rest)
                    continue
                }
                copies.isQuick = false
                if startCopy(of: request, in: &copies, race, because: copies.lateness(delay), next: next),
                    copies.count < attempts
                {
                    race.schedule(after: delay)
                }
            case .ended(let number, let result):
                do {
                    let response = try result.get()
                    if number > 1, let elsewhere {
                        try copies.accept(response, of: number, from: elsewhere.name, after: delay)
                    }
                    copies.win(number)
                    return response
                } catch {
                    if elsewhere != nil, copies.count < attempts,
                        copies.first.context.candidate(failing: error, asking: request).mayFallBack
                    {
                        startCopy(of: request, in: &copies, race, because: copies.failure(of: number), next: next)
                    }
                    if let final = copies.fail(number, error, asking: request, elsewhere: elsewhere != nil) {
                        throw final
                    }
                }
            }
        }
        throw CancellationError()
    }

    /// Starts a copy, if that is safe, there is time, and the budget has one. Copies for another host are no load for the
    /// one in trouble, and take nothing.
    @discardableResult
    private func startCopy(
        of request: Request, in copies: inout HedgingCopies, _ race: HedgingRace<Response>, because reason: String,
        next: Next<Request, Response>
    ) -> Bool {
        let context = copies.context
        let target = elsewhere.map { $0.request(request, context) } ?? request
        guard let target, isRepeatable(context), context.deadline.map({ context.clock.now < $0 }) ?? true,
            elsewhere != nil || isPaid(request, copies, next: next)
        else {
            return false
        }
        let copy = copies.add(repeatsUnsafe: repeatsUnsafeRequests)
        let place = elsewhere.map { " to \($0.name)" } ?? ""
        copy.context.note("hedging", "started\(place) because \(reason)")
        start(copy, race, target, next: next)
        return true
    }

    private func start(
        _ copy: HedgingCopy, _ race: HedgingRace<Response>, _ request: Request, next: Next<Request, Response>
    ) {
        race.start(copy.number) {
            try await next(request, context: copy.context)
        }
    }

    /// Whether what was sent so far may be sent again.
    private func isRepeatable(_ context: CallContext) -> Bool {
        let sent = context.repeatSafety
        return !Task.isCancelled && sent.isReplayable && (sent.isIdempotent || repeatsUnsafeRequests)
            && (elsewhere == nil || sent.isReadOnly)
    }

    /// Takes a retry for another copy from the budget of the chain's retry, if few requests are slow; the trace says why
    /// there is none. Where all are, copies would keep them so.
    private func isPaid(_ request: Request, _ copies: HedgingCopies, next: Next<Request, Response>) -> Bool {
        let hasRoom = change(request, copies.context) { $0.take(at: $1, .copies) }
        if hasRoom, budget(of: request, copies.context, next: next)?.take() ?? true {
            return true
        }
        if hasRoom {
            change(request, copies.context) { account, _ in account.giveBack(1, .copies) }
        }
        let reason = hasRoom ? "\(StopReason.budget)" : "too few requests are answered sooner"
        copies.first.context.note("hedging", "no copy sent: \(reason)")
        return false
    }

    /// Gives back what was taken for copies that never sent anything.
    private func giveBack(_ copies: HedgingCopies, _ request: Request, next: Next<Request, Response>) {
        for _ in 0..<(elsewhere == nil ? copies.unsent : 0) {
            budget(of: request, copies.context, next: next)?.giveBack()
            change(request, copies.context) { account, _ in account.giveBack(1, .copies) }
        }
    }

    @discardableResult
    private func change<Result>(
        _ request: Request, _ context: CallContext, _ body: (inout RetryBudget.Account, Duration) -> Result
    ) -> Result {
        let now = context.clock.now
        return room.update(request.destination, at: now) { body(&$0, now) }
    }

    /// The budget of the chain's retry, of the innermost if there are several; nil without any.
    private func budget(of request: Request, _ context: CallContext, next: Next<Request, Response>) -> CallBudget? {
        let retries = next.interceptors.lazy.compactMap { $0 as? Retry<Request, Response> }
        return retries.last?.budget(of: request, context)
    }

    /// Makes room for copies if the answer came before one was due; adds its time, and the time that the cancelled ones
    /// had taken so far.
    private func remember(_ copies: HedgingCopies, _ request: Request, key: String) {
        guard copies.isAnswered else {
            return
        }
        if copies.isQuick, elsewhere == nil {
            change(request, copies.context) { $0.succeed(at: $1, .copies) }
        }
        guard let latencies else {
            return
        }
        let now = copies.context.clock.now
        for copy in copies.running {
            let (isHeld, end) = copy.context.holding
            if !isHeld {
                latencies.add(now - max(copy.start, end ?? copy.start), to: key, at: now)
            }
        }
    }
}

extension Hedging: StatefulInterceptor {
    package func withNewState() -> Self {
        changed(self) {
            $0.latencies = latencies.map { _ in LatencyRecord() }
            $0.room = RetryLedger()
        }
    }
}

extension Role {
    /// Sends a second copy when the first is slow.
    public static let hedging: Role = Role(builtIn: "hedging") {
        OrderRule.rules(
            .hedging, inside: [.retry: "each copy of a request is retried separately, which multiplies the load"],
            outside: [
                .attemptTimeout: "all copies share the time limit of one attempt",
                .bulkhead: "copies of a request pass by the limit, so more run at once than it allows",
                .rateLimiter: "copies of a request take no token, so more are sent than the service allows",
                .attemptTracing: "all copies of a request share a span, so the server cannot tell them apart",
                .attemptMetrics: "all copies of a request are measured as one",
            ]) + [
                .once(.hedging, reason: "the copies of one multiply with those of the other"),
                .settings(
                    of: .hedging, when: "it sends copies of requests that are not idempotent",
                    reason: "the server may do twice what was asked for once",
                    fix:
                        "Leave repeatsUnsafeRequests off, and mark the requests of which the server ignores duplicates."
                ) { hedging in
                    hedging.repeatsUnsafeRequests == true
                        ? "Hedging sends copies of requests that are not idempotent" : nil
                },
            ]
    }
}
