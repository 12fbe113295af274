#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("GraphQL requests over HTTP", .sockets)
    struct GraphQLRequestTests {
        @Test("GET carries everything in the query, where a plus sign is a space")
        func get() async throws {
            try await withServer { server in
                let reply = try await server.url.get([
                    ("query", "query A($id: ID!) { human(id: $id) { name } } query B { hero { id } }"),
                    ("operationName", "A"), ("variables", #"{"id":"1000"}"#), ("extensions", "{}"),
                ])
                #expect(reply.status == 200)
                #expect(reply.body == #"{"data":{"human":{"name":"Luke Skywalker"}}}"#)
                let plus = try await server.url.reply(to: "/graphql?query=query+A%7Bhero%7Bid%7D%7D")
                #expect(plus.body == #"{"data":{"hero":{"id":"2001"}}}"#)
            }
        }

        @Test("a mutation by GET is refused, and changes nothing")
        func mutationByGet() async throws {
            try await withServer { server in
                let mutation = "mutation { createReview(episode: EMPIRE, review: {stars: 1}) { stars } }"
                let reply = try await server.url.get([("query", mutation)])
                #expect(reply.status == 405)
                #expect(reply.headers["allow"] == "POST")
                let reviews = try await server.url.ask("{ reviews(episode: EMPIRE) { stars } }")
                #expect(reviews.body == #"{"data":{"reviews":[]}}"#)
            }
        }

        @Test("other methods are refused", arguments: ["PUT", "DELETE", "PATCH"])
        func methods(_ method: String) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/graphql", method: method)
                #expect(reply.status == 405)
                #expect(reply.headers["allow"] == "GET, POST")
            }
        }

        @Test(
            "a request that is not well-formed is a bad request with every media type",
            arguments: [
                ("not JSON", "The body is not JSON."),
                ("", "The body is not JSON."),
                ("[]", "The body must be a JSON object."),
                (#"{"query":7}"#, "The query must be a string."),
                ("{}", "The query must be a string."),
                (#"{"qeury":"{hero{id}}"}"#, "The query must be a string."),
                (#"{"query":"{hero{id}}","variables":[7]}"#, "The variables must be a JSON object."),
                (#"{"query":"{hero{id}}","operationName":7}"#, "The operationName must be a string."),
                (#"{"query":"{hero{id}}","extensions":""}"#, "The extensions must be a JSON object."),
                (#"{"query":"{hero{id}}","documentId":"a"}"#, "Send a query or a documentId, not both."),
            ])
        func malformed(_ body: String, _ message: String) async throws {
            try await withServer { server in
                for headers in [acceptsGraphQL, "Accept: application/json\r\n"] {
                    let reply = try await server.url.post(body, headers: headers)
                    #expect(reply.status == 400)
                    #expect(
                        reply.body
                            == "{\"errors\":[{\"message\":\"\(message)\",\"extensions\":{\"code\":\"BAD_REQUEST\"}}]}")
                }
            }
        }

        @Test("null stands for what is not there")
        func nulls() async throws {
            try await withServer { server in
                let reply = try await server.url.ask(
                    "{hero{id}}", #","operationName":null,"variables":null,"extensions":null,"documentId":null"#)
                #expect(reply.status == 200)
            }
        }

        @Test(
            "only JSON is read",
            arguments: ["", "Content-Type: text/plain\r\n", "Content-Type: application/graphql\r\n"])
        func contentType(_ headers: String) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(
                    to: "/graphql", method: "POST", headers: headers, body: #"{"query":"{hero{id}}"}"#)
                #expect(reply.status == 415)
            }
        }

        @Test("a body over 1 MiB is refused")
        func longBody() async throws {
            try await withServer { server in
                let reply = try await server.url.ask(String(repeating: " ", count: 1_048_576))
                #expect(reply.status == 413)
            }
        }

        @Test(
            "the media type is what the client accepts most, and decides over the status of a request error",
            arguments: [
                ("", "application/json", 200),
                ("Accept: */*\r\n", "application/json", 200),
                ("Accept: application/json\r\n", "application/json", 200),
                (acceptsGraphQL, "application/graphql-response+json", 400),
                (
                    "Accept: application/json, Application/GraphQL-Response+JSON; charset=utf-8\r\n",
                    "application/graphql-response+json", 400
                ),
                ("Accept: application/graphql-response+json;q=0.5, application/json\r\n", "application/json", 200),
                ("Accept: application/graphql-response+json;q=0, */*;q=0.1\r\n", "application/json", 200),
            ])
        func mediaType(_ headers: String, _ type: String, _ status: Int) async throws {
            try await withServer { server in
                let reply = try await server.url.ask("{ villain }", headers: headers)
                #expect(reply.headers["content-type"] == "\(type); charset=utf-8")
                #expect(reply.status == status)
                let good = try await server.url.ask("{ hero { id } }", headers: headers)
                #expect(good.headers["content-type"] == "\(type); charset=utf-8")
                #expect(good.status == 200)
            }
        }

        @Test("a client that accepts neither media type gets nothing else")
        func notAcceptable() async throws {
            try await withServer { server in
                let reply = try await server.url.ask("{ hero { id } }", headers: "Accept: text/html\r\n")
                #expect(reply.status == 406)
            }
        }

        @Test("what was sent can be seen afterwards")
        func recorded() async throws {
            try await withServer { server in
                _ = try await server.url.ask("{ hero { id } }", switches: "apq=off")
                let sent = await server.requests(to: "/graphql")
                #expect(sent.map(\.target) == ["/graphql?apq=off"])
                #expect(sent.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"query":"{ hero { id } }"}"#])
            }
        }
    }
#endif
