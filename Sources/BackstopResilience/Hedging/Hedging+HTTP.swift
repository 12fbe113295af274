public import Backstop

extension Hedging where Request == HTTP.Request, Response == HTTP.Response {
    /// Makes an interceptor that sends the copy to another host, for requests that only read: after a delay, or at once
    /// when the first request has failed.
    ///
    /// Use it where two hosts have the same content, such as two regions: the quicker one answers, and one that fails in
    /// passing is not noticed. The failure has to be transient, and no status from 400 to 499. A failure of the copy
    /// decides nothing: the call goes on with the first request, or fails as that did.
    ///
    /// What identifies the caller does not go there, as with `Fallback(host:)`. A `BearerAuthentication` inside, whose
    /// `origins` name the other host, signs the copy too.
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
        self.init(after: delay, invalid: other.invalid(as: "Hedging.toHost"), elsewhere: other.request(for:_:))
    }
}
