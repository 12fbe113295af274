#if AsyncHTTPClient && !canImport(Darwin)
    internal import BackstopCore
    internal import NIOCore
    internal import NIOPosix
    internal import NIOSSL

    /// The settings of TLS, which all connections of a socket share.
    final class SocketSecurity: Sendable {
        private let configuration: TLSConfiguration
        /// The settings as read, once they were needed, guarded by the lock.
        private let context = Lock<NIOSSLContext?>(nil)

        /// - Parameter configuration: Nil for TLS 1.2 or later, as RFC 8996 wants it, with the system's roots.
        init(_ configuration: TLSConfiguration?) {
            var own = configuration ?? .makeClientConfiguration()
            if configuration == nil {
                own.minimumTLSVersion = .tlsv12
            }
            // WebSocket is opened over HTTP/1.1 here.
            own.applicationProtocols = ["http/1.1"]
            self.configuration = own
        }

        /// Reads the settings, certificates included, on a thread that may wait for a disk.
        func read(on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
            if let context = context.withLock({ $0 }) {
                return loop.makeSucceededFuture(context)
            }
            return NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [self] in
                let made = try NIOSSLContext(configuration: configuration)
                return context.withLock { context in
                    context = context ?? made
                    return made
                }
            }
        }
    }
#endif
