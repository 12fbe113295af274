public import BackstopCore

extension Failure {
    /// The request as last sent; nil when nothing was sent, or the call was not one by HTTP.
    public var request: HTTP.Request? {
        sentRequest as? HTTP.Request
    }

    /// The response, its body cut at the client's limit; nil when none arrived, or the call was not one by HTTP.
    public var response: HTTP.Response? {
        receivedResponse as? HTTP.Response
    }
}
