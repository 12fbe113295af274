#if AsyncHTTPClient
    internal import AsyncHTTPClient
    package import BackstopCore

    extension AsyncHTTPClientTransport {
        /// A transport for a proxy: bodies stay compressed as they come, and no redirect is followed.
        ///
        /// - Parameter idleTimeout: See ``idleTimeout``.
        package static func forwarding(idleTimeout: Duration) throws(ConfigurationError) -> AsyncHTTPClientTransport {
            var configuration = standardConfiguration
            configuration.decompression = .disabled
            return try AsyncHTTPClientTransport(
                configuration: configuration, maximumRedirects: 0, idleTimeout: idleTimeout)
        }
    }
#endif
