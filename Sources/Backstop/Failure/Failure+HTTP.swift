public import BackstopCore

extension Failure {
    /// The request as last sent; nil when nothing was sent, or the call was not one by HTTP.
    public var request: HTTP.Request? {
        sentRequest as? HTTP.Request
    }

    /// Every request that the deciding attempt sent, in order, redirects included; empty when nothing was sent, or the
    /// call was not one by HTTP.
    public var requests: [HTTP.Request] {
        sentRequests.compactMap { $0 as? HTTP.Request }
    }

    /// The response, its body cut at the client's limit; nil when none arrived, or the call was not one by HTTP.
    public var response: HTTP.Response? {
        receivedResponse as? HTTP.Response
    }
}

extension RetryCandidate {
    /// The request as last sent; nil when the call was not one by HTTP.
    public var request: HTTP.Request? {
        sentRequest as? HTTP.Request
    }

    /// The response, or as much of it as had arrived; nil when none had, or the call was not one by HTTP.
    public var response: HTTP.Response? {
        receivedResponse as? HTTP.Response
    }
}
