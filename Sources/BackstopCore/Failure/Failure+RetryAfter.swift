extension Failure {
    /// How long to wait before the next call, as the server asks with `Retry-After`, or as an interceptor says that
    /// rejected the call, such as an open circuit breaker; nil when nobody says so. Where no further attempt was made
    /// because of a ``StopReason/rateLimit(reset:accepted:)``, it is the rest of that.
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
        reason.rejection?.retryAfter ?? receivedResponse?.retryAfter(now: date) ?? stopReason.rest
    }
}
