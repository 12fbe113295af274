public import Backstop

/// Limits how many calls run at once, so that one slow service does not take up everything.
///
/// Further calls wait in a bounded queue; those that find it full, or wait too long, are rejected with
/// `RejectionError.Code.limit`. A wait is in the trace, with its reason. The limit is yours, or follows what the service
/// bears: ``adaptive(minimum:queue:grouping:log:)``.
///
/// It counts calls, not what they leave behind: with a time limit further in, an operation that ignores its cancellation,
/// such as a driver that blocks, gives its place back before it ends. So let such work watch for cancellation.
///
/// It belongs inside retry, so that a call gives its place back while it waits for its next attempt.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com") {
///     Retry()
///     try Bulkhead(limit: 4, queue: .firstInFirstOut(50, timeout: .seconds(30)), grouping: .origin)
///     Decoding()
///     StatusValidation()
/// }
/// ```
public struct Bulkhead<Request: CallRequest, Response: Sendable>: Interceptor {
    /// How many calls of a group run at once, at most.
    public var limit: Int { places.limit }
    /// Where further calls wait.
    public var queue: BulkheadQueue { places.queue }

    /// `.bulkhead`
    public var role: Role { .bulkhead }

    /// How long a call may wait, and how it is refused.
    public var settings: [InterceptorSetting] {
        InterceptorSetting.invalid(invalid) + [
            .longestWait(queue.timeout),
            .rejects(with: RejectionError(.limit, "\(places.minimum ?? limit) calls are running")),
            .state(places),
        ]
    }

    private(set) var places: BulkheadPlaces
    private let grouping: CallGrouping<Request>
    private let invalid: [ConfigurationError]

    /// Makes a bulkhead.
    ///
    /// - Parameters:
    ///   - limit: How many calls run at once, from 1 to 100,000.
    ///   - queue: Where further calls wait; `.none` to reject them at once.
    ///   - grouping: Which calls share the limit. Default: all; `.origin` gives each server its own.
    ///   - log: Where is written that calls of a key begin to be rejected, a warning, and that this has ended: when a
    ///     call is let through and none was rejected for 10 s. Nil for nowhere.
    public init(
        limit: Int, queue: BulkheadQueue = .standard, grouping: CallGrouping<Request> = .all,
        log: (any LogSink)? = SystemLog.shared
    ) {
        self.init(
            limit: limit, queue: queue, grouping: grouping, keys: CallGrouping<Request>.maximumKeys,
            lifetime: CallGrouping<Request>.lifetime, log: log)
    }

    /// A bulkhead whose limit adapts to what the service bears: for a server that calls services which can be overloaded.
    ///
    /// There is no limit until 100 calls in a row were sent and ran out of time, without an answer between them. Then as
    /// many run as half of those that ran, and half again while the calls that begin after that run out of time too. The
    /// first answer brings the limit back to half of what was too much, and further ones raise it. A minute after the last
    /// trouble it is doubled every 10 s, until it is gone. A queue that a service cannot work off in time ends with it:
    /// after an outage of a minute, at a load of 0.8, calls succeed again after some seconds, and without it after minutes
    /// (`backstop storm --policies backstop,adaptive --clients 4 --every 0.02`).
    ///
    /// Where one call in ten is answered, failures are quick or few calls are under way, it limits nothing. If one
    /// route of a service can hang alone, group by route. In the minute after an outage, a burst may have to wait.
    ///
    /// The calls of a stream pass by it. It belongs outside what limits an attempt in time.
    ///
    /// ```swift
    /// let client = try Client.standard(baseURL: "https://api.example.com")
    ///     .withChain { try $0.inserting(HTTP.Bulkhead.adaptive(), inside: .retry) }
    /// ```
    /// - Parameters:
    ///   - minimum: How many calls run at once in any case, from 1 to 100,000. Default: 10, so that an app, which has
    ///     rarely more, never waits.
    ///   - queue: Where further calls wait.
    ///   - grouping: Which calls share a limit. Default: those with the same destination.
    ///   - log: Where is written that calls of a key begin to be rejected, and that this has ended; nil for nowhere.
    public static func adaptive(
        minimum: Int = 10, queue: BulkheadQueue = .standard, grouping: CallGrouping<Request> = .destination,
        log: (any LogSink)? = SystemLog.shared
    ) -> Bulkhead {
        Bulkhead(
            limit: AdaptiveLimit.highest, minimum: minimum, queue: queue, grouping: grouping,
            keys: CallGrouping<Request>.maximumKeys, lifetime: CallGrouping<Request>.lifetime, log: log)
    }

    /// Same, with other bounds for the keys.
    init(
        limit: Int, minimum: Int? = nil, queue: BulkheadQueue, grouping: CallGrouping<Request>, keys: Int,
        lifetime: Duration, log: (any LogSink)? = SystemLog.shared
    ) {
        let range = 1...100_000
        let (name, value) = minimum.map { ("minimum", $0) } ?? ("limit", limit)
        var invalid: [ConfigurationError] = []
        invalid.require(
            range.contains(value), "Bulkhead.\(name)", "must be from 1 to 100000, but is \(value)",
            fix: "Set how many calls may run at once, for example 10")
        func bounded(_ value: Int) -> Int { min(max(value, range.lowerBound), range.upperBound) }
        self.invalid = invalid
        self.grouping = grouping
        places = BulkheadPlaces(
            limit: bounded(limit), minimum: minimum.map(bounded), queue: queue, keys: keys, lifetime: lifetime, log: log
        )
    }

    /// Sends the request as soon as there is a place.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        // A stream may go on for hours, and would keep out all others.
        if places.minimum != nil, context.isStream {
            return try await next(request)
        }
        let key = grouping.key?(request)
        let place: BulkheadPlaces.Place
        if let free = places.enter(key, context: context) {
            place = free
        } else if RefreshingCredentials.isAny {
            // The calls that hold the places wait for this one, which gets them a new token.
            return try await next(request)
        } else if context.isBesideAnother {
            throw RejectionError(.limit, "a copy does not wait for a place")
        } else {
            place = try await places.wait(key, context: context)
        }
        guard places.minimum == nil else {
            return try await adapt(request, place, context, next)
        }
        do {
            let response = try await next(request)
            places.leave(place)
            return response
        } catch {
            places.leave(place)
            throw error
        }
    }

    /// Sends the request, and counts the result.
    @inline(never)
    private func adapt(
        _ request: Request, _ place: BulkheadPlaces.Place, _ context: CallContext, _ next: Next<Request, Response>
    ) async throws -> Response {
        let start = context.clock.now
        let cancellation = context.isDeadlineEnforced ? CancellationMoment(context.clock) : nil
        do {
            let response = try await withTaskCancellationHandler {
                try await next(request)
            } onCancel: {
                cancellation?.record()
            }
            places.leave(place, isTimeout: false, context: context)
            return response
        } catch {
            let failed = CircuitCandidate(failing: error, since: start, cancelledAt: cancellation?.time, context)
            let isTimeout = failed.map { $0.wasSent && $0.reason.isTimeoutAfterSending(in: $0.phase) } ?? false
            // After a redirect, it is about another service, and this one has answered. So it has with a failure that is no
            // timeout.
            let isAnswered =
                failed.map { $0.receivedResponse != nil || context.redirection != nil || $0.wasSent && !isTimeout }
                ?? false
            if isAnswered || isTimeout {
                places.leave(place, isTimeout: !isAnswered, context: context)
            } else {
                places.leave(place)
            }
            throw error
        }
    }

    /// How many calls may run at once, as of the last one: the same as ``limit``, unless it adapts.
    ///
    /// - Parameter key: The key; nil for the calls without one.
    public func limit(of key: String? = nil) -> Int {
        places.limit(of: grouping.key(written: key))
    }

    /// How many calls run.
    ///
    /// - Parameter key: The key; nil for the calls of all keys.
    public func runningCalls(of key: String? = nil) -> Int {
        places.load(grouping.key(written: key)).running
    }

    /// How many calls wait for a place.
    ///
    /// - Parameter key: The key; nil for the calls of all keys.
    public func waitingCalls(of key: String? = nil) -> Int {
        places.load(grouping.key(written: key)).waiting
    }
}

extension Bulkhead: StatefulInterceptor {
    package func withNewState() -> Self {
        var copy = self
        copy.places = BulkheadPlaces(
            limit: limit, minimum: places.minimum, queue: queue, keys: CallGrouping<Request>.maximumKeys,
            lifetime: CallGrouping<Request>.lifetime, log: places.log.sink)
        return copy
    }
}

extension Role {
    /// Limits how many calls run at once.
    public static let bulkhead: Role = Role(builtIn: "bulkhead") {
        OrderRule.rules(
            .bulkhead,
            inside: [
                .retry: "a call keeps its place while Retry waits, and keeps out others",
                .deadline: "the call's time begins only after the wait for a place",
            ],
            outside: [
                .rateLimiter: "calls take tokens before they wait for a place, and are then sent faster than the rate",
                .circuitBreaker: "calls that wait for a place passed the breaker before it opened, and are still sent",
                .attemptTimeout: "the wait for a place uses up the time of the attempt",
            ]) + [
                .notTwice(
                    .bulkhead,
                    reason: "each call needs two of its places, and calls that have one each wait for each other")
            ]
    }
}
