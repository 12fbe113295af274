#if AsyncHTTPClient && Demo
    import BackstopTestSupport
    import NIOCore
    import NIOHPACK
    import NIOHTTP2
    import NIOPosix
    import NIOSSL

    /// A server over TLS that speaks only HTTP/2, and sends what it is told, right or wrong.
    final class HTTP2Server: Sendable {
        /// What is sent in answer to a request.
        enum Frame: Sendable {
            case head([(String, String)], ends: Bool = false)
            case data(String, ends: Bool = false)
            case content([UInt8], ends: Bool = false)
            /// A head of 32,000 bytes in two frames, for the first or the second request of the connection.
            case largeHead(stream: UInt8)
            /// Bytes past SwiftNIO, right or wrong.
            case bytes([UInt8])
            /// What stands before is on its way before the rest: SwiftNIO holds content back for a moment.
            case flush
            /// The whole connection says nothing more.
            case silence
        }

        /// The origin by the name `localhost`.
        let origin: String
        /// How many connections were made.
        let connections: Counter
        /// The fields of each request, in order.
        let requests: Notes<[String: String]>
        private let channel: any Channel

        /// Runs a test against a server that answers each path with frames, and any other with "ok".
        static func run(
            _ answers: [String: [Frame]], _ test: (HTTP2Server) async throws -> Void
        ) async throws {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.good.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(TestCertificates.goodKey.utf8), format: .pem)))
            configuration.applicationProtocols = ["h2"]
            let context = try NIOSSLContext(configuration: configuration)
            let connections = Counter()
            let requests = Notes<[String: String]>()
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        let isSilent = Counter()
                        connections.increment()
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                        try pipeline.addHandler(
                            NIOHTTP2Handler(
                                mode: .server, headerBlockValidation: .disabled, contentLengthValidation: .disabled))
                        try pipeline.addHandler(
                            HTTP2StreamMultiplexer(mode: .server, channel: channel) { stream in
                                stream.eventLoop.makeCompletedFuture {
                                    try stream.pipeline.syncOperations.addHandler(
                                        FrameAnswers(answers, requests: requests, isSilent: isSilent))
                                }
                            })
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let server = HTTP2Server(channel, connections: connections, requests: requests)
            do {
                try await test(server)
            } catch {
                try? await channel.close()
                throw error
            }
            try await channel.close()
        }

        private init(_ channel: any Channel, connections: Counter, requests: Notes<[String: String]>) {
            self.channel = channel
            self.connections = connections
            self.requests = requests
            origin = "https://localhost:\(channel.localAddress?.port ?? 0)"
        }
    }

    /// Answers the head of a request by its path.
    private final class FrameAnswers: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        private let answers: [String: [HTTP2Server.Frame]]
        private let requests: Notes<[String: String]>
        /// More than 0 when the connection says nothing more.
        private let isSilent: Counter

        init(_ answers: [String: [HTTP2Server.Frame]], requests: Notes<[String: String]>, isSilent: Counter) {
            self.answers = answers
            self.requests = requests
            self.isSilent = isSilent
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .headers(let block) = Self.unwrapInboundIn(data) else {
                return
            }
            let fields = block.headers.map { ($0.name, $0.value) }
            requests.add(Dictionary(fields, uniquingKeysWith: { first, _ in first }))
            let path = block.headers.first(name: ":path") ?? ""
            answer(with: (answers[path] ?? [.head([(":status", "200")]), .data("ok", ends: true)])[...], context)
        }

        private func answer(with frames: ArraySlice<HTTP2Server.Frame>, _ context: ChannelHandlerContext) {
            for (index, frame) in zip(frames.indices, frames) {
                guard isSilent.value == 0 else {
                    return
                }
                switch frame {
                case .head(let fields, let ends):
                    send(.headers(.init(headers: HPACKHeaders(fields), endStream: ends)), context)
                case .data(let text, let ends):
                    send(.data(.init(data: .byteBuffer(ByteBuffer(string: text)), endStream: ends)), context)
                case .content(let bytes, let ends):
                    send(.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: ends)), context)
                case .largeHead(let stream):
                    sendLargeHead(on: stream, context)
                case .bytes(let bytes):
                    writePast(ByteBuffer(bytes: bytes), context)
                case .silence:
                    isSilent.increment()
                case .flush:
                    let rest = NIOLoopBound((frames[(index + 1)...], self, context), eventLoop: context.eventLoop)
                    return context.eventLoop.execute {
                        let (frames, handler, context) = rest.value
                        handler.answer(with: frames, context)
                    }
                }
            }
        }

        /// Writes past SwiftNIO, which sends no head in two frames: HEADERS, CONTINUATION (RFC 9113, 6.2 and 6.10).
        private func sendLargeHead(on stream: UInt8, _ context: ChannelHandlerContext) {
            var bytes = ByteBuffer()
            for (type, flags) in [(UInt8(1), UInt8(0)), (9, 4)] {
                bytes.writeBytes([0, 0x3E, 0x80, type, flags, 0, 0, 0, stream])
                bytes.writeRepeatingByte(0, count: 16_000)
            }
            writePast(bytes, context)
        }

        private func writePast(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            let connection = try? context.channel.parent?.pipeline.syncOperations.context(
                handlerType: NIOHTTP2Handler.self)
            connection?.writeAndFlush(NIOAny(bytes), promise: nil)
        }

        private func send(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
            context.writeAndFlush(Self.wrapOutboundOut(payload), promise: nil)
        }
    }
#endif
