#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("The fault server", .sockets)
    struct FaultServerTests {
        @Test("every route of the listing has a path, a description and a handler")
        func routes() async throws {
            try await withServer { server in
                #expect(server.routes.count > 30)
                for route in server.routes {
                    #expect(route.path.hasPrefix("/"))
                    #expect(!route.description.isEmpty)
                    #expect(["GET", "POST"].contains(route.method))
                }
            }
        }

        @Test("a session of the system's client reads it over a connection that stays open")
        func systemClient() async throws {
            try await withServer { server in
                let session = URLSession(configuration: .ephemeral)
                for _ in 1...20 {
                    let url = server.url.appendingPathComponent("books")
                    let (data, response) = try await session.data(from: url)
                    #expect((response as? HTTPURLResponse)?.statusCode == 200)
                    #expect(data.count == 83)
                }
                #expect(server.requestCount(of: "/books") == 20)
                session.invalidateAndCancel()
            }
        }

        @Test("a thousand connections are served at once")
        func manyConnections() async throws {
            try await withServer { server in
                var clients: [RawClient] = []
                for _ in 1...1000 { clients.append(try await RawClient(server.url)) }
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for client in clients {
                        group.addTask {
                            for _ in 1...3 {
                                try await client.request("/status/200")
                                guard try await client.read(until: "200 OK\n").hasPrefix("HTTP/1.1 200 OK") else {
                                    return false
                                }
                            }
                            return true
                        }
                    }
                    for try await isServed in group { #expect(isServed) }
                }
                #expect(server.requestCount(of: "/status/200") == 3000)
                for client in clients { await client.close() }
            }
        }

        @Test("stopping closes a thousand hanging connections")
        func stopping() async throws {
            let server = try await FaultServer.start()
            var clients: [RawClient] = []
            for _ in 1...1000 {
                let client = try await RawClient(server.url)
                try await client.request("/hang")
                clients.append(client)
            }
            #expect(await server.waitForRequest(to: "/hang", count: 1000))

            await server.stop()
            await server.stop()

            for client in clients {
                #expect(try await client.readToEnd().text == "")
                await client.close()
            }
            #expect(server.disconnections(of: "/hang") == 0)
        }

        @Test("after stopping, the port is free for another server")
        func restarting() async throws {
            let first = try await FaultServer.start()
            let port = try UInt16(#require(first.url.port))
            let reply = try await first.url.reply(to: "/books")
            #expect(reply.status == 200)
            await first.stop()

            try await withServer(.init(port: port)) { second in
                #expect(second.url == first.url)
                let reply = try await second.url.reply(to: "/books")
                #expect(reply.status == 200)
            }
        }

        @Test("a port that is taken, or an option out of range, is an error at the start")
        func wrongOptions() async throws {
            try await withServer { server in
                let port = try UInt16(#require(server.url.port))
                await #expect(throws: FaultServer.StartError.self) {
                    try await FaultServer.start(.init(port: port))
                }
            }
            await #expect(throws: FaultServer.StartError.negativeRetryAfter(-1)) {
                try await FaultServer.start(.init(retryAfter: -1))
            }
        }

        @Test("the record keeps the latest 10,000 requests and counts all of them")
        func bounded() {
            var log = RequestLog()
            for number in 0..<25_000 {
                log.append(
                    RecordedRequest(
                        method: "GET", target: "/a?\(number)", path: "/a", headers: [:], body: Data(),
                        isOtherOrigin: false))
            }
            #expect(log.count(of: "/a") == 25_000)
            #expect(log.requests(to: "/a").map(\.target) == (15_000..<25_000).map { "/a?\($0)" })
            #expect(log.requests(to: "/b").isEmpty)
        }

        @Test("waiting ends when the task is cancelled")
        func cancelledWait() async throws {
            try await withServer { server in
                let waiting = Task { await server.waitForDisconnection(of: "/hang") }
                waiting.cancel()
                #expect(await waiting.value == false)
            }
        }
    }
#endif
