#if AsyncHTTPClient && Demo
    import BackstopAsyncHTTPClient
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("Redirects by async-http-client", .sockets)
    struct RedirectSocketTests {
        private static let headers: HTTP.Headers = [
            "Authorization": "Bearer hunter2", "Cookie": "id=hunter2", "X-Api-Key": "hunter2", "X-Color": "blue",
        ]

        @Test("to another origin leave the credentials behind, and nothing else", arguments: [301, 302, 303, 307, 308])
        func otherOrigin(status: Int) async throws {
            try await withServer { server in
                let response = try await fetch(
                    server.target("/redirect-other?status=\(status)"), headers: Self.headers)
                #expect(response.url?.port == server.otherOrigin.port)
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.isOtherOrigin)
                #expect(!second.headers.values.joined().joined().contains("hunter2"))
                #expect(second.values(of: "X-Color") == ["blue"])
                #expect(second.values(of: "Host") == ["127.0.0.1:\(server.otherOrigin.port ?? 0)"])
            }
        }

        /// RFC 9110, 15.4, and what browsers do (Fetch, 4.4).
        @Test(
            "change the method and drop the content as browsers do",
            arguments: [
                (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
                (301, "PUT", "PUT"), (302, "PATCH", "PATCH"), (307, "POST", "POST"), (308, "POST", "POST"),
            ])
        func method(status: Int, method: String, then: String) async throws {
            try await withServer { server in
                _ = try await fetch(
                    server.target("/redirect?to=/echo&status=\(status)"), method: HTTP.Method(method),
                    headers: ["Content-Type": "text/plain"], body: .text("hello"))
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.method == then)
                #expect(second.body == Data((then == "GET" ? "" : "hello").utf8))
                #expect(second.values(of: "Content-Type") == (then == "GET" ? [] : ["text/plain"]))
            }
        }

        @Test("come back as they are where none are followed", arguments: [301, 302, 303, 307, 308])
        func none(status: Int) async throws {
            try await withServer { server in
                let transport = try AsyncHTTPClientTransport(maximumRedirects: 0)
                let response = try await fetch(
                    server.target("/redirect?to=/echo&status=\(status)"), by: transport)
                #expect(response.status == status)
                #expect(response.headers[.location] == "/echo")
                #expect(response.body == Data("See /echo\n".utf8))
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("are counted", arguments: [(3, true), (4, false)])
        func count(number: Int, isFollowed: Bool) async throws {
            try await withServer { server in
                var target = "/echo"
                for _ in 0..<number {
                    target = try "/redirect?to=\(percentEncoded(target))"
                }
                let client = try server.client(transport: AsyncHTTPClientTransport(maximumRedirects: 3))
                let path = target
                if isFollowed {
                    _ = try await client.get(path)
                } else {
                    let failure = try await failed { try await client.get(path) }
                    #expect(failure.code == "transport.redirects")
                }
                #expect(server.requestCount(of: "/echo") == (isFollowed ? 1 : 0))
            }
        }

        @Test("lead to an IPv6 address")
        func ipv6() async throws {
            let end = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", address: .ipv6)
            try await withServer { server in
                let target = try server.target("/redirect?to=\(percentEncoded(end.origin + "/"))")
                let response = try await fetch(target, headers: Self.headers)
                #expect(response.body == Data("ok".utf8))
                #expect(end.requests.first?.contains("hunter2") == false)
            }
        }

        @Test("stand in the failure that follows, each as it was sent")
        func failure() async throws {
            try await withServer { server in
                let client = try server.client()
                let failure = try await failed { try await client.get("/redirect?to=/status/404") }
                #expect(failure.code == "status.404")
                #expect(failure.sentRequests.count == 2)
                #expect(failure.request?.url.absoluteString == server.target("/status/404"))
            }
        }
    }
#endif
