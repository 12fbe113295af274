public import BackstopCore

extension Client {
    /// Makes a client with the standard links in the standard order.
    ///
    /// Outermost first: `Logging`, `Deadline`, `Retry`, the authentication you give, `Decoding`, `StatusValidation`,
    /// `APIErrorDecoding`, `AttemptTimeout`, transport. Responses pass it from the inside out: the API error is read
    /// before the status is judged, both before the content is decoded, and all of it inside retry.
    ///
    /// ```swift
    /// let client = try Client.standard(baseURL: "https://api.example.com/v1")
    /// ```
    /// - Parameters:
    ///   - baseURL: What paths are put below, as a text.
    ///   - apiError: The error body of the service. Default: RFC 9457.
    ///   - transport: What sends the requests.
    ///   - retry: When and how often requests are sent again.
    ///   - authentication: A link that adds and renews credentials; nil for none.
    ///   - attemptTimeout: How long one attempt may take, more than 0.
    ///   - deadline: How long a whole call may take, more than 0; nil when only a call's own deadline counts.
    ///   - logging: What is written about each call; nil for nothing.
    /// - Throws: ``RequestError`` for a base URL that cannot be sent to, ``ConfigurationError`` for a limit of 0 or less.
    public static func standard<E: APIError>(
        baseURL: String,
        apiError: E.Type,
        transport: any HTTP.Transport = URLSessionTransport(),
        retry: RetryPolicy = .standard,
        authentication: (any HTTP.Interceptor)? = nil,
        attemptTimeout: Duration = .seconds(30),
        deadline: Duration? = nil,
        logging: Logging? = Logging(.call),
        options: CallOptions = CallOptions(),
        handling: FailureHandling = FailureHandling()
    ) throws -> Client {
        try Client(baseURL: baseURL, transport: transport, options: options, handling: handling) {
            if let logging {
                logging
            }
            if let deadline {
                try HTTP.Deadline(deadline)
            } else {
                HTTP.Deadline()
            }
            HTTP.Retry(retry)
            if let authentication {
                authentication
            }
            Decoding()
            StatusValidation()
            APIErrorDecoding(apiError)
            try HTTP.AttemptTimeout(attemptTimeout)
        }
    }

    /// Makes a client with the standard links in the standard order, for a service whose errors follow RFC 9457.
    ///
    /// - Throws: ``RequestError`` for a base URL that cannot be sent to, ``ConfigurationError`` for a limit of 0 or less.
    public static func standard(
        baseURL: String,
        transport: any HTTP.Transport = URLSessionTransport(),
        retry: RetryPolicy = .standard,
        authentication: (any HTTP.Interceptor)? = nil,
        attemptTimeout: Duration = .seconds(30),
        deadline: Duration? = nil,
        logging: Logging? = Logging(.call),
        options: CallOptions = CallOptions(),
        handling: FailureHandling = FailureHandling()
    ) throws -> Client {
        try standard(
            baseURL: baseURL, apiError: ProblemDetails.self, transport: transport, retry: retry,
            authentication: authentication, attemptTimeout: attemptTimeout, deadline: deadline, logging: logging,
            options: options, handling: handling)
    }
}
