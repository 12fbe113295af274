#if Observability
    /// The names of labels and attributes that only metrics and spans have. Those that log entries have too are in
    /// `FieldName`.
    enum AttributeName {
        static let address = "server.address"
        static let port = "server.port"
        static let scheme = "url.scheme"
        static let protocolVersion = "network.protocol.version"
        static let originalMethod = "http.request.method_original"
        static let resendCount = "http.request.resend_count"
        static let requests = "backstop.attempt.requests"
        static let lastURL = "backstop.attempt.last_url"
        static let retryReason = "backstop.retry.reason"
        static let waitDuration = "backstop.wait.duration"
        static let headers = "backstop.headers"
    }

    /// The names of span events.
    enum EventName {
        static let wait = "backstop.wait"
        static let stopped = "backstop.retry.stopped"
        static let kept = "backstop.headers.kept"
    }
#endif
