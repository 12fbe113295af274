extension Failure {
    /// How long to wait before the next call, as the server asked with `Retry-After`; nil when it did not say.
    ///
    /// It counts from the moment of the failure, is never negative, and is the word of the response that decided. A
    /// server may name any number: at most 2,147,483,648 seconds are given (RFC 9110, 10.2.3; RFC 9111, 1.2.2).
    ///
    /// ```swift
    /// func pause(after failure: Failure) -> Duration {
    ///     min(failure.retryAfter ?? .seconds(5), .seconds(60))
    /// }
    /// ```
    public var retryAfter: Duration? {
        receivedResponse?.retryAfter(now: date)
    }
}
