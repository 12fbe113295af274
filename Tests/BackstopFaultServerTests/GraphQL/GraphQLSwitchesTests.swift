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

        /// How each malformation changes `{"data":{"hero":{"id":"2001"}}}`.
        static let bodies: [(malformation: String, body: String)] = [
            ("noDataNoErrors", "{}"),
            ("notObject", "[1,2]"),
            ("notJSON", "upstream is not available"),
            ("empty", ""),
            ("truncated", #"{"data":{"hero""#),
            ("byteOrderMark", "\u{FEFF}" + #"{"data":{"hero":{"id":"2001"}}}"#),
            ("emptyErrors", #"{"data":{"hero":{"id":"2001"}},"errors":[]}"#),
            ("nullErrors", #"{"data":{"hero":{"id":"2001"}},"errors":null}"#),
            ("errorsObject", #"{"data":{"hero":{"id":"2001"}},"errors":{"message":"errors is an object"}}"#),
            ("dataWrongType", #"{"data":"none"}"#),
            ("wrongField", #"{"data":{"hero":{"id":{"unexpected":true}}}}"#),
            ("duplicate", #"{"data":null,"errors":null,"data":{"hero":{"id":"2001"}}}"#),
            (
                "unknownKeys",
                """
                {"data":{"hero":{"id":"2001"}},"errors":[{"message":"There are unknown keys.","severity":"low"}],\
                "hasNext":false,"trace":{"id":7}}
                """
            ),
            ("noData", #"{"errors":[{"message":"The field was lost.","path":["hero"]}]}"#),
            (
                "deepExtensions&depth=3",
                """
                {"data":{"hero":{"id":"2001"}},"errors":[{"message":"The extensions are deep.",\
                "extensions":{"in":{"in":{"in":1}}}}],"extensions":{"in":{"in":{"in":1}}}}
                """
            ),
            (
                "bigNumbers",
                """
                {"data":{"hero":{"id":"2001"}},"errors":[{"message":"The numbers are big.","extensions":\
                {"over32":4294967296,"over53":9007199254740993,"least":-9223372036854775808,\
                "over63":18446744073709551615,"fraction":0.1,"exponent":1e21}}],"extensions":\
                {"over32":4294967296,"over53":9007199254740993,"least":-9223372036854775808,\
                "over63":18446744073709551615,"fraction":0.1,"exponent":1e21}}
                """
            ),
            (
                "errorsEntry",
                """
                {"data":{"hero":{"id":"2001"}},"errors":[{"message":"The first entry is good.","path":["hero"]},7,\
                "a text",null,[],{"path":["hero","friends"]},\
                {"message":404,"extensions":"none","locations":"nowhere"},\
                {"message":"The path is odd.","path":["hero",true,null,1.5,-1,{},1099511627776]},\
                {"message":"The last entry is good.","extensions":{"code":"LAST"}}]}
                """
            ),
        ]

        @Test("a body is broken to the letter", arguments: bodies)
        func malformed(_ malformation: String, _ body: String) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(
                    "{ hero { id } }", switches: "malformed=\(malformation)&type=graphql")
                #expect(reply.status == 200)
                #expect(reply.headers["content-type"] == "application/graphql-response+json; charset=utf-8")
                #expect(reply.headers["content-length"] == "\(body.utf8.count)")
                #expect(reply.body == body)
            }
        }

        @Test("a page comes with its own type, and with the status that is asked for")
        func html() async throws {
            try await withServer { server in
                let reply = try await server.url.ask("{ hero { id } }", switches: "malformed=html&status=502")
                #expect(reply.status == 502)
                #expect(reply.headers["content-type"] == "text/html; charset=utf-8")
                #expect(reply.body.hasPrefix("<!doctype html>"))
            }
        }

        @Test("bytes that are not UTF-8 are sent as they are")
        func notUTF8() {
            let body = GraphQLMalformation.notUTF8.body(for: [:], depth: 1)
            #expect(String(bytes: body, encoding: .utf8) == nil)
            #expect(body.contains(0xE9))
        }

        @Test("the listing names every malformation, and each of its examples is a route")
        func listing() async throws {
            try await withServer { server in
                let routes = server.routes.filter { $0.path.hasPrefix("/graphql") }
                #expect(routes.count == 10)
                for malformation in GraphQLMalformation.allCases {
                    #expect(routes.contains { $0.description.contains(malformation.rawValue) })
                }
                for route in routes where route.method == "GET" {
                    let reply = try await server.url.reply(to: route.path)
                    #expect([200, 294, 404].contains(reply.status) || reply.body.contains("errors"))
                }
            }
        }
    }
#endif
