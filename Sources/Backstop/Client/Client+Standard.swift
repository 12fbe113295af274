public import BackstopCore
public import Foundation

extension Client {
    /// Makes a client with the standard interceptors in the standard order.
    ///
    /// Outermost first: `RequestLogging`, `Deadline`, `Retry`, your authentication, your other interceptors,
    /// `Decoding`, `StatusValidation`, `APIErrorDecoding`, your persisted queries, `AttemptTimeout`, transport.
    /// Responses pass through it from the inside out: the API error is decoded before the status is checked, both
    /// before the content is decoded, and all of them inside retry.
    ///
    /// ```swift
    /// let client = try Client.standard(baseURL: "https://api.example.com/v1")
    /// ```
    /// - Parameters:
    ///   - baseURL: The URL that paths are relative to, as a string or a `URL`.
    ///   - apiError: The error body of the service. Default: RFC 9457, ``ProblemDetails``.
    ///   - transport: Sends the requests.
    ///   - retry: When and how often requests are sent again.
    ///   - authentication: An interceptor that adds and renews credentials, such as ``BasicAuthentication``; nil for
    ///     none.
    ///   - interceptors: Interceptors of your own, outermost first, such as one that adds a header. They see each
    ///     attempt with its credentials, and its decoded content or its error. For another position, derive a client:
    ///     `client.withChain { try $0.inserting(interceptor, outside: .retry) }`.
    ///   - persistedQueries: The interceptor that sends hashes instead of GraphQL documents; nil for none.
    ///   - attemptTimeout: How long one attempt may take, more than 0; nil for 30 s, or for all of a deadline of 30 s or
    ///     less. From 30 s on, a second more for each 4 KiB that its bodies have moved, so that a longer limit cuts
    ///     nothing that the default would not. A shorter one leaves time to repeat an attempt that hangs, covers the
    ///     whole transfer, and fails where the service is slow.
    ///   - deadline: How long a whole call may take, more than 0; nil when only a call's own deadline applies.
    ///   - logging: What is written about each call; nil for nothing.
    ///   - decoder: Decodes the JSON of responses; nil for one with default settings.
    ///   - encoder: Encodes values as JSON; nil for one with default settings.
    ///   - options: The options of every call.
    ///   - handling: Observers, log, and how often handlers may repeat a call.
    /// - Throws: `RequestError` for an unusable base URL, `ConfigurationError` for a limit of 0 or less.
    public static func standard<E: APIError>(
        baseURL: some HTTP.Target,
        apiError: E.Type = ProblemDetails.self,
        transport: any HTTP.Transport = URLSessionTransport(),
        retry: RetryPolicy = .standard,
        authentication: (any HTTP.Interceptor)? = nil,
        interceptors: [any HTTP.Interceptor] = [],
        persistedQueries: (any HTTP.Interceptor)? = nil,
        attemptTimeout: Duration? = nil,
        deadline: Duration? = nil,
        logging: RequestLogging? = RequestLogging(.call),
        decoder: JSONDecoder? = nil,
        encoder: JSONEncoder? = nil,
        options: CallOptions = CallOptions(),
        handling: FailureHandling = FailureHandling()
    ) throws -> Client {
        let limit = attemptTimeout ?? .seconds(30)
        var options = options
        if let decoder {
            options.values.decoder = decoder
        }
        if let encoder {
            options.values.encoder = encoder
        }
        return try Client(
            baseURL: try baseURL.targetText(), transport: transport, options: options, handling: handling
        ) {
            if let logging {
                logging
            }
            Deadline(deadline)
            Retry(retry)
            if let authentication {
                authentication
            }
            interceptors
            Decoding()
            StatusValidation()
            APIErrorDecoding(apiError)
            if let persistedQueries {
                persistedQueries
            }
            if attemptTimeout != nil || limit < deadline ?? .century {
                AttemptTimeout(limit, minimumRate: limit < .seconds(30) ? nil : 4096)
            }
        }
    }
}

extension Role {
    /// The roles of an HTTP chain in the standard order, outermost first, including those missing from the standard
    /// chain. Roles that upper modules declare are here by name, without their rules.
    package static let standardOrder: [Role] = [
        .tracing, .metrics, .logging, .deadline, Role(builtIn: "fallback"), .cache, Role(builtIn: "connectivity"),
        .retry, .attemptLogging, Role(builtIn: "hedging"), Role(builtIn: "bulkhead"), Role(builtIn: "rateLimiter"),
        Role(builtIn: "circuitBreaker"), .attemptTracing, .attemptMetrics, .authentication, .decoding,
        .statusValidation, .apiErrorDecoding, .attemptTimeout,
    ]
}
