#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import BackstopCore
    internal import NIOCore
    internal import NIOHTTP2
    internal import NIOSSL

    /// Refuses connections to servers with a key that the app does not accept.
    ///
    /// The library lets nobody take part in the handshake of TLS. But it waits for these initializers before it sends a
    /// request.
    enum KeyCheck {
        /// Adds the check to each connection of a client that does not itself try again to connect.
        static func install(
            _ isPinned: @escaping @Sendable ([UInt8]) -> Bool, in configuration: inout HTTPClient.Configuration
        ) {
            let own1 = configuration.http1_1ConnectionDebugInitializer
            configuration.http1_1ConnectionDebugInitializer = { check($0, isPinned, then: own1) }
            let own2 = configuration.http2ConnectionDebugInitializer
            configuration.http2ConnectionDebugInitializer = { check($0, isPinned, then: own2) }
        }

        private static func check(
            _ channel: any Channel, _ isPinned: ([UInt8]) -> Bool,
            then next: (@Sendable (any Channel) -> EventLoopFuture<Void>)?
        ) -> EventLoopFuture<Void> {
            guard isAllowed(channel, isPinned) else {
                return refuse(channel)
            }
            return next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
        }

        /// Closes the connection, and reports it only then: the library ends the process if a connection that it has
        /// reported as failed, or not yet taken into its pool, has anything more to say.
        private static func refuse(_ channel: any Channel) -> EventLoopFuture<Void> {
            let pipeline = channel.pipeline.syncOperations
            if let tls = try? pipeline.context(handlerType: NIOSSLHandler.self) {
                try? pipeline.addHandler(Deaf(), position: .after(tls.handler))
                if let frames = try? pipeline.handler(type: NIOHTTP2Handler.self) {
                    // It may have more frames of the bytes that it is reading.
                    try? pipeline.addHandler(Deaf(), position: .after(frames))
                }
                // At once, and not when the server has said goodbye in TLS.
                tls.close(promise: nil)
            }
            return channel.closeFuture.flatMapThrowing {
                throw TransportError(
                    .certificate, phase: .connecting, detail: "The app refused the key of the server's certificate")
            }
        }

        /// Drops what a server sends.
        private final class Deaf: ChannelInboundHandler {
            typealias InboundIn = Any

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
        }

        private static func isAllowed(_ channel: any Channel, _ isPinned: ([UInt8]) -> Bool) -> Bool {
            guard let tls = try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self) else {
                return true  // a connection of http
            }
            guard let key = try? tls.peerCertificate?.extractPublicKey().toSPKIBytes() else {
                return false
            }
            return isPinned(key)
        }
    }
#endif
