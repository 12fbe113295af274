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

        @Test("a redirect within the origin carries the cookies, and may set a new one") func redirect() async throws {
            try await withServer { server in
                let (client, _) = try makeClientWithCookies(baseURL: server.url.absoluteString)

                _ = try await client.get("cookie", query: ["name": "session", "value": "s1"])
                _ = try await client.get("redirect", query: ["to": "/cookie?name=session&value=s2"])
                _ = try await client.get("redirect", query: ["to": "/echo"])

                let redirected = await server.requests(to: "/redirect").map { $0.values(of: "Cookie") }
                #expect(redirected == [["session=s1"], ["session=s2"]])
                #expect(await server.requests(to: "/echo").map { $0.values(of: "Cookie") } == [["session=s2"]])
            }
        }

        @Test("a cookie among the headers of a request does not follow a redirect to another origin")
        func ownCookie() async throws {
            try await withServer { server in
                let (client, _) = try makeClientWithCookies(baseURL: server.url.absoluteString)

                _ = try await client.get("redirect-other", headers: [.cookie: "single=1"])

                let first = await server.requests(to: "/redirect-other").map { $0.values(of: "Cookie") }
                #expect(first == [["single=1"]])
                #expect(await server.requests(to: "/echo").map { $0.values(of: "Cookie") } == [[]])
            }
        }

        @Test("another port of the host gets the cookies as well, as in browsers") func otherPort() async throws {
            try await withServer { server in
                let (client, _) = try makeClientWithCookies(baseURL: server.url.absoluteString)

                _ = try await client.get("cookie", query: ["name": "session", "value": "s1"])
                _ = try await client.get(server.otherOrigin.absoluteString + "/echo")

                #expect(await server.requests(to: "/echo").map { $0.values(of: "Cookie") } == [["session=s1"]])
            }
        }
    }
#endif
