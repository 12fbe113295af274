public import BackstopCore

/// The namespace of the HTTP types: requests, responses, and chains of them.
public enum HTTP {
    /// A link of an HTTP chain.
    ///
    /// ```swift
    /// struct Locale: HTTP.Interceptor {
    ///     func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
    ///         var request = request
    ///         request.headers[.acceptLanguage] = "sv"
    ///         return try await next(request)
    ///     }
    /// }
    /// ```
    public protocol Interceptor: BackstopCore.Interceptor
    where Request == HTTP.Request, Response == HTTP.Response {}

    /// What really sends the requests of an HTTP chain.
    public protocol Transport: BackstopCore.Transport
    where Request == HTTP.Request, Response == HTTP.Response {}

    /// The rest of an HTTP chain, as a link sees it.
    public typealias Next = BackstopCore.Next<HTTP.Request, HTTP.Response>
    /// An ordered list of links that ends in a transport.
    public typealias Chain = BackstopCore.Chain<HTTP.Request, HTTP.Response>
    /// Builds the list of links.
    public typealias ChainBuilder = BackstopCore.ChainBuilder<HTTP.Request, HTTP.Response>
    /// Sends a request again after a failure that may pass.
    public typealias Retry = BackstopCore.Retry<HTTP.Request, HTTP.Response>
    /// Limits each attempt in time.
    public typealias AttemptTimeout = BackstopCore.AttemptTimeout<HTTP.Request, HTTP.Response>
    /// Limits the whole call in time.
    public typealias Deadline = BackstopCore.Deadline<HTTP.Request, HTTP.Response>
    /// Any link that fits into an HTTP chain, protocol-independent ones included.
    public typealias AnyInterceptor = any BackstopCore.Interceptor<HTTP.Request, HTTP.Response>
}
