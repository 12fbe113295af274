public import BackstopCore

#if canImport(FoundationNetworking)
    package import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with `URLSession`: the default end of a chain.
///
/// It stores no cookies, responses or credentials, limits the size of responses, follows redirects without sending
/// credentials to another origin, and turns every `URLError` into a `TransportError`, `TimeoutError`, `RequestError` or
/// `CancellationError`.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.send(
///     try HTTP.Request(.get, "https://api.example.com/books"), context: CallContext())
/// ```
///
/// At most ``connectionsPerHost`` requests to an origin run at once; further ones wait in line, in front of the
/// session. The time limit of an attempt starts when it has its connection.
///
/// A redirect to another origin drops `Authorization`, `Cookie`, `Proxy-Authorization` and every header with a
/// sensitive name: one that contains "token", "session", "signature", "csrf" or "key", or that the call's
/// `CallOptions.redaction` hides. Headers that only sound sensitive are kept: `Idempotency-Key` and
/// `Idempotency-Token`, with `X-` too, `Access-Control-Allow-Credentials`, `Access-Control-Request-Headers`,
/// `Sec-WebSocket-Key`, `Surrogate-Key`, `Cache-Key` and `X-Cache-Key`.
///
/// The response's headers are sorted by name, because `URLSession` does not preserve their order; several values of one
/// name become one field, joined with commas (RFC 9110, 5.3), except `Set-Cookie`, which is split again.
///
/// On Linux, `URLSession` has limits that no code above it can lift: it cannot connect to an IPv6 address, and it keeps
/// only one of several header fields whose names differ in case. A request that may be sent only once and has no body
/// in memory gets a new connection there, because a reused one may send it twice; with a body in memory, the head may
/// arrive a second time, without the body, if the server closes a reused connection instead of answering. Trailers
/// after a chunked body, a truncated head, and a `Content-Length` of 9,223,372,036,854,775,296 or more crash the
/// process inside Foundation (Swift 6.3.1); use another transport for servers you do not trust.
///
/// On Apple platforms, CFNetwork itself sends an idempotent request again when a kept connection turns out to be closed,
/// even one that is marked to be sent once; never a POST (Technical Q&A QA1941).
///
/// The session is finished when the transport is deinitialized; running calls keep it alive until they end.
public final class URLSessionTransport: HTTP.Transport {
    /// The largest response body, in decoded bytes if the server compressed it.
    ///
    /// Default: 64 MiB, because the body is held in memory and decoded JSON takes several times as much; download
    /// anything larger to a file. Range: 0 or more.
    public let responseLimit: Int

    /// How many redirects of one call to follow.
    ///
    /// Default: 20, as in browsers (Fetch, 4.4). Range: 0 or more; with 0, a redirect is returned as the response.
    public let maximumRedirects: Int

    /// Whether to follow a redirect from `https` to `http`.
    ///
    /// Default: false, because anyone on the way could then read and change the content.
    public let allowsInsecureRedirects: Bool

    /// The longest time without a byte before a call fails with `TimeoutError`, if the call has no deadline.
    ///
    /// Default: the configuration's `timeoutIntervalForRequest`, 60 s unless changed. Range: more than 0, up to a week;
    /// rounded up to whole seconds, because Linux counts in seconds. A call with a deadline gets 5 s beyond it, so that
    /// the `Deadline` interceptor ends the call first.
    public let idleTimeout: Duration

    /// How many connections to one origin are open at once; further requests wait in line, first in, first out.
    ///
    /// Default: the configuration's `httpMaximumConnectionsPerHost`, which ``standardConfiguration`` sets to 6:
    /// browsers open six to a host, so servers and proxies are built for that. Range: 1 or more. With an origin that
    /// speaks HTTP/2 or HTTP/3, up to 100 requests share a connection, except on Linux.
    ///
    /// A request that waits longer than ``idleTimeout``, or than the call's deadline if it has one, fails with
    /// `TimeoutError` and `.connection`.
    public let connectionsPerHost: Int

    /// True: the transport ends an attempt at `CallContext.attemptLimit`, counted while it has a connection, over all
    /// its redirects.
    public var endsAttemptsInTime: Bool { true }

    private let session: OwnedSession
    private let rule: RedirectRule
    private let additionalHeaders: HTTP.Headers
    /// The session's cookie storage; nil when it sends no cookies itself.
    private let cookies: HTTPCookieStorage?

    /// Makes a transport with the standard options and its own session.
    public convenience init() {
        self.init(responseLimit: 64 << 20, connectionsPerHost: Self.standardConnectionsPerHost) { _ in true }
    }

    /// Makes a transport with a session of its own that follows redirects only to some targets, for calls whose target
    /// somebody else chose.
    package convenience init(
        responseLimit: Int, connectionsPerHost: Int, redirectsTo isAllowed: @escaping @Sendable (URL) -> Bool
    ) {
        self.init(
            checked: Self.standardConfiguration, responseLimit: responseLimit, maximumRedirects: 20,
            allowsInsecureRedirects: false, idleTimeout: .seconds(60), connectionsPerHost: connectionsPerHost,
            isAllowed: isAllowed)
    }

    /// Makes a transport.
    ///
    /// ```swift
    /// let transport = try URLSessionTransport(responseLimit: 16 << 20, maximumRedirects: 5)
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The session's settings, copied. Default: ``standardConfiguration``. The transport itself adds
    ///     its `httpAdditionalHeaders` to each request, so that credentials in them do not follow a redirect to another
    ///     origin. With `waitsForConnectivity`, a call waits for a network until its deadline, for other calls to go
    ///     ahead, and the limit of its attempt stands still from then on; give such calls a deadline. Those of
    ///     `background(withIdentifier:)` are refused: such sessions follow redirects by themselves, with credentials.
    ///   - responseLimit: See ``responseLimit``. Default: 64 MiB.
    ///   - maximumRedirects: See ``maximumRedirects``. Default: 20.
    ///   - allowsInsecureRedirects: See ``allowsInsecureRedirects``. Default: false.
    ///   - idleTimeout: See ``idleTimeout``. Default: nil, what the configuration says.
    ///   - connectionsPerHost: See ``connectionsPerHost``. Default: nil, what the configuration says.
    /// - Throws: `ConfigurationError` when a value is out of its range, or the configuration has a header that cannot be
    ///   sent.
    public convenience init(
        configuration: URLSessionConfiguration = URLSessionTransport.standardConfiguration,
        responseLimit: Int = 64 << 20, maximumRedirects: Int = 20, allowsInsecureRedirects: Bool = false,
        idleTimeout: Duration? = nil, connectionsPerHost: Int? = nil
    ) throws(ConfigurationError) {
        let timeout = idleTimeout ?? .seconds(RequestTimeout.bounded(configuration.timeoutIntervalForRequest))
        let connections = connectionsPerHost ?? configuration.httpMaximumConnectionsPerHost
        try ConfigurationError.require(
            responseLimit >= 0, "URLSessionTransport.responseLimit", "must not be negative, but is \(responseLimit)",
            fix: "Set the largest number of bytes that a response may have")
        try ConfigurationError.require(
            maximumRedirects >= 0, "URLSessionTransport.maximumRedirects",
            "must not be negative, but is \(maximumRedirects)",
            fix: "Set the number of redirects to follow, or 0 to get them as responses")
        try Self.check(identifier: configuration.identifier)
        try ConfigurationError.require(
            timeout > .zero && timeout <= .seconds(RequestTimeout.longest), "URLSessionTransport.idleTimeout",
            "must be more than 0 and at most a week, but is \(timeout)",
            fix: "Set the longest time without a byte in either direction")
        try ConfigurationError.require(
            connections > 0, "URLSessionTransport.connectionsPerHost", "must be at least 1, but is \(connections)",
            fix: "Set the number of concurrent connections to one host")
        let refused = OutgoingRequest.headers(configuration.httpAdditionalHeaders ?? [:]).refused
        try ConfigurationError.require(
            refused == nil, "URLSessionTransport.configuration",
            "has a header that cannot be sent: \(refused.map { "\($0)" } ?? "")",
            fix: "Correct its httpAdditionalHeaders")
        self.init(
            checked: configuration, responseLimit: responseLimit, maximumRedirects: maximumRedirects,
            allowsInsecureRedirects: allowsInsecureRedirects, idleTimeout: timeout, connectionsPerHost: connections)
    }

    private init(
        checked configuration: URLSessionConfiguration, responseLimit: Int, maximumRedirects: Int,
        allowsInsecureRedirects: Bool, idleTimeout: Duration, connectionsPerHost: Int,
        isAllowed: @escaping @Sendable (URL) -> Bool = { _ in true }
    ) {
        self.responseLimit = responseLimit
        self.maximumRedirects = maximumRedirects
        self.allowsInsecureRedirects = allowsInsecureRedirects
        self.idleTimeout = idleTimeout
        self.connectionsPerHost = connectionsPerHost
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        additionalHeaders = OutgoingRequest.headers(own.httpAdditionalHeaders ?? [:])
        own.httpAdditionalHeaders = nil
        cookies = own.httpShouldSetCookies ? own.httpCookieStorage : nil
        own.timeoutIntervalForRequest = RequestTimeout.bounded(idleTimeout.seconds)
        own.httpMaximumConnectionsPerHost = connectionsPerHost
        rule = RedirectRule(
            maximum: maximumRedirects, allowsInsecure: allowsInsecureRedirects,
            // With cookies, the same request may get another response the second time.
            detectsLoops: own.httpCookieStorage == nil, refusesIPv6: Self.refusesIPv6, isAllowed: isAllowed)
        session = OwnedSession(configuration: own, limiter: ConnectionLimiter(limit: connectionsPerHost))
    }

    /// Refuses the settings of a background session: "Tasks in background sessions automatically follow
    /// redirects" (URLSessionTaskDelegate, `urlSession(_:task:willPerformHTTPRedirection:...)`).
    static func check(identifier: String?) throws(ConfigurationError) {
        try ConfigurationError.require(
            identifier == nil, "URLSessionTransport.configuration",
            "must not be that of a background session, but is that of \(identifier ?? "")",
            fix: "Use a session of your own for transfers in the background: it follows redirects without asking, so "
                + "that credentials would leave")
    }

    #if !canImport(FoundationNetworking)
        /// A transport with the same settings and a session of its own, whose challenges a closure answers: for client
        /// certificates, and for pins that the app learns at run time.
        ///
        /// ```swift
        /// #if canImport(Security)
        ///     import Security
        ///
        ///     func pinned(_ pins: @escaping @Sendable (SecTrust) async -> Bool) -> URLSessionTransport {
        ///         URLSessionTransport().answeringChallenges { challenge in
        ///             guard let trust = challenge.protectionSpace.serverTrust else {
        ///                 return (.performDefaultHandling, nil)
        ///             }
        ///             return await pins(trust)
        ///                 ? (.performDefaultHandling, nil) : (.cancelAuthenticationChallenge, nil)
        ///         }
        ///     }
        /// #endif
        /// ```
        ///
        /// Redirects, limits and codes stay as they are. With `.cancelAuthenticationChallenge`, the call fails with
        /// `transport.certificate`, `transport.clientCertificate`, or for a name and a password `transport.notAllowed`.
        ///
        /// - Parameter answer: Is asked for each challenge; `.performDefaultHandling` answers as without it. Its time
        ///   counts for the attempt. Not on Linux, where `URLSession` does not ask.
        public func answeringChallenges(
            _ answer:
                @escaping @Sendable (URLAuthenticationChallenge) async -> (
                    URLSession.AuthChallengeDisposition, URLCredential?
                )
        ) -> URLSessionTransport {
            URLSessionTransport(self, answer: answer)
        }

        private init(_ other: URLSessionTransport, answer: @escaping SessionDelegate.Answer) {
            responseLimit = other.responseLimit
            maximumRedirects = other.maximumRedirects
            allowsInsecureRedirects = other.allowsInsecureRedirects
            idleTimeout = other.idleTimeout
            connectionsPerHost = other.connectionsPerHost
            additionalHeaders = other.additionalHeaders
            cookies = other.cookies
            rule = other.rule
            session = OwnedSession(
                configuration: other.session.session.configuration,
                limiter: ConnectionLimiter(limit: other.connectionsPerHost), answer: answer)
        }
    #endif

    private static let standardConnectionsPerHost = 6

    /// Why a redirect to an IPv6 address cannot be followed; nil where it can.
    static var refusesIPv6: String? {
        #if canImport(FoundationNetworking)
            "and URLSession cannot send to an IPv6 address on Linux: a name for it works"
        #else
            nil
        #endif
    }

    /// The settings of a session that stores nothing: no cookies, no cache, no credentials.
    ///
    /// A new copy each time; change it and pass it to the initializer.
    public static var standardConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = standardConnectionsPerHost
        return configuration
    }

    /// Sends a request and returns the complete response, whatever its status.
    ///
    /// `Host` is sent as in the request; the session sets `Content-Length` and `Transfer-Encoding`. Header
    /// values are sent as UTF-8, several of one name as one field, joined as in RFC 9110, 5.3.
    ///
    /// A stream of unknown length is sent in chunks; a known length must be exact. If the stream is longer or shorter,
    /// or a file changes while it is sent, the call fails with `RequestError` and `.bodyLength`, and the server gets
    /// fewer bytes than announced. To check this, one more chunk is requested at the end, so finish the sequence.
    ///
    /// At most one chunk of a stream is read ahead. On Linux, a request with a stream has a connection of its own, a
    /// response that arrives before the end of the body is seen only with the next chunk, and all other calls with
    /// `URLSession` in the process wait for that chunk too.
    ///
    /// - Throws: `RequestError` when the request cannot be sent: the URL, a header, GET with content, a body that is
    ///   unreadable or has another length. `TransportError` and `TimeoutError` for errors in transit.
    ///   `CancellationError` at once when the task is cancelled, which stops the transfer.
    public func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
        try Task.checkCancellation()
        #if canImport(FoundationNetworking)
            context.noteIgnoredNetworkOptions()
        #endif
        var time = AttemptTime(context)
        let first = OutgoingRequest.adding(additionalHeaders, to: request)
        return try await rule.follow(first, context: context) { trail, redirecting in
            try await exchange(trail, after: redirecting, time: &time, context: context)
        }
    }

    /// The request with the cookies that the session sends in the place of its own, so that caches see whose it is.
    private func asSent(_ request: HTTP.Request) -> HTTP.Request {
        guard let stored = cookies?.cookies(for: request.url), !stored.isEmpty else {
            return request
        }
        var request = request
        request.headers[.cookie] = HTTPCookie.requestHeaderFields(with: stored)["Cookie"]
        return request
    }

    /// Sends one request as soon as it has a connection, and returns its response, even a redirect.
    ///
    /// - Parameter redirecting: The redirect that led here, for a failure to show; nil for the first request.
    private func exchange(
        _ trail: RedirectTrail, after redirecting: HTTP.Response?, time: inout AttemptTime, context: CallContext
    ) async throws -> HTTP.Response {
        let request = trail.request
        let timeout = RequestTimeout.interval(
            remaining: context.deadline.map { $0.subtracting(context.clock.now) }, idle: idleTimeout)
        let outgoing = try OutgoingRequest(
            request, timeout: context.isStream ? RequestTimeout.longest : timeout, network: context.values.network)
        let origin = request.destination
        let all = context.isStream ? session.forStreams : session
        let limiter = all.delegate.limiter
        if !limiter.take(origin) {
            context.track { TransferProgress(.queued, response: redirecting) }
            try await limiter.wait(for: origin, atMost: .seconds(timeout), clock: context.clock)
        }
        // One with the same settings, without connections.
        let session =
            outgoing.needsOwnSession
            ? OwnedSession(configuration: all.session.configuration, limiter: limiter) : all
        let exchange = Exchange(
            origin: origin, responseLimit: context.responseLimit(atMost: responseLimit),
            hasContent: !outgoing.body.isNone, isHead: request.method == .head,
            returnsRedirects: maximumRedirects == 0, canceller: session.delegate.canceller,
            body: context.responseIntake?.makePipe(), clock: context.clock, note: { context.note($0, $1) })
        defer {
            if exchange.leavePlace() {
                limiter.giveBack(origin)
            }
        }
        try Task.checkCancellation()
        if trail.count > 0 {
            context.recordHop(asSent(request))
        } else if cookies != nil || !additionalHeaders.fields.isEmpty {
            context.recordAsSent(asSent(request))
        }
        context.track { exchange.transferProgress }
        time.begin(clock: context.clock, moved: { exchange.bytesMoved }) {
            exchange.waitsSince == nil && exchange.pipe?.expire() != false ? exchange.end(with: $0) : ()
        }
        defer {
            time.pause(clock: context.clock, since: exchange.waitsSince)
        }
        do {
            guard let intake = context.responseIntake else {
                return try await exchange.run(outgoing, in: session).response
            }
            return try await stream(exchange, outgoing, in: session, to: intake, within: timeout) {
                time.pause(clock: context.clock, since: exchange.waitsSince)
            }
        } catch {
            if error is CancellationError || Task.isCancelled {
                throw CancellationError()
            }
            if let own = context.responseIntake?.sinkError {
                throw own
            }
            throw exchange.mapped(error, timeout: .seconds(timeout))
        }
    }
}

extension URLSessionTransport {
    /// Hands the body of a response to a stream, or collects it.
    ///
    /// - Parameter opened: Called when it is a stream: the time of the attempt is over.
    private func stream(
        _ exchange: Exchange, _ outgoing: OutgoingRequest, in session: OwnedSession, to intake: any ResponseIntake,
        within timeout: TimeInterval, opened: () -> Void
    ) async throws -> HTTP.Response {
        // The session's own limit would hold for the body too. That of an upload is the attempt's.
        let timer =
            outgoing.body.unreadData == nil
            ? nil
            : LimitTimer(after: .seconds(timeout), clock: SystemClock()) {
                exchange.end(with: URLError(.timedOut))
            }
        defer { timer?.cancel() }
        let reply = try await exchange.run(outgoing, in: session)
        timer?.cancel()
        guard let body = exchange.pipe, !reply.isWhole else {
            return reply.response
        }
        defer {
            body.abandon()
            exchange.end(with: CancellationError())
        }
        return try await intake.receive(
            reply.response, body, leadsOn: rule.leadsOn(reply.response), limit: responseLimit, opened: opened)
    }
}

extension URLSessionTransport: CustomReflectable {
    /// Its options; not the session, whose cookies are secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "responseLimit": responseLimit, "maximumRedirects": maximumRedirects,
                "allowsInsecureRedirects": allowsInsecureRedirects, "idleTimeout": idleTimeout,
                "connectionsPerHost": connectionsPerHost,
            ], displayStyle: .class)
    }
}
