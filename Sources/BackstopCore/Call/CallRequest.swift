/// What retry and reports need to know about a request; `HTTP.Request` conforms.
public protocol CallRequest: Sendable {
    /// Whether sending it twice has the effect of sending it once (RFC 9110, 9.2.2), or the server drops duplicates.
    var isIdempotent: Bool { get }
    /// The key by which the server drops duplicates, if only the key makes the request idempotent; nil when the request
    /// is idempotent without one, or not at all. Default: nil.
    ///
    /// A request is sent again only with the same key.
    var idempotencyKey: String? { get }
    /// Whether it only reads, so that another answer may stand in for that of the server: `Fallback` does so by
    /// default only then. Default: whether it is idempotent without a key.
    ///
    /// An idempotent request may change something as well: a `PUT` does. Say false for those.
    var isReadOnly: Bool { get }
    /// Where it goes: requests with the same destination share a ``RetryBudget``. For HTTP: scheme, host and port.
    /// Default: empty; all requests go to one place.
    var destination: String { get }
    /// Whether its body can be sent again; false for a stream that is read only once.
    var isReplayable: Bool { get }
    /// The request in one line, without secrets unless `redaction` is ``Redaction/off``.
    func summary(_ redaction: Redaction) -> String
    /// More lines: headers, and the beginning of the body. Default: none.
    func details(_ redaction: Redaction) -> [String]
    /// What the summary says, as named values for logs that keep them. Default: none.
    func logFields(_ redaction: Redaction) -> [LogField]
    /// The error that a transport threw, as the type that carries its meaning: Apple's `URLSession` throws `NSError`,
    /// which a cast to a protocol does not see as a `URLError`. Default: the error unchanged.
    static func recognized(_ error: any Error) -> any Error
    /// Whether an error that Backstop does not know (``Failure/Reason/other(_:)``) is transient for a request of this
    /// kind. Default: false.
    func isTransient(_ error: any Error) -> Bool
}

extension CallRequest {
    /// An unknown error is not transient: it is more often a mistake than a fault that passes.
    public func isTransient(_ error: any Error) -> Bool { false }

    /// One place for all.
    public var destination: String { "" }

    /// No more lines.
    public func details(_ redaction: Redaction) -> [String] { [] }

    /// No fields.
    public func logFields(_ redaction: Redaction) -> [LogField] { [] }

    /// No key.
    public var idempotencyKey: String? { nil }

    /// Whether it is idempotent without a key.
    public var isReadOnly: Bool { isIdempotent && idempotencyKey == nil }

    /// The error as it is.
    public static func recognized(_ error: any Error) -> any Error { error }
}

/// What retry and reports need to know about a response; `HTTP.Response` conforms.
public protocol CallResponse: Sendable {
    /// The status code; nil when the protocol has none. Default: nil.
    var statusCode: Int? { get }
    /// The minimum wait before the next attempt that the server asks for; nil when it does not. Default: nil.
    ///
    /// - Parameter now: The time since 1970-01-01 UTC, for servers that answer with a date.
    func retryAfter(now: Duration) -> Duration?
    /// How long until the server accepts requests again, when its rate limit has none left; nil when some are left, or
    /// it does not say. Default: nil.
    ///
    /// - Parameter now: The time since 1970-01-01 UTC, for servers that answer with a date.
    func rateLimitReset(now: Duration) -> Duration?
    /// The response in one line, without secrets unless `redaction` is ``Redaction/off``.
    func summary(_ redaction: Redaction) -> String
    /// The summary of the response to a request, without what the request already says, such as its URL. Default:
    /// ``summary(_:)``.
    func summary(_ redaction: Redaction, answering request: (any CallRequest)?) -> String
    /// More lines: headers, and the beginning of the body. Default: none.
    func details(_ redaction: Redaction) -> [String]
    /// The response with its body cut to a number of bytes, for a failure to keep. Default: the response unchanged.
    func bounded(to bytes: Int) -> Self
}

extension CallResponse {
    /// No status.
    public var statusCode: Int? { nil }

    /// No wait.
    public func retryAfter(now: Duration) -> Duration? { nil }

    /// Whether a status is the 403 by which some services, such as GitHub, refuse those who call too often.
    package func isLimit(_ status: Int, now: Duration) -> Bool {
        status == 403 && max(retryAfter(now: now) ?? .zero, rateLimitReset(now: now) ?? .zero) > .zero
    }

    /// No rate limit.
    public func rateLimitReset(now: Duration) -> Duration? { nil }

    /// No more lines.
    public func details(_ redaction: Redaction) -> [String] { [] }

    /// The response as it is.
    public func bounded(to bytes: Int) -> Self { self }

    /// The summary as it is.
    public func summary(_ redaction: Redaction, answering request: (any CallRequest)?) -> String {
        summary(redaction)
    }
}

/// The run of an operation, which has no server: texts speak of the operation.
package protocol OperationRequest: CallRequest {}
