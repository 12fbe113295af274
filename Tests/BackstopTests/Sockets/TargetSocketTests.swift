#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("A target, as a server sees it", .sockets)
    struct TargetSocketTests {
        private struct Echo: Decodable, Sendable {
            var query: String
        }

        @Test("arrives with what was encoded as it was, and the rest encoded")
        func arrives() async throws {
            try await withServer { server in
                // given
                let client = try server.client()
                let page = 2
                // when
                let target = try await client.get("echo?a=%2F b%", query: ["q": "a+b&c", "page": page], as: Echo.self)
                let resolved = try await client.get("x/%2e%2E/./echo?a=1", as: Echo.self)
                // then
                #expect(target.query == "a=%2F%20b%25&q=a%2Bb%26c&page=2")
                #expect(resolved.query == "a=1")
            }
        }

        @Test("of segments arrives as one path, whatever is in them")
        func segments() async throws {
            try await withServer { server in
                // given
                let client = try server.client()
                // when
                _ = try await failed { try await client.get(["users", "../echo?a#b"]) }
                // then
                let request = try await server.onlyRequest(to: "/users/..%2Fecho%3Fa%23b")
                #expect(request.target == "/users/..%2Fecho%3Fa%23b")
            }
        }
    }
#endif
