#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("A redirect and what it carries along", .sockets)
    struct RedirectOriginTests {
        private static let headers: HTTP.Headers = [
            "Authorization": "Bearer hunter2", "Cookie": "id=hunter2", "Proxy-Authorization": "Basic hunter2",
            "X-Api-Key": "hunter2", "X-Color": "blue",
        ]

        @Test("to another origin leaves the credentials behind, and nothing else", arguments: [302, 303, 307, 308])
        func otherOrigin(status: Int) async throws {
            try await withServer { server in
                let response = try await server.client().get("/redirect-other?status=\(status)", headers: Self.headers)
                #expect(response.url?.port == server.otherOrigin.port)
                let first = try await server.onlyRequest(to: "/redirect-other")
                #expect(first.values(of: "Authorization") == ["Bearer hunter2"])
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.isOtherOrigin)
                #expect(!second.headers.values.joined().joined().contains("hunter2"))
                #expect(second.values(of: "X-Color") == ["blue"])
                #expect(second.values(of: "Host") == ["127.0.0.1:\(server.otherOrigin.port ?? 0)"])
            }
        }

        @Test(
            "keeps the idempotency key, without which the other origin would do the work twice", arguments: [307, 308])
        func idempotencyKey(status: Int) async throws {
            try await withServer { server in
                var headers = Self.headers
                headers[.idempotencyKey] = "order-42"
                let call = WholeResponse(
                    method: .post, target: "/redirect-other?status=\(status)", headers: headers, body: .text("{}"))
                _ = try await server.client().send(call)
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.isOtherOrigin)
                #expect(second.method == "POST")
                #expect(second.values(of: "Idempotency-Key") == ["order-42"])
                #expect(second.values(of: "Authorization").isEmpty)
            }
        }

        @Test(
            "that leads to where nothing can be sent is the server's fault",
            arguments: [
                "http://127.0.0.1:0/", "http://127.0.0.1:70000/", "http://a b/", "ftp://127.0.0.1/", "http://[::1/",
                "http://%zz/",
            ])
        func unusableTarget(target: String) async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let failure = try await failed { try await client.get("/redirect?to=\(percentEncoded(target))") }
                #expect(failure.code == "transport.redirectRefused", "\(failure.report)")
                #expect(server.requestCount(of: "/redirect") == 1)
            }
        }

        @Test("to the same origin keeps the credentials")
        func sameOrigin() async throws {
            try await withServer { server in
                _ = try await server.client().get("/redirect?to=/echo", headers: Self.headers)
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.values(of: "Authorization") == ["Bearer hunter2"])
                #expect(second.values(of: "Cookie") == ["id=hunter2"])
                #expect(second.values(of: "X-Api-Key") == ["hunter2"])
            }
        }

        @Test("to another origin and back does not get the credentials again")
        func thereAndBack() async throws {
            try await withServer { server in
                let back = try percentEncoded(server.target("/echo"))
                let there = try percentEncoded("\(server.otherOrigin.absoluteString)/redirect?to=\(back)")
                _ = try await server.client().get("/redirect?to=\(there)", headers: Self.headers)
                let last = try await server.onlyRequest(to: "/echo")
                #expect(!last.isOtherOrigin)
                #expect(last.values(of: "Authorization").isEmpty)
            }
        }

        @Test("leaves behind the credentials that the session's configuration adds")
        func configuredCredentials() async throws {
            try await withServer { server in
                let configuration = URLSessionTransport.standardConfiguration
                configuration.httpAdditionalHeaders = ["Authorization": "Bearer hunter2", "X-Color": "blue"]
                let client = try server.client(transport: try URLSessionTransport(configuration: configuration))
                _ = try await client.get("/redirect-other")
                let first = try await server.onlyRequest(to: "/redirect-other")
                #expect(first.values(of: "Authorization") == ["Bearer hunter2"])
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.values(of: "Authorization").isEmpty)
                #expect(second.values(of: "X-Color") == ["blue"])
            }
        }

        @Test("tells observers what the session adds by itself, also its cookies, which replace those of the request")
        func whatTheSessionAdds() async throws {
            try await withServer { server in
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpAdditionalHeaders = ["Authorization": "Bearer hunter2"]
                let cookie = HTTPCookie(properties: [
                    .name: "session", .value: "hunter3", .domain: "127.0.0.1", .path: "/",
                ])
                configuration.httpCookieStorage?.setCookie(try #require(cookie))
                let observer = RecordingObserver()
                let client = try server.client(transport: try URLSessionTransport(configuration: configuration))
                    .withOptions { $0.observers = [observer] }
                _ = try await client.send(WholeResponse(target: "/echo", headers: ["Cookie": "mine=3"]))
                let sent = try await server.onlyRequest(to: "/echo")
                #expect(sent.values(of: "Authorization") == ["Bearer hunter2"])
                #expect(sent.values(of: "Cookie") == ["session=hunter3"])
                let seen = try #require(observer.calls.first?.request as? HTTP.Request)
                #expect(seen.headers[.authorization] == "Bearer hunter2")
                #expect(seen.headers[.cookie] == "session=hunter3")
            }
        }

        @Test("drops the user and password that its target names")
        func userInfo() async throws {
            try await withServer { server in
                let target = server.target("/echo").replacingOccurrences(of: "http://", with: "http://eve:hunter2@")
                let response = try await server.client().get("/redirect?to=\(percentEncoded(target))")
                #expect(response.url?.user == nil)
                let second = try await server.onlyRequest(to: "/echo")
                #expect(second.values(of: "Authorization").isEmpty)
            }
        }

        @Test("is noted in the trace, without secrets")
        func trace() async throws {
            try await withServer { server in
                let context = CallContext()
                let target = try percentEncoded("\(server.otherOrigin.absoluteString)/echo?page=2&token=hunter2")
                let request = try HTTP.Request(
                    .post, server.target("/redirect?to=\(target)"), headers: Self.headers, body: .text("{}"))
                _ = try await URLSessionTransport().send(request, context: context)
                let notes = context.trace.events.filter { $0.name == "redirect" }
                #expect(notes.count == 1)
                let text = try #require(notes.first?.text)
                #expect(text.hasPrefix("302 to \(server.otherOrigin.absoluteString)/echo?page=2"))
                #expect(text.hasSuffix("(now GET, credentials dropped)"))
                #expect(!text.contains("hunter2"))
            }
        }

        @Test("gives a failure with the request as it was sent last")
        func failureAfterRedirect() async throws {
            try await withServer { server in
                let client = try server.client()
                let failure = try await failed {
                    try await client.get("/redirect?to=/status/404", headers: Self.headers)
                }
                #expect(failure.code == "status.404")
                #expect(failure.request?.url.absoluteString == server.target("/status/404"))
                let asked = failure.originalRequest as? HTTP.Request
                #expect(asked?.url.absoluteString == server.target("/redirect?to=/status/404"))
                #expect(failure.sentRequests.count == 2)
            }
        }
    }

    /// A text as the value of a query item.
    func percentEncoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }
#endif
