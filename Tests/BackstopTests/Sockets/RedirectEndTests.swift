#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("A redirect that is not followed", .sockets)
    struct RedirectEndTests {
        @Test("is followed to the end where cookies are kept, since the same request may get another answer")
        func loopWithCookies() async throws {
            try await withServer { server in
                let configuration = URLSessionTransport.standardConfiguration
                configuration.httpCookieStorage = HTTPCookieStorage.shared
                let transport = try URLSessionTransport(configuration: configuration, maximumRedirects: 3)
                let client = try server.client(transport: transport)
                let failure = try await failed { try await client.get("/redirect-loop") }
                #expect(failure.code == "transport.redirects")
                #expect(server.requestCount(of: "/redirect-loop") == 4)
            }
        }

        @Test("leads in a loop")
        func loop() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let failure = try await failed { try await client.get("/redirect-loop") }
                #expect(failure.code == "transport.redirects")
                #expect(failure.response?.status == 302)
                #expect(server.requestCount(of: "/redirect-loop") == 1)
            }
        }

        @Test("is one more than the limit")
        func tooMany() async throws {
            try await withServer { server in
                let transport = try URLSessionTransport(maximumRedirects: 3)
                let client = try server.client(transport: transport, retry: .quick())
                _ = try await client.get(chain(of: 3))
                #expect(server.requestCount(of: "/echo") == 1)
                let four = try chain(of: 4)
                let failure = try await failed { try await client.get(four) }
                #expect(failure.code == "transport.redirects")
                #expect(server.requestCount(of: "/redirect") == 7)
                #expect(server.requestCount(of: "/echo") == 1)
            }
        }

        @Test("comes back as it is where none are followed", arguments: [301, 302, 303, 307, 308])
        func none(status: Int) async throws {
            try await withServer { server in
                let transport = try URLSessionTransport(maximumRedirects: 0)
                let request = try HTTP.Request(.get, server.target("/redirect?to=/echo&status=\(status)"))
                let response = try await transport.send(request, context: CallContext())
                #expect(response.status == status)
                #expect(response.headers[.location] == "/echo")
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("leads to a scheme other than http", arguments: ["ftp://127.0.0.1/x", "file:///etc/hosts", "data:,x"])
        func scheme(target: String) async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let target = try "/redirect?to=\(percentEncoded(target))"
                let failure = try await failed { try await client.get(target) }
                #expect(failure.code == "transport.redirectRefused")
                #expect(failure.response?.status == 302)
                #expect(failure.attempts.count == 1)
            }
        }

        @Test("leads to where nothing can be sent", arguments: ["http://127.1:80/x", "http://*/"])
        func nowhere(target: String) async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let target = try "/redirect?to=\(percentEncoded(target))"
                let failure = try await failed { try await client.get(target) }
                #expect(failure.code == "transport.redirectRefused")
                #expect(failure.attempts.count == 1)
            }
        }

        @Test("is a 3xx that is no redirect", arguments: [300, 304, 305])
        func otherStatus(status: Int) async throws {
            try await withServer { server in
                let client = try server.client()
                let failure = try await failed { try await client.get("/redirect?to=/echo&status=\(status)") }
                #expect(failure.code == "status.\(status)")
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("has no target")
        func noLocation() async throws {
            try await withServer { server in
                let client = try server.client()
                let failure = try await failed { try await client.get("/status/302") }
                #expect(failure.code == "status.302")
                #expect(failure.response?.status == 302)
            }
        }

        /// A target that redirects so many times to different targets, and to `/echo` at last.
        private func chain(of count: Int) throws -> String {
            var target = "/echo"
            for _ in 0..<count {
                target = try "/redirect?to=\(percentEncoded(target))"
            }
            return target
        }
    }
#endif
