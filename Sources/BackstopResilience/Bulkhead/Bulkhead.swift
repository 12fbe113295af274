public import Backstop

/// Limits how many calls run at once, so that one slow service does not take up everything.
///
/// Further calls wait in a bounded queue; those that find it full, or wait too long, are rejected with
/// `RejectionError.Code.limit`. A wait is in the trace, with its reason.
///
/// It counts calls, not what they leave behind: an operation that ignores its cancellation, such as a driver that
/// blocks, gives its place back before it ends. So let such work watch for cancellation.
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
    /// How many calls of a group run at once.
    public var limit: Int { places.limit }
    /// Where further calls wait.
    public var queue: BulkheadQueue { places.queue }

    /// `.bulkhead`
    public var role: Role { .bulkhead }

    /// How long a call may wait, and how it is refused.
    public var settings: [InterceptorSetting] {
        InterceptorSetting.invalid(invalid) + [
            .longestWait(queue.timeout), .rejects(with: RejectionError(.limit, "\(limit) calls are running")),
            .state(places),
        ]
    }

    let places: BulkheadPlaces
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

    /// Same, with other bounds for the keys.
    init(
        limit: Int, queue: BulkheadQueue, grouping: CallGrouping<Request>, keys: Int, lifetime: Duration,
        log: (any LogSink)? = SystemLog.shared
    ) {
        let range = 1...100_000
        var invalid: [ConfigurationError] = []
        if !range.contains(limit) {
            invalid = [
                ConfigurationError(
                    setting: "Bulkhead.limit", problem: "must be from 1 to 100000, but is \(limit)",
                    fix: "Set how many calls may run at once, for example 10")
            ]
        }
        self.init(min(max(limit, range.lowerBound), range.upperBound), queue, grouping, keys, lifetime, log, invalid)
    }

    private init(
        _ limit: Int, _ queue: BulkheadQueue, _ grouping: CallGrouping<Request>, _ keys: Int, _ lifetime: Duration,
        _ log: (any LogSink)?, _ invalid: [ConfigurationError]
    ) {
        self.invalid = invalid
        self.grouping = grouping
        places = BulkheadPlaces(limit: limit, queue: queue, keys: keys, lifetime: lifetime, log: log)
    }

    /// Sends the request as soon as there is a place.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        let key = grouping.key?(request)
        let place: BulkheadPlaces.Entry
        if let free = places.enter(key, context: context) {
            place = free
        } else if RefreshingCredentials.isAny {
            // The calls that hold the places wait for this one, which gets them a new token.
            return try await next(request)
        } else {
            place = try await places.wait(key, context: context)
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

    /// How many calls run.
    ///
    /// - Parameter key: The key; nil for the calls without one.
    public func runningCalls(of key: String? = nil) -> Int {
        places.load(grouping.key == nil ? nil : key).running
    }

    /// How many calls wait for a place.
    ///
    /// - Parameter key: The key; nil for the calls without one.
    public func waitingCalls(of key: String? = nil) -> Int {
        places.load(grouping.key == nil ? nil : key).waiting
    }
}

extension Bulkhead: StatefulInterceptor {
    package func withNewState() -> Self {
        Self(
            limit, queue, grouping, CallGrouping<Request>.maximumKeys, CallGrouping<Request>.lifetime, places.log.sink,
            invalid)
    }
}

extension Role {
    /// Limits how many calls run at once.
    public static let bulkhead: Role = Role(builtIn: "bulkhead") {
        [
            OrderRule(
                outer: .retry, inner: .bulkhead, severity: .warning,
                reason: "a call keeps its place while Retry waits, and keeps out others"),
            OrderRule(
                outer: .deadline, inner: .bulkhead, severity: .warning,
                reason: "the call's time begins only after the wait for a place"),
            OrderRule(
                outer: .bulkhead, inner: .rateLimiter, severity: .warning,
                reason: "calls take tokens before they wait for a place, and are then sent faster than the rate"),
            OrderRule(
                outer: .bulkhead, inner: .circuitBreaker, severity: .warning,
                reason: "calls that wait for a place passed the breaker before it opened, and are still sent"),
            OrderRule(
                outer: .bulkhead, inner: .attemptTimeout, severity: .warning,
                reason: "the wait for a place uses up the time of the attempt"),
            .notTwice(
                .bulkhead,
                reason: "each call needs two of its places, and calls that have one each wait for each other"),
        ]
    }
}
