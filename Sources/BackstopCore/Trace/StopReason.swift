/// Why no further attempt was made.
///
/// The set is open: ``custom(_:)`` is for an app's own interceptors, and later versions may add reasons.
///
/// ```swift
/// func log(_ failure: Failure) {
///     if failure.stopReason == .notIdempotent {
///         print("Give the request an Idempotency-Key, and it can be retried.")
///     }
///     print(failure.stopReason.code, failure.stopReason)
/// }
/// ```
public struct StopReason: Sendable, Hashable, CustomStringConvertible {
    /// The stable name for machines, without numbers: `attemptsUsed`.
    public let code: String
    /// The reason in words, with its numbers.
    public let description: String
    /// How long no attempt would be made, or be of use; nil when that is unknown.
    let rest: Duration?

    private init(_ code: String, _ description: String, rest: Duration? = nil) {
        self.code = code
        self.description = description
        self.rest = rest
    }

    /// No interceptor of the chain retries.
    public static let noRetry = StopReason("noRetry", "no retry was set up")

    /// The failure came from outside retry: from an interceptor further out, or before or after the chain.
    public static let outsideRetry = StopReason("outsideRetry", "it failed outside Retry, which never saw it")

    /// Retrying would not fix a failure of this kind.
    public static let notRetryable = StopReason("notRetryable", "retrying would not fix this failure")

    /// The call waits for a token, and the refresh has failed.
    static let settled = StopReason("notRetryable", "a failed refresh of the token is not repeated")

    /// An interceptor rejected the request, and the policy does not retry that.
    public static let rejected = StopReason(
        "rejected", "the request was rejected, and the policy does not retry that")

    /// Sending the request twice could do its work twice (RFC 9110, 9.2.2).
    public static let notIdempotent = StopReason(
        "notIdempotent", "the request is not idempotent, so it is not sent again")

    /// An interceptor set a different idempotency key for a request that was to be sent again, and was not: for the
    /// server, it would have been a second order. Set the key in the endpoint, or in an interceptor outside retry that
    /// keeps one that is there.
    public static let idempotencyKeyChanged = StopReason(
        "idempotencyKeyChanged",
        "an interceptor set a different Idempotency-Key for the repeated request, which would be a second order; set the "
            + "key in the endpoint, or in an interceptor outside Retry that keeps one that is there")

    /// The call would have been repeated from outside its chain, where its key is not known to stay.
    package static let idempotencyKeyUnknown = StopReason(
        "idempotencyKeyChanged",
        "the repeated request could have a different Idempotency-Key, which would be a second order; put the operator "
            + "directly below the publisher of the call")

    /// Another call beside the failed one would have been repeated as well.
    package static let notIdempotentBeside = StopReason(
        "notIdempotent", "another call of the pipeline is not idempotent, so a retry could repeat its effect")

    /// The body was a stream that cannot be read again.
    public static let notReplayable = StopReason("notReplayable", "the body is a stream that cannot be sent again")

    /// The response had begun to arrive as a stream: a repeated request would begin it anew.
    public static let begun = StopReason("begun", "the stream had begun, and a retry would begin it anew")

    /// The budget for retries is used up.
    public static let budget = StopReason("budget", "the retry budget is used up")

    /// The request ran out of time, and its destination has answered no later attempt of this client:
    /// ``RetryPolicy/timeouts``.
    public static let unanswered = StopReason(
        "unanswered",
        "a timeout is repeated only where a later request has been answered, and none has; RetryPolicy.timeouts "
            + "can be .always")

    /// A request that had run out of time was repeated, and one more ran out of time: ``RetryPolicy/timeouts``.
    public static let timeoutRepeated = StopReason(
        "timeoutRepeated", "a timeout is repeated only once; RetryPolicy.timeouts can be .always")

    /// The call was cancelled.
    public static let cancelled = StopReason("cancelled", "the call was cancelled")

    /// All attempts that the policy allows were made.
    ///
    /// - Parameter count: The number of attempts, including the first.
    public static func attemptsUsed(_ count: Int) -> StopReason {
        StopReason(
            "attemptsUsed", count == 1 ? "only one attempt is allowed" : "all \(count) attempts were used")
    }

    /// No time was left before the call's deadline.
    ///
    /// - Parameter wait: The wait that would have exceeded the deadline; nil when the time ran out during an attempt or
    ///   a wait.
    public static func deadline(wait: Duration?) -> StopReason {
        StopReason(
            "deadline",
            wait.map { "waiting \($0.text) would have exceeded the call's deadline" }
                ?? "the call's time was used up")
    }

    /// The server asked for a longer wait than the policy accepts.
    ///
    /// - Parameters:
    ///   - asked: The wait that the server asked for.
    ///   - accepted: The longest wait that the policy accepts.
    public static func retryAfterTooLong(asked: Duration, accepted: Duration) -> StopReason {
        StopReason(
            "retryAfterTooLong",
            "the server asked to wait \(asked.text), and at most \(accepted.text) is accepted")
    }

    /// The interceptor that rejected the request will do so for longer than the policy waits.
    static func rejectedTooLong(rest: Duration, accepted: Duration) -> StopReason {
        StopReason(
            "retryAfterTooLong",
            "the request will be rejected for another \(rest.text), and a wait of at most \(accepted.text) is accepted")
    }

    /// No request is left until the server's rate limit is renewed, and that is longer than the policy waits.
    ///
    /// - Parameters:
    ///   - reset: How long until it is renewed.
    ///   - accepted: The longest wait that the policy accepts.
    public static func rateLimit(reset: Duration, accepted: Duration) -> StopReason {
        StopReason(
            "rateLimit",
            "the server's rate limit is used up for \(reset.text), and a wait of at most \(accepted.text) is accepted",
            rest: reset)
    }

    /// A reason of an app's own interceptor.
    ///
    /// - Parameter text: The reason in words.
    public static func custom(_ text: String) -> StopReason {
        StopReason("custom", text)
    }
}
