import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("What a failure says of a mutation", .limited)
struct MutationDoubtTests {
    @Test(
        "a mutation that may have been executed is to be checked before it is sent again",
        arguments: [
            (#"{"data":null}"#, true), ("{}", true), (#"{"data":{},"errors":[{"message":"m"}]}"#, true),
            ("[]", true), (#"{"errors":[{"message":"m"}]}"#, false),
            (#"{"errors":[{"message":"m","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#, true),
            (#"{"errors":[{"message":"m","extensions":{"code":"TIMEOUT"}}]}"#, true),
            (#"{"errors":[{"message":"m","extensions":{"code":"SERVICE_UNAVAILABLE"}}]}"#, false),
            // Below a field of the root, which was resolved.
            (
                #"{"data":null,"errors":[{"message":"m","path":["a","b"],"extensions":{"code":"SERVICE_UNAVAILABLE"}}]}"#,
                true
            ),
            (#"{"errors":[{"message":"m","path":["a",0],"extensions":{"code":"FORBIDDEN"}}]}"#, true),
            (
                #"{"data":null,"errors":[{"message":"m","path":["createReview"],"extensions":{"code":"FORBIDDEN"}}]}"#,
                false
            ),
            // A resolver that threw, of a server without codes; what was refused before it ran has no path.
            (#"{"data":null,"errors":[{"message":"m","path":["createReview"]}]}"#, true),
            // Null data comes from an execution that had begun.
            (#"{"errors":[{"message":"m","path":[]}]}"#, false),
            (#"{"data":null,"errors":[{"message":"m","path":[]}]}"#, true),
            (#"{"data":null,"errors":[{"message":"m","extensions":{"code":"RATE_LIMITED"}}]}"#, true),
            (#"{"data":null,"errors":[{"message":"m","extensions":{"code":"SOLD_OUT"}}]}"#, false),
            // A service behind the server failed.
            (#"{"errors":[{"message":"m","extensions":{"code":"SUBREQUEST_HTTP_ERROR"}}]}"#, true),
            (#"{"errors":[{"message":"m","extensions":{"code":"DEADLINE_EXCEEDED"}}]}"#, true),
            (#"{"errors":[{"message":"m","extensions":{"code":"SOLD_OUT"}}]}"#, false),
            // Each of several errors counts.
            (
                #"{"errors":[{"message":"m","extensions":{"code":"BAD_USER_INPUT"}},"#
                    + #"{"message":"m","extensions":{"code":"TIMEOUT"}}]}"#,
                true
            ),
        ])
    func mayHaveWorked(body: String, warns: Bool) async throws {
        let warning = "Please check whether it worked before you try again."
        for isMutation in [true, false] {
            // given
            let client = try makeClient(ScriptedTransport(.json(200, body))).withOptions {
                $0.values.graphQL.failsOnPartialData = true
            }
            // when
            let failure = await failure { () async throws(Failure) in
                if isMutation {
                    _ = try await client.fetch(CreateReview())
                } else {
                    _ = try await client.fetch(HeroName())
                }
            }
            // then
            #expect(failure != nil)
            #expect((failure?.message.suggestion == warning) == (warns && isMutation), "\(isMutation)")
        }
    }

    @Test(
        "a mutation whose data cannot be read beside an error may have been executed",
        arguments: [
            (#"{"data":{"order":{"id":null}},"errors":[{"message":"m","extensions":{"code":"RATE_LIMITED"}}]}"#, true),
            // As where the field may be null, or all of the data is.
            (#"{"data":{"order":null},"errors":[{"message":"m","extensions":{"code":"RATE_LIMITED"}}]}"#, true),
            (#"{"data":{"order":null},"errors":[{"message":"m","extensions":{"code":"SOLD_OUT"}}]}"#, true),
            (#"{"data":{"order":null},"errors":[{"message":"m","extensions":{"code":"FORBIDDEN"}}]}"#, false),
            // Which of them it is of, nobody knows.
            (#"{"data":{"order":null,"a":null},"errors":[{"message":"m","extensions":{"code":"FORBIDDEN"}}]}"#, true),
            (
                #"{"data":{"order":null},"errors":[{"message":"m","path":["order"],"extensions":{"code":"SOLD_OUT"}}]}"#,
                false
            ),
            (
                #"{"data":{"order":null,"a":null},"errors":["#
                    + #"{"message":"m","path":["order"],"extensions":{"code":"SOLD_OUT"}}]}"#, true
            ),
            (
                #"{"data":{"order":null,"a":1},"errors":[{"message":"m","extensions":{"code":"RATE_LIMITED"}}]}"#, true
            ),
        ])
    func unreadableData(body: String, mayHaveWorked: Bool) async throws {
        struct Order: GraphQL.Operation {
            struct Data: Decodable, Sendable {
                struct Order: Decodable, Sendable { let id: String }
                let order: Order
            }
            var document = GraphQL.Document(text: "mutation M { order { id } a }")
        }
        let client = try makeClient(ScriptedTransport(.json(200, body)))
        let failure = await failure { () async throws(Failure) in try await client.fetch(Order()) }
        #expect(failure?.code == "service.graphQL.errors")
        #expect(failure?.mayHaveWorked == mayHaveWorked)
    }

    @Test(
        "a mutation all of whose fields failed is a failure, although they may be null",
        arguments: [
            (#""order":null"#, #"{"message":"m","path":["order"],"extensions":{"code":"SOLD_OUT"}}"#, false),
            (
                #""__typename":"Mutation","order":null"#,
                #"{"message":"m","path":["order"],"extensions":{"code":"SOLD_OUT"}}"#, false
            ),
            // At no field, only what is known refuses what may have run.
            (#""order":null"#, #"{"message":"m","extensions":{"code":"SOLD_OUT"}}"#, true),
            (#""order":null"#, #"{"message":"m","extensions":{"code":"FORBIDDEN"}}"#, false),
            // It threw something.
            (#""order":null"#, #"{"message":"m","path":["order"]}"#, true),
            (#""order":null"#, #"{"message":"m"}"#, true),
            // Below a field that was resolved.
            (
                #""order":null"#, #"{"message":"m","path":["order","number"],"extensions":{"code":"FORBIDDEN"}}"#, true
            ),
            (#""order":null"#, #"{"message":"m","extensions":{"code":"RATE_LIMITED"}}"#, true),
            (
                #""order":null,"a":null"#,
                #"{"message":"m","path":["order"],"extensions":{"code":"X"}},"#
                    + #"{"message":"m","path":["a"],"extensions":{"code":"X"}}"#, false
            ),
            // An error that explains nothing.
            (#""order":null"#, #"{"message":"m","path":["b"],"extensions":{"code":"X"}}"#, nil),
            // Another one has run, though it is null.
            (#""order":null,"a":null"#, #"{"message":"m","extensions":{"code":"X"}}"#, nil),
            (#""order":null,"a":null"#, #"{"message":"m","path":["order"]}"#, nil),
            (#""order":null,"a":1"#, #"{"message":"m"}"#, nil), (#""order":null"#, "", nil),
        ] as [(String, String, Bool?)])
    func allFieldsFailed(fields: String, error: String, mayHaveWorked: Bool?) async throws {
        struct Order: GraphQL.Operation {
            struct Data: Decodable, Sendable { let order: Int? }
            var document = GraphQL.Document(text: "mutation M { order a }")
        }
        let body = #"{"data":{\#(fields)},"errors":[\#(error)]}"#
        let client = try makeClient(ScriptedTransport(.json(200, body).repeated()))
        let failure = await failure { () async throws(Failure) in try await client.fetch(Order()) }
        #expect(failure?.code == (mayHaveWorked == nil ? nil : "service.graphQL.errors"))
        #expect(failure?.mayHaveWorked == mayHaveWorked)
        if mayHaveWorked != nil {
            let strict = client.withOptions { $0.values.graphQL.failsOnPartialData = true }
            let failure = await BackstopGraphQLTests.failure { () async throws(Failure) in
                try await strict.fetch(Order())
            }
            #expect(failure?.mayHaveWorked == mayHaveWorked, "with failsOnPartialData")
        }
        struct Query: GraphQL.Operation {
            typealias Data = Order.Data
            var document = GraphQL.Document(text: "query Q { order a }")
        }
        #expect(try await client.fetch(Query()).data.order == nil, "what only reads is a result")
    }

    @Test(
        "a mutation of several fields may have been executed before the one that failed, though it has no data",
        arguments: [
            ("order { id } pay { id }", ["pay"], true), ("order { id } pay { id }", ["order"], false),
            ("order { id } pay { id }", ["order", "pay"], false), ("pay { id }", ["pay"], false),
            ("a: pay pay: order(id: {pay: 1}) @skip(if: false) b", ["pay"], true),
            ("pay: order(b: \"}\") { pay } a: pay", ["pay"], false), ("a b c", ["a", "c"], true),
            ("__typename, pay", ["pay"], false), ("...F pay", ["pay"], true),
            ("... on Mutation { order } pay", ["pay"], true), ("... { order } pay", ["pay"], true),
            ("... @include(if: true) { order } pay", ["pay"], true),
            // Which other fields a fragment has is not known.
            ("...F", ["pay"], true), ("order ...F", ["pay"], true), ("... on Mutation { order pay }", ["pay"], true),
            ("order ...F", ["order"], false), ("order ...F", ["order", "pay"], true),
        ])
    func severalFields(selections: String, failed: [String], mayHaveWorked: Bool) async throws {
        struct Order: GraphQL.Operation {
            struct Data: Decodable, Sendable { let pay: Int }
            var document: GraphQL.Document
        }
        let errors = failed.map { #"{"message":"m","path":["\#($0)"],"extensions":{"code":"SERVICE_UNAVAILABLE"}}"# }
        let body = #"{"data":null,"errors":[\#(errors.joined(separator: ","))]}"#
        let client = try makeClient(ScriptedTransport(.json(200, body)))
        let order = Order(document: GraphQL.Document(text: "mutation M { \(selections) }"))
        let failure = await failure { () async throws(Failure) in try await client.fetch(order) }
        #expect(failure?.code == "service.graphQL.errors")
        #expect(failure?.mayHaveWorked == mayHaveWorked)
    }

    @Test(
        "a mutation whose text only the server has is not offered again, since its fields are not known",
        arguments: [
            ("null", "SERVICE_UNAVAILABLE", true), ("null", "UNAUTHENTICATED", false),
            // All of them are known then.
            (#"{"pay":null}"#, "SERVICE_UNAVAILABLE", false), (#"{"pay":null,"a":null}"#, "UNAUTHENTICATED", true),
        ])
    func unknownFields(data: String, code: String, mayHaveWorked: Bool) async throws {
        struct Order: GraphQL.Operation {
            struct Data: Decodable, Sendable { let pay: Int }
            var document = GraphQL.Document(name: "Order", kind: .mutation, knownToServerAs: "1f")
        }
        let body =
            #"{"data":\#(data),"errors":[{"message":"m","path":["pay"],"extensions":{"code":"\#(code)"}}]}"#
        let client = try makeClient(ScriptedTransport(.json(200, body)))
        let failure = await failure { () async throws(Failure) in try await client.fetch(Order()) }
        #expect(failure?.code == "service.graphQL.errors")
        #expect(failure?.mayHaveWorked == mayHaveWorked)
    }

    @Test(
        "a mutation that has data has run, whatever the status of the response",
        arguments: [
            (503, #"{"createReview":{"id":1},"a":null}"#, "[]", true), (503, "null", "[]", false),
            (503, "null", #"["createReview"]"#, true), (401, "null", #"["createReview"]"#, false),
            (401, #"{"a":1}"#, "[]", true),
        ])
    func statusWithData(status: Int, data: String, path: String, mayHaveWorked: Bool) async throws {
        let transport = ScriptedTransport(
            .json(status, #"{"data":\#(data),"errors":[{"message":"m","path":\#(path)}]}"#))
        let client = try makeClient(transport)
        let failure = await failure { () async throws(Failure) in _ = try await client.fetch(CreateReview()) }
        #expect(failure?.code == "status.\(status)")
        #expect(failure?.mayHaveWorked == mayHaveWorked)
    }

    @Test(
        "a mutation that was refused may have been executed where an error says so, in either media type",
        arguments: [
            (#""extensions":{"code":"TIMEOUT"}"#, true), (#""extensions":{"code":"FORBIDDEN"}"#, false),
            (#""path":["createReview","stars"],"extensions":{"code":"SOLD_OUT"}"#, true),
            (#""path":["createReview"],"extensions":{"code":"SOLD_OUT"}"#, false),
        ], [400, 422])
    func refusedWithErrors(error: (String, Bool), status: Int) async throws {
        for type in ["application/json", "application/graphql-response+json"] {
            let body = #"{"data":null,"errors":[{"message":"m",\#(error.0)}]}"#
            let transport = ScriptedTransport(.json(status, body, headers: ["Content-Type": type]))
            let client = try makeClient(transport)
            let failure = await failure { () async throws(Failure) in _ = try await client.fetch(CreateReview()) }
            #expect(failure?.mayHaveWorked == error.1, "\(type)")
        }
    }

    @Test(
        "a mutation that failed at a field with a status of the server's may have been executed, whatever its code is",
        arguments: [(503, true), (500, true), (403, false)], ["application/json", "application/graphql-response+json"])
    func statusOfField(status: (Int, Bool), type: String) async throws {
        let body = #"{"data":null,"errors":[{"message":"m","path":["createReview"],"extensions":{"code":"SOLD_OUT"}}]}"#
        let transport = ScriptedTransport(.json(status.0, body, headers: ["Content-Type": type]))
        let client = try makeClient(transport)
        let failure = await failure { () async throws(Failure) in _ = try await client.fetch(CreateReview()) }
        #expect(failure?.mayHaveWorked == status.1)
    }

    @Test("an error status that comes with content is not said to be the body of an error")
    func advice() async throws {
        let transport = ScriptedTransport(.graphQL(400, #"{"data":{"hero":{"name":7}}}"#))
        let client = try makeClient(transport)
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        #expect(failure?.code == "decoding")
        #expect(failure?.report.contains("next:") == true && failure?.report.contains("StatusValidation") == false)
    }
}
