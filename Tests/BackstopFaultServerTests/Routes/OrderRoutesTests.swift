#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Calls that change something", .sockets)
    struct OrderRoutesTests {
        @Test("an order fails each time")
        func orders() async throws {
            try await withServer { server in
                for _ in 1...3 {
                    let reply = try await server.url.reply(to: "/orders", method: "POST", body: "{}")
                    #expect(reply.status == 503)
                }
            }
        }

        @Test("a payment fails once per key, and is then the same payment each time")
        func payments() async throws {
            try await withServer { server in
                for (key, status, body) in [
                    ("a", 503, nil), ("a", 201, "{\"id\":\"payment-1\",\"calls\":2}"), ("b", 503, nil),
                    ("a", 201, "{\"id\":\"payment-1\",\"calls\":3}"), ("b", 201, "{\"id\":\"payment-2\",\"calls\":2}"),
                ] {
                    let reply = try await server.url.reply(
                        to: "/payments", method: "POST", headers: "Idempotency-Key: \(key)\r\n")
                    #expect(reply.status == status)
                    if let body { #expect(reply.body == body) }
                }
                let unkeyed = try await server.url.reply(to: "/payments", method: "POST")
                #expect(unkeyed.status == 400)
            }
        }

        @Test("another method is told which one is allowed", arguments: ["/orders", "/payments"])
        func otherMethod(_ target: String) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: target)
                #expect(reply.status == 405)
                #expect(reply.headers["allow"] == "POST")
            }
        }
    }
#endif
