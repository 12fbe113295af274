public import Backstop

extension Hedging where Request == HTTP.Request, Response == HTTP.Response {
    /// Makes an interceptor that sends the copy to another host, for requests that only read: after a delay, or at once
    /// when the first request has failed.
    ///
    /// Use it where two hosts have the same content, such as two regions: the quicker one answers, and one that fails in
    /// passing is not noticed. The failure has to be transient, and no status from 400 to 499. A failure of the copy
    /// decides nothing: the call goes on with the first request, or fails as that did.
    ///
    /// Only requests to the origin of the client's base URL go there. Secrets of the caller are removed, as with
    /// `Fallback(host:)`; what interceptors further inside add is not, but for the credentials of an authentication, which
    /// signs the copy if its `origins` name the other host. `call.values.fallback` tells observers that the copy answered.
    /// Copies take nothing from the retry budget: while both hosts are slow, each call is sent to both.
    ///
    /// ```swift
    /// let client = try Client(baseURL: "https://eu.example.com") {
    ///     Retry()
    ///     Hedging(after: .milliseconds(300), toHost: "us.example.com")
    ///     Decoding()
    ///     AttemptTimeout(.seconds(10))
    ///     StatusValidation()
    /// }
    /// ```
    /// - Parameters:
    ///   - delay: When to send the copy; more than 0.
    ///   - host: The other host, with a port if it is not that of the scheme: `us.example.com:8443`.
    public init(after delay: Duration, toHost host: String) {
        let other = OtherHost(host)
        self.init(
            .fixed(delay),
            elsewhere: Elsewhere(name: host) { request, context in
                let origin = request.destination
                guard context.subject.map({ $0.origin == origin }) ?? true,
                    let copy = other.request(for: request, context), copy.destination != origin
                else {
                    return nil
                }
                return copy
            }, invalid: other.invalid(as: "Hedging.toHost"))
    }
}
