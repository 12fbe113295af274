/// A request was about to be sent again with a different idempotency key, or without one: for the server, a second
/// order. If the refused attempt has sent nothing, retry replaces this error with the failure of the attempt before.
struct KeyChangedError: Error, FailureReasonConvertible {
    var classifiedReason: Failure.Reason {
        .rejected(
            RejectionError(
                .idempotencyKey,
                "The request was already sent with a different Idempotency-Key or none, and would take effect again."))
    }
}
