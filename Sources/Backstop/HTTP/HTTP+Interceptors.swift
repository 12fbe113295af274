public import BackstopCore

/// The interceptors for any protocol, as they are in an HTTP chain: for stored properties, and where nothing else tells
/// the compiler what is sent.
///
/// ```swift
/// let breaker = HTTP.CircuitBreaker(grouping: .origin)
/// ```
extension HTTP {
    /// Retries failed calls.
    public typealias Retry = BackstopCore.Retry<HTTP.Request, HTTP.Response>
    /// Limits the time of each attempt.
    public typealias AttemptTimeout = BackstopCore.AttemptTimeout<HTTP.Request, HTTP.Response>
    /// Limits the time of a whole call.
    public typealias Deadline = BackstopCore.Deadline<HTTP.Request, HTTP.Response>
    /// Stops calling a service that is down.
    public typealias CircuitBreaker = BackstopCore.CircuitBreaker<HTTP.Request, HTTP.Response>
    /// Limits how many calls run at once.
    public typealias Bulkhead = BackstopCore.Bulkhead<HTTP.Request, HTTP.Response>
    /// Limits how many calls start in a period.
    public typealias RateLimiter = BackstopCore.RateLimiter<HTTP.Request, HTTP.Response>
    /// Sends a second request when the first is slow.
    public typealias Hedging = BackstopCore.Hedging<HTTP.Request, HTTP.Response>
    /// Answers in place of a failure.
    public typealias Fallback = BackstopCore.Fallback<HTTP.Request, HTTP.Response>
    /// Waits for a network, or fails at once without one.
    public typealias ConnectivityCheck = BackstopCore.ConnectivityCheck<HTTP.Request, HTTP.Response>
}
