/// Sends a request again after a failure that may pass by itself.
///
/// It never sends twice what may only be done once: the request has to be idempotent (or carry an idempotency key),
/// and its body replayable. `Retry-After` is the least wait. The deadline of the call and cancellation end it.
/// What it did is in ``Failure/attempts``, why it stopped in ``Failure/stopped``.
///
/// ```swift
/// let retry = try HTTP.Retry(attempts: 5, baseDelay: .milliseconds(200))
/// ```
public struct Retry<Request: CallRequest, Response: Sendable>: Interceptor {
    /// When and how often.
    public let policy: RetryPolicy

    /// `.retry`
    public var role: Role { .retry }

    /// Makes the link with a policy; by default ``RetryPolicy/standard``.
    public init(_ policy: RetryPolicy = .standard) {
        self.policy = policy
    }

    /// Makes the link with the most used settings.
    ///
    /// - Parameters:
    ///   - attempts: How many attempts in all, from 1 to 100.
    ///   - baseDelay: The upper bound of the first wait. Default: 0.5 s.
    ///   - maximumDelay: The upper bound of any wait. Default: 20 s, or `baseDelay` when that is longer.
    /// - Throws: ``ConfigurationError`` when a value is out of its range.
    public init(
        attempts: Int, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration? = nil
    ) throws(ConfigurationError) {
        let backoff = try Backoff(base: baseDelay, cap: maximumDelay ?? max(.seconds(20), baseDelay))
        policy = try RetryPolicy(attempts: attempts, backoff: backoff)
    }

    /// Sends the request, and again where that is useful and safe.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        var context = context
        var failed = 0
        while true {
            do {
                return try await next(request, context: context)
            } catch {
                failed += 1
                let plan = try decide(error, request: request, context: context, failed: failed)
                context.endAttempt(failing: error)
                try await context.clock.sleep(for: plan.wait)
                context = context.nextAttempt(after: error, waited: plan.wait, because: plan.reason)
            }
        }
    }

    /// Says how long to wait, or throws the error on, having said why.
    private func decide(
        _ error: any Error, request: Request, context: CallContext, failed: Int
    ) throws -> (wait: Duration, reason: String) {
        let reason = Failure.Reason(classifying: error)
        if case .cancelled = reason {
            throw error
        }
        try Task.checkCancellation()
        // A client behind a client gives its failure, which has the response.
        let response = context.receivedResponse ?? (error as? Failure)?.receivedResponse
        let candidate = RetryCandidate(reason: reason, statusCode: response?.statusCode, attempt: context.attempt)
        func stop(_ reason: StopReason) -> any Error {
            context.stop(reason)
            return error
        }
        guard policy.attempts > 1 else {
            throw stop(.attemptsUsed(1))
        }
        guard policy.isRetryable(candidate) else {
            throw stop(.notRetryable)
        }
        guard failed < policy.attempts else {
            throw stop(.attemptsUsed(failed))
        }
        // The request as sent counts too: an inner link may have added an idempotency key.
        let sent = context.sentRequest
        guard request.isIdempotent || sent?.isIdempotent == true else {
            throw stop(.notIdempotent)
        }
        guard request.isReplayable, sent?.isReplayable != false else {
            throw stop(.notReplayable)
        }
        var plan = (wait: policy.backoff.wait(failedAttempts: failed, random: context.random), reason: "backoff")
        if let asked = response?.retryAfter(now: context.clock.date) {
            guard asked <= policy.maximumRetryAfter else {
                throw stop(.retryAfterTooLong(asked: asked, accepted: policy.maximumRetryAfter))
            }
            if asked > plan.wait {
                plan = (asked, "Retry-After")
            }
        }
        if let deadline = context.deadline, context.clock.now + plan.wait >= deadline {
            throw stop(.deadline(wait: plan.wait))
        }
        return plan
    }
}
