extension Failure {
    /// How long the server asks to wait before the next call, with `Retry-After`; nil when it does not.
    ///
    /// It counts from the moment of the failure, is never negative, and comes from the response that decided. It is at
    /// most 2,147,483,648 seconds, whatever the server sends (RFC 9110, 10.2.3; RFC 9111, 1.2.2).
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
