/// Whether, how often and after which wait to retry.
///
/// ```swift
/// let patient = try RetryPolicy(attempts: 5, backoff: Backoff(baseDelay: .seconds(1)))
/// ```
public struct RetryPolicy: Sendable {
    /// How many attempts are made in all, the first included. Range: 1 to 100.
    ///
    /// Default: 3. What passes by itself has mostly passed by then, and each further attempt multiplies the load on a
    /// service that is down.
    public let attempts: Int
    /// How long to wait. Default: ``Backoff/standard``.
    public let backoff: Backoff
    /// The longest `Retry-After` that is waited for; beyond it the call stops and says so.
    ///
    /// Default: 60 s, the usual window of a rate limit. Whether to wait longer is for people to decide.
    public let maximumRetryAfter: Duration
    /// Whether the wait that the server asks for is kept. Default: true; false suits a service whose `Retry-After` is
    /// known to be wrong.
    public let honorsRetryAfter: Bool
    /// Whether a failure may pass by itself. Default: ``Failure/Reason`` decides: transient transport errors, attempt
    /// timeouts, statuses 408, 425, 429, 500, 502, 503, 504.
    public let isRetryable: @Sendable (RetryCandidate) -> Bool

    /// 3 attempts, waits from 0.5 s to 20 s, `Retry-After` up to 60 s.
    public static let standard = RetryPolicy(
        uncheckedAttempts: 3, backoff: .standard, maximumRetryAfter: .seconds(60), honorsRetryAfter: true,
        isRetryable: \.isTransient)

    /// Never retries.
    public static let never = RetryPolicy(
        uncheckedAttempts: 1, backoff: .none, maximumRetryAfter: .zero, honorsRetryAfter: true,
        isRetryable: { _ in false })

    private init(
        uncheckedAttempts attempts: Int, backoff: Backoff, maximumRetryAfter: Duration, honorsRetryAfter: Bool,
        isRetryable: @escaping @Sendable (RetryCandidate) -> Bool
    ) {
        self.attempts = attempts
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
        self.honorsRetryAfter = honorsRetryAfter
        self.isRetryable = isRetryable
    }

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - attempts: How many attempts in all, from 1 to 100.
    ///   - backoff: How long to wait.
    ///   - maximumRetryAfter: The longest `Retry-After` that is waited for, 0 or more.
    ///   - honorsRetryAfter: Whether the wait that the server asks for is kept.
    ///   - isRetryable: Whether a failure may pass by itself. The guards for idempotency, body, deadline and
    ///     cancellation hold whatever it says.
    /// - Throws: ``ConfigurationError`` when a value is out of its range.
    public init(
        attempts: Int = 3, backoff: Backoff = .standard, maximumRetryAfter: Duration = .seconds(60),
        honorsRetryAfter: Bool = true,
        isRetryable: @escaping @Sendable (RetryCandidate) -> Bool = { $0.isTransient }
    ) throws(ConfigurationError) {
        guard (1...100).contains(attempts) else {
            throw ConfigurationError(
                setting: "RetryPolicy.attempts", problem: "must be from 1 to 100, but is \(attempts)",
                fix: "Give the number of attempts in all, the first included; 1 means no retry")
        }
        guard maximumRetryAfter >= .zero else {
            throw ConfigurationError(
                setting: "RetryPolicy.maximumRetryAfter", problem: "must not be negative, but is \(maximumRetryAfter)",
                fix: "Give the longest wait that a server may ask for, for example .seconds(60)")
        }
        self.init(
            uncheckedAttempts: attempts, backoff: backoff, maximumRetryAfter: maximumRetryAfter,
            honorsRetryAfter: honorsRetryAfter, isRetryable: isRetryable)
    }
}

/// A failed attempt that a policy decides about.
///
/// ```swift
/// // A 500 only where the server says when to come back.
/// let careful = try RetryPolicy { candidate in
///     candidate.statusCode == 500 ? candidate.receivedResponse?.retryAfter(now: .zero) != nil : candidate.isTransient
/// }
/// ```
public struct RetryCandidate: Sendable {
    /// What kind of failure it was.
    public let reason: Failure.Reason
    /// The number of the attempt that failed, from 1.
    public let attempt: Int
    /// The request as last sent, or as it reached retry when nothing was sent. With HTTP, `candidate.request` is the
    /// typed view.
    public let sentRequest: any CallRequest
    /// The response, or as much of it as had arrived; nil when none had. With HTTP, `candidate.response` is the typed
    /// view.
    public let receivedResponse: (any CallResponse)?

    /// The status of the response; nil when none arrived.
    public var statusCode: Int? {
        receivedResponse?.statusCode
    }

    /// Whether Backstop's own table says that the cause may pass by itself.
    public var isTransient: Bool {
        reason.isTransient(statusCode: statusCode)
    }
}
