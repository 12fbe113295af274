/// Retries requests after transient failures.
///
/// It never repeats the effect of a request: every request that an attempt sent, redirects included, must be idempotent
/// or have an idempotency key that stays the same (RFC 9110, 9.2.2), and every body must be replayable. `Retry-After`
/// is the minimum wait. A timeout is repeated once, and only where the destination has answered another call meanwhile
/// (``RetryPolicy/timeouts``). A request that an interceptor inside rejected, such as a circuit breaker, is retried only if the
/// policy says so (``RetryPolicy/isRetryable``). The policy's budget (``RetryBudget``), the call's deadline and cancellation end it.
/// No first attempt is ever held back. ``Failure/attempts`` lists the attempts; ``Failure/stopReason`` says why it
/// stopped. A call may have a policy of its own: ``CallOptions/retry``.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com") {
///     Retry(attempts: 5, baseDelay: .milliseconds(200))
///     Decoding()
///     StatusValidation()
/// }
/// ```
public struct Retry<Request: CallRequest, Response: Sendable>: Interceptor {
    /// When and how often to retry.
    public var policy: RetryPolicy { parts.value.policy }

    var invalid: [ConfigurationError] { parts.value.invalid }

    // Shared, because a copy of it all would stay in memory for as long as a call waits. The ledger has the budgets of a
    // chain without a client or a policy, which have their own, or if it is bound those of a policy.
    private let parts: Shared<(policy: RetryPolicy, ledger: RetryLedger, isBound: Bool, invalid: [ConfigurationError])>

    /// `.retry`
    public var role: Role { .retry }

    /// Makes the interceptor with a policy; by default ``RetryPolicy/standard``.
    public init(_ policy: RetryPolicy = .standard) {
        self.init(policy, RetryLedger(), isBound: false, invalid: [])
    }

    private init(_ policy: RetryPolicy, _ ledger: RetryLedger, isBound: Bool, invalid: [ConfigurationError]) {
        parts = Shared((policy, ledger, isBound, invalid))
    }

    /// Makes the interceptor from the most common settings.
    ///
    /// - Parameters:
    ///   - attempts: How many attempts in all, from 1 to 100.
    ///   - baseDelay: The upper bound of the first wait. Default: 0.5 s.
    ///   - maximumDelay: The upper bound of any wait. Default: 20 s, or `baseDelay` when that is longer.
    public init(attempts: Int, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration? = nil) {
        do throws(ConfigurationError) {
            let backoff = try Backoff(baseDelay: baseDelay, maximumDelay: maximumDelay)
            self.init(try RetryPolicy(attempts: attempts, backoff: backoff))
        } catch {
            self.init(.standard, RetryLedger(), isBound: false, invalid: [error])
        }
    }

    /// The same with the budgets of a policy, unless it has those of another.
    package func bound(to ledger: RetryLedger) -> Retry {
        parts.value.isBound ? self : Retry(policy, ledger, isBound: true, invalid: invalid)
    }

    /// Sends the request, and retries if that is useful and safe.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        var attempt = context.firstAttempt()
        var before: Shared<Again>?
        while true {
            do {
                guard context.isStream else {
                    let response = try await next(request, context: attempt)
                    succeed(request, context)
                    return response
                }
                return try await stream(request, context, attempt, next)
            } catch {
                let again = try await prepare(before, attempt, request, context, after: error)
                attempt = again.value.attempt
                before = again
            }
        }
    }

    // What comes before and after an attempt is apart: it would stay in memory for as long as the attempt waits.

    @inline(never)
    private func succeed(_ request: Request, _ context: CallContext) {
        budget(of: request, context).succeed()
    }

    @inline(never)
    private func prepare(
        _ ended: Shared<Again>?, _ attempt: CallContext, _ request: Request, _ context: CallContext,
        after error: any Error
    ) async throws -> Shared<Again> {
        let decision = RetryDecision(policy: policy(of: context), budget: budget(of: request, context))
        return Shared(try await decision.prepare(ended?.value ?? Again(attempt: attempt), after: error))
    }

    /// Sends the request of a stream, which has succeeded as soon as it begins: it may go on for hours. On a connection
    /// that is shared, it begins without a word of the server.
    @inline(never)
    private func stream(
        _ request: Request, _ context: CallContext, _ attempt: CallContext, _ next: Next<Request, Response>
    ) async throws -> Response {
        let budget = budget(of: request, context)
        // What the last beginning has given back; one that turns out to be an answer without a stream gives nothing.
        let gain = Lock(0.0)
        return try await context.whenOpen {
            guard !context.sharesConnection else {
                return
            }
            let given = budget.succeed()
            gain.withLock { $0 = given }
        } undo: {
            budget.takeBack(gain.withLock { exchange(&$0, with: 0) })
        } during: {
            try await next(request, context: attempt)
        }
    }

    /// The policy of the call, or else of the interceptor.
    private func policy(of context: CallContext) -> RetryPolicy {
        context.values[RetryPolicyKey.self] ?? policy
    }

    /// Made where it is needed, so that a call in flight keeps nothing of it.
    package func budget(of request: Request, _ context: CallContext) -> CallBudget {
        CallBudget(
            budget: policy(of: context).budget, ledger: context.retryLedger ?? parts.value.ledger, request: request,
            context: context)
    }
}

/// An attempt, and what came before it.
private struct Again {
    let attempt: CallContext
    /// How many attempts failed before it.
    var failed = 0
    /// The last wait; nil before the first.
    var waited: Duration?
    /// What it took from the budget.
    var cost = 0.0
    /// Whether it, or one before it, repeats a request that ran out of time.
    var repeatsTimeout = false
    /// What ended the attempt before it, if it has to have the same key.
    var last: (any Error)?
}

/// What follows an attempt that failed; apart from `Retry`, because it is the same for all types.
private struct RetryDecision {
    let policy: RetryPolicy
    let budget: CallBudget
    private var request: any CallRequest { budget.request }
    private var context: CallContext { budget.context }

    /// Waits for the next attempt, or throws because there is none.
    func prepare(_ ended: Again, after error: any Error) async throws -> Again {
        if let changed = error as? KeyChangedError {
            throw settle(ended, changed)
        }
        let plan = try decide(error, after: ended)
        context.endAttempt(failing: error)
        do {
            try await context.clock.sleep(for: plan.wait)
            // With nothing to wait for, a clock need not check for cancellation.
            try Task.checkCancellation()
            // The app may have slept much longer, and the timer of the deadline be late.
            let now = context.clock.now
            if let deadline = context.deadline, now >= deadline {
                context.stopAtDeadline()
                throw TimeoutError(.deadline, after: deadline.subtracting(now).adding(context.elapsed))
            }
        } catch {
            budget.giveBack(plan.cost)
            throw error
        }
        let attempt = context.nextAttempt(after: error, waited: plan.wait, because: plan.reason, requiring: plan.key)
        // The error is kept only if it may be needed: it may contain a whole response.
        return Again(
            attempt: attempt, failed: ended.failed + 1, waited: plan.wait, cost: plan.cost,
            repeatsTimeout: ended.repeatsTimeout || plan.repeatsTimeout, last: plan.key == nil ? nil : error)
    }

    /// Ends a call whose next request would be a second order.
    ///
    /// - Returns: What to throw: if the attempt sent nothing, what ended the one before it.
    private func settle(_ ended: Again, _ changed: KeyChangedError) -> any Error {
        guard let last = ended.last, ended.attempt.isUntouched else {
            context.closeAttempt(failing: changed)
            context.stop(.idempotencyKeyChanged)
            return changed
        }
        budget.giveBack(ended.cost)
        ended.attempt.abandonAttempt(failing: changed)
        context.stop(.idempotencyKeyChanged)
        return last
    }

    /// What precedes the next attempt: a wait, what it takes from the budget, whether it repeats a timeout, and the key
    /// that it must have; nil for any.
    private typealias Plan = (wait: Duration, reason: String, cost: Double, repeatsTimeout: Bool, key: String?)

    /// Returns how long to wait, or records why not and rethrows the error.
    private func decide(_ error: any Error, after ended: Again) throws -> Plan {
        guard !Task.isCancelled else {
            throw CancellationError()
        }
        let failed = ended.failed + 1
        let candidate = context.candidate(failing: error, asking: request)
        let (reason, response) = (candidate.reason, candidate.receivedResponse)
        budget.fail(isAnswered: response != nil, isTransient: candidate.isRetryable)
        func stop(_ reason: StopReason) -> any Error {
            context.closeAttempt(failing: error)
            context.stop(reason)
            return error
        }
        if context.callIntake?.isOpen == true {
            throw stop(.begun)
        }
        if let reason = policy.stopReason(for: candidate, failed: failed) {
            throw stop(reason)
        }
        // Everything sent decides, over all attempts and every hop: a POST redirected to a GET was a POST, and an inner
        // interceptor may have added a key. The requests of a nested client count too, and its interceptors would
        // create another key. If nothing was sent, the request itself decides, unless the transport knows that nothing
        // was.
        let inner = error as? Failure
        let safety = context.repeatSafety.including(error)
        guard inner?.repeatSafety.key == nil, safety.isIdempotent,
            !safety.isEmpty || request.isIdempotent || context.isUnsent
        else {
            throw stop(.notIdempotent)
        }
        guard safety.isReplayable, request.isReplayable else {
            throw stop(.notReplayable)
        }
        let isTimeout =
            context.sendingStart != nil && reason.isTimeoutAfterSending(in: inner?.progress?.phase ?? context.phase)
        if isTimeout,
            let reason = policy.stopReasonAfterTimeout(
                hasRepeated: ended.repeatsTimeout, isAnswered: response != nil || budget.hasAnsweredLater)
        {
            throw stop(reason)
        }
        let (wait, why): (RetryWait, String)
        switch policy.pause(
            after: failed, waited: ended.waited, response: response, rejection: reason.rejection,
            clock: context.clock, random: context.random)
        {
        case .wait(let duration, let because): (wait, why) = (duration, because)
        case .stop(let reason): throw stop(reason)
        }
        if let deadline = context.deadline, context.clock.now.adding(wait.chosen) >= deadline {
            throw stop(.deadline(wait: wait.chosen))
        }
        let cost = isTimeout ? RetryBudget.timeoutCost : 1
        guard let wait = budget.take(cost, before: wait) else {
            throw stop(.budget)
        }
        // What was paid for a connection is not given back, because others go on with it.
        return (wait, why, context.lostConnection == nil ? cost : 0, isTimeout, safety.key)
    }
}
