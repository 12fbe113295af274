#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Executing GraphQL documents", .sockets)
    struct GraphQLExecutorTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let document: String
            let rest: String
            let answer: String

            /// - Parameter rest: variables and the like.
            init(_ description: String, _ document: String, _ rest: String, _ answer: String) {
                testDescription = description
                self.document = document
                self.rest = rest
                self.answer = answer
            }

            init(_ description: String, _ document: String, _ answer: String) {
                self.init(description, document, "", answer)
            }
        }

        @Test(
            "a document gets its data, with keys in the order of the document",
            arguments: [
                Case(
                    "a hero and the friends", "query Hero { hero { name friends { name } } }",
                    """
                    {"data":{"hero":{"name":"R2-D2","friends":[{"name":"Luke Skywalker"},{"name":"Han Solo"},\
                    {"name":"Leia Organa"}]}}}
                    """),
                Case(
                    "a variable", "query Hero($episode: Episode) { hero(episode: $episode) { id } }",
                    #","variables":{"episode":"EMPIRE"}"#, #"{"data":{"hero":{"id":"1000"}}}"#),
                Case(
                    "a variable that is left out has its default",
                    "query($episode: Episode = EMPIRE) { hero(episode: $episode) { id } }",
                    #"{"data":{"hero":{"id":"1000"}}}"#),
                Case(
                    "a variable that is left out leaves out the argument",
                    "query($episode: Episode) { hero(episode: $episode) { id } }",
                    #"{"data":{"hero":{"id":"2001"}}}"#),
                Case(
                    "aliases and a fragment",
                    """
                    { empire: hero(episode: EMPIRE) { ...Both } jedi: hero(episode: JEDI) { ...Both } }
                    fragment Both on Character { name appearsIn }
                    """,
                    """
                    {"data":{"empire":{"name":"Luke Skywalker","appearsIn":["NEWHOPE","EMPIRE","JEDI"]},\
                    "jedi":{"name":"R2-D2","appearsIn":["NEWHOPE","EMPIRE","JEDI"]}}}
                    """),
                Case(
                    "types and inline fragments",
                    """
                    { hero { __typename friends { __typename ... on Droid { name } ... on Human { id } ... { appearsIn } }
                      ... on Droid { friends { ... on Character { name } } } ... on Human { id } } }
                    """,
                    """
                    {"data":{"hero":{"__typename":"Droid","friends":[\
                    {"__typename":"Human","id":"1000","appearsIn":["NEWHOPE","EMPIRE","JEDI"],"name":"Luke Skywalker"},\
                    {"__typename":"Human","id":"1002","appearsIn":["NEWHOPE","EMPIRE","JEDI"],"name":"Han Solo"},\
                    {"__typename":"Human","id":"1003","appearsIn":["NEWHOPE","EMPIRE","JEDI"],"name":"Leia Organa"}]}}}
                    """),
                Case(
                    "skip and include",
                    """
                    query($yes: Boolean!, $no: Boolean = false) { hero { a: id @include(if: $yes) b: id @include(if: $no)
                      c: id @skip(if: $yes) d: id @skip(if: $no) ... @skip(if: true) { e: id } } }
                    """,
                    #","variables":{"yes":true}"#, #"{"data":{"hero":{"a":"2001","d":"2001"}}}"#),
                Case(
                    "selections of one field are joined",
                    "{ hero { friends { id } ...F } } fragment F on Droid { friends { name } }",
                    """
                    {"data":{"hero":{"friends":[{"id":"1000","name":"Luke Skywalker"},{"id":"1002","name":"Han Solo"},\
                    {"id":"1003","name":"Leia Organa"}]}}}
                    """),
                Case(
                    "one field twice, with the same arguments",
                    "{ a: hero(episode: JEDI) { id } a: hero(episode: JEDI) { name } }",
                    #"{"data":{"a":{"id":"2001","name":"R2-D2"}}}"#),
                Case(
                    "different fields under one key, of objects of different types",
                    "{ hero { ... on Human { a: id } ... on Droid { a: name } } }",
                    #"{"data":{"hero":{"a":"R2-D2"}}}"#),
                Case(
                    "one operation of two",
                    "query A { hero { name } } query B { droid(id: \"2000\") { name } }",
                    #","operationName":"B""#, #"{"data":{"droid":{"name":"C-3PO"}}}"#),
                Case(
                    "what does not exist is null",
                    #"{ human(id: "2001") { name } droid(id: "1000") { name } none: human(id: 1) { id } }"#,
                    #"{"data":{"human":null,"droid":null,"none":null}}"#),
                Case(
                    "a mutation with an input object",
                    "mutation Create($episode: Episode!, $review: ReviewInput!) { createReview(episode: $episode, review: $review) { stars commentary } }",
                    #","variables":{"episode":"JEDI","review":{"stars":5,"commentary":"Grüße \"🚀\"\n"}}"#,
                    #"{"data":{"createReview":{"stars":5,"commentary":"Grüße \"🚀\"\n"}}}"#),
                Case(
                    "an input object in the document",
                    "mutation { createReview(review: {stars: 0}) { episode stars commentary } }",
                    #"{"data":{"createReview":{"episode":null,"stars":0,"commentary":null}}}"#),
            ])
        func data(_ expected: Case) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(expected.document, expected.rest)
                #expect(reply.status == 200)
                #expect(reply.body == expected.answer)
            }
        }

        @Test("a review is there for the next query, and only on this server")
        func reviews() async throws {
            try await withServer { server in
                for _ in 1...2 {
                    let created = try await server.url.ask(
                        "mutation { createReview(episode: EMPIRE, review: {stars: 3}) { stars } }")
                    #expect(created.body == #"{"data":{"createReview":{"stars":3}}}"#)
                }
                let reply = try await server.url.ask("{ reviews(episode: EMPIRE) { stars commentary } }")
                #expect(
                    reply.body
                        == #"{"data":{"reviews":[{"stars":3,"commentary":null},{"stars":3,"commentary":null}]}}"#)
            }
            try await withServer { server in
                let reply = try await server.url.ask("{ reviews(episode: EMPIRE) { stars } }")
                #expect(reply.body == #"{"data":{"reviews":[]}}"#)
            }
        }

        @Test("a mutation changes nothing when a field of its result does not exist")
        func refusedMutation() async throws {
            try await withServer { server in
                let refused = try await server.url.ask(
                    "mutation { createReview(episode: EMPIRE, review: {stars: 3}) { likes } }")
                #expect(refused.body.contains(#"Cannot query field \"likes\" on type \"Review\"."#))
                let reply = try await server.url.ask("{ reviews(episode: EMPIRE) { stars } }")
                #expect(reply.body == #"{"data":{"reviews":[]}}"#)
            }
        }

        @Test(
            "a field that fails is null, or what is around it, and has an entry with path and place",
            arguments: [
                Case(
                    "a nullable field", "{ hero { name secretBackstory } }",
                    """
                    {"errors":[{"message":"secretBackstory is secret.","locations":[{"line":1,"column":15}],\
                    "path":["hero","secretBackstory"],"extensions":{"code":"FORBIDDEN"}}],\
                    "data":{"hero":{"name":"R2-D2","secretBackstory":null}}}
                    """),
                Case(
                    "fields of a list, by alias",
                    "{ hero(episode: EMPIRE) {\n  friends { id secret: secretBackstory } } }",
                    """
                    {"errors":[\(["0", "1", "2", "3"].map { index in
                        """
                        {"message":"secretBackstory is secret.","locations":[{"line":2,"column":16}],\
                        "path":["hero","friends",\(index),"secret"],"extensions":{"code":"FORBIDDEN"}}
                        """
                    }.joined(separator: ","))],"data":{"hero":{"friends":[{"id":"1002","secret":null},\
                    {"id":"1003","secret":null},{"id":"2000","secret":null},{"id":"2001","secret":null}]}}}
                    """),
                Case(
                    "a field that is never null takes its object with it",
                    "{ human(id: 4001) { id name } hero { id } }",
                    """
                    {"errors":[{"message":"Cannot return null for non-nullable field Human.name.",\
                    "locations":[{"line":1,"column":24}],"path":["human","name"],\
                    "extensions":{"code":"INTERNAL_SERVER_ERROR"}}],"data":{"human":null,"hero":{"id":"2001"}}}
                    """),
                Case(
                    "elements of a list that cannot be had", "{ human(id: 4000) { friends { name } } }",
                    """
                    {"errors":[{"message":"Cannot return null for non-nullable field Human.name.",\
                    "locations":[{"line":1,"column":31}],"path":["human","friends",1,"name"],\
                    "extensions":{"code":"INTERNAL_SERVER_ERROR"}},{"message":"The record 4002 cannot be read.",\
                    "locations":[{"line":1,"column":21}],"path":["human","friends",2],\
                    "extensions":{"code":"INTERNAL_SERVER_ERROR"}}],"data":{"human":{"friends":[\
                    {"name":"Luke Skywalker"},null,null,{"name":"R2-D2"}]}}}
                    """),
                Case(
                    "a mutation", "mutation { createReview(review: {stars: 6}) { stars } }",
                    """
                    {"errors":[{"message":"stars must be from 0 to 5.","locations":[{"line":1,"column":12}],\
                    "path":["createReview"],"extensions":{"code":"BAD_USER_INPUT"}}],"data":{"createReview":null}}
                    """),
            ])
        func fieldErrors(_ expected: Case) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(expected.document, expected.rest, headers: acceptsGraphQL)
                #expect(reply.status == 200)
                #expect(reply.body == expected.answer)
            }
        }

        @Test(
            "with strict=1 what is null at the root makes data null",
            arguments: ["{ human(id: 4001) { name } }", "{ human(id: 1) { name } }"])
        func strictRoot(_ document: String) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(document, switches: "strict=1")
                #expect(reply.status == 200)
                #expect(reply.body.hasPrefix(#"{"errors":[{"message":"Cannot return null"#))
                #expect(reply.body.hasSuffix(#"],"data":null}"#))
            }
        }
    }
#endif
