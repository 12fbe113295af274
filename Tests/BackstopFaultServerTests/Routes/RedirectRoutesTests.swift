#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Redirects and echoes", .sockets)
    struct RedirectRoutesTests {
        @Test("the status and the place are as asked for")
        func redirect() async throws {
            try await withServer { server in
                let plain = try await server.url.reply(to: "/redirect")
                #expect(plain.status == 302)
                #expect(plain.headers["location"] == "/echo")
                let other = try await server.url.reply(to: "/redirect?to=http%3A%2F%2F127.0.0.1%3A1%2Fa&status=308")
                #expect(other.status == 308)
                #expect(other.headers["location"] == "http://127.0.0.1:1/a")
                let reply = try await server.url.reply(to: "/redirect-loop")
                #expect(reply.headers["location"] == "/redirect-loop")
            }
        }

        @Test("a redirect cannot smuggle in a header field")
        func injection() async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/redirect?to=/a%0D%0ASet-Cookie:%20a=b")
                #expect(reply.headers["set-cookie"] == nil)
                #expect(reply.headers["location"] == "/aSet-Cookie: a=b")
            }
        }

        @Test("/redirect-other leads to the other origin, from both sides", arguments: [302, 307])
        func otherOrigin(_ status: Int) async throws {
            try await withServer { server in
                #expect(server.url != server.otherOrigin)
                let there = try await server.url.reply(to: "/redirect-other?status=\(status)")
                #expect(there.status == status)
                #expect(there.headers["location"] == "\(server.otherOrigin)/echo")
                let back = try await server.otherOrigin.reply(to: "/redirect-other")
                #expect(back.headers["location"] == "\(server.url)/echo")
            }
        }

        @Test("an echo says what has arrived, and so does the record")
        func echo() async throws {
            try await withServer { server in
                let reply = try await server.otherOrigin.reply(
                    to: "/echo?a=%20b", method: "PUT", headers: "X-One: 1\r\nx-one:  2 \r\n", body: "Grüße")
                let json = try #require(try reply.json() as? [String: Any])
                #expect(json["method"] as? String == "PUT")
                #expect(json["path"] as? String == "/echo")
                #expect(json["query"] as? String == "a=%20b")
                #expect((json["headers"] as? [String: [String]])?["x-one"] == ["1", "2"])
                #expect(json["body"] as? String == "Grüße")

                let recorded = try #require(await server.requests(to: "/echo").first)
                #expect(recorded.method == "PUT")
                #expect(recorded.target == "/echo?a=%20b")
                #expect(recorded.values(of: "X-One") == ["1", "2"])
                #expect(recorded.values(of: "Authorization") == [])
                #expect(recorded.body == Data("Grüße".utf8))
                #expect(recorded.isOtherOrigin)
            }
        }
    }
#endif
