#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopCore
    import BackstopTestSupport
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import Testing

    @Suite("A server that answers before it has read the body", .sockets)
    struct EarlyAnswerSocketTests {
        /// Whose client sends the bodies.
        enum Owner {
            case transport, app
        }

        // One after another: two disturbances leave the loops, which all clients share, no time to read.
        @Test(
            "cannot end the process, whenever it answers and closes, and gets a POST once at most", .serialized,
            arguments: [(Owner.transport, 1), (.transport, 8), (.app, 1), (.app, 8)], Seed.ofRun)
        func anyMoment(setting: (owner: Owner, width: Int), seed: Seed) async throws {
            let (owner, width) = setting
            var numbers = seed.numbers
            let received = Notes<String>()
            let server = try await HastyServer.start(received)
            let disturbance = Disturbance(of: MultiThreadedEventLoopGroup.singleton)
            let app = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
            let transport =
                try owner == .app
                ? AsyncHTTPClientTransport(app, idleTimeout: .seconds(120))
                : AsyncHTTPClientTransport(idleTimeout: .seconds(120), connectionsPerHost: width)
            let answered = Counter()
            let calls = 500
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<calls {
                    if number >= width {
                        try await group.next()
                    }
                    let size = [1, 100, 65_536, 200_000, 1_000_000][numbers.below(number % 10 == 0 ? 5 : 3)]
                    let length = numbers.below(2) == 0 ? Int64(size) : nil
                    // The answer comes after this much of the body.
                    let moment = [0, size / 2, size - 1, size, size][numbers.below(5)]
                    let end = ["never", "soon", "atOnce"][numbers.below(3)]
                    let url = "\(server.url)/\(number)/\(moment)/\(end)"
                    group.addTask {
                        let body: HTTP.Body = .stream(length: length) { Pieces(left: size) }
                        do {
                            let answer = try await fetch(url, method: .post, body: body, by: transport)
                            #expect(answer.status == 200)
                            answered.increment()
                        } catch let error as TransportError {
                            #expect([.lost, .truncated].contains(error.code), "\(error)")
                        } catch {
                            Issue.record("\(url): \(error)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            disturbance.stop()
            #expect(Set(received.all).count == received.all.count)
            #expect(answered.value > calls / 2)
            try await app.shutdown()
            try await server.stop()
        }
    }

    /// A stream of pieces.
    private struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var left: Int

        func makeAsyncIterator() -> Self {
            self
        }

        mutating func next() async -> Data? {
            guard left > 0 else {
                return nil
            }
            let size = Swift.min(left, 60_000)
            left -= size
            return Data(repeating: 1, count: size)
        }
    }

    /// Keeps the loops of a group busy for random times, so that what goes from one to another is late.
    final class Disturbance: Sendable {
        private let isOver = Counter()

        init(of group: any EventLoopGroup) {
            for loop in group.makeIterator() {
                disturb(loop)
            }
        }

        func stop() {
            isOver.increment()
        }

        private func disturb(_ loop: any EventLoop) {
            guard isOver.value == 0 else {
                return
            }
            usleep(.random(in: 0...1500))
            loop.scheduleTask(in: .microseconds(.random(in: 0...700))) {
                self.disturb(loop)
            }
        }
    }

    /// A server that answers after a part of the body, and closes the connection, or not, once it has the rest.
    ///
    /// The target says how: `/number/moment/end`.
    private final class HastyServer: Sendable {
        let url: String
        private let channel: any Channel
        private let group: MultiThreadedEventLoopGroup

        /// - Parameter received: Gets the number of each request whose head has arrived.
        static func start(_ received: Notes<String>) async throws -> HastyServer {
            // Not that of the client, which is disturbed.
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 64)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let reader = ByteToMessageHandler(HTTPRequestDecoder())
                        try channel.pipeline.syncOperations.addHandlers(reader, HastyHandler(received))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            return HastyServer(channel, group)
        }

        private init(_ channel: any Channel, _ group: MultiThreadedEventLoopGroup) {
            self.channel = channel
            self.group = group
            url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
        }

        func stop() async throws {
            try await channel.close()
            try await group.shutdownGracefully()
        }
    }

    private final class HastyHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = ByteBuffer

        private let received: Notes<String>
        private var moment = 0
        private var end = ""
        private var count = 0
        private var isAnswered = false

        init(_ received: Notes<String>) {
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch Self.unwrapInboundIn(data) {
            case .head(let head):
                let parts = head.uri.split(separator: "/")
                received.add(String(parts[0]))
                moment = Int(parts[1]) ?? 0
                end = String(parts[2])
                count = 0
                isAnswered = false
            case .body(let buffer):
                count += buffer.readableBytes
            case .end:
                answer(context)
                close(context)
            }
            if count >= moment {
                answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            if !isAnswered {
                isAnswered = true
                let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            }
        }

        private func close(_ context: ChannelHandlerContext) {
            if end == "soon" {
                let place = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.eventLoop.scheduleTask(in: .microseconds(.random(in: 0...1000))) {
                    place.value.close(promise: nil)
                }
            } else if end == "atOnce" {
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
#endif
