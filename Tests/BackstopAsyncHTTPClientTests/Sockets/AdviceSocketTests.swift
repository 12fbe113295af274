#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("What to do about a failure of async-http-client", .sockets)
    struct AdviceSocketTests {
        @Test("names the limit of header fields, which no option raises", arguments: [256, 257])
        func fields(count: Int) async throws {
            // given
            let fields = (1..<count).map { "X-\($0): 1\r\n" }.joined()
            let server = try RawServer.start(sending: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(fields)\r\n")
            // then
            guard count > 256 else {
                let response = try await fetch(server.origin)
                #expect(response.headers.fields.count == 256)
                return
            }
            let error = await #expect(throws: TransportError.self) { _ = try await fetch(server.origin) }
            #expect(error?.code == .tooLarge)
            let report = Failure(try #require(error)).report
            #expect(report.contains("at most 256"), "\(report)")
            #expect(!report.contains("responseLimit"), "\(report)")
        }

        @Test("names the client that the app has shut down")
        func shutdown() async throws {
            let client = HTTPClient(eventLoopGroupProvider: .singleton)
            try await client.shutdown()
            let error = await #expect(throws: TransportError.self) {
                _ = try await fetch("http://127.0.0.1:9/", by: AsyncHTTPClientTransport(client))
            }
            #expect(error?.code == .system)
            let report = Failure(try #require(error)).report
            #expect(report.contains("the app has shut its HTTPClient down"), "\(report)")
            #expect(report.contains("Shut the HTTPClient down after its last call"), "\(report)")
            #expect(!report.contains("disk space"), "\(report)")
        }

        @Test("names the limit of silence, and not that of an attempt")
        func silence() async throws {
            let port = try ClosedPort.deaf()
            let transport = try AsyncHTTPClientTransport(idleTimeout: .seconds(2))
            let client = try Client.standard(
                baseURL: port.origin, transport: transport, retry: .never, logging: nil, handling: .silent)
            let failure = try await failed { try await client.get("/") }
            #expect(failure.code == "timeout.attempt")
            #expect(failure.report.contains("raise the transport's idleTimeout"), "\(failure.report)")
            #expect(!failure.report.contains("AttemptTimeout"), "\(failure.report)")
        }
    }
#endif
