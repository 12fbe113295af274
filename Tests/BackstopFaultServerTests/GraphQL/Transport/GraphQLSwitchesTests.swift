#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("GraphQL answers that are asked to be odd", .sockets)
    struct GraphQLSwitchesTests {
        @Test(
            "statuses are as the switches say",
            arguments: [
                ("{ hero { secretBackstory } }", "partialStatus=294", 294),
                ("{ hero { id } }", "partialStatus=294", 200),
                ("{ human(id: 4001) { name } }", "partialStatus=294&strict=1", 200),
                ("{ villain }", "legacyStatus=422", 422),
                ("{ villain }", "legacyStatus=422&type=graphql", 400),
                ("{ hero { id } }", "status=401", 401),
                ("{ hero { id } }", "status=502&type=graphql", 502),
                ("{ villain }", "status=500&type=graphql", 500),
            ])
        func statuses(_ document: String, _ switches: String, _ status: Int) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(document, switches: switches)
                #expect(reply.status == status)
                let body = try reply.json() as? [String: Any]
                #expect(body != nil, "the body is GraphQL whatever the status is")
            }
        }

        @Test("the type can be forced, against what the client accepts")
        func type() async throws {
            try await withServer { server in
                let json = try await server.url.ask("{ hero { id } }", switches: "type=json", headers: acceptsGraphQL)
                #expect(json.headers["content-type"] == "application/json; charset=utf-8")
                let own = try await server.url.ask("{ hero { id } }", switches: "type=graphql")
                #expect(own.headers["content-type"] == "application/graphql-response+json; charset=utf-8")
            }
        }

        @Test("the first calls with an id fail when they are told to")
        func flaky() async throws {
            try await withServer { server in
                for (id, status) in [("a", 502), ("a", 502), ("b", 502), ("a", 200), ("b", 502), ("b", 200)] {
                    let reply = try await server.url.ask(
                        "{ hero { id } }", switches: "flaky=502&times=2&id=\(id)&retryAfter=0")
                    #expect(reply.status == status)
                    #expect(reply.headers["retry-after"] == "0")
                }
            }
        }

        @Test(
            "a misspelt switch does not pass for its default",
            arguments: ["apq=maybe", "miss=all", "malformed=yes", "status=20", "missStatus=x", "type=xml"])
        func misspelt(_ switches: String) async throws {
            try await withServer { server in
                let reply = try await server.url.ask("{ hero { id } }", switches: switches)
                #expect(reply.status == 400)
                let name = String(switches.prefix { $0 != "=" })
                #expect(reply.body.hasPrefix("{\"error\":true,\"reason\":\"\(name) is "))
            }
        }

        @Test(
            "with csrf=1 a GET needs a header that browsers ask about first",
            arguments: [
                ("", 400), ("Apollo-Require-Preflight: true\r\n", 200), ("X-Apollo-Operation-Name: Q\r\n", 200),
                ("Apollo-Require-Preflight:\r\n", 400), ("Content-Type: application/json\r\n", 200),
                ("Content-Type: Text/Plain;charset=utf-8\r\n", 400),
                ("Content-Type: application/x-www-form-urlencoded\r\n", 400),
                ("Content-Type: multipart/form-data; boundary=x\r\n", 400),
            ])
        func csrf(headers: String, status: Int) async throws {
            try await withServer { server in
                let reply = try await server.url.get(
                    [("query", "{ hero { id } }")], switches: "csrf=1", headers: headers)
                #expect(reply.status == status)
                #expect(reply.body.contains("Cross-Site Request Forgery") == (status == 400))
                #expect(try await server.url.ask("{ hero { id } }", switches: "csrf=1").status == 200)
            }
        }
    }
#endif
