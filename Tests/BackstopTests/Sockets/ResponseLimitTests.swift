#if Demo
    import Backstop
    import BackstopCore
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("A response larger than the limit", .sockets)
    struct ResponseLimitTests {
        private static let limit = 100_000

        @Test("is not read at all where its length is announced")
        func announced() async throws {
            try await withServer { server in
                let (failure, error) = try await refusal("/big?bytes=1000000000000", from: server)
                #expect(error.bytesReceived == 0)
                #expect(failure.response?.body.isEmpty == true)
                #expect(await server.waitForDisconnection(of: "/big"))
            }
        }

        @Test("stops being read at the limit where its length is not announced")
        func chunked() async throws {
            try await withServer { server in
                let (failure, error) = try await refusal("/big?bytes=1000000000000&chunked=1", from: server)
                let received = try #require(error.bytesReceived)
                #expect(received > Int64(Self.limit))
                #expect(received <= Int64(Self.limit + 65_536))
                let body = try #require(failure.response?.body)
                #expect(!body.isEmpty)
                #expect(body.count <= Self.limit)
                #expect(await server.waitForDisconnection(of: "/big"))
            }
        }

        @Test("is not asked for again")
        func notRetried() async throws {
            try await withServer { server in
                let transport = try URLSessionTransport(responseLimit: 10)
                let client = try server.client(transport: transport, retry: .quick())
                let failure = try await failed { try await client.get("/books") }
                #expect(failure.stopReason == .notRetryable)
                #expect(server.requestCount(of: "/books") == 1)
            }
        }

        @Test("stops no call beside it")
        func neighbours() async throws {
            try await withServer { server in
                let client = try server.client(transport: try URLSessionTransport(responseLimit: Self.limit))
                async let refused = failed { try await client.get("/big?bytes=1000000000000&chunked=1") }
                async let accepted = client.get("/books")
                #expect(try await refused.code == "transport.tooLarge")
                #expect(try await accepted.status == 200)
            }
        }

        @Test("is one with one byte more than the limit", arguments: [false, true])
        func exactly(isChunked: Bool) async throws {
            try await withServer { server in
                let client = try server.client(transport: try URLSessionTransport(responseLimit: Self.limit))
                let query = isChunked ? "&chunked=1" : ""
                let response = try await client.get("/big?bytes=\(Self.limit)\(query)")
                #expect(response.body.count == Self.limit)
                let failure = try await failed { try await client.get("/big?bytes=\(Self.limit + 1)\(query)") }
                #expect(failure.code == "transport.tooLarge")
            }
        }

        private func refusal(
            _ target: String, from server: FaultServer
        ) async throws -> (failure: Failure, error: TransportError) {
            let client = try server.client(transport: try URLSessionTransport(responseLimit: Self.limit))
            let failure = try await failed { try await client.get(target) }
            #expect(failure.response?.status == 200)
            #expect(failure.response?.headers[.contentType] == "application/octet-stream")
            guard case .transport(let error) = failure.reason else {
                throw failure
            }
            #expect(error.code == .tooLarge)
            #expect(error.phase == .receiving)
            return (failure, error)
        }
    }

    #if canImport(FoundationNetworking)
        @Suite("A response larger than the limit, in a process of its own", .exits)
        struct ResponseLimitExitTests {
            @Test("that comes in chunks of one byte leaves the calls beside it their time limits")
            func tinyChunks() async {
                // In a process of its own, because Foundation reads nothing else meanwhile.
                await #expect(processExitsWith: .success) {
                    let flowing = Gate()
                    let flood = try WireServer { connection in
                        _ = try connection.readSome()
                        try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                        let chunks = Array(String(repeating: "1\r\na\r\n", count: 10_000).utf8)
                        for _ in 0..<20 { try connection.send(chunks) }
                        flowing.open()
                        while true { try connection.send(chunks) }
                    }
                    let silent = try WireServer { connection in
                        while true { _ = try connection.readSome() }
                    }
                    let isOver = Lock(false)
                    let transport = URLSessionTransport()
                    let reading = Task {
                        let client = try Client.standard(
                            baseURL: flood.origin, transport: transport, retry: .never, attemptTimeout: nil,
                            logging: nil)
                        _ = await client.result(of: .get("flood"))
                        isOver.withLock { $0 = true }
                    }
                    await flowing.pass()
                    let client = try Client.standard(
                        baseURL: silent.origin, transport: transport, retry: .never,
                        attemptTimeout: .milliseconds(100), logging: nil)
                    await withTaskGroup(of: String?.self) { group in
                        for _ in 0..<8 { group.addTask { await client.result(of: .get("slow")).failure?.code } }
                        for await code in group { #expect(code == "timeout.attempt") }
                    }
                    #expect(!isOver.withLock { $0 })
                    reading.cancel()
                    flood.stop()
                    silent.stop()
                }
            }
        }
    #endif
#endif
