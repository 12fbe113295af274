public import BackstopCore

extension Failure {
    /// The request as last sent, or as the caller made it when nothing was sent; nil when it could not be created, or
    /// the call did not use HTTP.
    ///
    /// This is `sentRequest` with its HTTP type; `originalRequest` is always the request as the caller made it.
    public var request: HTTP.Request? {
        sentRequest as? HTTP.Request
    }

    /// Every request that the deciding attempt sent, in order, redirects included; empty when nothing was sent, or the
    /// call did not use HTTP.
    public var requests: [HTTP.Request] {
        sentRequests.compactMap { $0 as? HTTP.Request }
    }

    /// The response, with its body cut at `CallOptions.failureBodyLimit`; nil when none arrived, or the call did not
    /// use HTTP.
    public var response: HTTP.Response? {
        receivedResponse as? HTTP.Response
    }
}

extension RetryCandidate {
    /// The request as last sent; nil when the call does not use HTTP.
    public var request: HTTP.Request? {
        sentRequest as? HTTP.Request
    }

    /// The response, or what had arrived of it; nil when nothing had, or the call does not use HTTP.
    public var response: HTTP.Response? {
        receivedResponse as? HTTP.Response
    }
}
