#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOPosix
    import NIOSSL

    /// A server over TLS, with HTTP/2 and HTTP/1.1.
    ///
    /// `/` answers "ok" with a trailer, `/count` the number of requests, `/to?URL` redirects, `/reset` closes the stream
    /// or the connection, `/silent` never answers.
    final class TLSServer: Sendable {
        /// The origin by the name `localhost`.
        let origin: String
        private let channel: any Channel

        /// Runs a test against a server of its own, and stops it.
        static func run(
            certificate: String = TestCertificates.good, key: String = TestCertificates.goodKey,
            asksForCertificate: Bool = false, protocols: [String] = ["h2", "http/1.1"],
            _ test: (TLSServer) async throws -> Void
        ) async throws {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
            configuration.applicationProtocols = protocols
            if asksForCertificate {
                configuration.certificateVerification = .noHostnameVerification
                configuration.trustRoots = try .tests
            }
            let context = try NIOSSLContext(configuration: configuration)
            let count = Counter()
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }.flatMap {
                        channel.configureCommonHTTPServerPipeline { stream in
                            stream.eventLoop.makeCompletedFuture {
                                try stream.pipeline.syncOperations.addHandler(TLSAnswers(count: count))
                            }
                        }
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let server = TLSServer(channel)
            do {
                try await test(server)
            } catch {
                try? await channel.close()
                throw error
            }
            try await channel.close()
        }

        private init(_ channel: any Channel) {
            self.channel = channel
            origin = "https://localhost:\(channel.localAddress?.port ?? 0)"
        }
    }

    /// Answers by the path of the request.
    private final class TLSAnswers: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let count: Counter
        private var path = ""

        init(count: Counter) {
            self.count = count
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch Self.unwrapInboundIn(data) {
            case .head(let head):
                path = head.uri
                count.increment()
            case .body:
                break
            case .end:
                answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            switch path {
            case "/silent":
                return
            case "/reset":
                context.close(promise: nil)
            case "/cut":
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "10"])
                context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "ok")))))
                    .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            case _ where path.hasPrefix("/to?"):
                let head = HTTPResponseHead(
                    version: .http1_1, status: .found,
                    headers: ["location": String(path.dropFirst(4)), "content-length": "0"])
                context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
            default:
                let head = HTTPResponseHead(
                    version: .http1_1, status: .ok, headers: ["transfer-encoding": "chunked"])
                let text = path == "/count" ? "\(count.value)" : "ok"
                context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
                context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
                context.writeAndFlush(Self.wrapOutboundOut(.end(["x-sum": "7"])), promise: nil)
            }
        }
    }

    extension NIOSSLTrustRoots {
        /// Trusts the issuer of these tests.
        static var tests: NIOSSLTrustRoots {
            get throws {
                .certificates(try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.ca.utf8)))
            }
        }
    }

    extension AsyncHTTPClientTransport {
        /// A transport that trusts the issuer of these tests.
        static func trusting(
            clientCertificate: Bool = false, allowsInsecureRedirects: Bool = false,
            _ change: (inout HTTPClient.Configuration) -> Void = { _ in },
            isPinned: (@Sendable ([UInt8]) -> Bool)? = nil
        ) throws -> AsyncHTTPClientTransport {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = try .tests
            if clientCertificate {
                tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.client.utf8))
                    .map { .certificate($0) }
                tls.privateKey = .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(TestCertificates.clientKey.utf8), format: .pem))
            }
            var configuration = AsyncHTTPClientTransport.standardConfiguration
            configuration.tlsConfiguration = tls
            change(&configuration)
            return try AsyncHTTPClientTransport(
                configuration: configuration, allowsInsecureRedirects: allowsInsecureRedirects, isPinned: isPinned)
        }
    }
#endif
