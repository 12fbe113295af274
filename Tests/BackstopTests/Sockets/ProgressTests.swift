#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("A time limit that strikes says what had happened by then", .sockets)
    struct ProgressTests {
        enum Content: CaseIterable, Sendable {
            case data, file, stream, streamOfUnknownLength
        }

        @Test("nothing that is known, for a request without a body")
        func unknown() async throws {
            try await withServer { server in
                let client = try server.client(attemptTimeout: .milliseconds(200))
                let failure = try await failed { try await client.get("/hang") }
                #expect(failure.code == "timeout.attempt")
                #expect(failure.progress?.phase == .unknown)
                #expect(failure.response == nil)
            }
        }

        @Test("no connection was made", arguments: Content.allCases)
        func connecting(content: Content) async throws {
            let port = try ClosedPort.silent()
            try await expect(.connecting, from: port.origin, content, size: 1000)
            withExtendedLifetime(port) {}
        }

        @Test("the body was going out", arguments: Content.allCases)
        func sending(content: Content) async throws {
            let server = try RawServer.stalled()
            let clock = FirstBytesClock(server: server)
            try await expect(.sending, from: server.origin, content, size: 20_000_000, clock)
        }

        @Test("the whole request was out", arguments: Content.allCases)
        func waiting(content: Content) async throws {
            try await withServer { server in
                let clock = ArrivalClock(server: server, path: "/hang")
                try await expect(.waiting, from: server.url.absoluteString, content, size: 1000, clock)
            }
        }

        @Test("the head and some bytes of the response were there")
        func receiving() async throws {
            try await withServer { server in
                let client = try server.client(options: options(ArrivalClock(server: server, path: "/hang-body")))
                let failure = try await failed { try await client.get("/hang-body") }
                #expect(failure.code == "timeout.attempt")
                #expect(failure.progress?.phase == .receiving)
                #expect(failure.progress?.bytesReceived == 3)
                #expect(failure.response?.status == 200)
                #expect(failure.response?.body == Data("[1,".utf8))
            }
        }

        @Test("the call was in line for a connection when its deadline came")
        func queued() async throws {
            try await withServer { server in
                let client = try server.client(transport: URLSessionTransport(connectionsPerHost: 1))
                let first = Task { await client.perform(WholeResponse(target: "/hang")) }
                #expect(await server.waitForRequest(to: "/hang"))
                var second = client
                second.options.deadline = .seconds(10)
                let failure = try await failed { [second] in try await second.get("/books") }
                #expect(failure.code == "timeout.deadline")
                #expect(failure.progress?.phase == .queued)
                first.cancel()
                _ = await first.value
                #expect(server.requestCount(of: "/books") == 0)
            }
        }

        @Test("the limit of an attempt counts over its redirects, and every hop is there")
        func redirects() async throws {
            try await withServer { server in
                let client = try server.client(options: options(ArrivalClock(server: server, path: "/hang")))
                let failure = try await failed { try await client.get("/redirect?to=/hang") }
                #expect(failure.code == "timeout.attempt")
                let paths = failure.sentRequests.compactMap { ($0 as? HTTP.Request)?.url.path }
                #expect(paths == ["/redirect", "/hang"])
                #expect(failure.request?.url.path == "/hang")
            }
        }

        @Test("the limit of an attempt is longer for what was sent, and for what arrived, where each byte counts")
        func earned() async throws {
            #expect(try await limitsOfMovingBodies(URLSessionTransport()) == [.seconds(30), .seconds(13)])
        }

        private func options(_ clock: any CallClock) -> CallOptions {
            var options = CallOptions()
            options.clock = clock
            return options
        }

        private func expect(
            _ phase: TransportError.Phase, from origin: String, _ content: Content, size: Int,
            _ clock: any CallClock = SystemClock()
        ) async throws {
            try await withFile(of: Data(count: size)) { file in
                let client = try Client.standard(
                    baseURL: origin, retry: .never, attemptTimeout: .seconds(3), logging: nil,
                    options: options(clock), handling: .silent)
                let body: HTTP.Body =
                    switch content {
                    case .data: .data(Data(count: size))
                    case .file: .file(file)
                    case .stream:
                        .stream(length: Int64(size)) { pieces(of: Data(count: size)) }
                    case .streamOfUnknownLength:
                        .stream { pieces(of: Data(count: size)) }
                    }
                let failure = try await failed {
                    try await client.send(WholeResponse(method: .put, target: "/hang", body: body))
                }
                #expect(failure.code == "timeout.attempt")
                #expect(failure.progress?.phase == phase)
            }
        }
    }

    /// The real clock, whose limits are reached a second after the first bytes have arrived at a server.
    private struct FirstBytesClock: CallClock {
        private let clock = SystemClock()
        let server: RawServer

        var now: Duration { clock.now }
        var date: Duration { clock.date }

        func sleep(for duration: Duration) async throws {
            try await clock.sleep(for: duration)
        }

        func waitForLimit(_ duration: Duration) async throws {
            while server.requests.isEmpty {
                try await clock.sleep(for: .milliseconds(20))
            }
            // The server knows of the bytes before the client does.
            try await clock.sleep(for: .seconds(1))
        }
    }
#endif
