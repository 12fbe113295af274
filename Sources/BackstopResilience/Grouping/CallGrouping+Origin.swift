public import Backstop

extension CallGrouping where Request == HTTP.Request {
    /// Calls share a state if they have the same origin: scheme, host and port (RFC 6454). Its key looks like
    /// `https://api.example.com:443`.
    ///
    /// ```swift
    /// let breaker = HTTP.CircuitBreaker(grouping: .origin)
    /// ```
    public static var origin: CallGrouping {
        .by { $0.destination }
    }
}
