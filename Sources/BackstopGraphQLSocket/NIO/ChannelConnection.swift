#if AsyncHTTPClient && !canImport(Darwin)
    internal import Backstop
    internal import BackstopCore
    internal import Foundation
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    internal import NIOSSL
    internal import NIOWebSocket

    /// Tells of bytes that arrive, whatever they are.
    private final class HeardHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let tell: () -> Void

        init(_ tell: @escaping () -> Void) {
            self.tell = tell
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            tell()
            context.fireChannelRead(data)
        }
    }

    /// A connection of SwiftNIO.
    final class ChannelConnection: SocketConnection {
        private struct State {
            /// Who is told; nil after the end.
            var tell: (@Sendable (SocketEvent) -> Void)?
            var channel: (any Channel)?
            /// Whether the server has switched to WebSocket.
            var isOpen = false
        }

        private let target: SocketTarget
        private let security: SocketSecurity
        private let loop: any EventLoop
        /// The state, until it is closed from this side.
        private let state = OneShot<Void, State>(State())

        init(_ target: SocketTarget, _ security: SocketSecurity) {
            self.target = target
            self.security = security
            loop = MultiThreadedEventLoopGroup.singleton.next()
        }

        func open(_ tell: @escaping @Sendable (SocketEvent) -> Void) {
            guard state.update({ $0.tell = tell }) != nil else {
                return
            }
            let context = target.url.isSecure ? security.read(on: loop).map { $0 } : loop.makeSucceededFuture(nil)
            context.flatMap { self.connect($0) }.whenComplete { result in
                switch result {
                case .success(let channel): self.keep(channel)
                case .failure(let error): self.end(.failed(SocketErrorTable.error(for: error)))
                }
            }
        }

        private func connect(_ context: NIOSSLContext?) -> EventLoopFuture<any Channel> {
            ClientBootstrap(group: loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                // The limit on the acknowledgement counts; this one ends what nobody waits for any more.
                .connectTimeout(.seconds(target.patience.components.seconds + 5))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try self.prepare(channel, context) }
                }
                .connect(host: target.url.host, port: target.url.port)
        }

        /// Makes the pipeline, first for HTTP.
        private func prepare(_ channel: any Channel, _ context: NIOSSLContext?) throws {
            guard !state.isOver else {
                throw CancellationError()
            }
            let pipeline = channel.pipeline.syncOperations
            if let context {
                // An address is no name that TLS could send (RFC 6066, 3).
                let address = try? NIOCore.SocketAddress(ipAddress: target.url.host, port: 0)
                let name = address == nil ? target.url.host : nil
                try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
            }
            let upgrader = SocketUpgrader(longest: target.longest) { channel in
                channel.eventLoop.makeCompletedFuture { try self.switched(channel) }
            }
            try pipeline.addHTTPClientHandlers(
                leftOverBytesStrategy: .forwardBytes,
                withClientUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
            try pipeline.addHandler(
                HandshakeHandler(target, upgrader, isWanted: { !self.state.isOver }) { self.end($0) })
        }

        /// The server has switched: what comes now are frames.
        private func switched(_ channel: any Channel) throws {
            let pipeline = channel.pipeline.syncOperations
            pipeline.removeHandler(try pipeline.handler(type: HandshakeHandler.self), promise: nil)
            // Bytes of a frame that is not complete are a sign of life too.
            try pipeline.addHandler(HeardHandler { self.tell(.heard) }, position: .first)
            try pipeline.addHandler(
                FrameHandler(longest: target.longest) { event in
                    if case .text = event {
                        self.tell(event)
                    } else {
                        self.end(event)
                    }
                })
            state.withLock { state in
                state.channel = channel
                state.isOpen = true
            }
            tell(.opened)
        }

        private func keep(_ channel: any Channel) {
            if state.update({ $0.channel = channel }) == nil {
                channel.close(promise: nil)
            }
        }

        private func tell(_ event: SocketEvent) {
            state.withLock { $0.tell }?(event)
        }

        /// Tells of an end, once.
        private func end(_ event: SocketEvent) {
            let (tell, channel) = state.withLock { state in
                defer { state.tell = nil }
                return (state.tell, state.channel)
            }
            tell?(event)
            if case .failed = event {
                channel?.close(promise: nil)
            }
        }

        func send(_ message: ClientMessage, written: @escaping @Sendable (Bool) -> Void) {
            guard let channel = state.update({ $0.isOpen ? $0.channel : nil }) ?? nil else {
                return written(false)
            }
            loop.execute {
                let buffer = channel.allocator.buffer(bytes: message.json)
                let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: buffer)
                channel.writeAndFlush(frame).whenComplete { result in
                    written((try? result.get()) != nil)
                }
            }
        }

        func close(code: UInt16, reason: String) {
            let end = state.end(with: .success(())) { state in
                defer { state.tell = nil }
                return (state.channel, state.isOpen)
            }
            guard case (let channel?, let isOpen)? = end?.rest else {
                return
            }
            loop.execute {
                if isOpen {
                    channel.triggerUserOutboundEvent(FrameHandler.Close(code: code, reason: reason), promise: nil)
                } else {
                    channel.close(promise: nil)
                }
            }
        }
    }
#endif
