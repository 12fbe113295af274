public import Backstop

extension Fallback where Request == HTTP.Request, Response == HTTP.Response {
    /// Makes an interceptor that asks another host when a call has failed, if that is safe.
    ///
    /// The request goes there with the same scheme, path and method. Credentials do not: secret headers, user and
    /// password of the URL, and query items with the name of a secret are removed. An `Authentication`
    /// inside adds those of the other host.
    ///
    /// ```swift
    /// let client = try Client(baseURL: "https://api.example.com") {
    ///     Fallback(host: "backup.example.com")
    ///     Retry()
    ///     Decoding()
    ///     StatusValidation()
    /// }
    /// ```
    /// - Parameters:
    ///   - host: The other host, with a port if it is not that of the scheme: `backup.example.com:8443`.
    ///   - handles: Which failures it stands in for. Default: transient ones of requests that only read, without a
    ///     status from 400 to 499.
    ///   - log: Where it writes a warning; nil for nowhere.
    public init(
        host: String, when handles: @escaping @Sendable (RetryCandidate) -> Bool = { $0.mayFallBack },
        log: (any LogSink)? = SystemLog.shared
    ) {
        let other = OtherHost(host)
        self.init(
            host, when: handles, log: log, invalid: other.invalid(as: "Fallback.host"),
            replacing: other.request(for:_:))
    }

    /// Makes an interceptor that sends another request through the interceptors inside, if that is safe.
    ///
    /// To another origin, what identifies the caller is removed if it is still that of the failed request: headers, and
    /// query items with the name of a secret.
    ///
    /// - Parameters:
    ///   - name: The name in the trace and the log.
    ///   - handles: Which failures it stands in for. Default: transient ones of requests that only read, without a
    ///     status from 400 to 499.
    ///   - log: Where it writes a warning; nil for nowhere.
    ///   - request: Returns the request to send instead of one that failed; nil for none.
    public init(
        _ name: String = "request",
        when handles: @escaping @Sendable (RetryCandidate) -> Bool = { $0.mayFallBack },
        log: (any LogSink)? = SystemLog.shared,
        sending request: @escaping @Sendable (HTTP.Request) -> HTTP.Request?
    ) {
        self.init(name, when: handles, log: log) { failed, context in
            request(failed)?.withoutCredentials(of: failed, redaction: context.redaction)
        }
    }
}
