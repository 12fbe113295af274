#if AsyncHTTPClient
    public import AsyncHTTPClient
    public import Backstop
    public import BackstopCore
    internal import Foundation
    internal import NIOCore
    internal import NIOHTTPCompression
    internal import NIOSSL

    /// Sends requests with async-http-client on SwiftNIO: the transport for servers, and for everything on Linux that
    /// calls servers it does not trust.
    ///
    /// It keeps what `URLSessionTransport` promises: it stores nothing, limits the size of responses, follows redirects
    /// by the same rule, ends attempts at their limit, and turns every error into a `TransportError`, `TimeoutError`,
    /// `RequestError` or `CancellationError` with the same codes and phases.
    ///
    /// ```swift
    /// let client = try Client.standard(baseURL: "https://api.example.com/v1", transport: .asyncHTTPClient)
    /// ```
    ///
    /// It also keeps the order and repetition of header fields, reads trailers (`HTTP.Response.trailers`), connects to
    /// IPv6 addresses, and speaks HTTP/2 where the server offers it over TLS. TLS settings, client certificates and
    /// proxies are those of the configuration:
    ///
    /// ```swift
    /// var configuration = AsyncHTTPClientTransport.standardConfiguration
    /// configuration.proxy = .server(host: "proxy.example.com", port: 3128)
    /// let transport = try AsyncHTTPClientTransport(configuration: configuration, responseLimit: 16 << 20)
    /// ```
    ///
    /// The library itself neither follows redirects nor retries here. A connection that fails while a request is on it
    /// fails the attempt with `transport.lost`, so that `Retry` decides. Only what reads, such as a GET, is sent once
    /// more, if it was on a kept connection of HTTP/1.1.
    ///
    /// A client of its own is shut down when the transport is deinitialized. A client of the app stays the app's: it
    /// must outlive the transport, and be shut down by the app.
    public final class AsyncHTTPClientTransport: HTTP.Transport {
        /// The largest response body, in decoded bytes if the server compressed it.
        ///
        /// Default: 64 MiB, because the body is held in memory and decoded JSON takes several times as much. Range: 0
        /// or more.
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
        /// Default: 60 s. Range: more than 0, up to a week. A call with a deadline gets 5 s beyond it, so that the
        /// `Deadline` interceptor ends the call first.
        public let idleTimeout: Duration

        /// How many connections to one origin are open at once; further requests wait in line, first in, first out.
        /// Nil with a client of the app, whose own pool decides.
        ///
        /// Default: 8, as many as async-http-client keeps for an origin. Range: 1 or more. With an origin that speaks
        /// HTTP/2, up to 100 requests share a connection.
        ///
        /// A request that waits longer than ``idleTimeout``, or than the call's deadline if it has one, fails with
        /// `TimeoutError` and `.connection`.
        public let connectionsPerHost: Int?

        /// True: the transport ends an attempt at `CallContext.attemptLimit`, counted while it has a connection, over
        /// all its redirects. With a client of the app, the wait for a connection of its pool counts as well.
        public var endsAttemptsInTime: Bool { true }

        let client: OwnedClient
        /// Whether requests are somebody else's, and get no fields but their own.
        private let forwards: Bool
        private let rule: RedirectRule
        private let loops: EventLoopChoice
        /// The places of each origin; nil with a client of the app.
        private let limiter: ConnectionLimiter?
        /// The same for streams, which may last for hours.
        private let streamLimiter: ConnectionLimiter?

        /// Makes a transport with the standard options and a client of its own.
        public convenience init() {
            self.init(OwnedClient(Self.standardConfiguration), connectionsPerHost: StandardOptions.connectionsPerHost)
        }

        /// Makes a transport with the standard options on a client of the app.
        ///
        /// See ``init(_:responseLimit:maximumRedirects:allowsInsecureRedirects:idleTimeout:)``.
        public convenience init(_ client: HTTPClient) {
            self.init(OwnedClient(borrowing: client), connectionsPerHost: nil)
        }

        /// Makes a transport with a client of its own.
        ///
        /// - Parameters:
        ///   - configuration: The settings of the client: TLS, proxy, HTTP versions, time to connect, how long idle
        ///     connections are kept. Default: ``standardConfiguration``. Redirects, time limits, the limit of
        ///     decompression, the number of connections and the repetition of failed connections are the transport's.
        ///     If decompression is on, compressed responses are asked for and decoded.
        ///   - responseLimit: See ``responseLimit``. Default: 64 MiB.
        ///   - maximumRedirects: See ``maximumRedirects``. Default: 20.
        ///   - allowsInsecureRedirects: See ``allowsInsecureRedirects``. Default: false.
        ///   - idleTimeout: See ``idleTimeout``. Default: 60 s.
        ///   - connectionsPerHost: See ``connectionsPerHost``. Default: 8.
        ///   - isPinned: Whether a server may have this key: its `SubjectPublicKeyInfo` in DER (RFC 7469, 2.4). Called for
        ///     each connection over TLS, whose certificate is valid, on an event loop: do not block. A refused key is
        ///     `transport.certificate`. Default: nil, any key.
        /// - Throws: `ConfigurationError` when a value is out of its range.
        public convenience init(
            configuration: HTTPClient.Configuration = AsyncHTTPClientTransport.standardConfiguration,
            responseLimit: Int = 64 << 20, maximumRedirects: Int = 20, allowsInsecureRedirects: Bool = false,
            idleTimeout: Duration = .seconds(60), connectionsPerHost: Int = 8,
            isPinned: (@Sendable (_ key: [UInt8]) -> Bool)? = nil
        ) throws(ConfigurationError) {
            try Self.check(
                responseLimit: responseLimit, maximumRedirects: maximumRedirects, idleTimeout: idleTimeout,
                connectionsPerHost: connectionsPerHost)
            self.init(
                OwnedClient(
                    configuration, decodedLimit: responseLimit, connectionsPerHost: connectionsPerHost,
                    isPinned: isPinned),
                responseLimit: responseLimit, maximumRedirects: maximumRedirects,
                allowsInsecureRedirects: allowsInsecureRedirects, idleTimeout: idleTimeout,
                connectionsPerHost: connectionsPerHost)
        }

        /// Makes a transport on a client of the app.
        ///
        /// The app shuts the client down, after its last call. Whatever the client's configuration says, the transport
        /// itself follows redirects; it closes the connection of a redirect, because the client might follow it as
        /// well. Time limits, decompression and pool stay those of the client, so the earlier of its limits and the
        /// transport's ends a call.
        ///
        /// Some things need a client of the transport's own, so give it a configuration where they matter. Trailers are
        /// not read. A missing client certificate over HTTP/2 is `transport.lost`. And if a server refuses a file or a
        /// stream before it has read it, in a response without `Content-Length`, that response counts as complete after
        /// a second without a byte, because the library does not report its end. If it accepts one that early, without
        /// `Content-Length`, over HTTP/1.1, the client's pool keeps the connection until the server closes it.
        ///
        /// A file, a stream, or more than 64 KiB in memory is sent on a connection of the event loop of its call, because
        /// an early answer could otherwise end the process within the library. If the client's pool has none there, it
        /// opens one, even beyond its limit of connections.
        ///
        /// - Parameters:
        ///   - client: The app's client.
        ///   - responseLimit: See ``responseLimit``. Default: 64 MiB.
        ///   - maximumRedirects: See ``maximumRedirects``. Default: 20.
        ///   - allowsInsecureRedirects: See ``allowsInsecureRedirects``. Default: false.
        ///   - idleTimeout: See ``idleTimeout``. Default: 60 s.
        /// - Throws: `ConfigurationError` when a value is out of its range.
        public convenience init(
            _ client: HTTPClient, responseLimit: Int = 64 << 20, maximumRedirects: Int = 20,
            allowsInsecureRedirects: Bool = false, idleTimeout: Duration = .seconds(60)
        ) throws(ConfigurationError) {
            try Self.check(
                responseLimit: responseLimit, maximumRedirects: maximumRedirects, idleTimeout: idleTimeout,
                connectionsPerHost: 1)
            self.init(
                OwnedClient(borrowing: client), responseLimit: responseLimit, maximumRedirects: maximumRedirects,
                allowsInsecureRedirects: allowsInsecureRedirects, idleTimeout: idleTimeout, connectionsPerHost: nil)
        }

        init(
            _ client: OwnedClient, responseLimit: Int = StandardOptions.responseLimit,
            maximumRedirects: Int = StandardOptions.maximumRedirects, allowsInsecureRedirects: Bool = false,
            idleTimeout: Duration = StandardOptions.idleTimeout, connectionsPerHost: Int?, forwards: Bool = false
        ) {
            self.client = client
            self.forwards = forwards
            self.responseLimit = responseLimit
            self.maximumRedirects = maximumRedirects
            self.allowsInsecureRedirects = allowsInsecureRedirects
            self.idleTimeout = idleTimeout
            self.connectionsPerHost = connectionsPerHost
            rule = RedirectRule(maximum: maximumRedirects, allowsInsecure: allowsInsecureRedirects, detectsLoops: true)
            loops = EventLoopChoice(client.client.eventLoopGroup)
            limiter = connectionsPerHost.map { ConnectionLimiter(limit: $0) }
            streamLimiter = connectionsPerHost.map { _ in ConnectionLimiter(limit: OwnedClient.streamsPerHost) }
        }

        /// The settings of a client that decodes compressed responses, with TLS 1.2 or later and no proxy.
        ///
        /// A connection that is not made in 30 s (`timeout.connect`) is given up. Until then, async-http-client 1.37 lets
        /// the next calls to its host wait for it, also if the call that it was for has ended: set less where servers
        /// accept connections and then stay silent.
        public static var standardConfiguration: HTTPClient.Configuration {
            var configuration = HTTPClient.Configuration(
                tlsConfiguration: standardTLS, decompression: .enabled(limit: .size(StandardOptions.responseLimit)))
            configuration.timeout.connect = StandardOptions.connectTimeout
            return configuration
        }

        /// SwiftNIO's settings, with TLS 1.2 or later, as RFC 8996 wants it; theirs begin with 1.0.
        static var standardTLS: TLSConfiguration {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            return tls
        }

        /// The transport that all calls with `transport: .asyncHTTPClient` share.
        fileprivate static let shared = AsyncHTTPClientTransport()

        /// Sends a request and returns the complete response, whatever its status.
        ///
        /// The fields are sent in their order, values as UTF-8, and several `Cookie` fields as one (RFC 6265, 5.4).
        /// The library sets `Content-Length` and `Transfer-Encoding`, and `Host` if the request has none.
        ///
        /// A stream of unknown length is sent in chunks; a known length must be exact. If the stream is longer or
        /// shorter, or a file changes while it is sent, the call fails with `RequestError` and `.bodyLength`, and the
        /// server gets fewer bytes than announced. A body is read only as fast as the connection takes it.
        ///
        /// - Throws: `RequestError` when the request cannot be sent: the URL, a header, GET with content, a body that is
        ///   unreadable or has another length. `TransportError` and `TimeoutError` for errors in transit.
        ///   `CancellationError` at once when the task is cancelled, which closes the stream.
        public func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            try Task.checkCancellation()
            context.noteIgnoredNetworkOptions()
            var time = AttemptTime(context)
            return try await rule.follow(request, context: context) { trail, redirecting in
                do {
                    return try await exchange(trail, after: redirecting, time: &time, context: context)
                } catch let error as TransportError
                    where Self.maySendAgain(trail.request, error, hop: trail.count > 0)
                    && context.responseIntake?.isOpen != true
                {
                    if error.phase != .connecting, !trail.request.isReadOnly {
                        context.recordDoubt(trail.request.idempotencyKey.map { Doubt(key: $0) } ?? .change)
                    }
                    return try await exchange(trail, after: redirecting, time: &time, context: context)
                }
            }
        }

        /// Whether a request is sent on another connection, once.
        ///
        /// One that was not sent: the library had given it to a connection of HTTP/2 as that stopped taking any, or to one
        /// that was just lost. One that only reads, and met the end of a kept connection: a server that closes without
        /// saying so would use up the retries of calls that nothing else fails. After a redirect, any that is idempotent:
        /// each attempt of the call would meet that connection.
        ///
        /// - Parameter hop: Whether a redirect led to it.
        private static func maySendAgain(_ request: HTTP.Request, _ error: TransportError, hop: Bool) -> Bool {
            guard error.code == .lost, request.body.isReplayable else {
                return false
            }
            let isKept = error.underlying is KeptConnectionEnded
            let isClosed = isKept || error.underlying as? ChannelError == .ioOnClosedChannel
            let isUnsent = error.phase == .connecting
            return isUnsent && (hop || isClosed || error.underlying as? HTTPClientError == .cancelled)
                || isKept && (request.isReadOnly || hop && request.isIdempotent)
        }

        /// Sends one request as soon as it has a connection, and returns its response, even a redirect.
        private func exchange(
            _ trail: RedirectTrail, after redirecting: HTTP.Response?, time: inout AttemptTime, context: CallContext
        ) async throws -> HTTP.Response {
            let request = trail.request
            let outgoing = try OutgoingClientRequest(request, isForwarded: forwards)
            let timeout = RequestTimeout.limit(
                remaining: context.deadline.map { $0.subtracting(context.clock.now) }, idle: idleTimeout)
            guard let limiter = context.isStream ? streamLimiter : limiter else {
                return try await run(outgoing, of: trail, timeout: timeout, time: &time, context: context) {}
            }
            let origin = request.destination
            if !limiter.take(origin) {
                context.track { TransferProgress(.queued, response: redirecting) }
                try await limiter.wait(for: origin, atMost: timeout, clock: context.clock)
            }
            defer {
                limiter.giveBack(origin)
            }
            return try await run(outgoing, of: trail, timeout: timeout, time: &time, context: context) {
                limiter.allowMany(at: origin)
            }
        }

        /// Runs one exchange.
        ///
        /// - Parameter multiplexes: Called when the origin turns out to speak HTTP/2.
        private func run(
            _ outgoing: OutgoingClientRequest, of trail: RedirectTrail, timeout: Duration, time: inout AttemptTime,
            context: CallContext, multiplexes: @escaping @Sendable () -> Void
        ) async throws -> HTTP.Response {
            try Task.checkCancellation()
            let request = trail.request
            if trail.count > 0 {
                context.recordHop(request)
            }
            if request.body.unreadData == nil {
                context.track { TransferProgress(.connecting) }
            }
            let body = try await OutgoingBody.open(request.body, within: &time, clock: context.clock)
            let client = context.isStream ? client.forStreams : client
            let limit = context.responseLimit(atMost: responseLimit)
            // Not the client itself: an exchange may end on its event loop, where nothing may shut it down.
            let certificateRequests = client.certificateRequests
            let exchange = ClientExchange(
                url: request.url, body: body, responseLimit: limit,
                isHead: request.method == .head, decodes: client.decodes && request.headers["Accept-Encoding"] == nil,
                takesRedirects: client.isBorrowed, pipe: context.responseIntake?.makePipe()
            ) { isMultiplexed in
                certificateRequests?.answered(request.url.host)
                if isMultiplexed {
                    multiplexes()
                }
            }
            context.track { exchange.transferProgress }
            // What remains of the attempt ends it before any wait for a byte could.
            if time.remaining.map({ $0 > timeout }) ?? true {
                exchange.limitIdleTime(to: timeout)
            }
            time.begin(clock: context.clock, moved: { exchange.bytesMoved(idle: timeout) }) {
                exchange.expire(with: $0)
            }
            let (loop, place) = loops.take()
            defer {
                loops.giveBack(place)
                exchange.stopTimer()
                context.note("network", later: exchange.timing)
                time.pause(clock: context.clock)
            }
            do {
                guard let intake = context.responseIntake else {
                    return try await exchange.run(outgoing.head, on: client.client, loop: loop)
                }
                let (head, body) = try await exchange.open(outgoing.head, on: client.client, loop: loop)
                return try await take(head, body, intake, exchange) {
                    time.pause(clock: context.clock)
                }
            } catch {
                if error is CancellationError || Task.isCancelled {
                    throw CancellationError()
                }
                if let own = context.responseIntake?.sinkError {
                    throw own
                }
                let route = ClientRoute(
                    asksForCertificate: certificateRequests.flatMap { $0.isUnanswered(request.url.host) },
                    isSecure: request.url.scheme?.lowercased() == "https", usesProxy: client.usesProxy)
                throw ClientErrorTable.error(
                    for: error, after: exchange.progress, limit: limit, route: route)
            }
        }

        /// Hands a body to a stream, or collects it.
        ///
        /// - Parameter opened: Called when it is a stream: the time of the attempt is over, and so is the exchange's own.
        private func take(
            _ head: HTTP.Response, _ body: any ResponsePipe, _ intake: any ResponseIntake, _ exchange: ClientExchange,
            opened: () -> Void
        ) async throws -> HTTP.Response {
            defer {
                body.abandon()
                exchange.end(with: CancellationError())
            }
            var response = try await intake.receive(
                head, body, leadsOn: rule.leadsOn(head), limit: responseLimit
            ) {
                opened()
                exchange.beginStreaming()
            }
            for (name, value) in exchange.trailers {
                response.trailers.addReceived(value, for: name)
            }
            return response
        }

        private static func check(
            responseLimit: Int, maximumRedirects: Int, idleTimeout: Duration, connectionsPerHost: Int
        ) throws(ConfigurationError) {
            try ConfigurationError.require(
                responseLimit >= 0, "AsyncHTTPClientTransport.responseLimit",
                "must not be negative, but is \(responseLimit)",
                fix: "Set the largest number of bytes that a response may have")
            try ConfigurationError.require(
                maximumRedirects >= 0, "AsyncHTTPClientTransport.maximumRedirects",
                "must not be negative, but is \(maximumRedirects)",
                fix: "Set the number of redirects to follow, or 0 to get them as responses")
            try ConfigurationError.require(
                idleTimeout > .zero && idleTimeout <= .seconds(RequestTimeout.longest),
                "AsyncHTTPClientTransport.idleTimeout", "must be more than 0 and at most a week, but is \(idleTimeout)",
                fix: "Set the longest time without a byte in either direction")
            try ConfigurationError.require(
                connectionsPerHost > 0, "AsyncHTTPClientTransport.connectionsPerHost",
                "must be at least 1, but is \(connectionsPerHost)",
                fix: "Set the number of concurrent connections to one host")
        }
    }

    extension AsyncHTTPClientTransport: CustomReflectable {
        /// Its options; not the client, whose proxy and certificates are secrets.
        public var customMirror: Mirror {
            Mirror(
                self,
                children: [
                    "responseLimit": responseLimit, "maximumRedirects": maximumRedirects,
                    "allowsInsecureRedirects": allowsInsecureRedirects, "idleTimeout": idleTimeout,
                    "connectionsPerHost": connectionsPerHost as Any,
                ], displayStyle: .class)
        }
    }

    extension Transport where Self == AsyncHTTPClientTransport {
        /// async-http-client with the standard options; all that use it share one pool of connections, which lives as
        /// long as the process.
        ///
        /// ```swift
        /// let client = try Client.standard(baseURL: "https://api.example.com/v1", transport: .asyncHTTPClient)
        /// ```
        public static var asyncHTTPClient: AsyncHTTPClientTransport { .shared }
    }

    /// The defaults, with their reasons where the options are declared.
    enum StandardOptions {
        static let responseLimit = 64 << 20
        static let maximumRedirects = 20
        static let idleTimeout = Duration.seconds(60)
        static let connectionsPerHost = 8
        /// How long the library tries to connect: as long as an attempt takes at most. A connection that nobody waits
        /// for any longer keeps its place in the pool until then, so it is not the longer idle time.
        static let connectTimeout = TimeAmount.seconds(30)
    }
#endif
