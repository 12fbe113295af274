/// Whether, how often and after what wait to retry.
///
/// ```swift
/// let patient = try RetryPolicy(attempts: 5, backoff: Backoff(baseDelay: .seconds(1)))
/// ```
/// A single call can have another one (``CallOptions/retry``). ``alamofire``, ``awsStandard`` and ``grpc`` are the
/// policies of other libraries, for those who come from there and for comparisons.
public struct RetryPolicy: Sendable {
    /// The number of attempts in all, including the first. Range: 1 to 100.
    ///
    /// Default: 3. Most transient failures are over by then, and each further attempt multiplies the load on a service
    /// that is down.
    public let attempts: Int
    /// How long to wait. Default: ``Backoff/standard``.
    public let backoff: Backoff
    /// The longest time to wait because the server asks for it, by `Retry-After` or a rate limit; beyond it the call
    /// stops and says so.
    ///
    /// Default: 60 s, because rate limits usually count by the minute. A longer wait is for people to decide.
    public let maximumRetryAfter: Duration
    /// Whether to wait as long as the server asks, by `Retry-After` or a rate limit. Default: true; false suits a
    /// service whose `Retry-After` is known to be wrong.
    public let honorsRetryAfter: Bool
    /// How many retries a client affords. Default: of ``standard`` ``RetryBudget/standard``; of a policy of your own
    /// enough for the retries of one call, each after a timeout.
    public let budget: RetryBudget
    /// Whether a request is repeated that was sent and ran out of time.
    ///
    /// Default: of ``standard`` ``Timeouts/onceIfAnswered``; of a policy of your own ``Timeouts/always``, as many
    /// attempts as you choose.
    public let timeouts: Timeouts
    /// Whether a failure is retried. Default: transient failures are, except rejections by an interceptor: transport
    /// errors, attempt timeouts, statuses 408, 425, 429, 500, 502, 503, 504.
    ///
    /// A circuit breaker, a bulkhead or a rate limiter rejects a call so that the caller hears it at once, and would
    /// reject most retries as well. A policy that retries rejections waits at least ``RejectionError/retryAfter``.
    public let isRetryable: @Sendable (RetryCandidate) -> Bool

    /// Whether a request is repeated that was sent and ran out of time. Before it was sent, a timeout is a failure like
    /// any other.
    public enum Timeouts: Sendable, Hashable {
        /// Once, if the destination has answered a later attempt of this client, whatever it said.
        ///
        /// Then one request of many got lost or stuck, and a second helps. Where nobody is answered, the service is
        /// overloaded or down, and a second request would only wait in the same line.
        case onceIfAnswered
        /// As long as attempts remain.
        case always
    }

    /// 3 attempts, waits from 0.5 s to 20 s, `Retry-After` up to 60 s; a timeout is repeated once, where others are
    /// answered.
    public static let standard = RetryPolicy(
        uncheckedAttempts: 3, backoff: .standard, maximumRetryAfter: .seconds(60), honorsRetryAfter: true,
        budget: .standard, timeouts: .onceIfAnswered, isRetryable: { $0.isRetryable })

    /// Never retries.
    public static let never = RetryPolicy(
        uncheckedAttempts: 1, backoff: .none, maximumRetryAfter: .zero, honorsRetryAfter: true,
        budget: .standard, isRetryable: { _ in false })

    /// To retry nothing is ``never``; for options, `.none` is nil, and leaves the policy of the chain.
    @available(*, unavailable, renamed: "never")
    public static var none: RetryPolicy { never }

    /// The caller answers for the ranges.
    init(
        uncheckedAttempts attempts: Int, backoff: Backoff, maximumRetryAfter: Duration, honorsRetryAfter: Bool,
        budget: RetryBudget, timeouts: Timeouts = .always,
        isRetryable: @escaping @Sendable (RetryCandidate) -> Bool
    ) {
        self.attempts = attempts
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
        self.honorsRetryAfter = honorsRetryAfter
        self.budget = budget
        self.timeouts = timeouts
        self.isRetryable = isRetryable
    }

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts in all, from 1 to 100.
    ///   - backoff: How long to wait.
    ///   - maximumRetryAfter: The longest time to wait because the server asks for it, 0 or more.
    ///   - honorsRetryAfter: Whether to wait as long as the server asks.
    ///   - budget: How many retries a client affords; nil for the standard budget, with enough for the retries of one
    ///     call.
    ///   - timeouts: Whether a request is repeated that was sent and ran out of time. Default: as long as attempts
    ///     remain.
    ///   - isRetryable: Whether a failure is retried. The conditions on idempotency, body, deadline and cancellation
    ///     apply in any case. Default: transient failures are, except rejections.
    /// - Throws: ``ConfigurationError`` when a value is out of its range.
    public init(
        attempts: Int = 3, backoff: Backoff = .standard, maximumRetryAfter: Duration = .seconds(60),
        honorsRetryAfter: Bool = true, budget: RetryBudget? = nil, timeouts: Timeouts = .always,
        isRetryable: @escaping @Sendable (RetryCandidate) -> Bool = { $0.isRetryable }
    ) throws(ConfigurationError) {
        try ConfigurationError.require(
            (1...100).contains(attempts), "RetryPolicy.attempts", "must be from 1 to 100, but is \(attempts)",
            fix: "Set the number of attempts in all, including the first; 1 means no retry")
        try ConfigurationError.require(
            maximumRetryAfter >= .zero, "RetryPolicy.maximumRetryAfter",
            "must not be negative, but is \(maximumRetryAfter)",
            fix: "Set the longest wait that a server may ask for, for example .seconds(60)")
        self.init(
            uncheckedAttempts: attempts, backoff: backoff, maximumRetryAfter: maximumRetryAfter,
            honorsRetryAfter: honorsRetryAfter, budget: budget ?? .standard(attempts: attempts),
            timeouts: timeouts, isRetryable: isRetryable)
    }
}

/// An error of something that a call needs first, such as a new token: the call is not retried because of it.
package protocol SettledError: Error {}

/// A failed attempt for a policy to decide on.
///
/// ```swift
/// // A 500 only if the server says when to come back, and only if the call has been quick so far.
/// let careful = try RetryPolicy { candidate in
///     guard candidate.attempts.allSatisfy({ $0.duration < .seconds(5) }) else { return false }
///     return candidate.statusCode == 500
///         ? candidate.receivedResponse?.retryAfter(now: .zero) != nil : candidate.isTransient
/// }
/// ```
public struct RetryCandidate: Sendable {
    /// The reason for the failure.
    public let reason: Failure.Reason
    /// The error, as it was thrown; ``error(as:)`` finds one inside it.
    public let underlying: any Error
    /// The error inside of a transport's is found by its type.
    @available(
        *, unavailable, message: "write error(as: URLError.self) != nil, which finds it in a transport's error too"
    )
    public var error: any Error { underlying }
    /// The number of the attempt that failed, from 1.
    public let attempt: Int
    /// The attempts of the call so far, this one included, with their durations, waits and results.
    public let attempts: [Attempt]
    /// The request as last sent, or as it reached retry when nothing was sent. For HTTP, use the typed view
    /// `candidate.request`.
    public let sentRequest: any CallRequest
    /// The response, or what had arrived of it; nil when nothing had. For HTTP, use the typed view
    /// `candidate.response`.
    public let receivedResponse: (any CallResponse)?
    /// Whether all that the call has sent so far, redirects included, or was to send, only reads
    /// (``CallRequest/isReadOnly``).
    public let isReadOnly: Bool
    private let date: Duration

    /// - Parameters:
    ///   - isReadOnly: Nil for that of the request as last sent.
    ///   - date: When it is judged, as the time since 1970-01-01 UTC.
    package init(
        reason: Failure.Reason, error: any Error, attempt: Int = 1, attempts: [Attempt] = [],
        sentRequest: any CallRequest, receivedResponse: (any CallResponse)? = nil, isReadOnly: Bool? = nil,
        date: Duration = .zero
    ) {
        self.reason = reason
        underlying = error
        self.attempt = attempt
        self.attempts = attempts
        self.sentRequest = sentRequest
        self.receivedResponse = receivedResponse
        self.isReadOnly = isReadOnly ?? sentRequest.isReadOnly
        self.date = date
    }

    /// The error, if it is of this type, as in ``Failure/error(as:)``: a `URLError` in a transport's error too.
    ///
    /// ```swift
    /// struct Busy: Error {}
    /// let policy = try RetryPolicy { $0.error(as: Busy.self) != nil }
    /// ```
    public func error<E: Error>(as type: E.Type) -> E? {
        reason.error(as: type, thrown: underlying)
    }

    /// The status of the response; nil when none arrived.
    public var statusCode: Int? {
        reason.statusCode ?? receivedResponse?.statusCode
    }

    /// Whether Backstop considers the failure transient. That includes rejections after which the same call may be
    /// accepted later, such as those of a circuit breaker.
    public var isTransient: Bool {
        reason.isTransient(statusCode: statusCode, of: sentRequest, beside: receivedResponse, now: date)
    }

    /// Whether a policy retries the failure unless it says otherwise: a transient one that no interceptor made by
    /// rejecting the request.
    public var isRetryable: Bool {
        reason.rejection == nil && isTransient && !isSettled
    }

    /// Whether what failed has been retried elsewhere.
    var isSettled: Bool { underlying is any SettledError }
}
