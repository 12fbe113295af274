#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Connections that wait too long for a request", .sockets)
    struct IdleConnectionsTests {
        @Test(
            "a connection that sends no request, or only a part of one, is closed at the limit",
            arguments: ["", "GET /books HTTP/1.1\r\n", "POST /echo HTTP/1.1\r\nContent-Length: 2\r\n\r\n1"])
        func closed(_ part: String) async throws {
            try await withServer(.init(idleLimit: .milliseconds(50))) { server in
                let client = try await RawClient(server.url)
                try await client.send(part)
                let (answer, end) = try await client.readToEnd()
                #expect(answer.isEmpty == part.isEmpty)
                #expect(end == .closed)
                await client.close()
            }
        }

        @Test("a connection is ended behind the limit and not before, and not while its request is answered")
        func limit() async throws {
            try await withServer { server in
                // given: the client's side, which can be looked at
                let client = try await RawClient(server.url)
                let idle = IdleConnections(limit: .seconds(300))
                let start = ContinuousClock.Instant.now
                // when
                try await idle.waiting(with: client.connection, since: start) {
                    idle.endExpired(at: start + .seconds(300))
                    try await client.request("/status/200")
                    #expect(try await client.read(until: "200 OK\n").hasPrefix("HTTP/1.1 200"))
                }
                idle.endExpired(at: start + .seconds(301))
                try await client.request("/status/201")
                #expect(try await client.read(until: "201 Created\n").hasPrefix("HTTP/1.1 201"))
                // then
                let bytes = try await idle.waiting(with: client.connection, since: start) {
                    idle.endExpired(at: start + .seconds(301))
                    return try await client.connection.read()
                }
                #expect(bytes == nil)
                await client.close()
            }
        }
    }
#endif
