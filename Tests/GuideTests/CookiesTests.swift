#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("The recipe for cookies", .sockets)
    struct CookiesTests {
        @Test("a cookie that the server sets comes with the next request, and with no other client's")
        func kept() async throws {
            let server = try await FaultServer.start()
            let (client, cookies) = try makeClientWithCookies(baseURL: server.url.absoluteString)
            let (other, _) = try makeClientWithCookies(baseURL: server.url.absoluteString)

            _ = try await client.get("cookie", query: ["name": "session", "value": "s1"])
            _ = try await client.get("echo")
            _ = try await other.get("echo")
            cookies?.removeCookies(since: .distantPast)
            _ = try await client.get("echo")

            let sent = await server.requests(to: "/echo").map { $0.values(of: "Cookie") }
            #expect(sent == [["session=s1"], [], []])
            await server.stop()
        }
    }
#endif
