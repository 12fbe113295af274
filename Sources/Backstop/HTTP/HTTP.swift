public import BackstopCore

/// The namespace of the HTTP types.
public enum HTTP {
    /// An interceptor of an HTTP chain.
    ///
    /// ```swift
    /// struct Locale: HTTP.Interceptor {
    ///     func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response
    ///     {
    ///         var request = request
    ///         request.headers[.acceptLanguage] = "sv"
    ///         return try await next(request)
    ///     }
    /// }
    /// ```
    /// Conform a structure, a class, an actor or a `@MainActor` class to it, and pass it as `any HTTP.Interceptor`.
    /// Interceptors for any protocol, such as `Retry`, become HTTP interceptors in an HTTP chain.
    public typealias Interceptor = BackstopCore.Interceptor<HTTP.Request, HTTP.Response>

    /// The end of an HTTP chain, which sends the requests.
    ///
    /// ```swift
    /// struct Canned: HTTP.Transport {
    ///     func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
    ///         HTTP.Response(status: 204)
    ///     }
    /// }
    /// func makeClient(_ transport: any HTTP.Transport = Canned()) throws -> Client {
    ///     try Client.standard(baseURL: "https://api.example.com/v1", transport: transport)
    /// }
    /// ```
    public typealias Transport = BackstopCore.Transport<HTTP.Request, HTTP.Response>

    /// The rest of an HTTP chain.
    public typealias Next = BackstopCore.Next<HTTP.Request, HTTP.Response>
    /// An ordered list of interceptors that ends in a transport.
    public typealias Chain = BackstopCore.Chain<HTTP.Request, HTTP.Response>
    /// Builds the list of interceptors.
    public typealias ChainBuilder = BackstopCore.ChainBuilder<HTTP.Request, HTTP.Response>
}
