extension TransportConformance.KnownLimits {
    /// What `AsyncHTTPClientTransport` of `BackstopAsyncHTTPClient` cannot do: limits of SwiftNIO's parser and of
    /// async-http-client 1.37, none of which a server can use to end the process.
    ///
    /// ```swift
    /// import BackstopAsyncHTTPClient
    ///
    /// func checkAsyncHTTPClient() async throws {
    ///     try await TransportConformance.check(knownLimits: .asyncHTTPClient) { options in
    ///         try AsyncHTTPClientTransport(responseLimit: options.responseLimit)
    ///     }
    /// }
    /// ```
    public static var asyncHTTPClient: TransportConformance.KnownLimits {
        [
            "heads.otherProtocol": "accepts `RTSP/1.0` in the place of `HTTP/1.0`",
            "heads.endlessReason": "reads a reason phrase for as long as it comes, until the time limit",
            "interim.endless": "passes over interim responses for as long as they come, until the time limit",
            "codings.xGzip": "refuses `x-gzip`, and says so",
            "connections.surplusLate": .intermittent(
                "may take bytes that arrive on an idle connection for the next response"),
        ]
    }
}
