public import BackstopCore

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with `URLSession`: the end of a chain in apps and servers without further dependencies.
///
/// It keeps no cookies, no cache and no credentials of its own, stops reading a response at a limit, follows redirects
/// without carrying credentials to another origin, and turns every `URLError` into a `TransportError`,
/// `TimeoutError`, `RequestError` or `CancellationError`.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.send(
///     try HTTP.Request(.get, "https://api.example.com/books"), context: CallContext())
/// ```
///
/// At most ``connectionsPerHost`` requests to an origin are under way; further ones wait in line, in front of the
/// session. The limit of an attempt begins when it has its connection.
///
/// A redirect to another origin loses `Authorization`, `Cookie`, `Proxy-Authorization` and every header whose name is
/// that of a secret: what has "token", "session", "signature", "csrf" or "key" in it, and what the call's own
/// `CallOptions.redaction` hides. What proves nothing and is only named like that goes along: `Idempotency-Key` and
/// `Idempotency-Token`, with `X-` too, `Access-Control-Allow-Credentials`, `Access-Control-Request-Headers`,
/// `Sec-WebSocket-Key`, `Surrogate-Key`, `Cache-Key` and `X-Cache-Key`.
///
/// The response's headers are sorted by name, because `URLSession` does not keep their order; several values of one
/// name come as one field, joined with commas (RFC 9110, 5.3), except `Set-Cookie`, which is taken apart again.
///
/// On Linux, `URLSession` has limits that no code above it can lift: it cannot send to an IPv6 address, and it keeps
/// only one of several header fields whose names differ in case. What may be done only once, and has no body in memory,
/// gets a connection of its own there, because a kept one may carry it twice; with a body in memory, the head may
/// arrive a second time, without the body, when the server closes a kept connection instead of answering. Trailers
/// after a chunked body, a head that breaks off, and a `Content-Length` from 9,223,372,036,854,775,296 on end the
/// process inside Foundation (Swift 6.3.1); use another transport towards servers that are not trusted.
///
/// The session is finished when the transport is deinitialised; calls that run keep it alive until they are over.
public final class URLSessionTransport: HTTP.Transport {
    /// How many bytes of a response's body are accepted, decoded ones where the server compressed them.
    ///
    /// Default: 64 MiB, because the body is held in memory at once and reading it as JSON takes several times as much;
    /// what is larger is better downloaded to a file. Range: 0 and more.
    public let responseLimit: Int

    /// How many redirects of one call are followed.
    ///
    /// Default: 20, as browsers do (Fetch, 4.4). Range: 0 and more; with 0 the response with the redirect comes back
    /// as it is.
    public let maximumRedirects: Int

    /// Whether a redirect from `https` to `http` is followed.
    ///
    /// Default: false, because whoever listens on the way could read and change what was meant to be secret.
    public let allowsInsecureRedirects: Bool

    /// How long a call may go without a byte moving before it ends with `TimeoutError`, where the call has no
    /// deadline.
    ///
    /// Default: the configuration's `timeoutIntervalForRequest`, 60 s unless changed. Range: more than 0, up to a week;
    /// it is rounded up to whole seconds, because Linux counts in those. A call with a deadline gets the time until
    /// then and 5 s more, so that the `Deadline` interceptor ends it first.
    public let idleTimeout: Duration

    /// How many connections to one origin are open at once; further requests wait in line, first in first out.
    ///
    /// Default: the configuration's `httpMaximumConnectionsPerHost`, which ``standardConfiguration`` sets to 6: as many
    /// as browsers open to a host, and so what servers and what stands before them are made for. Range: 1 and more.
    /// With an origin that speaks HTTP/2 or HTTP/3, up to 100 requests share a connection; on Linux the number stays as
    /// it is.
    ///
    /// Who waits longer than ``idleTimeout``, or than the call's deadline where it has one, gets `TimeoutError` with
    /// `.connection`.
    public let connectionsPerHost: Int

    /// True: an attempt ends at `CallContext.attemptLimit` by itself, counted while it has a connection, over all its
    /// redirects.
    public var endsAttemptsInTime: Bool { true }

    private let limiter: ConnectionLimiter
    private let session: OwnedSession
    private let rule: RedirectRule
    private let additionalHeaders: HTTP.Headers
    /// Where the session takes cookies from; nil when it sends none by itself.
    private let cookies: HTTPCookieStorage?

    /// Makes a transport with the standard options and a session of its own.
    public convenience init() {
        self.init(
            checked: Self.standardConfiguration, responseLimit: 64 << 20, maximumRedirects: 20,
            allowsInsecureRedirects: false, idleTimeout: .seconds(60),
            connectionsPerHost: Self.standardConnectionsPerHost)
    }

    /// Makes a transport.
    ///
    /// ```swift
    /// let transport = try URLSessionTransport(responseLimit: 16 << 20, maximumRedirects: 5)
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The session's settings, copied. Default: ``standardConfiguration``. Its
    ///     `httpAdditionalHeaders` are added to each request by the transport, so that credentials among them do not
    ///     follow a redirect to another origin.
    ///   - responseLimit: See ``responseLimit``. Default: 64 MiB.
    ///   - maximumRedirects: See ``maximumRedirects``. Default: 20.
    ///   - allowsInsecureRedirects: See ``allowsInsecureRedirects``. Default: false.
    ///   - idleTimeout: See ``idleTimeout``. Default: nil, what the configuration says.
    ///   - connectionsPerHost: See ``connectionsPerHost``. Default: nil, what the configuration says.
    /// - Throws: `ConfigurationError` when a value is out of its range.
    public convenience init(
        configuration: URLSessionConfiguration = URLSessionTransport.standardConfiguration,
        responseLimit: Int = 64 << 20, maximumRedirects: Int = 20, allowsInsecureRedirects: Bool = false,
        idleTimeout: Duration? = nil, connectionsPerHost: Int? = nil
    ) throws(ConfigurationError) {
        guard responseLimit >= 0 else {
            throw ConfigurationError(
                setting: "URLSessionTransport.responseLimit", problem: "must not be negative, but is \(responseLimit)",
                fix: "Give the number of bytes that a response may have")
        }
        guard maximumRedirects >= 0 else {
            throw ConfigurationError(
                setting: "URLSessionTransport.maximumRedirects",
                problem: "must not be negative, but is \(maximumRedirects)",
                fix: "Give the number of redirects to follow, or 0 to get them back as responses")
        }
        let timeout = idleTimeout ?? .seconds(RequestTimeout.bounded(configuration.timeoutIntervalForRequest))
        guard timeout > .zero, timeout <= .seconds(RequestTimeout.longest) else {
            throw ConfigurationError(
                setting: "URLSessionTransport.idleTimeout",
                problem: "must be more than 0 and at most a week, but is \(timeout)",
                fix: "Give the time that may pass without a byte moving")
        }
        let connections = connectionsPerHost ?? configuration.httpMaximumConnectionsPerHost
        guard connections > 0 else {
            throw ConfigurationError(
                setting: "URLSessionTransport.connectionsPerHost", problem: "must be at least 1, but is \(connections)",
                fix: "Give the number of connections that one host may have at once")
        }
        self.init(
            checked: configuration, responseLimit: responseLimit, maximumRedirects: maximumRedirects,
            allowsInsecureRedirects: allowsInsecureRedirects, idleTimeout: timeout, connectionsPerHost: connections)
    }

    private init(
        checked configuration: URLSessionConfiguration, responseLimit: Int, maximumRedirects: Int,
        allowsInsecureRedirects: Bool, idleTimeout: Duration, connectionsPerHost: Int
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
            // With cookies, the same request may well get another answer the second time.
            detectsLoops: own.httpCookieStorage == nil)
        limiter = ConnectionLimiter(limit: connectionsPerHost)
        session = OwnedSession(configuration: own, limiter: limiter)
    }

    private static let standardConnectionsPerHost = 6

    /// The settings of a session that keeps nothing: no cookies, no cache, no credentials.
    ///
    /// A new copy each time; change it and hand it over.
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

    /// Sends a request and gives the complete response, whatever its status.
    ///
    /// `Host` is sent as the request has it; `Content-Length` and `Transfer-Encoding` are left to the session, which
    /// knows what it sends. A `POST` with content and without `Content-Type` is sent as a form by `URLSession`: set it.
    /// Header values are sent as UTF-8, several of one name as one field, joined as RFC 9110, 5.3 says.
    ///
    /// A stream is sent in chunks where its length is not known; a length that it has must be exact. One that is longer
    /// or shorter ends the call with `RequestError` and `.bodyLength`, and so does a file that changes while it is
    /// sent; the server then got less than was announced to it. To know that, one more byte is asked for at the end:
    /// close the writing end of a pair of streams or of a pipe. On Linux the bytes of a stream must be at hand when
    /// they are asked for: one that has none for the moment, and by its `streamStatus` is not at its end, ends the call
    /// with `.bodyUnreadable`.
    ///
    /// - Throws: `RequestError` when nothing can be sent: the URL, a header, GET with content, a body that cannot be
    ///   read or has another length. `TransportError` and `TimeoutError` for what happens on the way.
    ///   `CancellationError` at once when the task is cancelled; the transfer stops then.
    public func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
        try Task.checkCancellation()
        var trail = RedirectTrail(OutgoingRequest.adding(additionalHeaders, to: request))
        var time = AttemptTime(limit: context.attemptLimit)
        var redirecting: HTTP.Response?
        while true {
            let response: HTTP.Response
            do {
                response = try await exchange(trail, after: redirecting, time: &time, context: context)
            } catch let error as RequestError where trail.count > 0 && error.code.isBeforeSending {
                // The server chose where to go.
                throw TransportError(
                    .redirectRefused, phase: .receiving,
                    detail: "A redirect leads to where nothing can be sent: \(error.detail)", underlying: error)
            }
            guard let redirect = try rule.next(after: response, on: trail, redaction: context.redaction) else {
                return response
            }
            context.note(
                "redirect",
                "\(response.status) to \(context.redaction.url(redirect.request.url.absoluteString))\(redirect.remark)")
            trail = redirect
            redirecting = response.bounded(to: 65_536)
        }
    }

    /// The request with the cookies that the session adds, so that caches see whose request it is.
    private func asSent(_ request: HTTP.Request) -> HTTP.Request {
        guard let stored = cookies?.cookies(for: request.url), !stored.isEmpty else {
            return request
        }
        var request = request
        let all = [request.headers[.cookie], HTTPCookie.requestHeaderFields(with: stored)["Cookie"]]
        request.headers[.cookie] = all.compactMap { $0 }.joined(separator: "; ")
        return request
    }

    /// Sends one request as soon as there is a connection for it, and gives its response, be it a redirect.
    ///
    /// - Parameter redirecting: The response that leads here, for a failure to show; nil for the first request.
    private func exchange(
        _ trail: RedirectTrail, after redirecting: HTTP.Response?, time: inout AttemptTime, context: CallContext
    ) async throws -> HTTP.Response {
        let request = trail.request
        let timeout = RequestTimeout.interval(
            remaining: context.deadline.map { $0 - context.clock.now }, idle: idleTimeout)
        let outgoing = try OutgoingRequest(request, timeout: timeout)
        let origin = RequestURL.origin(of: request.url)
        if !limiter.take(origin) {
            context.track { TransferProgress(.queued, response: redirecting) }
            try await limiter.wait(for: origin, atMost: .seconds(timeout), clock: context.clock)
        }
        defer {
            limiter.giveBack(origin)
        }
        try Task.checkCancellation()
        let session = outgoing.needsOwnConnection ? session.withoutConnections() : session
        let exchange = Exchange(
            origin: origin, responseLimit: responseLimit, hasContent: !outgoing.body.isNone,
            isHead: request.method == .head, returnsRedirects: maximumRedirects == 0, canceller: session.canceller)
        if trail.count > 0 {
            context.recordHop(asSent(request))
        } else if cookies != nil || !additionalHeaders.fields.isEmpty {
            context.recordAsSent(asSent(request))
        }
        context.track { exchange.transferProgress }
        time.begin(exchange, clock: context.clock)
        defer {
            time.pause(clock: context.clock)
        }
        do {
            return try await exchange.run(outgoing, in: session).response
        } catch {
            if error is CancellationError || Task.isCancelled {
                throw CancellationError()
            }
            throw exchange.mapped(error, request: request, timeout: .seconds(timeout))
        }
    }
}

extension URLSessionTransport: CustomReflectable {
    /// What it was told; not the session, whose cookies are secrets.
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
