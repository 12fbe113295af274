#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("The auth server of the sign-up demo", .sockets)
    struct SignUpRoutesTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let query: String
            let status: Int
            let body: String
            var testDescription: String { query.isEmpty ? "no query" : query }

            init(_ query: String, _ status: Int, _ body: String) {
                self.query = query
                self.status = status
                self.body = body
            }

            static func failure(_ query: String, _ status: Int, _ reason: String) -> Self {
                Case(query, status, "{\"error\":true,\"reason\":\"\(reason)\"}")
            }
        }

        @Test(
            "each user name gets the answer that the demo expects",
            arguments: [
                .failure("", 400, "Username parameter missing"),
                .failure("?name=ada", 400, "Username parameter missing"),
                .failure("?userName=", 400, "Username must not be empty"),
                .failure("?userName", 400, "Username must not be empty"),
                .failure("?userName=ada", 400, "Username is too short."),
                // Characters count, not bytes.
                .failure("?userName=%F0%9F%98%80%F0%9F%98%80", 400, "Username is too short."),
                .failure("?userName=admin", 400, "Username is not valid: admin."),
                .failure("?userName=superuser", 400, "Username is not valid: superuser."),
                .failure("?userName=servererror", 500, "The database is corrupted"),
                Case("?userName=illegalresponse", 200, "{\"isAvailable\":false}"),
                Case("?userName=peterfriese", 200, "{\"isAvailable\":false,\"userName\":\"peterfriese\"}"),
                Case("?userName=johnnyappleseed", 200, "{\"isAvailable\":false,\"userName\":\"johnnyappleseed\"}"),
                Case("?userName=page", 200, "{\"isAvailable\":false,\"userName\":\"page\"}"),
                Case("?userName=johndoe", 200, "{\"isAvailable\":false,\"userName\":\"johndoe\"}"),
                Case("?userName=ada.lovelace", 200, "{\"isAvailable\":true,\"userName\":\"ada.lovelace\"}"),
                Case("?a=1&userName=J%C3%BCrgen%20%22M%22", 200, #"{"isAvailable":true,"userName":"Jürgen \"M\""}"#),
            ] as [Case])
        func names(_ expected: Case) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/isUserNameAvailable\(expected.query)")
                #expect(reply.status == expected.status)
                #expect(reply.body == expected.body)
                #expect(reply.headers["content-type"] == "application/json")
                #expect(reply.headers["retry-after"] == nil)
            }
        }

        @Test("the third maintenance call goes on to the answer, and so does every third")
        func maintenance() async throws {
            try await withServer { server in
                for call in 1...6 {
                    let reply = try await server.url.reply(to: "/isUserNameAvailable?userName=maintenance")
                    if call.isMultiple(of: 3) {
                        #expect(reply.status == 200)
                        #expect(reply.body == "{\"isAvailable\":true,\"userName\":\"maintenance\"}")
                    } else {
                        #expect(reply.status == 500)
                        #expect(reply.headers["retry-after"] == "17")
                        #expect(reply.body == LiteralJSON.failure("Temporarily unavailable for maintenance"))
                    }
                }
            }
        }

        @Test("maintenance! never ends, and waits as long as the options say")
        func endlessMaintenance() async throws {
            try await withServer(.init(retryAfter: 1)) { server in
                for _ in 1...4 {
                    let reply = try await server.url.reply(to: "/isUserNameAvailable?userName=maintenance!")
                    #expect(reply.status == 500)
                    #expect(reply.headers["retry-after"] == "1")
                }
            }
        }

        @Test("two servers count their maintenance calls apart")
        func countersApart() async throws {
            try await withServer { one in
                try await withServer { other in
                    for server in [one, one, other, other, one] {
                        let reply = try await server.url.reply(to: "/isUserNameAvailable?userName=maintenance")
                        let isThird = server === one && server.requestCount(of: "/isUserNameAvailable") == 3
                        #expect(reply.status == (isThird ? 200 : 500))
                    }
                }
            }
        }
    }
#endif
