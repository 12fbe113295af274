#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import NIOCore
    import NIOPosix
    import Testing

    @Suite("Bodies sent by async-http-client", .sockets)
    struct UploadSocketTests {
        static let bytes = sampleBytes(500_000)

        @Test("arrive byte for byte, from memory, a file and a stream with and without a length")
        func bodies() async throws {
            try await withServer { server in
                try await withFile(of: Self.bytes) { file in
                    let bodies: [HTTP.Body] = [
                        .data(Self.bytes), .file(file), .stream(length: 500_000) { Self.stream() },
                        .stream { Self.stream() },
                    ]
                    for (number, body) in bodies.enumerated() {
                        let path = "/status/20\(number)"
                        _ = try await fetch(server.target(path), method: .post, body: body)
                        let request = try await server.onlyRequest(to: path)
                        #expect(request.body == Self.bytes)
                        #expect(request.values(of: "Content-Length") == (number < 3 ? ["500000"] : []))
                        #expect(request.values(of: "Transfer-Encoding") == (number < 3 ? [] : ["chunked"]))
                    }
                }
            }
        }

        /// A body that opens when the gate does, whatever is cancelled.
        private static func late(_ gate: Gate) -> HTTP.Body {
            .stream {
                await gate.pass()
                return stream()
            }
        }

        @Test("that take long to open end with the attempt or the call, and nothing leaves", arguments: [true, false])
        func slowOpening(isCancelled: Bool) async throws {
            try await withServer { server in
                let (gate, clock) = (Gate(), ManualClock())
                var options = CallOptions()
                options.clock = clock
                let client = try server.client(attemptTimeout: .seconds(5), options: options)
                let call = Task { try await failed { try await client.post("echo", body: Self.late(gate)) } }
                await gate.waitForArrivals(1)
                if isCancelled {
                    call.cancel()
                } else {
                    await clock.waitForSleeper(remaining: .seconds(5))
                    await clock.advance(by: .seconds(5))
                }
                #expect(try await call.value.code == (isCancelled ? "cancelled" : "timeout.attempt"))
                gate.open()
                _ = try await server.client().get("delay?ms=50")
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("lose no connection when they are cancelled while a server answers that goes on to read")
        func cancelledWhileAnswered() async throws {
            let server = try WireServer { connection in
                _ = try connection.readSome()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
                while (try? connection.readSome()) != nil {}
            }
            defer { server.stop() }
            // A second call to the host has to wait for the connection of the first.
            let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(600), connectionsPerHost: 1)
            for number in 0..<400 {
                let call = Task {
                    let body = HTTP.Body.stream(length: 2) {
                        AsyncStream<Data> { $0.yield(Data(count: 1)) }
                    }
                    _ = try await fetch(server.origin, method: .post, body: body, by: transport)
                }
                // At another moment of the answer each time.
                try await Task.sleep(for: .microseconds(200 * (number % 12)))
                call.cancel()
                _ = await call.result
            }
            #expect(try await fetch(server.origin, by: transport).status == 200)
        }

        @Test("that take long to open after a wait in line, or a redirect, are what the failure is about")
        func slowAfterLine() async throws {
            try await withServer { server in
                let (gate, clock) = (Gate(), ManualClock())
                let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(600), connectionsPerHost: 1)
                var options = CallOptions()
                options.clock = clock
                let client = try server.client(transport: transport, attemptTimeout: .seconds(5), options: options)
                let first = Task { try await server.client(transport: transport).get("hang") }
                #expect(await server.waitForRequest(to: "/hang"))
                let opened = Counter()
                let body = HTTP.Body.stream {
                    if opened.increment() == 2 {
                        await gate.pass()
                    }
                    return Self.stream()
                }
                let call = Task {
                    try await failed { try await client.post("redirect?status=307&to=/echo", body: body) }
                }
                await clock.waitForSleeper(remaining: .seconds(600))
                first.cancel()
                await gate.waitForArrivals(1)
                await clock.waitForSleeper(remaining: .seconds(5))
                await clock.advance(by: .seconds(5))
                let failure = try await call.value
                gate.open()
                #expect(failure.code == "timeout.attempt")
                #expect(failure.progress?.phase == .connecting)
                #expect(failure.request?.url.path == "/echo")
            }
        }

        @Test("are opened once there is a connection, and not in line")
        func openedInTurn() async throws {
            try await withServer { server in
                let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(600), connectionsPerHost: 1)
                let first = Task { try await server.client(transport: transport).get("hang") }
                #expect(await server.waitForRequest(to: "/hang"))
                let (opened, clock) = (Counter(), ManualClock())
                var options = CallOptions()
                options.clock = clock
                let client = try server.client(transport: transport, options: options)
                let body = HTTP.Body.stream {
                    opened.increment()
                    return Self.stream()
                }
                let call = Task { try await client.post("echo", body: body).status }
                await clock.waitForSleeper(remaining: .seconds(600))
                #expect(opened.value == 0)
                first.cancel()
                #expect(try await call.value == 200)
                #expect(opened.value == 1)
            }
        }

        @Test("say what they are, unless the headers do")
        func contentType() async throws {
            try await withServer { server in
                let client = try server.client()
                try await client.post("status/200", body: .text("hi"))
                try await client.post("status/201", body: .data(Data(#"{"a":1}"#.utf8)))
                try await client.post("status/202", headers: [.contentType: "image/png"], body: .data(Data("a".utf8)))
                try await client.post("status/203")
                let types = [["text/plain; charset=utf-8"], ["application/octet-stream"], ["image/png"], []]
                for (number, type) in types.enumerated() {
                    let request = try await server.onlyRequest(to: "/status/20\(number)")
                    #expect(request.values(of: "Content-Type") == type)
                }
            }
        }

        @Test("do not reach the server as complete when they are longer or shorter than announced", arguments: [-1, 1])
        func wrongLength(difference: Int64) async throws {
            try await withServer { server in
                let body: HTTP.Body = .stream(length: 500_000 + difference) { Self.stream() }
                let error = await #expect(throws: RequestError.self) {
                    _ = try await fetch(server.target("/echo"), method: .post, body: body)
                }
                #expect(error?.code == .bodyLength)
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("end with the error of their source")
        func brokenSource() async throws {
            struct Broken: Error {}
            try await withServer { server in
                let body: HTTP.Body = .stream {
                    AsyncThrowingStream<Data, any Error> { continuation in
                        continuation.yield(Data("a".utf8))
                        continuation.finish(throwing: Broken())
                    }
                }
                let error = await #expect(throws: RequestError.self) {
                    _ = try await fetch(server.target("/echo"), method: .post, body: body)
                }
                #expect(error?.code == .bodyUnreadable)
                #expect(error?.underlying is Broken)
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("are read only as fast as the connection takes them")
        func backPressure() async throws {
            let port = try ClosedPort.deaf()
            let read = Counter()
            let body: HTTP.Body = .stream {
                AsyncStream<Data>(unfolding: {
                    read.increment()
                    return Data(repeating: 1, count: 65_536)
                })
            }
            let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(1))
            await #expect(throws: TimeoutError(.attempt, after: .seconds(1))) {
                _ = try await fetch(port.origin, method: .put, body: body, by: transport)
            }
            // What the system's buffers of both sides take is a few megabytes.
            #expect(read.value < 500)
        }

        @Test(
            "end early when the server answers before it has read them, and its answer counts",
            arguments: [
                ["HTTP/1.1 413 Early\r\nContent-Length: 2\r\n\r\nno"],
                ["HTTP/1.1 413 Early\r\nContent-Length: 2\r\n\r\n", "no"],
                ["HTTP/1.1 413 Early\r\nContent-Length: 2\r\n\r\n", "n", "o"],
                ["HTTP/1.1 413 Early\r\nTransfer-Encoding: chunked\r\n\r\n", "2\r\nno\r\n", "0\r\n\r\n"],
            ])
        func earlyAnswer(pieces: [String]) async throws {
            let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(120))
            #expect(try await answer(pieces, to: transport) == "413 no")
        }

        @Test(
            "end early on a client of the app as well",
            arguments: [
                ["HTTP/1.1 413 Early\r\nContent-Length: 2\r\n\r\n", "n", "o"],
                ["HTTP/1.1 413 Early\r\nTransfer-Encoding: chunked\r\n\r\n", "2\r\nno\r\n0\r\n\r\n"],
                ["HTTP/1.1 413 Early\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n", "0\r\n\r\n"],
                ["HTTP/1.1 413 Early\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nn\r\n", "1\r\no\r\n", "0\r\n\r\n"],
                ["HTTP/1.1 413 Early\r\nConnection: close\r\n\r\n", "no"],
            ])
        func earlyAnswerToApp(pieces: [String]) async throws {
            let client = HTTPClient()
            let transport = try AsyncHTTPClientTransport(client, idleTimeout: .seconds(120))
            #expect(try await answer(pieces, to: transport) == "413 no")
            try await client.shutdown()
        }

        @Test("end early when they are in memory, and the server says goodbye", arguments: [401, 413, 503])
        func earlyAnswerToData(status: Int) async throws {
            let head = "HTTP/1.1 \(status) Early\r\nConnection: close\r\nContent-Length: 2\r\n\r\n"
            let body: HTTP.Body = .data(Data(count: 20_000_000))
            for _ in 0..<3 {
                let answer = try await answer([head, "no"], to: .asyncHTTPClient, body: body, closes: true)
                #expect(answer == "\(status) no")
            }
        }

        /// Answers to a request that has only begun, and what is expected of them.
        static let accepted = [
            (["HTTP/1.1 200 Early\r\nContent-Length: 2\r\n\r\nok"], "200 ok"),
            (["HTTP/1.1 200 Early\r\nContent-Length: 2\r\n\r\n", "o", "k"], "200 ok"),
            (["HTTP/1.1 200 Early\r\nContent-Length: 0\r\n\r\n"], "200 "),
            (["HTTP/1.1 204 Early\r\n\r\n"], "204 "),
        ]

        @Test(
            "that are answered before they are sent take no connection from the next calls",
            arguments: accepted + [
                (["HTTP/1.1 200 Early\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"], "200 ok"),
                (["HTTP/1.1 200 Early\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", "0\r\n\r\n"], "200 ok"),
                (["HTTP/1.1 413 Early\r\nContent-Length: 2\r\n\r\nno"], "413 no"),
            ], [nil, 1 << 40] as [Int64?])
        func earlySuccess(early: (pieces: [String], expected: String), length: Int64?) async throws {
            let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(120), connectionsPerHost: 1)
            let body: HTTP.Body = .endless(length: length)
            #expect(try await answer(early.pieces, to: transport, body: body, calls: 3) == early.expected)
        }

        @Test("that are answered early take none on a client of the app either", arguments: accepted)
        func earlySuccessToApp(pieces: [String], expected: String) async throws {
            var configuration = AsyncHTTPClientTransport.standardConfiguration
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            let transport = try AsyncHTTPClientTransport(client, idleTimeout: .seconds(120))
            #expect(try await answer(pieces, to: transport, calls: 3) == expected)
            try await client.shutdown()
        }

        /// What a transport makes of an answer in pieces to a body that the server does not want.
        ///
        /// - Parameters:
        ///   - closes: Whether the server closes its side after the last piece, and reads on.
        ///   - calls: How many calls follow one another.
        /// - Returns: The last answer.
        private func answer(
            _ pieces: [String], to transport: AsyncHTTPClientTransport, body: HTTP.Body = .endless,
            closes: Bool = false, calls: Int = 1
        ) async throws -> String {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(EarlyAnswer(pieces, closes: closes))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/"
            var text = ""
            for _ in 0..<calls {
                let start = ContinuousClock.now
                let answer = try await fetch(url, method: .put, body: body, by: transport)
                #expect(start.duration(to: .now) < .seconds(100))
                text = "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
            }
            try await channel.close()
            return text
        }

        @Test("are sent again to where a redirect leads, unless they can be read only once")
        func redirected() async throws {
            try await withServer { server in
                let target = server.target("/redirect?to=/echo&status=307")
                _ = try await fetch(target, method: .put, body: .stream { Self.stream() })
                #expect(try await server.onlyRequest(to: "/echo").body == Self.bytes)
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(target, method: .put, body: .stream(once: Self.stream()))
                }
                #expect(error?.code == .redirectRefused)
            }
        }

        @Test("are not sent with GET")
        func get() async throws {
            let error = await #expect(throws: RequestError.self) {
                _ = try await fetch("http://127.0.0.1:1/", body: .text("a"))
            }
            #expect(error?.code == .invalid)
        }

        /// The bytes, in pieces.
        private static func stream() -> AsyncStream<Data> {
            AsyncStream { continuation in
                for start in stride(from: 0, to: bytes.count, by: 70_000) {
                    continuation.yield(bytes[start..<min(start + 70_000, bytes.count)])
                }
                continuation.finish()
            }
        }
    }

    extension HTTP.Body {
        /// A body that never ends.
        static var endless: HTTP.Body { endless(length: nil) }

        /// A body that does not end before its announced length is reached.
        static func endless(length: Int64?) -> HTTP.Body {
            .stream(length: length) {
                AsyncStream<Data>(unfolding: {
                    try? await Task.sleep(for: .milliseconds(20))
                    return Task.isCancelled ? nil : Data(repeating: 1, count: 65_536)
                })
            }
        }
    }

    /// Answers to the first bytes of a request, in pieces.
    private final class EarlyAnswer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var pieces: [String]
        private let closes: Bool
        private var hasBegun = false

        init(_ pieces: [String], closes: Bool) {
            self.pieces = pieces
            self.closes = closes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if !hasBegun {
                hasBegun = true
                next(context)
            }
        }

        private func next(_ context: ChannelHandlerContext) {
            guard !pieces.isEmpty else {
                if closes {
                    context.close(mode: .output, promise: nil)
                }
                return
            }
            let piece = ByteBuffer(string: pieces.removeFirst())
            context.writeAndFlush(Self.wrapOutboundOut(piece), promise: nil)
            context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) {
                self.next(context)
            }
        }
    }
#endif
