#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("Connections that are served", .sockets)
    struct SessionTests {
        @Test("a session of the system's client reads it over a connection that stays open")
        func systemClient() async throws {
            try await withServer { server in
                let session = URLSession(configuration: .ephemeral)
                for _ in 1...20 {
                    let url = server.url.appendingPathComponent("books")
                    let (data, response) = try await Turns.foundation.alone { try await session.data(from: url) }
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
    }
#endif
