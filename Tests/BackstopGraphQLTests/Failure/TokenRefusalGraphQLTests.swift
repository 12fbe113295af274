import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A GraphQL error that refuses the token", .limited)
struct TokenRefusalGraphQLTests {
    private static let refusal = #""errors":[{"message":"No.","extensions":{"code":"UNAUTHENTICATED"}}]"#

    private func client(_ transport: ScriptedTransport, isOutside: Bool = true) throws -> Client {
        let credentials = try Credentials(TokenSet(access: "old")) { _ in TokenSet(access: "new") }
        let bearer = BearerAuthentication(credentials, refusedBy: [.unauthorized, .graphQLError()])
        return try makeClient(transport) {
            if isOutside { bearer }
            Decoding()
            StatusValidation()
            if !isOutside { bearer }
        }
    }

    private static func tokens(of transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.headers[.authorization] }
    }

    @Test("refreshes it, and sends the query again", arguments: ["{\(refusal)}", "{\"data\":null,\(refusal)}"])
    func query(body: String) async throws {
        let transport = ScriptedTransport(.graphQL(200, body), .hero)

        _ = try await client(transport).fetch(HeroName())

        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer new"])
    }

    @Test(
        "with the status 401 sends a mutation again only where nothing says that it was executed",
        arguments: [
            ("{\(refusal)}", 2), ("{\"data\":null,\(refusal)}", 2), ("", 2),
            ("{\"data\":{\"__typename\":\"Mutation\",\"createReview\":null},\(refusal)}", 2),
            ("{\"data\":{\"createReview\":{\"stars\":5}},\(refusal)}", 1),
            (
                #"{"data":null,"errors":[{"message":"No.","path":["a","b"],"extensions":{"code":"UNAUTHENTICATED"}}]}"#,
                1
            ),
        ])
    func unauthorized(body: String, count: Int) async throws {
        for type in ["application/json", "application/graphql-response+json"] {
            let transport = ScriptedTransport(
                .json(401, body, headers: ["Content-Type": type]), .json(200, #"{"data":{}}"#))
            let credentials = try Credentials(TokenSet(access: "old")) { _ in TokenSet(access: "new") }
            let client = try makeClient(transport) {
                BearerAuthentication(credentials)
                Decoding()
                StatusValidation()
            }
            _ = try? await client.fetch(CreateReview())
            #expect(transport.requests.count == count, "\(type)")
        }
    }

    @Test("leaves another error alone") func otherCode() async throws {
        let body = #"{"errors":[{"message":"No.","extensions":{"code":"FORBIDDEN"}}]}"#
        let transport = ScriptedTransport(.graphQL(200, body))

        await #expect(throws: Failure.self) { _ = try await client(transport).fetch(HeroName()) }

        #expect(Self.tokens(of: transport) == ["Bearer old"])
    }

    @Test("is seen inside Decoding as well, where it is still a response")
    func wrongOrder() async throws {
        let transport = ScriptedTransport(.graphQL(200, "{\(Self.refusal)}"), .hero)
        let client = try client(transport, isOutside: false)

        _ = try await client.fetch(HeroName())

        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer new"])
    }

    static let answers: [(body: String, status: Int, type: String)] = [
        ("{\"data\":{\"hero\":null},\(refusal)}", 200, "application/json"),  // partial data, which is a value
        (
            #"{"data":{"hero":{"name":"x"}},"errors":[{"message":"a"},{"message":"No.","type":"UNAUTHENTICATED"}]}"#,
            200,
            "application/json"
        ),  // in the error itself, and not the first
        ("{\"data\":{\"hero\":{\"nam\":1}},\(refusal)}", 200, "application/json"),  // data that cannot be decoded
        ("{\(refusal)}", 400, "application/json"),  // a status outside GraphQL's own media type
        ("{\(refusal)}", 500, "application/graphql-response+json"),
    ]

    @Test("refreshes the token wherever the error is", arguments: 0..<answers.count, [true, false])
    func everyAnswer(index: Int, isOutside: Bool) async throws {
        // given
        let (body, status, type) = Self.answers[index]
        let observer = RecordingObserver()
        let transport = ScriptedTransport(.json(status, body, headers: ["Content-Type": type]), .hero)
        let client = try client(transport, isOutside: isOutside).withOptions { $0.observers = [observer] }
        // when
        let result = try await client.fetch(HeroName())
        // then
        #expect(result.data.hero?.name == "R2-D2")
        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer new"])
        #expect(observer.calls.first?.trace.attempts.map(\.result).contains(.failed(code: "status.200")) == false)
    }

    @Test(
        "of a mutation sends it again only where nothing else says that it may have been executed",
        arguments: [
            ("{\(refusal)}", 200, 2), ("{\(refusal)}", 500, 2), ("{\(refusal)}", 502, 1), ("{\(refusal)}", 504, 1),
            ("{\(refusal)}", 524, 1), ("{\(refusal)}", 503, 2),
            ("{\(refusal.dropLast()),{\"message\":\"m\",\"extensions\":{\"code\":\"TIMEOUT\"}}]}", 200, 1),
            (
                #"{"errors":[{"message":"m","extensions":{"code":"INTERNAL_SERVER_ERROR"}},"#
                    + refusal.dropFirst(#""errors":["#.count) + "}", 200, 1
            ),
            ("{\(refusal.dropLast()),{\"message\":\"m\",\"extensions\":{\"code\":\"FORBIDDEN\"}}]}", 200, 2),
        ])
    func onlyRefusal(body: String, status: Int, count: Int) async throws {
        for type in ["application/json", "application/graphql-response+json"] {
            let transport = ScriptedTransport(
                .json(status, body, headers: ["Content-Type": type]), .json(200, #"{"data":{}}"#))
            let client = try client(transport)
            let failure = await failure { () async throws(Failure) in _ = try await client.fetch(CreateReview()) }
            #expect(transport.requests.count == count, "\(type)")
            #expect(failure.map(\.mayHaveWorked) == (count == 1 ? true : nil), "\(type)")
        }
    }

    @Test("of a mutation may be any code that the caller names")
    func ownCode() async throws {
        let credentials = try Credentials(TokenSet(access: "old")) { _ in TokenSet(access: "new") }
        let body = #"{"errors":[{"message":"No.","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
        let transport = ScriptedTransport(.graphQL(200, body), .json(200, #"{"data":{}}"#))
        let client = try makeClient(transport) {
            BearerAuthentication(credentials, refusedBy: [.graphQLError(["INTERNAL_SERVER_ERROR"])])
            Decoding()
            StatusValidation()
        }
        _ = try await client.fetch(CreateReview())
        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer new"])
    }

    @Test("beside the data of a mutation does not send it twice: the result stays, and the next call renews the token")
    func mutation() async throws {
        let body = "{\"data\":{\"createReview\":{\"stars\":5}},\(Self.refusal)}"
        let transport = ScriptedTransport(.json(200, body), .hero)
        let client = try client(transport)

        let result = try await client.fetch(CreateReview())
        _ = try await client.fetch(HeroName())

        #expect(result.errors.first?.code == "UNAUTHENTICATED")
        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer new"])
    }

    @Test(
        "renews the token of a mutation whose hash the server did not know: nothing was executed",
        arguments: [401, 200])
    func missedMutation(status: Int) async throws {
        let refusal = status == 401 ? "{}" : "{\(Self.refusal)}"
        let transport = ScriptedTransport(.miss, .json(status, refusal), .json(200, #"{"data":{}}"#))
        let client = try client(transport).withChain {
            try $0.inserting(PersistedQueries(hasher: .sha256), inside: .statusValidation)
        }

        _ = try await client.data(for: CreateReview())

        #expect(forms(transport.requests) == ["H", "HT", "HT"])
        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer old", "Bearer new"])
    }

    @Test(
        "at a field does not send a mutation twice either, where the server leaves out data that is null",
        arguments: [
            #"{"errors":[{"message":"No.","path":["createReview","stars"],"extensions":{"code":"UNAUTHENTICATED"}}]}"#,
            "{\(refusal.dropLast()),{\"message\":\"At a field.\",\"path\":[\"createReview\"]}]}",
            #"{"data":null,"errors":[{"message":"No.","path":["createReview"],"extensions":{"code":"UNAUTHENTICATED"}}]}"#,
        ], [200, 401, 500])
    func mutationWithoutData(body: String, status: Int) async throws {
        let transport = ScriptedTransport(.json(status, body), .hero)
        let client = try client(transport)

        let failure = await #expect(throws: Failure.self) { _ = try await client.fetch(CreateReview()) }
        _ = try await client.fetch(HeroName())

        // It was not sent again for that reason; but an error at its only field, as of a resolver, refuses it.
        let isRefused = status == 200 && body.contains(#""data":null"#)
        #expect(failure?.mayHaveWorked == !isRefused)
        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer new"])
    }

    @Test("beside data that the new token does not change is in the result, and is not asked for again")
    func refusedTwice() async throws {
        let body = "{\"data\":{\"hero\":null},\(Self.refusal)}"
        let transport = ScriptedTransport(.json(200, body), .json(200, body))

        let result = try await client(transport).fetch(HeroName())

        #expect(result.isPartial)
        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer new"])
    }

    @Test("is none in the answer to a call that is not GraphQL's")
    func otherCalls() async throws {
        let transport = ScriptedTransport(.json(200, "{\(Self.refusal)}"))

        _ = try await client(transport).get("x", as: JSONValue.self)

        #expect(Self.tokens(of: transport) == ["Bearer old"])
    }
}
