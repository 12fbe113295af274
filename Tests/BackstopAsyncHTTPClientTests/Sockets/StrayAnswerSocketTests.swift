#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import Backstop
    import BackstopAsyncHTTPClient
    import BackstopCore
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("What async-http-client does not expect over HTTP/1.1", .sockets)
    struct StrayAnswerSocketTests {
        @Test(
            "a status below 100 is refused, also on a hardened client of the app", arguments: ["000", "001", "099"],
            [false, true])
        func status(_ status: String, isOfApp: Bool) async throws {
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: AsyncHTTPClientTransport.hardened(AsyncHTTPClientTransport.standardConfiguration))
            let transport = isOfApp ? AsyncHTTPClientTransport(client) : AsyncHTTPClientTransport()
            for rest in ["Content-Length: 2\r\n\r\nok", "Content-Length: 0\r\n\r\n", "\r\nok"] {
                let server = try RawServer.start(sending: "HTTP/1.1 \(status) X\r\n\(rest)")
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(server.origin, by: transport)
                }
                #expect(error?.code == .badResponse)
                #expect(error?.phase == .receiving)
                #expect(error?.detail.contains(status) == true)
            }
            try await client.shutdown()
        }

        @Test("an answer on an idle connection is at most the loss of that connection", arguments: [1, 8])
        func idle(width: Int) async throws {
            let server = try WireServer { connection in
                for number in 1...3 {
                    _ = try connection.readSome()
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
                    if number == 3 {
                        try connection.send(
                            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8)
                    }
                }
            }
            defer { server.stop() }
            let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(600), connectionsPerHost: width)
            let ends = Notes<String>()
            let url = server.origin
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        for _ in 0..<50 {
                            do {
                                ends.add("\(try await fetch(url, by: transport).status)")
                            } catch let error as TransportError {
                                ends.add(error.code.name)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let counts = Dictionary(ends.all.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(Set(counts.keys).isSubset(of: ["200", "408", "lost"]), "\(counts)")
        }

        @Test("a redirect before the end of its connection is followed on another one", arguments: [1, 8])
        func redirect(width: Int) async throws {
            let server = try WireServer { connection in
                let isFirst = String(decoding: try connection.readSome(), as: UTF8.self).hasPrefix("GET / ")
                try connection.send(
                    (isFirst
                        ? "HTTP/1.1 302 Found\r\nLocation: /to\r\nContent-Length: 0\r\n\r\n"
                        : "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok").utf8)
            }
            defer { server.stop() }
            let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(600), connectionsPerHost: width)
            for _ in 0..<200 {
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
            }
        }

        @Test("a DELETE that a redirect led to, and that was sent twice, is to be checked when its item is gone")
        func gone() async throws {
            let server = try WireServer { connection in
                let isFirst = String(decoding: try connection.readSome(), as: UTF8.self).hasPrefix("DELETE /from")
                try connection.send(
                    (isFirst
                        ? "HTTP/1.1 307 Temporary Redirect\r\nLocation: /to\r\nContent-Length: 0\r\n\r\n"
                        : "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").utf8)
                if isFirst { _ = try connection.readSome() }
            }
            defer { server.stop() }
            let client = try Client.standard(
                baseURL: server.origin, transport: AsyncHTTPClientTransport(), retry: .never, logging: nil)
            var counts: Set<Int> = []
            for _ in 0..<20 {
                let failure = try #require(await client.perform(.delete("from")) { On(.any) { _ in } }.failure)
                #expect(failure.code == "status.404")
                #expect(failure.mayHaveWorked == (failure.sentRequests.count == 3))
                counts.insert(failure.sentRequests.count)
            }
            #expect(counts.contains(3), "the kept connection is taken for the redirect, as a rule")
        }

        @Test("the response of a failure has at most 64 KiB of what has arrived")
        func partial() async throws {
            let server = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + String(repeating: "a", count: 100_000))
            let context = CallContext()
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch(server.origin, context: context)
            }
            #expect(error?.bytesReceived == 100_000)
            #expect((context.receivedResponse as? HTTP.Response)?.body.count == 65_536)
        }

        @Test("an upload is read no further once its call has ended")
        func uploadStops() async throws {
            let server = try WireServer { connection in
                while true { _ = try connection.readSome() }
            }
            defer { server.stop() }
            let begun = Gate()
            let ended = Gate()
            let url = server.origin
            let call = Task {
                let body = HTTP.Body.stream {
                    AsyncStream<Data> { continuation in
                        continuation.onTermination = { _ in ended.open() }
                        continuation.yield(Data("a".utf8))
                        begun.open()
                    }
                }
                return try await fetch(url, method: .put, body: body)
            }
            await begun.pass()
            call.cancel()
            await #expect(throws: CancellationError.self) { _ = try await call.value }
            await ended.pass()
        }
    }
#endif
