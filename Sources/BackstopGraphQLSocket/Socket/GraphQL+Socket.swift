public import Backstop
public import BackstopCore
public import Foundation

#if AsyncHTTPClient && !canImport(Darwin)
    public import NIOSSL
#endif

extension GraphQL {
    /// A connection for GraphQL operations: the transport for subscriptions over a WebSocket (graphql-transport-ws), or
    /// over one stream of server-sent events.
    ///
    /// Use it where a server offers subscriptions only in this way. It takes the place of the client's transport for one
    /// call, so that credentials, retry, limits and logs are those of any other call:
    ///
    /// ```swift
    /// func makeSocket() throws(ConfigurationError) -> GraphQL.Socket {
    ///     try GraphQL.Socket("wss://api.example.com/graphql")
    /// }
    /// ```
    /// All operations share one connection. It is opened by the first and closed some time after the last, and each
    /// operation runs by itself: one that is not wanted any more, or is read too slowly, ends alone. Keep the socket as
    /// long as there are operations; one that nobody holds closes its connection.
    ///
    /// **Credentials.** The header fields of a request, but for those about one request or response, ids of calls and
    /// traces, and names of operations, are sent when the connection is opened for it, and its `Authorization` is in the
    /// payload of `connection_init`. Operations with another payload or other fields that are sent, such as renewed
    /// credentials, get a connection of their own; the old one is closed with its last operation. If the client's base URL
    /// has another host or port than the socket, neither is sent: write the payload yourself (`initialize`).
    ///
    /// **What fails how.** A response in the place of a connection, such as 401 or 503, is an ordinary response, so
    /// tokens are renewed and attempts repeated as always; the closes 4401 and 4403 are like 401 and 403 as long as nothing
    /// was sent. A connection that is lost is `transport.lost` for each operation that ran, and takes one retry from the
    /// budget; a broken rule is `transport.badResponse`, a slow start
    /// `timeout.acknowledgement`, and a subscription of which 16 MiB wait to be read `transport.overrun`. A mutation
    /// that may have been sent is not repeated.
    ///
    /// On Apple platforms it uses `URLSessionWebSocketTask`, elsewhere SwiftNIO with the package trait `AsyncHTTPClient`;
    /// there are no proxies and no compression then. Sources: the protocol "GraphQL over WebSocket" of graphql-ws; RFC
    /// 6455. A socket of server-sent events in place of a WebSocket has an initializer of its own
    /// (``init(events:over:idle:silence:acknowledge:longest:)``).
    public final class Socket: HTTP.Transport {
        /// Makes the payload of `connection_init` for the header fields of a request. An empty one is not sent.
        ///
        /// It must give the same for the same fields, because operations with the same payload share a connection.
        public typealias Initialize = @Sendable (_ headers: HTTP.Headers) -> [String: any Encodable & Sendable]

        /// Where it connects to.
        public let url: URL

        /// How long the connection stays open without operations.
        ///
        /// Default: 10 s, so that a person who goes from page to page does not open one for each. Range: 0, which closes it
        /// with the last operation, to a week.
        public let idle: Duration

        /// The time between two pings; nil for none, and for a socket of server-sent events.
        ///
        /// Default: 20 s, less than after what time routers and load balancers forget a silent connection, often 60 s.
        /// Range: a second to a week. If nothing comes from one ping to the next, the connection is lost;
        /// `URLSessionWebSocketTask` tells only of whole messages.
        public let ping: Duration?

        /// How long the server may take to open a connection and to acknowledge it.
        ///
        /// Default: 10 s, more than a slow mobile network needs. Range: more than 0, up to a week.
        public let acknowledge: Duration

        /// How many bytes a message of the server may have.
        ///
        /// Default: 1 MiB, as `URLSessionWebSocketTask` has it. Range: 1 KiB to 256 MiB. A longer one ends the
        /// connection, and an operation that was alone on it as `transport.badResponse`; if there were several, nobody
        /// knows whose it was, and they end as `transport.lost`.
        public let longest: Int

        /// Whether the server knows persisted queries over its WebSocket.
        ///
        /// Default: false, so that operations are sent with their texts, whatever the client does over HTTP: the protocol
        /// demands a text ("Subscribe"), and most servers close the connection, with all of its operations, if it is
        /// empty. If true, a client that persists queries does so over the socket as well, and the text follows a hash
        /// that is missed over the same connection. Documents that only the server has are always sent by their
        /// identifiers. False for a socket of server-sent events.
        public let persistsQueries: Bool

        private let address: SocketURL
        private let initialize: Initialize?
        let pool: SocketPool

        init(
            _ url: String, _ schemes: SocketURL.Schemes = .webSocket, options: SocketOptions, clock: any CallClock,
            initialize: Initialize?, connect: @escaping SocketConnector
        ) throws(ConfigurationError) {
            try options.check()
            address = try SocketURL(url, schemes)
            self.url = address.url
            (idle, ping) = (options.idle, options.ping)
            (acknowledge, longest) = (options.acknowledge, options.longest)
            persistsQueries = options.persistsQueries
            self.initialize = initialize
            pool = SocketPool(address, options, clock: clock, connect: connect)
        }

        #if canImport(Darwin)
            /// Makes a socket; it connects with its first operation.
            ///
            /// ```swift
            /// func makeSocket() throws(ConfigurationError) -> GraphQL.Socket {
            ///     try GraphQL.Socket("wss://api.example.com/graphql", idle: .seconds(30)) { headers in
            ///         ["Authorization": headers["Authorization"] ?? ""]
            ///     }
            /// }
            /// ```
            /// - Parameters:
            ///   - url: The whole URL, with the scheme `wss` or `ws`.
            ///   - idle: See ``idle``. Default: 10 s.
            ///   - ping: See ``ping``. Default: 20 s.
            ///   - acknowledge: See ``acknowledge``. Default: 10 s.
            ///   - longest: See ``longest``. Default: 1 MiB.
            ///   - persistsQueries: See ``persistsQueries``. Default: false.
            ///   - initialize: See ``Initialize``. Default: the member `Authorization` if the request has the field, and
            ///     goes to the same host and port.
            /// - Throws: `ConfigurationError` for a URL that is none, or a value out of its range.
            public convenience init(
                _ url: String, idle: Duration = .seconds(10), ping: Duration? = .seconds(20),
                acknowledge: Duration = .seconds(10), longest: Int = 1 << 20, persistsQueries: Bool = false,
                initialize: Initialize? = nil
            ) throws(ConfigurationError) {
                try self.init(
                    url,
                    options: SocketOptions(
                        idle: idle, ping: ping, acknowledge: acknowledge, longest: longest,
                        persistsQueries: persistsQueries),
                    clock: SystemClock(), initialize: initialize
                ) { TaskConnection($0) }
            }
        #elseif AsyncHTTPClient
            /// Makes a socket; it connects with its first operation.
            ///
            /// ```swift
            /// func makeSocket() throws(ConfigurationError) -> GraphQL.Socket {
            ///     try GraphQL.Socket("wss://api.example.com/graphql", idle: .seconds(30)) { headers in
            ///         ["Authorization": headers["Authorization"] ?? ""]
            ///     }
            /// }
            /// ```
            /// - Parameters:
            ///   - url: The whole URL, with the scheme `wss` or `ws`.
            ///   - tls: The settings of TLS, such as client certificates. Default: the system's roots, TLS 1.2 or later.
            ///   - idle: See ``idle``. Default: 10 s.
            ///   - ping: See ``ping``. Default: 20 s.
            ///   - acknowledge: See ``acknowledge``. Default: 10 s.
            ///   - longest: See ``longest``. Default: 1 MiB.
            ///   - persistsQueries: See ``persistsQueries``. Default: false.
            ///   - initialize: See ``Initialize``. Default: the member `Authorization` if the request has the field, and
            ///     goes to the same host and port.
            /// - Throws: `ConfigurationError` for a URL that is none, or a value out of its range.
            public convenience init(
                _ url: String, tls: TLSConfiguration? = nil, idle: Duration = .seconds(10),
                ping: Duration? = .seconds(20), acknowledge: Duration = .seconds(10), longest: Int = 1 << 20,
                persistsQueries: Bool = false, initialize: Initialize? = nil
            ) throws(ConfigurationError) {
                let security = SocketSecurity(tls)
                try self.init(
                    url,
                    options: SocketOptions(
                        idle: idle, ping: ping, acknowledge: acknowledge, longest: longest,
                        persistsQueries: persistsQueries),
                    clock: SystemClock(), initialize: initialize
                ) { ChannelConnection($0, security) }
            }
        #endif

        /// Sends an operation, and returns its response: for a stream once it is over, for any other with its result.
        ///
        /// - Throws: `RequestError` for a request that is no operation; `TransportError`, `TimeoutError` and
        ///   `StatusError` as above; `CancellationError` at once when the task is cancelled.
        public func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            try Task.checkCancellation()
            context.noteIgnoredNetworkOptions()
            if context.isStream, let accepted = request.headers[.accept], !accepted.contains("jsonl"),
                ["multipart/mixed", "text/event-stream"].contains(where: accepted.contains)
            {
                throw RequestError(
                    .invalid,
                    "The results of a GraphQL socket are neither parts of a response nor events of their own: pass "
                        + "by: .webSocket(socket), or .events(over: socket), to the call")
            }
            let call = try SocketCall(request, to: address, initialize)
            let first = operation(call, context)
            do {
                return try await run(first, call, context, after: context.connectionLostBefore)
            } catch let error as TransportError
                where error.code == .lost && first.isUnsentOnKept && request.isIdempotent
            {
                // The server closed a connection that was idle at the moment at which it was used again.
                return try await run(operation(call, context), call, context, after: first.connection.lostNumber)
            }
        }

        private func operation(_ call: SocketCall, _ context: CallContext) -> SocketOperation {
            SocketOperation(
                call.body, pipe: context.responseIntake?.makePipe(), unreadLimit: pool.options.unread)
        }

        private func run(
            _ operation: SocketOperation, _ call: SocketCall, _ context: CallContext, after lost: UInt64?
        ) async throws -> HTTP.Response {
            context.track { operation.progress }
            context.note(.used)
            context.recordBeside(
                HTTP.Request(url: url, headers: call.key.headers, body: call.key.payload.map { .data($0) } ?? .none))
            // Nothing is sent any more of what belongs to somebody who has signed out.
            let intake = context.responseIntake
            let watch = AccountChanges.watch { [weak operation] in
                do {
                    try intake?.confirm()
                } catch {
                    operation?.end(with: error)
                }
            }
            defer { withExtendedLifetime(watch) {} }
            try intake?.confirm()
            pool.start(operation, call.key, after: lost, clock: context.clock)
            defer {
                context.note(operation.connection)
                operation.leave()
                operation.pipe?.abandon()
            }
            do {
                switch try await operation.value(unsent: { context.noteUnsent() }) {
                case .body(let body):
                    return HTTP.Response(
                        status: 200, headers: ["Content-Type": "application/graphql-response+json"], body: body,
                        url: url)
                case .stream:
                    return try await receive(
                        HTTP.Response(status: 200, headers: ["Content-Type": "application/jsonl"], url: url),
                        operation, context)
                case .response(let response, let method):
                    if operation.progress.phase == .connecting {
                        context.noteUnsent(behind: method.map { HTTP.Request($0, url: url, headers: call.key.headers) })
                    }
                    operation.pipe?.push(response.body) {}
                    operation.pipe?.end(.success(()))
                    return try await receive(response, operation, context)
                }
            } catch {
                if error is CancellationError || Task.isCancelled {
                    throw CancellationError()
                }
                if let response = (error as? StatusError)?.response as? HTTP.Response {
                    context.recordReceived(response)
                }
                // The request shows another address.
                let address = context.redaction.forOthers.url(url.absoluteString)
                if error is StatusError {
                    context.remark("socket", address + "; its close stands for the response")
                } else if error is TransportError || error is TimeoutError {
                    context.remark("socket", address)
                }
                throw context.responseIntake?.sinkError ?? error.shown(context.redaction.forOthers)
            }
        }

        /// Hands a body to the stream, or collects it.
        private func receive(
            _ head: HTTP.Response, _ operation: SocketOperation, _ context: CallContext
        ) async throws -> HTTP.Response {
            guard let intake = context.responseIntake, let pipe = operation.pipe else {
                return head
            }
            return try await intake.receive(
                head.withoutBody(ofSize: 0), pipe, leadsOn: false, limit: SocketTarget.refusalLimit
            ) {}
        }
    }
}

extension GraphQL.Socket: OperationTransport {}

extension GraphQL.Socket: CustomReflectable {
    /// Its options; not its connections, whose header fields are secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": Redaction.standard.url(url.absoluteString), "idle": idle, "ping": ping as Any,
                "acknowledge": acknowledge, "longest": longest, "persistsQueries": persistsQueries,
            ], displayStyle: .class)
    }
}

extension Error {
    /// The same, without the secrets that the server repeats.
    func shown(_ redaction: Redaction) -> any Error {
        switch self {
        case let error as TransportError:
            TransportError(
                error.code, phase: error.phase, detail: redaction.text(error.detail),
                bytesReceived: error.bytesReceived, underlying: error.underlying)
        case let error as StatusError:
            StatusError(error.code, detail: error.detail.map { redaction.text($0) }, response: error.response)
        default: self
        }
    }
}
