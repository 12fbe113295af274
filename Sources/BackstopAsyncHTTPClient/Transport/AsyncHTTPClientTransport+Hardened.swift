#if AsyncHTTPClient
    public import AsyncHTTPClient
    internal import NIOCore

    extension AsyncHTTPClientTransport {
        /// The same settings, with what the transport adds to those of its own clients; for a client of the app.
        ///
        /// ```swift
        /// let shared = HTTPClient(
        ///     eventLoopGroupProvider: .singleton,
        ///     configuration: AsyncHTTPClientTransport.hardened(AsyncHTTPClientTransport.standardConfiguration))
        /// let transport = AsyncHTTPClientTransport(shared)
        /// ```
        /// Without it, some responses end the process within async-http-client 1.37: a status below 100, here
        /// `transport.badResponse`, over HTTP/2 also one that is empty or negative, and a response that is complete
        /// before its request is, if the server then resets the stream. A connection of HTTP/2 that has failed or
        /// fallen silent is no longer used. What reads is sent once more if a kept connection ends under it. A refused
        /// connection is reported at once, and not tried again until `timeout.connect` has passed. Settings without a
        /// `tlsConfiguration` get one with TLS 1.2 or later. And the library's own tracing is off, because its spans
        /// hold whole URLs, with the secrets in them.
        ///
        /// - Parameter configuration: The settings.
        public static func hardened(_ configuration: HTTPClient.Configuration) -> HTTPClient.Configuration {
            var configuration = configuration
            configuration.tlsConfiguration = configuration.tlsConfiguration ?? standardTLS
            ResponseCheck.install(in: &configuration)
            StreamCheck.install(in: &configuration)
            // `Retry` decides whether, when and how often to try again.
            configuration.connectionPool.retryConnectionEstablishment = false
            // Without a response, its spans would also stay open.
            configuration.tracing.tracer = nil
            return configuration
        }
    }

    extension HTTPClient.Configuration {
        /// Adds handlers to each new connection or stream, before what is set up for it already.
        mutating func prepare(
            _ kind: WritableKeyPath<Self, (@Sendable (any Channel) -> EventLoopFuture<Void>)?>,
            _ add: @escaping @Sendable (any Channel) throws -> Void
        ) {
            let own = self[keyPath: kind]
            self[keyPath: kind] = { channel in
                let added = channel.eventLoop.makeCompletedFuture { try add(channel) }
                return added.flatMap { own?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
            }
        }
    }
#endif
