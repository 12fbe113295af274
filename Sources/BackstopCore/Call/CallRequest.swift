/// A request that can say what retry and reports need to know of it; `HTTP.Request` is one.
public protocol CallRequest: Sendable {
    /// Whether sending it twice has the effect of sending it once (RFC 9110, 9.2.2), or the server removes doubles.
    var isIdempotent: Bool { get }
    /// The key by which the server removes doubles, where that alone makes the request idempotent; nil where it is
    /// idempotent without one, or is not idempotent. Default: nil.
    ///
    /// A request is sent again only with the same key.
    var idempotencyKey: String? { get }
    /// Whether its body can be sent again; false for a stream that is read only once.
    var isReplayable: Bool { get }
    /// One line for people: what was asked, without secrets unless `redaction` is ``Redaction/off``.
    func summary(_ redaction: Redaction) -> String
    /// Further lines: headers, and the first part of the body.
    func details(_ redaction: Redaction) -> [String]
    /// What a transport threw, as the type that says what it means, where a system throws it as another: Apple's
    /// `URLSession` throws `NSError`, which casts to protocols do not see as `URLError`. Default: the error as it is.
    static func recognized(_ error: any Error) -> any Error
}

extension CallRequest {
    /// No key.
    public var idempotencyKey: String? { nil }

    /// The error as it is.
    public static func recognized(_ error: any Error) -> any Error { error }
}

/// A response that can say what retry and reports need to know of it; `HTTP.Response` is one.
public protocol CallResponse: Sendable {
    /// The status code; nil when the protocol has none.
    var statusCode: Int? { get }
    /// The least time to wait before the next attempt; nil when the server did not say.
    ///
    /// - Parameter now: The time since 1970-01-01 UTC, for servers that answer with a date.
    func retryAfter(now: Duration) -> Duration?
    /// One line for people: what came, without secrets unless `redaction` is ``Redaction/off``.
    func summary(_ redaction: Redaction) -> String
    /// The same as the answer to a request: without what the request says already, such as the URL that it went to.
    /// Default: ``summary(_:)``.
    func summary(_ redaction: Redaction, answering request: (any CallRequest)?) -> String
    /// Further lines: headers, and the first part of the body.
    func details(_ redaction: Redaction) -> [String]
    /// The response with no more than so many bytes of body, as a failure carries it.
    func bounded(to bytes: Int) -> Self
}

extension CallResponse {
    /// The summary as it is.
    public func summary(_ redaction: Redaction, answering request: (any CallRequest)?) -> String {
        summary(redaction)
    }
}
