#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import BackstopCore
    internal import NIOCore
    internal import NIOHTTPCompression
    internal import NIOPosix

    /// A client, and who shuts it down.
    ///
    /// The library's client traps in a debug build when it is released before it was shut down, so one of our own is
    /// shut down with its owner. That closes its connections and ends nothing else: the threads are those of the
    /// process-wide event loop group.
    final class OwnedClient: Sendable {
        let client: HTTPClient
        /// Whether it is a client of the app.
        let isBorrowed: Bool
        /// Whether it asks for compressed responses and decodes them.
        let decodes: Bool
        /// The servers that asked for a client certificate; nil with a client of the app, which does not say.
        let certificateRequests: CertificateRequests?
        /// Whether requests go through a proxy; false with a client of the app, which does not say.
        let usesProxy: Bool
        /// How many connections to an origin are for streams: enough for those that last for hours.
        static let streamsPerHost = 256

        /// Makes a client for streams; nil with a client of the app, which has one for all.
        private let makeForStreams: (@Sendable () -> OwnedClient)?
        /// The client for streams, once there was one, guarded by the lock.
        private let streaming = Lock<OwnedClient?>(nil)

        /// Makes a client whose redirects, time limits and repetitions are left to the transport.
        ///
        /// - Parameters:
        ///   - decodedLimit: How many bytes a decoded response may have; nil for a client of streams.
        ///   - isPinned: Whether a server may have a key; nil for any.
        init(
            _ configuration: HTTPClient.Configuration, decodedLimit: Int? = StandardOptions.responseLimit,
            connectionsPerHost: Int = StandardOptions.connectionsPerHost,
            isPinned: (@Sendable ([UInt8]) -> Bool)? = nil
        ) {
            makeForStreams = {
                OwnedClient(
                    configuration, decodedLimit: nil, connectionsPerHost: Self.streamsPerHost, isPinned: isPinned)
            }
            var own = AsyncHTTPClientTransport.hardened(configuration)
            own.redirectConfiguration = .disallow
            // The transport watches the time itself, so that it can tell whose limit it was.
            own.timeout.read = nil
            own.timeout.write = nil
            own.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
            if case .enabled = own.decompression {
                // Of a stream, a part at most is in memory.
                own.decompression = .enabled(limit: decodedLimit.map { .size($0) } ?? .none)
                decodes = true
            } else {
                decodes = false
            }
            ResponseEndHandler.install(in: &own, isForStreams: decodedLimit == nil)
            let requests = CertificateRequests()
            requests.install(in: &own)
            certificateRequests = requests
            usesProxy = configuration.proxy != nil
            if let isPinned {
                KeyCheck.install(isPinned, in: &own)
            }
            // Not the default one, which on Apple platforms is Network.framework's: it traps on client certificates, waits
            // where a connection is refused, shows no key, and has errors of its own.
            client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: own)
            isBorrowed = false
        }

        init(borrowing client: HTTPClient) {
            self.client = client
            isBorrowed = true
            makeForStreams = nil
            decodes = false
            certificateRequests = nil
            usesProxy = false
        }

        /// The client for streams: its connections are others, so that streams do not take those of plain calls.
        var forStreams: OwnedClient {
            guard let makeForStreams else {
                return self
            }
            return streaming.withLock { client in
                let made = client ?? makeForStreams()
                client = made
                return made
            }
        }

        deinit {
            if !isBorrowed {
                client.shutdown { _ in }
            }
        }
    }
#endif
