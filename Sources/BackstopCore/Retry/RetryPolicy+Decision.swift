extension RetryPolicy {
    /// What follows a failed attempt that may be retried.
    package enum Pause {
        /// How long to wait, and why: "backoff", "Retry-After", "RateLimit", "rejection".
        case wait(RetryWait, because: String)
        /// The server, or the interceptor that rejected the request, asks for a longer wait than accepted.
        case stop(StopReason)
    }

    /// Why no attempt follows, judging by number and cause; nil when one may.
    package func stopReason(for candidate: RetryCandidate, failed: Int) -> StopReason? {
        guard attempts > 1 else {
            return .attemptsUsed(1)
        }
        guard !candidate.isSettled || !candidate.isTransient else {
            return .settled
        }
        guard isRetryable(candidate) else {
            return candidate.reason.rejection?.isTransient == true ? .rejected : .notRetryable
        }
        return failed < attempts ? nil : .attemptsUsed(failed)
    }

    /// Why a request that ran out of time is not repeated; nil when it may be.
    ///
    /// - Parameters:
    ///   - hasRepeated: Whether the call has repeated such a request before.
    ///   - isAnswered: Whether the destination has answered a later attempt of this client.
    package func stopReasonAfterTimeout(hasRepeated: Bool, isAnswered: Bool) -> StopReason? {
        guard timeouts == .onceIfAnswered, !isAnswered || hasRepeated else {
            return nil
        }
        return hasRepeated ? .timeoutRepeated : .unanswered
    }

    /// The wait after a number of failed attempts.
    ///
    /// `Retry-After` is the least wait. A rate limit is only a hint, which the more binding word overrules; and because
    /// all clients of a limit are let in again at the same moment, the backoff is added to it. A rejected request has
    /// not reached the server, so what counts is when the interceptor that rejected it accepts the next.
    ///
    /// - Parameters:
    ///   - previous: The wait before the attempt that failed; nil for the first.
    ///   - rejection: The rejection, if the attempt was rejected.
    @inline(never)
    package func pause(
        after failed: Int, waited previous: Duration? = nil, response: (any CallResponse)?,
        rejection: RejectionError? = nil, clock: any CallClock, random: any RandomSource
    ) -> Pause {
        let wait = RetryWait(backoff, failedAttempts: failed, after: previous, random: random)
        if let rejected = rejection?.retryAfter {
            guard rejected <= maximumRetryAfter else {
                return .stop(.rejectedTooLong(rest: rejected, accepted: maximumRetryAfter))
            }
            return .wait(wait.atLeast(rejected), because: rejected > wait.chosen ? "rejection" : "backoff")
        }
        guard honorsRetryAfter, let response else {
            return .wait(wait, because: "backoff")
        }
        let now = clock.date
        if let asked = response.retryAfter(now: now) {
            guard asked <= maximumRetryAfter else {
                return .stop(.retryAfterTooLong(asked: asked, accepted: maximumRetryAfter))
            }
            return .wait(wait.atLeast(asked), because: asked > wait.chosen ? "Retry-After" : "backoff")
        }
        guard let reset = response.rateLimitReset(now: now), reset > .zero else {
            return .wait(wait, because: "backoff")
        }
        guard reset <= maximumRetryAfter else {
            return .stop(.rateLimit(reset: reset, accepted: maximumRetryAfter))
        }
        return .wait(wait.added(to: reset), because: "RateLimit")
    }

    /// What follows a call that failed, when it would be repeated as a whole, from outside its chain.
    ///
    /// The rules are those of ``Failure/isRetryable``, but this policy judges the cause, and a key of an interceptor counts
    /// if it stays.
    ///
    /// - Parameters:
    ///   - failure: The failure of the call.
    ///   - failed: How many calls have failed, including this one.
    ///   - attempts: All attempts that they made.
    ///   - keepsKey: Whether the repeated call would have this idempotency key.
    @inline(never)
    package func pause(
        after failure: Failure, failed: Int, attempts: [Attempt], keepsKey: (String) -> Bool, clock: any CallClock,
        random: any RandomSource
    ) -> Pause {
        guard !failure.isCancelled else {
            return .stop(.cancelled)
        }
        let candidate = RetryCandidate(
            reason: failure.reason, error: failure.underlying, attempt: failed, attempts: attempts,
            sentRequest: failure.sentRequest ?? UnknownRequest(),
            receivedResponse: failure.receivedResponse, isReadOnly: failure.isReadOnly, date: failure.date)
        if let reason = stopReason(for: candidate, failed: failed) {
            return .stop(reason == .attemptsUsed(failed) ? .attemptsUsed(max(failed, attempts.count)) : reason)
        }
        if timeouts == .onceIfAnswered, failure.transfer == nil,
            failure.reason.isTimeoutAfterSending(in: failure.progress?.phase)
        {
            // Out here, nobody knows of other answers than the one that had begun.
            return .stop(failure.stopReason == .timeoutRepeated ? .timeoutRepeated : .unanswered)
        }
        guard failure.isReplayable else {
            return .stop(.notReplayable)
        }
        guard failure.isIdempotent else {
            return .stop(.notIdempotent)
        }
        guard failure.repeatSafety.key.map(keepsKey) ?? true else {
            return .stop(.idempotencyKeyUnknown)
        }
        return pause(
            after: failed, waited: failed > 1 ? attempts.last?.wait : nil, response: failure.receivedResponse,
            rejection: candidate.reason.rejection, clock: clock, random: random)
    }
}

extension Failure.Reason {
    /// Whether an attempt ran out of time when the service may have had the request.
    ///
    /// - Parameter phase: How far the exchange had come; nil when nobody knows.
    package func isTimeoutAfterSending(in phase: TransportError.Phase?) -> Bool {
        guard case .timeout(let error) = self else {
            return false
        }
        return !error.kind.isBeforeSending && phase != .queued && phase != .connecting
    }
}

/// The request of a failure that was created by hand without one, and of a question about a policy.
struct UnknownRequest: CallRequest {
    var isIdempotent: Bool { true }
    var isReplayable: Bool { true }

    func summary(_ redaction: Redaction) -> String { "" }
}
