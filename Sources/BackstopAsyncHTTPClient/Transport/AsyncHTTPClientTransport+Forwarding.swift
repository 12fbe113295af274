#if AsyncHTTPClient
    internal import AsyncHTTPClient

    extension AsyncHTTPClientTransport {
        /// A transport for a proxy: bodies stay compressed as they come, no redirect is followed, and requests get no
        /// fields but their own.
        ///
        /// - Parameter idleTimeout: See ``idleTimeout``.
        package static func forwarding(idleTimeout: Duration) -> AsyncHTTPClientTransport {
            var configuration = standardConfiguration
            configuration.decompression = .disabled
            return AsyncHTTPClientTransport(
                OwnedClient(configuration), maximumRedirects: 0, idleTimeout: idleTimeout,
                connectionsPerHost: StandardOptions.connectionsPerHost, forwards: true)
        }
    }
#endif
