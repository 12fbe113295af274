/// Retries requests that failed with a transient failure.
///
/// It never sends twice what may only be done once: every request that an attempt sent, redirects included, has to be
/// idempotent, or to carry an idempotency key that is the same in each attempt (RFC 9110, 9.2.2), and every body has to
/// be replayable. `Retry-After` is the least wait. The deadline of the call and cancellation end it. What it did is in
/// ``Failure/attempts``, why it stopped in ``Failure/stopReason``.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com") {
///     try Retry(attempts: 5, baseDelay: .milliseconds(200))
///     Decoding()
/// }
/// ```
public struct Retry<Request: CallRequest, Response: Sendable>: Interceptor {
    /// When and how often to retry.
    public let policy: RetryPolicy

    /// `.retry`
    public var role: Role { .retry }

    /// Makes the interceptor with a policy; by default ``RetryPolicy/standard``.
    public init(_ policy: RetryPolicy = .standard) {
        self.policy = policy
    }

    /// Makes the interceptor from the settings that are changed most often.
    ///
    /// - Parameters:
    ///   - attempts: How many attempts in all, from 1 to 100.
    ///   - baseDelay: The upper bound of the first wait. Default: 0.5 s.
    ///   - maximumDelay: The upper bound of any wait. Default: 20 s, or `baseDelay` when that is longer.
    /// - Throws: ``ConfigurationError`` when a value is out of its range.
    public init(
        attempts: Int, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration? = nil
    ) throws(ConfigurationError) {
        let backoff = try Backoff(baseDelay: baseDelay, maximumDelay: maximumDelay ?? max(.seconds(20), baseDelay))
        policy = try RetryPolicy(attempts: attempts, backoff: backoff)
    }

    /// Sends the request, and retries where that is useful and safe.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        var attempt = context.firstAttempt()
        var failed = 0
        var last: (any Error)?
        while true {
            do {
                return try await next(request, context: attempt)
            } catch let changed as KeyChangedError {
                guard let last, attempt.sentRequests.isEmpty else {
                    if failed > 0 {
                        context.closeAttempt(failing: changed)
                        context.stop(.idempotencyKeyChanged)
                    }
                    throw changed
                }
                attempt.abandonAttempt(failing: changed)
                context.stop(.idempotencyKeyChanged)
                throw last
            } catch {
                failed += 1
                let plan = try decide(error, request: request, context: context, failed: failed)
                context.endAttempt(failing: error)
                try await context.clock.sleep(for: plan.wait)
                // A clock need not look whether the task is cancelled when it has nothing to wait for.
                try Task.checkCancellation()
                // Kept only where it may be needed: it may hold a whole response.
                last = plan.key == nil ? nil : error
                attempt = context.nextAttempt(
                    after: error, waited: plan.wait, because: plan.reason, requiring: plan.key)
            }
        }
    }

    /// What comes before the next attempt.
    private struct Plan {
        var wait: Duration
        var reason: String
        /// The key that it must have; nil for any.
        var key: String?
    }

    /// Says how long to wait, or throws the error on, having said why.
    private func decide(_ error: any Error, request: Request, context: CallContext, failed: Int) throws -> Plan {
        try Task.checkCancellation()
        let reason = Failure.Reason(classifying: error, isCancelled: false)
        // An error of the status has the response that was judged; a client behind a client gives its failure.
        let inner = error as? Failure
        let response = reason.response ?? inner?.receivedResponse ?? context.receivedResponse
        let candidate = RetryCandidate(
            reason: reason, attempt: context.decidingAttempt, sentRequest: context.sentRequest ?? request,
            receivedResponse: response)
        func stop(_ reason: StopReason) -> any Error {
            context.closeAttempt(failing: error)
            context.stop(reason)
            return error
        }
        if let reason = policy.stopReason(for: candidate, failed: failed) {
            throw stop(reason)
        }
        // What went out decides, over all attempts and every hop: a POST that was redirected to a GET was a POST, and
        // an interceptor inside may have added a key. What a client behind this one sent counts as well, and its
        // interceptors would make another key. Where nothing went out, the request itself decides, unless the transport
        // knows that nothing did.
        var safety = context.repeatSafety
        if let inner {
            guard inner.repeatSafety.isIdempotent, inner.repeatSafety.key == nil else {
                throw stop(.notIdempotent)
            }
            safety.add(inner.repeatSafety)
        }
        guard safety.isIdempotent, !safety.isEmpty || request.isIdempotent || context.isUnsent else {
            throw stop(.notIdempotent)
        }
        guard safety.isReplayable, request.isReplayable else {
            throw stop(.notReplayable)
        }
        let plan: Plan
        switch policy.pause(after: failed, response: response, clock: context.clock, random: context.random) {
        case .wait(let wait, let reason): plan = Plan(wait: wait, reason: reason, key: safety.key)
        case .stop(let reason): throw stop(reason)
        }
        if let deadline = context.deadline, context.clock.now + plan.wait >= deadline {
            throw stop(.deadline(wait: plan.wait))
        }
        return plan
    }
}

extension Role {
    /// Sends the request again after a failure that may pass.
    public static let retry: Role = Role(builtIn: "retry") {
        [.once(.retry, reason: "the attempts of one multiply with those of the other")]
    }
}
