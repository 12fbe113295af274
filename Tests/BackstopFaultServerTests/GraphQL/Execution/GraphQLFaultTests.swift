#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("GraphQL documents that are not executed", .sockets)
    struct GraphQLFaultTests {
        /// Documents and the message of their first error.
        static let refused: [(document: String, variables: String, message: String)] = [
            (
                "{ hero { name }", "{}",
                "Syntax Error: expected a field, \"...\" or \"}\", found the end of the document."
            ),
            ("", "{}", "Syntax Error: expected an operation or a fragment, found the end of the document."),
            ("{ villain { name } }", "{}", "Cannot query field \"villain\" on type \"Query\"."),
            ("{ hero }", "{}", "Field \"hero\" of type \"Character\" must have a selection of subfields."),
            (
                "{ hero { name { first } } }", "{}",
                "Field \"name\" of type \"String!\" must not have a selection of subfields."
            ),
            ("{ hero(id: 1) { name } }", "{}", "Unknown argument \"id\" on \"hero\"."),
            ("{ human { name } }", "{}", "Argument \"id\" of \"human\" of type \"ID!\" was not provided."),
            ("{ human(id: null) { name } }", "{}", "Argument \"id\" of \"human\" of type \"ID!\" was not provided."),
            ("{ hero(episode: SITH) { name } }", "{}", "Argument \"episode\" of \"hero\" is not of type \"Episode\"."),
            (
                "mutation { createReview(review: {stars: 4294967296}) { stars } }", "{}",
                "Argument \"stars\" of \"ReviewInput\" is not of type \"Int!\"."
            ),
            (
                "mutation { createReview(review: {}) { stars } }", "{}",
                "Argument \"stars\" of \"ReviewInput\" of type \"Int!\" was not provided."
            ),
            (
                "mutation { createReview(review: {stars: 1, likes: 2}) { stars } }", "{}",
                "Unknown argument \"likes\" on \"ReviewInput\"."
            ),
            ("{ hero { ...Missing } }", "{}", "no fragment is named \"Missing\""),
            ("{ hero { ...F } } fragment F on Sith { id }", "{}", "Unknown type \"Sith\"."),
            (
                "{ hero { ...F } } fragment F on Droid { friends { ...G } } fragment G on Droid { ...F }", "{}",
                "the fragment \"F\" uses itself: F > G > F"
            ),
            ("{ hero { id @upper } }", "{}", "Unknown directive \"@upper\"."),
            (
                "query($a: ID!) { human(id: $a) { id } }", "{}",
                "Variable \"$a\" of required type \"ID!\" was not provided."
            ),
            (
                "query($a: ID!) { human(id: $a) { id } }", #"{"a":null}"#,
                "Variable \"$a\" of required type \"ID!\" was not provided."
            ),
            (
                "query($a: Episode) { hero(episode: $a) { id } }", #"{"a":"SITH"}"#,
                "Argument \"episode\" of \"hero\" is not of type \"Episode\"."
            ),
            (
                "mutation($a: ReviewInput!) { createReview(review: $a) { stars } }", #"{"a":{"stars":"2"}}"#,
                "Argument \"stars\" of \"ReviewInput\" is not of type \"Int!\"."
            ),
            (
                "mutation($a: ReviewInput!) { createReview(review: $a) { stars } }", #"{"a":{"stars":true}}"#,
                "Argument \"stars\" of \"ReviewInput\" is not of type \"Int!\"."
            ),
            ("{ human(id: true) { id } }", "{}", "Argument \"id\" of \"human\" is not of type \"ID!\"."),
            ("{ human(id: LUKE) { id } }", "{}", "Argument \"id\" of \"human\" is not of type \"ID!\"."),
            ("{ hero { id @skip(if: 1) } }", "{}", "Argument \"if\" of \"skip\" is not of type \"Boolean!\"."),
            (
                "query($a: Boolean!) { hero { id @include(if: $a) } }", #"{"a":0}"#,
                "Argument \"if\" of \"include\" is not of type \"Boolean!\"."
            ),
            (
                "{ hero(episode: \"JEDI\") { id } }", "{}",
                "Argument \"episode\" of \"hero\" is not of type \"Episode\"."
            ),
            (
                "query($a: String) { hero(episode: $a) { id } }", #"{"a":"JEDI"}"#,
                "Argument \"episode\" of \"hero\" is not of type \"Episode\"."
            ),
            (
                "{ hero { n: name n: id } }", "{}",
                "Fields \"n\" conflict: they are different fields, or have differing arguments. Use different aliases."
            ),
            (
                "{ a: hero { id } a: hero(episode: EMPIRE) { id } }", "{}",
                "Fields \"a\" conflict: they are different fields, or have differing arguments. Use different aliases."
            ),
            (
                "query A { hero { id } } query B { hero { id } }", "{}",
                "Must provide operation name if query contains multiple operations."
            ),
            ("subscription { reviewAdded { stars } }", "{}", "Subscriptions are not served over HTTP."),
            ("{ __schema { types { name } } }", "{}", "Cannot query field \"__schema\" on type \"Query\"."),
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
