#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import NIOCore
    import NIOPosix
    import Testing

    @Suite("A connection that async-http-client keeps", .sockets)
    struct KeptConnectionSocketTests {
        /// When the server closes a connection that has served a request.
        enum Moment: CaseIterable {
            case afterTheAnswer, withTheNextHead, withTheNextContent, inTheAnswer
        }

        @Test(
            "may close at any moment, and a POST reaches the server once at most", arguments: Moment.allCases, [1, 16])
        func closing(moment: Moment, width: Int) async throws {
            let received = Notes<String>()
            let server = try await ClosingServer.start(moment, received: received)
            let transport = try AsyncHTTPClientTransport(connectionsPerHost: width)
            let url = server.url
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    if number >= width {
                        try await group.next()
                    }
                    group.addTask {
                        do {
                            let body: HTTP.Body = .data(Data(repeating: 1, count: 70_000))
                            let answer = try await fetch(
                                "\(url)/\(number)", method: .post, body: body, by: transport)
                            #expect(answer.status == 200)
                        } catch let error as TransportError {
                            #expect([.lost, .truncated].contains(error.code), "\(error)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let targets = received.all
            #expect(Set(targets).count == targets.count, "\(targets.sorted())")
            #expect(targets.count >= 20)
            try await server.stop()
        }

        @Test(
            "may end under a request that only reads, which is sent once more, and under others, which are not",
            arguments: [HTTP.Method.get, .put, .post])
        func endsUnder(method: HTTP.Method) async throws {
            let server = try WireServer { connection in
                for isLast in [false, true] {
                    _ = try connection.readSome()
                    if !isLast { try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
                }
            }
            defer { server.stop() }
            let transport = AsyncHTTPClientTransport()
            var lost = 0
            for _ in 0..<20 {
                #expect(try await fetch(server.origin, by: transport).status == 200)
                do {
                    _ = try await fetch(server.origin, method: method, by: transport)
                } catch let error as TransportError {
                    #expect(error.code == .lost)
                    lost += 1
                }
            }
            #expect(lost == (method == .get ? 0 : 20))
        }

        @Test("takes no place in the pool when the server closes it at once", arguments: [1, 4])
        func closedAtOnce(width: Int) async throws {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { $0.close() }
                .bind(host: "127.0.0.1", port: 0).get()
            let url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/"
            let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(120), connectionsPerHost: width)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<width {
                    group.addTask {
                        for _ in 0..<300 / width {
                            let error = await #expect(throws: TransportError.self) {
                                _ = try await fetch(url, by: transport)
                            }
                            #expect(error?.code == .lost, "\(String(describing: error?.underlying))")
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await channel.close()
        }

        @Test(
            "is used again, one call after the other, whatever loop it is on", arguments: [1, 65_536, 65_537, 300_000])
        func reused(size: Int) async throws {
            let received = Notes<String>()
            let server = try await ClosingServer.start(nil, received: received)
            let transport = AsyncHTTPClientTransport()
            let data = Data(repeating: 1, count: size)
            for number in 0..<50 {
                let body: HTTP.Body = number % 2 == 0 ? .data(data) : .stream(length: Int64(size)) { Once(data) }
                _ = try await fetch("\(server.url)/\(number)", method: .post, body: body, by: transport)
            }
            #expect(received.all.count == 50)
            #expect(server.connections.value == 1)
            try await server.stop()
        }
    }

    /// A stream of one chunk.
    private struct Once: AsyncSequence, AsyncIteratorProtocol, Sendable {
        private var data: Data?

        init(_ data: Data) {
            self.data = data
        }

        func makeAsyncIterator() -> Self {
            self
        }

        mutating func next() async -> Data? {
            defer { data = nil }
            return data
        }
    }

    /// A server that keeps each connection for one request, and closes it at a moment of the second.
    private final class ClosingServer: Sendable {
        let url: String
        let connections: Counter
        private let channel: any Channel

        /// - Parameter received: Gets the target of each request whose head has arrived.
        static func start(
            _ moment: KeptConnectionSocketTests.Moment?, received: Notes<String>
        ) async throws -> ClosingServer {
            let connections = Counter()
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 64)
                .childChannelInitializer { channel in
                    connections.increment()
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ClosingHandler(moment, received))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            return ClosingServer(channel, connections)
        }

        private init(_ channel: any Channel, _ connections: Counter) {
            self.channel = channel
            self.connections = connections
            url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
        }

        func stop() async throws {
            try await channel.close()
        }
    }

    private final class ClosingHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let moment: KeptConnectionSocketTests.Moment?
        private let received: Notes<String>
        private var bytes = ""
        private var left = 0
        private var served = 0

        init(_ moment: KeptConnectionSocketTests.Moment?, _ received: Notes<String>) {
            self.moment = moment
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = Self.unwrapInboundIn(data)
            if left > 0 {
                left -= buffer.readableBytes
            } else {
                bytes += String(buffer: buffer)
                guard let end = bytes.range(of: "\r\n\r\n") else {
                    return
                }
                let head = bytes[..<end.lowerBound]
                received.add(String(head.split(separator: " ")[1]))
                let length = head.lowercased().split(separator: "\r\n")
                    .first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
                left = (length ?? 0) - bytes[end.upperBound...].utf8.count
                bytes = ""
                if served == 1, moment == .withTheNextHead {
                    context.close(promise: nil)
                    return
                }
            }
            if served == 1, moment == .withTheNextContent {
                context.close(promise: nil)
            } else if left <= 0 {
                answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            left = 0
            served += 1
            let isCut = served == 2 && moment == .inTheAnswer
            let text = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + (isCut ? "do" : "done")
            let sent = context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: text)))
            if isCut || served == 1 && moment == .afterTheAnswer {
                sent.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            }
        }
    }
#endif
