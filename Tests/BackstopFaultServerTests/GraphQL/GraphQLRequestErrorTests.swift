#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("GraphQL documents that are not executed", .sockets)
    struct GraphQLRequestErrorTests {
        /// Documents and the message of their first error.
        static let refused: [(document: String, variables: String, message: String)] = [
            (
                "{ hero { name }", "{}",
                "Syntax Error: expected a field, \"...\" or \"}\", found the end of the document."
            ),
            ("", "{}", "Syntax Error: expected an operation or a fragment, found the end of the document."),
            ("{ villain { name } }", "{}", "Cannot query field \"villain\" on type \"Query\"."),
            ("{ hero { primaryFunction } }", "{}", "Cannot query field \"primaryFunction\" on type \"Character\"."),
            ("{ search(text: \"a\") { name } }", "{}", "Cannot query field \"name\" on type \"SearchResult\"."),
            ("{ hero }", "{}", "Field \"hero\" of type \"Character\" must have a selection of subfields."),
            (
                "{ hero { name { first } } }", "{}",
                "Field \"name\" must not have a selection since type \"String!\" has no subfields."
            ),
            ("{ hero(id: 1) { name } }", "{}", "Unknown argument \"id\" on field \"Query.hero\"."),
            (
                "{ human { name } }", "{}",
                "Argument \"id\" of field \"Query.human\" of type \"ID!\" is required, but it was not provided."
            ),
            ("{ human(id: null) { name } }", "{}", "Expected value of type \"ID!\", found null."),
            ("{ hero(episode: SITH) { name } }", "{}", "Value \"SITH\" does not exist in \"Episode\" enum."),
            ("{ hero(episode: \"JEDI\") { name } }", "{}", "Expected value of type \"Episode\", found \"JEDI\"."),
            (
                "mutation { createReview(review: {stars: 4294967296}) { stars } }", "{}",
                "Int cannot represent non 32-bit signed integer value: 4294967296"
            ),
            (
                "mutation { createReview(review: {}) { stars } }", "{}",
                "Field \"stars\" of required type \"Int!\" was not provided."
            ),
            (
                "mutation { createReview(review: {stars: 1, likes: 2}) { stars } }", "{}",
                "Field \"likes\" is not defined by type \"ReviewInput\"."
            ),
            ("{ hero { ...Missing } }", "{}", "Unknown fragment \"Missing\"."),
            ("{ hero { id } } fragment F on Droid { id }", "{}", "Fragment \"F\" is never used."),
            ("{ hero { ...F } } fragment F on Sith { id }", "{}", "Unknown type \"Sith\"."),
            (
                "{ hero { ...F } } fragment F on Droid { friends { ...G } } fragment G on Droid { ...F }", "{}",
                "Cannot spread fragment \"F\" within itself."
            ),
            (
                "{ droid(id: 1) { ... on Human { id } } }", "{}",
                "Fragment cannot be spread here as objects of type \"Droid\" can never be of type \"Human\"."
            ),
            ("{ hero { id @upper } }", "{}", "Unknown directive \"@upper\"."),
            ("query($a: ID!) { hero { id } }", "{}", "Variable \"$a\" is never used in the operation."),
            ("query Q { human(id: $a) { id } }", "{}", "Variable \"$a\" is not defined by operation \"Q\"."),
            (
                "query($a: ID) { human(id: $a) { id } }", "{}",
                "Variable \"$a\" of type \"ID\" used in position expecting type \"ID!\"."
            ),
            (
                "query($a: ID!) { human(id: $a) { id } }", "{}",
                "Variable \"$a\" of required type \"ID!\" was not provided."
            ),
            (
                "query($a: ID!) { human(id: $a) { id } }", #"{"a":null}"#,
                "Variable \"$a\" got invalid value null; Expected non-nullable type \"ID!\" not to be null."
            ),
            (
                "query($a: Int) { hero { friendsConnection(first: $a) { totalCount } } }", #"{"a":"2"}"#,
                "Variable \"$a\" got invalid value \"2\"; Int cannot represent value: \"2\""
            ),
            (
                "query A { hero { id } } query B { hero { id } }", "{}",
                "Must provide operation name if query contains multiple operations."
            ),
            (
                "{ a: hero { id } a: human(id: 1000) { id } }", "{}",
                "Fields \"a\" conflict: they are different fields "
                    + "or have different arguments. Use different aliases on the fields to fetch both."
            ),
            ("subscription { reviewAdded { stars } }", "{}", "Subscriptions are not served over HTTP."),
            ("{ __schema { types { name } } }", "{}", "There is no introspection here beyond __typename."),
        ]

        @Test("a document that cannot be executed has errors and no data", arguments: refused)
        func refusal(_ document: String, _ variables: String, _ message: String) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(document, ",\"variables\":\(variables)", headers: acceptsGraphQL)
                #expect(reply.status == 400)
                let body = try #require(try reply.json() as? [String: Any])
                #expect(body["data"] == nil)
                let errors = try #require(body["errors"] as? [[String: Any]])
                #expect(errors.first?["message"] as? String == message)
                #expect(errors.first?["path"] == nil)
            }
        }

        @Test("an error says its place and its code")
        func place() async throws {
            try await withServer { server in
                let reply = try await server.url.ask("{ hero {\n    villain } }")
                #expect(
                    reply.body == """
                        {"errors":[{"message":"Cannot query field \\"villain\\" on type \\"Character\\".",\
                        "locations":[{"line":2,"column":5}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}
                        """)
            }
        }

        @Test("an unknown operation name is refused")
        func operationName() async throws {
            try await withServer { server in
                let reply = try await server.url.ask("query A { hero { id } }", #","operationName":"B""#)
                #expect(reply.body.contains(#""message":"Unknown operation named \"B\".""#))
            }
        }

        @Test(
            "hostile documents are refused quickly",
            arguments: [
                "{ hero " + String(repeating: "{ friends ", count: 60) + "{ id }" + String(repeating: "}", count: 61),
                "{ hero " + String(repeating: "{ friends ", count: 40) + "{ id }" + String(repeating: "}", count: 41),
                String(repeating: "{ a ", count: 100_000),
                "{ hero { " + String(repeating: "a", count: 500_000) + ": id } }",
                "query(" + (0..<5_000).map { "$a\($0): ID " }.joined() + ") { hero { id } }",
                "{ hero(episode: " + String(repeating: "[", count: 100_000) + ") { id } }",
                "{ " + String(repeating: "a: hero { id } ", count: 10_000) + "}",
                "{ hero { ...F0 } } fragment F9 on Character { id } "
                    + (0..<9).map { level in
                        let spreads = (0..<9).map { "a\($0): friends { ...F\(level + 1) }" }.joined(separator: " ")
                        return "fragment F\(level) on Character { \(spreads) }"
                    }.joined(separator: " "),
            ])
        func bounds(_ document: String) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(document, headers: acceptsGraphQL)
                #expect(reply.status == 400)
                #expect(reply.body.utf8.count < 10_000)
                let next = try await server.url.ask("{ hero { id } }")
                #expect(next.status == 200)
            }
        }
    }
#endif
