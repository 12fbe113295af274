public import BackstopCore

/// The interceptors for any protocol, as they are in an HTTP chain: for stored properties, and where nothing else tells
/// the compiler what is sent.
///
/// ```swift
/// let retry = HTTP.Retry(attempts: 5)
/// ```
extension HTTP {
    /// Retries failed calls.
    public typealias Retry = BackstopCore.Retry<HTTP.Request, HTTP.Response>
    /// Limits the time of each attempt.
    public typealias AttemptTimeout = BackstopCore.AttemptTimeout<HTTP.Request, HTTP.Response>
    /// Limits the time of a whole call.
    public typealias Deadline = BackstopCore.Deadline<HTTP.Request, HTTP.Response>
}
