#if AsyncHTTPClient && Demo
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Testing

    @Suite("Pinned keys with async-http-client", .sockets)
    struct PinSocketTests {
        private func expectRefusal(_ target: String, by transport: AsyncHTTPClientTransport) async {
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch(target, by: transport)
            }
            #expect(error?.code == .certificate)
            #expect(error?.phase == .connecting)
            #expect(error?.detail.contains("refused the key") == true)
        }

        @Test("send nothing to a server whose key the app refuses, again and again", arguments: ["h2", "http/1.1"])
        func refused(version: String) async throws {
            try await TLSServer.run(protocols: [version]) { server in
                let transport = try AsyncHTTPClientTransport.trusting(isPinned: { _ in false })
                for _ in 0..<10 {  // more than there are connections
                    await expectRefusal(server.origin + "/count", by: transport)
                }
                let count = try await fetch(server.origin + "/count", by: .trusting())
                #expect(count.body == Data("1".utf8))
            }
        }

        @Test("are asked about each connection, once", arguments: ["h2", "http/1.1"])
        func pinned(version: String) async throws {
            let certificate = try #require(try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.good.utf8)).first)
            let pin = try certificate.extractPublicKey().toSPKIBytes()
            let keys = Notes<[UInt8]>()
            try await TLSServer.run(protocols: [version]) { server in
                let transport = try AsyncHTTPClientTransport.trusting(isPinned: { key in
                    keys.add(key)
                    return key == pin
                })
                for _ in 0..<2 {
                    #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                }
            }
            #expect(keys.all == [pin])
        }

        @Test("refuse a server that changes its key, and go on with the old connection", arguments: ["h2", "http/1.1"])
        func changed(version: String) async throws {
            try await TLSServer.run(protocols: [version]) { server in
                let count = Counter()
                let transport = try AsyncHTTPClientTransport.trusting(isPinned: { _ in count.increment() != 2 })
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                _ = try? await fetch(server.origin + "/reset", by: transport)
                var codes: [TransportError.Code?] = []
                for _ in 0..<3 {
                    do {
                        codes.append(try await fetch(server.origin + "/", by: transport).status == 200 ? nil : .unknown)
                    } catch let error as TransportError {
                        codes.append(error.code)
                    }
                }
                // HTTP/2 only loses the stream, or the connection with it.
                #expect(codes.allSatisfy { $0 == nil || $0 == .certificate }, "\(codes)")
                #expect(codes.last == .some(nil))
            }
        }

        /// What a server sends before it is asked: settings of HTTP/2 and a goodbye; a response to nothing.
        private static let greetings: [(String, [UInt8])] = [
            ("h2", [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("http/1.1", Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)),
        ]

        @Test(
            "end the process neither with what a refused server says, nor with the end of its client",
            arguments: greetings)
        func hostile(version: String, greeting: [UInt8]) async throws {
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.good.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(TestCertificates.goodKey.utf8), format: .pem)))
            tls.applicationProtocols = [version]
            let context = try NIOSSLContext(configuration: tls)
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                        try channel.pipeline.syncOperations.addHandler(Greeting(greeting))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let origin = "https://localhost:\(server.localAddress?.port ?? 0)/"
            for _ in 0..<20 {
                // Its client is shut down at once.
                await expectRefusal(origin, by: try .trusting(isPinned: { _ in false }))
            }
            let transport = try AsyncHTTPClientTransport.trusting(isPinned: { _ in false })
            await withTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask { await expectRefusal(origin, by: transport) }
                }
            }
            try await server.close()
        }
    }

    /// Sends bytes with the end of the handshake.
    private final class Greeting: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }
    }
#endif
