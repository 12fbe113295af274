/// A request was about to go out again with another idempotency key than before, or without one: for the server a
/// second order. Retry turns it into the failure of the attempt before, where the one that is refused has sent nothing.
struct KeyChangedError: Error, FailureReasonConvertible {
    var failureReason: Failure.Reason {
        .rejected(
            RejectionError(
                .idempotencyKey,
                "The request went out before with another Idempotency-Key or without one, and would be done again. "
                    + "Set the key outside Retry, so that all attempts have the same."))
    }
}
