#if AsyncHTTPClient && !canImport(Darwin)
    import BackstopCore
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import NIOWebSocket

    @testable import BackstopTesting

    /// A WebSocket server on 127.0.0.1 that does what a test says.
    final class SocketServer: Sendable {
        struct Options: Sendable {
            /// The fields of the 101.
            var headers: HTTPHeaders = ["Sec-WebSocket-Protocol": "graphql-transport-ws"]
            /// What is answered instead; nil for a WebSocket.
            var refusal: (@Sendable (HTTPRequestHead) -> Refusal?)?
            /// Bytes that are sent instead of any answer.
            var raw: String?
            var tls: TLSConfiguration?
            /// Whether connections are acknowledged by themselves.
            var acknowledges = true
        }

        struct Refusal: Sendable {
            var status: HTTPResponseStatus
            var headers: HTTPHeaders = [:]
            var body = ""
        }

        struct State: Sendable {
            var requests: [HTTPRequestHead] = []
            var peers: [Peer] = []
            /// The connections that have ended.
            var ended = 0
        }

        let state = WatchedState(State())
        private let channel: any Channel

        var port: Int { channel.localAddress?.port ?? 0 }
        var url: String { "ws://127.0.0.1:\(port)/graphql" }
        var origin: String { "http://127.0.0.1:\(port)/graphql" }

        /// Listens until ``stop()``.
        ///
        /// - Parameter answer: Called with each text message, beside `connection_init`, on an event loop.
        static func start(
            _ options: Options = Options(), _ answer: @escaping @Sendable (Peer, String) -> Void = { _, _ in }
        ) async throws -> SocketServer {
            let context = try options.tls.map { try NIOSSLContext(configuration: $0) }
            let made = Lock<SocketServer?>(nil)
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let context {
                            try pipeline.addHandler(NIOSSLServerHandler(context: context))
                        }
                        if let raw = options.raw {
                            return try pipeline.addHandler(RawHandler(raw))
                        }
                        let http = HTTPHandler { head in
                            made.withLock { $0 }?.state.withLock { $0.requests.append(head) }
                            return options.refusal?(head)
                        }
                        let upgrader = NIOWebSocketServerUpgrader(
                            shouldUpgrade: { channel, head in
                                let refuses = options.refusal?(head) != nil
                                if !refuses {
                                    made.withLock { $0 }?.state.withLock { $0.requests.append(head) }
                                }
                                return channel.eventLoop.makeSucceededFuture(refuses ? nil : options.headers)
                            },
                            upgradePipelineHandler: { channel, _ in
                                channel.eventLoop.makeCompletedFuture {
                                    guard let server = made.withLock({ $0 }) else {
                                        return
                                    }
                                    let peer = Peer(channel)
                                    try channel.pipeline.syncOperations.addHandler(
                                        PeerHandler(peer, server, options.acknowledges, answer))
                                    server.state.withLock { $0.peers.append(peer) }
                                }
                            })
                        try pipeline.configureHTTPServerPipeline(
                            withServerUpgrade: (
                                [upgrader],
                                { context in context.pipeline.syncOperations.removeHandler(http, promise: nil) }
                            ))
                        try pipeline.addHandler(http)
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let server = SocketServer(channel)
            made.withLock { $0 = server }
            return server
        }

        private init(_ channel: any Channel) {
            self.channel = channel
        }

        func stop() {
            channel.close(promise: nil)
            for peer in state.withLock({ $0.peers }) {
                peer.end()
            }
        }

        /// Waits for a connection.
        func peer(_ index: Int = 0) async throws -> Peer {
            await state.wait { $0.peers.count > index }
            try Task.checkCancellation()
            return state.withLock { $0.peers[index] }
        }

        /// Runs a test with a server.
        static func with(
            _ options: Options = Options(), _ answer: @escaping @Sendable (Peer, String) -> Void = { _, _ in },
            _ test: (SocketServer) async throws -> Void
        ) async throws {
            let server = try await start(options, answer)
            defer { server.stop() }
            try await test(server)
        }

        /// The same with a server that answers only what is subscribed to.
        static func with(
            _ options: Options = Options(), subscribed answer: @escaping @Sendable (Peer, String) -> Void,
            _ test: (SocketServer) async throws -> Void
        ) async throws {
            try await with(options, { if $1.contains("subscribe") { answer($0, $1) } }, test)
        }
    }

    /// The server's side of a connection.
    final class Peer: Sendable {
        struct State: Sendable {
            var messages: [String] = []
            /// The code of the client's close; 0 for none.
            var close: UInt16?
            var pongs: [String] = []
            var hasEnded = false
            /// The last error of the connection, as text.
            var error: String?
            /// How many frames were not masked.
            var unmasked = 0
        }

        let state = WatchedState(State())
        private let channel: any Channel

        init(_ channel: any Channel) {
            self.channel = channel
        }

        func say(_ text: String) {
            frame(.text, Array(text.utf8))
        }

        func next(_ id: String, _ payload: String = "{}") {
            say(#"{"type":"next","id":"\#(id)","payload":\#(payload)}"#)
        }

        func complete(_ id: String) {
            say(#"{"type":"complete","id":"\#(id)"}"#)
        }

        func frame(
            _ opcode: WebSocketOpcode, _ bytes: [UInt8], fin: Bool = true, rsv1: Bool = false,
            mask: WebSocketMaskingKey? = nil
        ) {
            let frame = Frame(opcode: opcode, bytes: bytes, fin: fin, rsv1: rsv1, mask: mask)
            channel.eventLoop.execute { [channel] in
                channel.writeAndFlush(
                    WebSocketFrame(
                        fin: frame.fin, rsv1: frame.rsv1, opcode: frame.opcode, maskKey: frame.mask,
                        data: ByteBuffer(bytes: frame.bytes)), promise: nil)
            }
        }

        private struct Frame: Sendable {
            let opcode: WebSocketOpcode
            let bytes: [UInt8]
            let fin: Bool
            let rsv1: Bool
            let mask: WebSocketMaskingKey?
        }

        /// Sends bytes that need not be a frame.
        func raw(_ bytes: [UInt8]) {
            channel.eventLoop.execute { [channel] in
                let context = try? channel.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
                context?.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
            }
        }

        func close(_ code: UInt16?, _ reason: String = "") {
            let bytes = code.map { [UInt8($0 >> 8), UInt8($0 & 255)] + Array(reason.utf8) } ?? []
            frame(.connectionClose, bytes)
        }

        /// Ends the connection without a word, behind what was sent before.
        func end() {
            channel.eventLoop.execute { [channel] in channel.close(promise: nil) }
        }

        /// The same, with RST.
        func reset() {
            let ends = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            ends?.whenComplete { [channel] _ in channel.close(promise: nil) }
        }

        /// Waits for a message with a part.
        func waitFor(_ part: String, times: Int = 1) async {
            await state.wait { state in state.messages.count { $0.contains(part) } >= times }
        }
    }

    /// The id in a message.
    func id(in message: String) -> String {
        String(message.split(separator: #""id":""#).last?.prefix { $0 != "\"" } ?? "")
    }

    private final class PeerHandler: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame

        private let peer: Peer
        private let server: SocketServer
        private let acknowledges: Bool
        private let answer: @Sendable (Peer, String) -> Void

        init(
            _ peer: Peer, _ server: SocketServer, _ acknowledges: Bool,
            _ answer: @escaping @Sendable (Peer, String) -> Void
        ) {
            self.peer = peer
            self.server = server
            self.acknowledges = acknowledges
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            var payload = frame.unmaskedData
            if frame.maskKey == nil {
                peer.state.withLock { $0.unmasked += 1 }
            }
            switch frame.opcode {
            case .text:
                let text = String(buffer: payload)
                peer.state.withLock { $0.messages.append(text) }
                if text.contains("connection_init") {
                    if acknowledges {
                        peer.say(#"{"type":"connection_ack"}"#)
                    }
                } else {
                    answer(peer, text)
                }
            case .pong: peer.state.withLock { $0.pongs.append(String(buffer: payload)) }
            case .connectionClose:
                peer.state.withLock { $0.close = payload.readInteger() ?? 0 }
                context.close(promise: nil)
            default: break
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            peer.state.withLock { $0.hasEnded = true }
            server.state.withLock { $0.ended += 1 }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            peer.state.withLock { $0.error = "\(error)" }
        }
    }

    /// Answers requests that do not become WebSockets.
    private final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: @Sendable (HTTPRequestHead) -> SocketServer.Refusal?

        init(_ answer: @escaping @Sendable (HTTPRequestHead) -> SocketServer.Refusal?) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data), let refusal = answer(head) else {
                return
            }
            var headers = refusal.headers
            headers.replaceOrAdd(name: "Content-Length", value: "\(refusal.body.utf8.count)")
            let answered = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
            context.write(wrapOutboundOut(.head(answered)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: refusal.body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Sends the same bytes to whoever asks, and closes.
    private final class RawHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let bytes: String
        private var isDone = false

        init(_ bytes: String) {
            self.bytes = bytes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isDone else {
                return
            }
            isDone = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: bytes)), promise: nil)
            context.close(promise: nil)
        }
    }
#endif
