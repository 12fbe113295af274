#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("The recipe for certificates", .sockets)
    struct ChallengeTransportTests {
        private func withClient(_ body: (Client, FaultServer) async throws -> Void) async throws {
            let server = try await FaultServer.start()
            let transport = ChallengeTransport { _ in (.performDefaultHandling, nil) }
            try await body(
                try Client.standard(
                    baseURL: server.url.absoluteString, transport: transport, retry: .never, logging: nil), server)
            await server.stop()
        }

        @Test("a request goes out whole, and its response comes back") func echo() async throws {
            try await withClient { client, server in
                let response = try await client.post(
                    "echo", headers: ["X-Tenant": "north", "Content-Type": "text/plain"], body: .text("hello"))

                #expect(response.mediaType == "application/json")
                let sent = try #require(await server.requests(to: "/echo").first)
                #expect(sent.method == "POST")
                #expect(sent.values(of: "X-Tenant") == ["north"])
                #expect(sent.body == Data("hello".utf8))
            }
        }

        @Test("what the system throws is the failure that it means") func failures() async throws {
            let transport = ChallengeTransport { _ in (.performDefaultHandling, nil) }
            let client = try Client.standard(
                baseURL: "http://127.0.0.1:1", transport: transport, retry: .never, logging: nil)

            let failure = await #expect(throws: Failure.self) { _ = try await client.get("books") }

            #expect(failure?.code == "transport.refused")
        }
    }
#endif
