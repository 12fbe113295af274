public import Backstop

extension CallGrouping where Request: CallRequest {
    /// Calls share a state if they have the same `CallRequest.destination`: for HTTP the origin.
    ///
    /// Where a method takes a key, a URL of an origin, or its host for `https`, is as good.
    public static var destination: CallGrouping {
        guard Request.self == HTTP.Request.self else {
            return .by(\.destination)
        }
        return CallGrouping(\.destination) { text in
            (try? HTTP.Request(.get, text.contains("://") ? text : "https://\(text)").destination) ?? text
        }
    }
}

extension CallGrouping where Request == HTTP.Request {
    /// Calls share a state if they have the same origin: scheme, host and port (RFC 6454). Its key looks like
    /// `https://api.example.com:443`.
    ///
    /// ```swift
    /// let breaker = HTTP.CircuitBreaker(grouping: .origin)
    /// ```
    public static var origin: CallGrouping { .destination }
}
