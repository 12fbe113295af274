import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopSubscriptions

/// The examples of the protocols' documents, as they are written there, but for commas that are missing or too many.
@Suite("An example of a protocol's document", .limited)
struct ProtocolExampleTests {
    struct NewPost: GraphQL.Operation {
        struct Data: Decodable, Sendable, Equatable {
            struct Post: Decodable, Sendable, Equatable {
                var id: Int
                var title: String
            }
            var newPost: Post?
        }
        var document = GraphQL.Document(text: "subscription NewPost { newPost { id title } }")
    }

    /// Any data.
    struct Anything: GraphQL.Operation {
        typealias Data = JSONValue
        var document = GraphQL.Document(text: "query Anything { person { name ... @defer { homeWorld { name } } } }")
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }

    // MARK: Multipart HTTP protocol for GraphQL Subscriptions (Apollo)

    private static func read(_ body: String) async throws -> (results: [NewPost.Data], failure: Failure?) {
        let transport = ScriptedTransport(
            .stream(
                [.bytes(lines(body))],
                headers: ["Content-Type": "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0"]))
        let (results, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport, retry: .never), NewPost())
        return (results.map(\.data), failure)
    }

    @Test("\"Executing a subscription\": a heartbeat, a result and the end")
    func executing() async throws {
        let (results, failure) = try await Self.read(
            """
            --graphql
            Content-Type: application/json

            {}
            --graphql
            Content-Type: application/json

            {"payload": {"data": { "newPost": { "id": 123, "title": "Hello!"}}}}
            --graphql--
            """)
        #expect(failure == nil)
        #expect(results == [.init(newPost: .init(id: 123, title: "Hello!"))])
    }

    @Test("\"Heartbeats\": an empty JSON object, and the end")
    func heartbeats() async throws {
        let (results, failure) = try await Self.read(
            """
            --graphql
            Content-Type: application/json

            {}
            --graphql--
            """)
        #expect(failure == nil)
        #expect(results.isEmpty)
    }

    @Test("\"GraphQL responses\": errors in the payload, which are not fatal")
    func errors() async throws {
        let (results, failure) = try await Self.read(
            """
            --graphql
            Content-Type: application/json

            {
              "payload": {
                "errors": [{"message": "No title."}],
                "data": {"newPost": null},
                "extensions": {"a": 1}
              }
            }
            --graphql
            Content-Type: application/json

            {"payload": {"data": { "newPost": { "id": 123, "title": "Hello!"}}}}
            --graphql--
            """)
        #expect(failure == nil)
        #expect(results == [.init(newPost: nil), .init(newPost: .init(id: 123, title: "Hello!"))])
    }

    @Test("\"Fatal errors\": errors beside a payload that is null, which end the subscription")
    func fatal() async throws {
        let (results, failure) = try await Self.read(
            """
            --graphql
            Content-Type: application/json

            {"payload": {"data": { "newPost": { "id": 123, "title": "Hello!"}}}}
            --graphql
            Content-Type: application/json

            {
              "payload": null,
              "errors": [{"message": "The subgraph is gone.", "extensions": {"code": "SUBGRAPH_GONE"}}]
            }
            --graphql--
            """)
        #expect(results.count == 1)
        #expect(failure?.graphQLErrors.first?.code == "SUBGRAPH_GONE")
    }

    // MARK: GraphQL over Server-Sent Events Protocol

    @Test(
        "\"next event\", \"complete event\": by lines of any end, with or without data",
        arguments: ["\n", "\r\n", "\r"], ["event: complete", "event: complete\ndata:", "event: complete\ndata: {}"])
    func events(end: String, complete: String) async throws {
        let text = """
            event: next
            data: {"data":{"newPost":{"id":123,"title":"Hello!"}}}

            :

            \(complete)


            """
        let transport = ScriptedTransport(
            .stream(
                [.bytes(text.replacingOccurrences(of: "\n", with: end))],
                headers: ["Content-Type": "text/event-stream"]))
        let (results, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport, retry: .never), NewPost(), by: .events)
        #expect(failure == nil)
        #expect(results.map(\.data) == [.init(newPost: .init(id: 123, title: "Hello!"))])
    }

    @Test("\"Validation steps\": errors in an event next, and the end")
    func validation() async throws {
        let transport = ScriptedTransport(
            .subscription([.result(#"{"errors":[{"message":"Cannot query field \"a\"."}]}"#), .complete]))
        let (results, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport), NewPost(), by: .events)
        #expect(results.isEmpty)
        #expect(failure?.graphQLErrors.map(\.message) == ["Cannot query field \"a\"."])
        #expect(transport.requests.count == 1)
    }

    // MARK: Incremental delivery

    /// The last result of a body, by `@defer` or `@stream`, and the labels of its parts.
    private static func merge(_ parts: [String]) async throws -> (data: JSONValue, labels: Set<String>, count: Int) {
        try await merge(
            body: parts.map { "---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\($0)\r\n" }.joined()
                + "-----\r\n")
    }

    private static func merge(body: String) async throws -> (data: JSONValue, labels: Set<String>, count: Int) {
        let transport = ScriptedTransport(
            .stream(body.utf8.map { .data(Data([$0])) }, headers: ["Content-Type": "multipart/mixed; boundary=\"-\""]))
        let client = try SubscriptionTests.client(transport)
        var last: GraphQL.Increment<JSONValue>?
        var count = 0
        for try await part in try await client.fetchIncrementally(Anything()) {
            (last, count) = (part, count + 1)
        }
        let part = try #require(last)
        #expect(!part.hasNext)
        #expect(part.result.errors.isEmpty)
        return (part.result.data, part.labels, count)
    }

    private static func json(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Data(text.utf8))
    }

    @Test("of \"Incremental Delivery over HTTP\" (GraphQL over HTTP)")
    func overHTTP() async throws {
        let body = """

            ---
            Content-Type: application/json; charset=utf-8

            {"data":{"hello":"Hello Rob"},"hasNext":true}
            ---
            Content-Type: application/json; charset=utf-8

            {"data":{"test":"Hello World"},"path":[],"hasNext":false}
            -----

            """
        let (data, _, count) = try await Self.merge(body: Self.lines(body))
        #expect(try data == Self.json(#"{"hello":"Hello Rob","test":"Hello World"}"#))
        #expect(count == 2)
    }

    @Test("of the response that is delivered in one piece by a client that debounces (RFC of 2020)")
    func debounced() async throws {
        let items = (5...7).map { index in
            """
            ---
            Content-Type: application/json
            Content-Length: 125

            {
                "path": ["viewer","itemSearch","edges",\(index)],
                "data": {
                    "node": {
                        "item": {
                            "attribute": "Vintage 1950s Swedish Scandinavian Modern"
                        }
                    }
                }
            }


            """
        }
        let edges = Array(repeating: "{}", count: 5).joined(separator: ",")
        let first = """
            ---
            Content-Type: application/json

            {"data": {"viewer": {"itemSearch": {"edges": [\(edges)]}}}}

            """
        let (data, _, _) = try await Self.merge(body: Self.lines(first + items.joined() + "-----"))
        guard case .array(let list)? = data["viewer"]?["itemSearch"]?["edges"] else {
            Issue.record("there is no list")
            return
        }
        #expect(list.count == 8)
        #expect(list.last?["node"]?["item"]?["attribute"]?.string?.hasPrefix("Vintage") == true)
    }

    @Test("1 of the specification: a query with both defer and stream")
    func both() async throws {
        let (data, labels, _) = try await Self.merge([
            """
            {
              "data": {
                "person": {
                  "name": "Luke Skywalker",
                  "films": [{ "title": "A New Hope" }]
                }
              },
              "pending": [
                { "id": "0", "path": ["person"], "label": "homeWorldDefer" },
                { "id": "1", "path": ["person", "films"], "label": "filmsStream" }
              ],
              "hasNext": true
            }
            """,
            """
            {
              "incremental": [
                {
                  "id": "0",
                  "data": { "homeWorld": { "name": "Tatooine" } }
                },
                {
                  "id": "1",
                  "items": [{ "title": "The Empire Strikes Back" }]
                }
              ],
              "completed": [
                {"id": "0"}
              ],
              "hasNext": true
            }
            """,
            """
            {
              "incremental": [
                {
                  "id": "1",
                  "items": [{ "title": "Return of the Jedi" }]
                }
              ],
              "hasNext": true
            }
            """,
            """
            {
              "hasNext": false
            }
            """,
        ])
        #expect(try data == Self.json(Self.whole("homeWorld")))
        #expect(labels == ["homeWorldDefer", "filmsStream"])
    }

    private static func whole(_ world: String) -> String {
        #"{"person":{"name":"Luke Skywalker","\#(world)":{"name":"Tatooine"},"films":[{"title":"A New Hope"},"#
            + #"{"title":"The Empire Strikes Back"},{"title":"Return of the Jedi"}]}}"#
    }

    @Test("2 of the specification: a query with overlapping defers")
    func overlapping() async throws {
        let (data, labels, _) = try await Self.merge([
            """
            {
              "data": {
                "person": {
                  "firstName": "Luke"
                }
              },
              "pending": [
                { "id": "0", "path": ["person"], "label": "homeWorldDefer" },
                { "id": "1", "path": ["person"], "label": "nameAndWorld" }
              ],
              "hasNext": true
            }
            """,
            """
            {
              "incremental": [
                {
                  "id": "0",
                  "data": { "homeWorld": { "name": "Tatooine" } }
                },
                {
                  "id": "0",
                  "subPath": ["homeWorld"],
                  "data": { "terrain": "desert" }
                }
              ],
              "completed": [{ "id": "0" }],
              "hasNext": true
            }
            """,
            """
            {
              "incremental": [
                {
                  "id": "1",
                  "data": { "lastName": "Skywalker" }
                }
              ],
              "completed": [{ "id": "1" }],
              "hasNext": false
            }
            """,
        ])
        #expect(
            try data
                == Self.json(
                    #"{"person":{"firstName":"Luke","lastName":"Skywalker","homeWorld":{"name":"Tatooine","terrain":"desert"}}}"#
                ))
        #expect(labels == ["homeWorldDefer", "nameAndWorld"])
    }

    @Test("of Apollo's incremental v0.2, one part at a time and several together", arguments: [false, true])
    func apollo(isBatched: Bool) async throws {
        let films = #"{ "title": "A New Hope" }"# + (isBatched ? "" : #", { "title": "The Empire Strikes Back" }"#)
        let first = """
            {
              "data": {
                "person": {
                  "name": "Luke Skywalker",
                  "films": [\(films)]
                }
              },
              "pending": [
                { "id": 0, "label": "homeWorldDefer", "path": ["person"] },
                { "id": 1, "label": "filmsStream", "path": ["person", "films"] }
              ],
              "hasNext": true
            }

            """
        let world = """
            {
              "id": "0",
              "data": {
                "homeworld": {
                  "name": "Tatooine"
                }
              }
            }
            """
        let single = [
            #"{"incremental":[\#(world)], "completed": [{"id": "0"}], "hasNext": true}"#,
            """
            {
              "incremental":[
                {
                  "id": "1",
                  "items": [{"title": "Return of the Jedi"}]
                }
              ],
              "completed": [{"id": "1"}],
              "hasNext": false
            }
            """,
        ]
        let batch = """
            {
              "incremental":[
                \(world),
                {
                  "id": "1",
                  "items": [
                    {"title": "The Empire Strikes Back"},
                    {"title": "Return of the Jedi"}
                  ]
                }
              ],
              "completed": [{"id": "0"}, {"id": "1"}],
              "hasNext": false
            }
            """
        let (data, labels, _) = try await Self.merge([first] + (isBatched ? [batch] : single))
        #expect(try data == Self.json(Self.whole("homeworld")))
        #expect(labels == ["homeWorldDefer", "filmsStream"])
    }

    @Test("of the format of 2022 (GraphQL specification, pull request 742)")
    func paths() async throws {
        let (data, labels, _) = try await Self.merge([
            """
            {
              "data": {
                "person": {
                  "name": "Luke Skywalker",
                  "films": [{ "title": "A New Hope" }]
                }
              },
              "hasNext": true
            }
            """,
            """
            {
              "incremental": [
                {
                  "label": "homeWorldDefer",
                  "path": ["person"],
                  "data": { "homeWorld": { "name": "Tatooine" } }
                },
                {
                  "label": "filmsStream",
                  "path": ["person", "films", 1],
                  "items": [{ "title": "The Empire Strikes Back" }]
                }
              ],
              "hasNext": true
            }
            """,
            """
            {
              "incremental": [
                {
                  "label": "filmsStream",
                  "path": ["person", "films", 2],
                  "items": [{ "title": "Return of the Jedi" }]
                }
              ],
              "hasNext": true
            }
            """,
            """
            {
              "hasNext": false
            }
            """,
        ])
        #expect(try data == Self.json(Self.whole("homeWorld")))
        #expect(labels == ["homeWorldDefer", "filmsStream"])
    }
}
