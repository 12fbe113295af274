public import Backstop

/// The interceptors of this module as they are in an HTTP chain.
///
/// ```swift
/// let breaker = HTTP.CircuitBreaker(grouping: .origin)
/// ```
extension HTTP {
    /// Stops calling a service that is down.
    public typealias CircuitBreaker = BackstopResilience.CircuitBreaker<HTTP.Request, HTTP.Response>
    /// Limits how many calls run at once.
    public typealias Bulkhead = BackstopResilience.Bulkhead<HTTP.Request, HTTP.Response>
    /// Limits how many calls start in a period.
    public typealias RateLimiter = BackstopResilience.RateLimiter<HTTP.Request, HTTP.Response>
    /// Sends a second request when the first is slow.
    public typealias Hedging = BackstopResilience.Hedging<HTTP.Request, HTTP.Response>
    /// Answers in place of a failure.
    public typealias Fallback = BackstopResilience.Fallback<HTTP.Request, HTTP.Response>
    /// Waits for a network, or fails at once without one.
    public typealias ConnectivityCheck = BackstopResilience.ConnectivityCheck<HTTP.Request, HTTP.Response>
}
