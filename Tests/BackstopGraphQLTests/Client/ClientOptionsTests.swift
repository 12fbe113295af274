import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The options of GraphQL calls", .limited)
struct ClientOptionsTests {
    @Test("path, headers and GET are those of the call, beyond those of the client")
    func perCall() async throws {
        // given
        var options = GraphQL.Options()
        options.path = "v1/graphql"
        options.headers["X-Tenant"] = "a"
        let transport = ScriptedTransport(.hero.repeated())
        let client = try makeClient(transport, url: "https://api.example.com", graphQL: options)
        // when
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(
            HeroName(),
            options: client.graphQLOptions.changing { options in
                options.path = "/v2"
                options.headers["X-Tenant"] = "b"
                options.headers[.accept] = "application/json"
                options.usesGETForQueries = true
            })
        // then
        try #require(transport.requests.count == 2)
        #expect(transport.requests[0].url.absoluteString == "https://api.example.com/v1/graphql")
        #expect(transport.requests[0].headers["X-Tenant"] == "a")
        #expect(transport.requests[1].method == .get)
        #expect(
            transport.requests[1].url.absoluteString
                == "https://api.example.com/v2?operationName=HeroName"
                + "&query=query%20HeroName%20%7B%20hero%20%7B%20name%20%7D%20%7D")
        #expect(transport.requests[1].headers["X-Tenant"] == "b")
        #expect(transport.requests[1].headers[.accept] == "application/json")
        #expect(transport.requests[1].headers[.contentType] == nil)
        #expect(transport.requests[1].body.isNone)
    }

    @Test(
        "a subscription is refused with a text that says why, and nothing is sent",
        arguments: [
            ("Reviews", "created: Reviews is a subscription"), ("", "created: the operation is a subscription"),
        ])
    func subscription(name: String, text: String) async throws {
        // given
        var operation = HeroName()
        operation.document = .init(text: "subscription \(name) { reviewAdded }")
        let transport = ScriptedTransport()
        let client = try makeClient(transport)
        // when
        let failure = await failure { [operation] () async throws(Failure) in try await client.fetch(operation) }
        // then
        #expect(failure?.code == "request.invalid")
        #expect(failure?.explanation.contains(text) == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("a query is sent again after a 503, though it is a POST; a mutation is not")
    func retry() async throws {
        // given
        let queries = ScriptedTransport(.status(503), .hero)
        let mutations = ScriptedTransport(.status(503))
        func client(_ transport: ScriptedTransport) throws -> Client {
            try makeClient(transport) {
                Retry()
                Decoding()
                StatusValidation()
            }
        }
        // when
        let hero = try await client(queries).data(for: HeroName()).hero
        let client = try client(mutations)
        let failure = await failure { () async throws(Failure) in try await client.fetch(CreateReview()) }
        // then
        #expect(hero?.name == "R2-D2")
        #expect(queries.requests.map(\.method) == [.post, .post])
        #expect(failure?.stopReason == .notIdempotent)
        #expect(mutations.requests.count == 1)
    }

    @Test("errors in GraphQL's own media type with 503 are retried as well")
    func retryOfServiceErrors() async throws {
        // given
        let transport = ScriptedTransport(.graphQL(503, #"{"errors":[{"message":"Busy."}]}"#), .hero)
        let client = try makeClient(transport) {
            Retry()
            Decoding()
            StatusValidation()
        }
        // when
        _ = try await client.fetch(HeroName())
        // then
        #expect(transport.requests.count == 2)
    }

    @Test("variables that cannot be encoded are a failure of their own, and nothing is sent")
    func encoding() async throws {
        struct Height: GraphQL.Operation {
            typealias Data = HeroName.Data
            var variables = ["height": Double.nan]
            var document = HeroOfEpisode().document
        }
        // given
        let observer = RecordingObserver()
        let transport = ScriptedTransport()
        let client = try makeClient(transport).withOptions { $0.observers = [observer] }
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(Height()) }
        // then
        #expect(failure?.code == "request.encoding")
        #expect(failure?.graphQL?.kind == .encodingError)
        #expect(failure?.graphQL?.requestError?.detail.contains("height") == true)
        #expect(failure?.error(as: GraphQLFailure.self)?.failureCode == "graphQL.encodingError")
        #expect(failure?.name == "HeroOfEpisode")
        #expect(transport.requests.isEmpty)
        #expect(observer.calls.count == 1)
    }

    // MARK: Persisted queries

    @Test("isAPQClientEnabled persists queries without an interceptor", arguments: [false, true])
    func apqClient(hasTimeout: Bool) async throws {
        // given
        let transport = ScriptedTransport(.miss, .hero)
        let client = try makeClient(transport) {
            Decoding()
            StatusValidation()
            if hasTimeout {
                AttemptTimeout(.seconds(30))
            }
        }
        // when
        let result = try await client.fetch(
            HeroName(), options: client.graphQLOptions.changing { $0.isAPQClientEnabled = true })
        // then
        #expect(result.data.hero?.name == "R2-D2")
        #expect(forms(transport.requests) == ["H", "HT"])
    }

    @Test("what a client learns by itself is shared by clients derived from it, and by no other")
    func apqMemory() async throws {
        // given
        let transport = ScriptedTransport(.on("hashes", where: \.hasHash, .json(400, "{}")), .hero.repeated())
        var options = GraphQL.Options()
        options.isAPQClientEnabled = true
        let client = try makeClient(transport, graphQL: options)
        _ = try await client.fetch(HeroName())
        // when
        let derived = try client.withOptions { $0.tracesInterceptors = true }.withChain {
            $0.removing(.statusValidation)
        }
        _ = try await derived.scoped("hero") {}.fetch(HeroName())
        _ = try await makeClient(transport, graphQL: options).fetch(HeroName())
        // then
        #expect(forms(transport.requests) == ["H", "T", "T", "H", "T"])
    }

    @Test("what a client learned by itself is forgotten with a reset, by those derived from it too")
    func apqReset() async throws {
        // given: a service without persisted queries that has them after an update
        var options = GraphQL.Options()
        options.isAPQClientEnabled = true
        let transport = ScriptedTransport(
            .json(400, #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#), .hero, .hero, .miss, .hero, .hero)
        let client = try makeClient(transport, graphQL: options)
        let derived = client.withOptions { $0.deadline = .seconds(60) }
        _ = try await client.fetch(HeroName())
        _ = try await derived.fetch(HeroName())
        // when
        client.resetPersistedQueries()
        // then
        _ = try await derived.fetch(HeroName())
        _ = try await client.fetch(HeroName())
        #expect(forms(transport.requests) == ["H", "T", "T", "H", "HT", "H"])
    }

    @Test("isAPQClientEnabled does not bring a second interceptor")
    func apqClientWithLink() async throws {
        // given
        let transport = ScriptedTransport(.hero)
        let client = try makeClient(transport) {
            Decoding()
            PersistedQueries(hasher: .sha256, format: .documentID)
        }
        // when
        _ = try await client.fetch(HeroName(), options: client.graphQLOptions.changing { $0.isAPQClientEnabled = true })
        // then: the client's own interceptor would have sent its hash in the extensions
        #expect(transport.requests.map { $0.text.contains("documentId") } == [true])
        #expect(transport.requests.map(\.hasHash) == [false])
    }

    @Test(
        "isAPQInterceptorEnabled switches the chain's interceptor off, isAPQClientEnabled the client's own on",
        arguments: [
            (interceptor: true, own: false, forms: ["T"]), (true, true, ["T"]), (false, true, ["H", "HT"]),
            (false, false, ["T"]),
        ])
    func apqOff(hasInterceptor: Bool, isOwn: Bool, expected: [String]) async throws {
        // given
        let observer = RecordingObserver()
        let transport = expected == ["T"] ? ScriptedTransport(.hero) : ScriptedTransport(.miss, .hero)
        let client = try makeClient(transport) {
            Decoding()
            if hasInterceptor {
                PersistedQueries(hasher: .sha256)
            }
        }
        .withOptions { $0.observers = [observer] }
        // when
        _ = try await client.fetch(
            HeroName(),
            options: client.graphQLOptions.changing { options in
                options.isAPQClientEnabled = isOwn
                options.isAPQInterceptorEnabled = false
            })
        // then
        #expect(forms(transport.requests) == expected)
        #expect(observer.calls.first?.values.persistedQuery == (expected == ["T"] ? .off : .registered))
    }

    @Test("a document without a hash is sent in full where none can be computed")
    func noHasher() async throws {
        // given
        let observer = RecordingObserver()
        let transport = ScriptedTransport(.hero, .hero)
        let client = try makeClient(transport) {
            Decoding()
            PersistedQueries(hasher: .precomputed)
        }
        .withOptions { $0.observers = [observer] }
        var hashed = HeroName()
        let hash = "7e7c85cbf5ef3af5641552c55965608a4e5d7243f3116a486d21c3a958d34235"
        hashed.document = .init(text: HeroName.text, hash: hash)
        // when
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(hashed)
        // then
        #expect(forms(transport.requests) == ["T", "H"])
        #expect(transport.requests[1].text.contains(#""sha256Hash":"\#(hash)""#))
        #expect(observer.calls.map(\.values.persistedQuery) == [.off, .hit])
        #expect(observer.calls.first?.trace.events.map(\.text) == ["off"])
    }

    @Test("other calls of the client are left alone by its interceptors for GraphQL")
    func otherCalls() async throws {
        // given
        let transport = ScriptedTransport(.json(200, #"{"data":1}"#), .json(500, #"{"errors":[]}"#))
        let client = try makeClient(transport) {
            ResponseCache()
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .sha256)
        }
        // when
        let response = try await client.get("books")
        let failure = await failure { () async throws(Failure) in try await client.get("books") }
        // then
        #expect(response.status == 200)
        #expect(failure?.code == "status.500")
        #expect(transport.requests.map(\.method) == [.get, .get])
    }
}
