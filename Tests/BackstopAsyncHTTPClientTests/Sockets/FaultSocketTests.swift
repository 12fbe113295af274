#if AsyncHTTPClient && Demo
    import BackstopAsyncHTTPClient
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("Faults of the network, by async-http-client", .sockets)
    struct FaultSocketTests {
        @Test(
            "are named after what happened, and when",
            arguments: [
                ("/cut", "transport.truncated", TransportError.Phase.receiving),
                ("/cut-chunked", "transport.truncated", .receiving),
                ("/reset", "transport.lost", .waiting),
                ("/reset-midway", "transport.lost", .receiving),
                ("/not-http", "transport.badResponse", .receiving),
                ("/redirect-loop", "transport.redirects", .receiving),
                ("/redirect?to=ftp%3A%2F%2Fa%2F", "transport.redirectRefused", .receiving),
            ])
        func routes(target: String, code: String, phase: TransportError.Phase) async throws {
            try await withServer { server in
                let client = try server.client()
                let failure = try await failed { try await client.get(target) }
                #expect(failure.code == code, "\(failure.report)")
                guard case .transport(let error) = failure.reason else {
                    Issue.record("\(failure.reason)")
                    return
                }
                #expect(error.phase == phase)
            }
        }

        @Test("tell a closed port, a name without an address and an address without a route apart")
        func connecting() async throws {
            let port = try ClosedPort.refusing()
            for (target, code) in [
                (port.origin, TransportError.Code.refused), ("http://no-such-host.invalid/", .dns),
            ] {
                let error = await #expect(throws: TransportError.self) { _ = try await fetch(target) }
                #expect(error?.code == code, "\(String(describing: error))")
                #expect(error?.phase == .connecting)
            }
        }

        @Test(
            "are found in the bytes of a response",
            arguments: [
                ("", TransportError.Code.lost, TransportError.Phase.waiting),
                ("HTTP/1.1 200 O", .lost, .waiting),
                ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok", .truncated, .receiving),
                ("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nok", .badResponse, .receiving),
                ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", .badResponse, .receiving),
                ("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nok", .tooLarge, .receiving),
                ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .badResponse, .receiving),
                ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Encoding: gzip\r\n\r\nok", .badResponse, .receiving),
                ("HTTP/1.1 200 OK\r\nA b: c\r\n\r\nok", .badResponse, .receiving),
            ])
        func bytes(bytes: String, code: TransportError.Code, phase: TransportError.Phase) async throws {
            let server = try RawServer.start(sending: bytes)
            let error = await #expect(throws: TransportError.self) { _ = try await fetch(server.origin) }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(error?.phase == phase)
        }

        @Test("send a POST once, on a kept connection as well", arguments: ["/reset", "/cut", "/cut-chunked"])
        func once(path: String) async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                _ = try await client.get("/echo")
                let post = Failing(target: path)
                let failure = try await failed { try await client.send(post) }
                #expect(failure.attempts.count == 1)
                #expect(server.requestCount(of: path) == 1)
            }
        }

        @Test("are retried for a GET, as any failure of the transport")
        func retried() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let failure = try await failed { try await client.get("/reset") }
                #expect(failure.attempts.count == 3)
                #expect(server.requestCount(of: "/reset") == 3)
            }
        }

        @Test("end at the limit of the response, to the byte", arguments: [false, true])
        func limit(isChunked: Bool) async throws {
            try await withServer { server in
                let target = server.target("/big?bytes=100000&chunked=\(isChunked ? 1 : 0)")
                let whole = try await fetch(
                    target, by: AsyncHTTPClientTransport(responseLimit: 100_000))
                #expect(whole.body.count == 100_000)
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(target, by: AsyncHTTPClientTransport(responseLimit: 99_999))
                }
                #expect(error?.code == .tooLarge)
                #expect(error?.phase == .receiving)
            }
        }

        @Test("end at the limit when the content is decoded, to the byte")
        func decodedLimit() async throws {
            try await withServer { server in
                let target = server.target("/gzip")
                let whole = try await fetch(target, by: AsyncHTTPClientTransport(responseLimit: 5011))
                #expect(whole.body.count == 5011)
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(target, by: AsyncHTTPClientTransport(responseLimit: 5010))
                }
                #expect(error?.code == .tooLarge)
            }
        }

        @Test("count a million chunks of one byte within the limit, and no further")
        func smallChunks() async throws {
            let chunk = "1\r\nx\r\n"
            let server = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: chunk, count: 200_000) + "0\r\n\r\n")
            let whole = try await fetch(server.origin, by: AsyncHTTPClientTransport(responseLimit: 200_000))
            #expect(whole.body.count == 200_000)
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch(server.origin, by: AsyncHTTPClientTransport(responseLimit: 199_999))
            }
            #expect(error?.code == .tooLarge)
        }

        @Test("end at the limit of the attempt, wherever the exchange is", arguments: ["/hang", "/hang-body"])
        func attemptLimit(path: String) async throws {
            try await withServer { server in
                var options = CallOptions()
                options.clock = ArrivalClock(server: server, path: path)
                let client = try server.client(attemptTimeout: .seconds(7), options: options)
                let failure = try await failed { try await client.get(path) }
                #expect(failure.code == "timeout.attempt")
                #expect(failure.report.contains("7 s"))
            }
        }

        @Test("end later for what was sent, and for what arrived, where each byte counts")
        func earned() async throws {
            #expect(try await limitsOfMovingBodies(AsyncHTTPClientTransport()) == [.seconds(30), .seconds(13)])
        }

        @Test("end after the longest time without a byte, which each byte begins anew")
        func idle() async throws {
            try await withServer { server in
                let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(8))
                let steady = try await fetch(server.target("/slow?chunks=20&ms=500"), by: transport)
                #expect(steady.status == 200)
                let error = await #expect(throws: TimeoutError.self) {
                    _ = try await fetch(server.target("/hang-body"), by: transport)
                }
                #expect(error == TimeoutError(.attempt, after: .seconds(8)))
            }
        }

        @Test("end at the cancellation of the task, at once, and the server sees the connection close")
        func cancelled() async throws {
            try await withServer { server in
                let call = Task { try await fetch(server.target("/hang")) }
                _ = await server.waitForRequest(to: "/hang")
                call.cancel()
                await #expect(throws: CancellationError.self) { _ = try await call.value }
            }
        }

        @Test("wait for a connection in line, and say so when none is free in time")
        func queued() async throws {
            try await withServer { server in
                let transport = try AsyncHTTPClientTransport(connectionsPerHost: 1)
                let first = Task { try await fetch(server.target("/hang"), by: transport) }
                _ = await server.waitForRequest(to: "/hang")
                var options = CallOptions()
                options.clock = ArrivalClock(server: server, path: "/hang")
                let context = CallContext(options: options)
                let error = await #expect(throws: TimeoutError.self) {
                    _ = try await fetch(server.target("/echo"), by: transport, context: context)
                }
                #expect(error?.kind == .connection)
                first.cancel()
                _ = try? await first.value
            }
        }

        @Test("do not happen to 500 calls at once")
        func many() async throws {
            try await withServer { server in
                let client = try server.client()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<500 {
                        group.addTask { try await client.get("/echo").status }
                    }
                    for try await status in group {
                        #expect(status == 200)
                    }
                }
                #expect(server.requestCount(of: "/echo") == 500)
            }
        }
    }

    /// A POST that fails.
    private struct Failing: Endpoint {
        let target: String

        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(.post, target, body: .text("a=1"))
        }

        func content(from response: HTTP.Response) throws {}
    }

    /// The real clock, whose limits are reached when a request has arrived at a server.
    private struct ArrivalClock: CallClock {
        private let clock = SystemClock()
        let server: FaultServer
        let path: String

        var now: Duration { clock.now }
        var date: Duration { clock.date }

        func sleep(for duration: Duration) async throws {
            try await clock.sleep(for: duration)
        }

        func waitForLimit(_ duration: Duration) async throws {
            guard await server.waitForRequest(to: path) else {
                throw CancellationError()
            }
        }
    }
#endif
