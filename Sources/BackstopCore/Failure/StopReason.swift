/// Why no further attempt was made.
public enum StopReason: Sendable, Hashable, CustomStringConvertible {
    /// The chain has no link that tries again.
    case noRetry
    /// The failure is of a kind that does not pass by itself.
    case notRetryable
    /// Sending the request twice could do its work twice (RFC 9110, 9.2.2).
    case notIdempotent
    /// A link inside retry made another idempotency key for the next attempt, which was not sent: for the server it would
    /// have been a second order. Set the key in the endpoint, or in a link outside retry.
    case idempotencyKeyChanged
    /// The body was a stream that cannot be read again.
    case notReplayable
    /// As many attempts were made as are allowed.
    case attemptsUsed(Int)
    /// The wait would have ended after the call's deadline; nil when the time ran out during an attempt or a wait.
    case deadline(wait: Duration?)
    /// The server asked for a longer wait than is accepted.
    case retryAfterTooLong(asked: Duration, accepted: Duration)
    /// Too many calls are being retried already.
    case budget
    /// The call was cancelled.
    case cancelled
    /// A link of the app's own decided so.
    case custom(String)

    /// The reason in words.
    public var description: String {
        switch self {
        case .noRetry:
            "the chain does not retry"
        case .notRetryable:
            "this kind of failure does not pass by trying again"
        case .notIdempotent:
            "the request is not idempotent, so sending it twice could do its work twice"
        case .idempotencyKeyChanged:
            "a link inside Retry made another Idempotency-Key for the next attempt, which would be a second order; "
                + "set the key in the endpoint, or in a link outside Retry"
        case .notReplayable:
            "the body is a stream that cannot be sent again"
        case .attemptsUsed(let count):
            count == 1 ? "only one attempt is allowed" : "all \(count) attempts were used"
        case .deadline(let wait):
            if let wait {
                "waiting \(wait.text) would have gone beyond the deadline of the call"
            } else {
                "the time for the whole call was used up"
            }
        case .retryAfterTooLong(let asked, let accepted):
            "the server asked to wait \(asked.text), and at most \(accepted.text) is accepted"
        case .budget:
            "the budget for retries is used up"
        case .cancelled:
            "the call was cancelled"
        case .custom(let text):
            text
        }
    }

    /// The stable name for machines.
    public var code: String {
        switch self {
        case .noRetry: "noRetry"
        case .notRetryable: "notRetryable"
        case .notIdempotent: "notIdempotent"
        case .idempotencyKeyChanged: "idempotencyKeyChanged"
        case .notReplayable: "notReplayable"
        case .attemptsUsed: "attemptsUsed"
        case .deadline: "deadline"
        case .retryAfterTooLong: "retryAfterTooLong"
        case .budget: "budget"
        case .cancelled: "cancelled"
        case .custom: "custom"
        }
    }
}
