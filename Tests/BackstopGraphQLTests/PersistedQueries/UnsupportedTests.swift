import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Servers without persisted queries", .limited)
struct UnsupportedTests {
    private func client(_ transport: ScriptedTransport, observer: RecordingObserver? = nil) throws -> Client {
        try makeClient(transport) {
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .sha256)
        }
        .withOptions { $0.observers = observer.map { [$0] } ?? [] }
    }

    @Test(
        "that say so get the text, and no hash any more",
        arguments: [
            #""message":"PersistedQueryNotSupported""#, #""message":"persistedQUERYnotsupported""#,
            #""message":"No.","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}"#,
        ], [200, 400, 500])
    func notSupported(words: String, status: Int) async throws {
        for body in [#"{"errors":[{\#(words)}]}"#, #"{"data":null,"errors":[{\#(words)}]}"#] {
            // given
            let transport = ScriptedTransport(.json(status, body), .hero.repeated())
            let client = try client(transport)
            // when
            for _ in 1...3 {
                _ = try await client.fetch(HeroName())
            }
            // then: other operations are known to be in vain, too
            _ = try await client.fetch(HeroOfEpisode())
            #expect(forms(transport.requests) == ["H", "T", "T", "T", "T"])
        }
    }

    @Test("are remembered one by one: scheme, host, port and path tell them apart, the query does not")
    func perServer() async throws {
        // given
        let transport = ScriptedTransport(
            .on("not supported", where: { $0.url.path == "/old" && $0.hasHash }, .json(200, Self.notSupported)),
            .hero.repeated())
        let client = try makeClient(transport, url: "https://api.example.com") {
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .sha256)
        }
        // when
        for path in ["old", "old", "new", "old?tenant=1", "new"] {
            _ = try await client.fetch(HeroName(), options: client.graphQLOptions.changing { $0.path = path })
        }
        // then
        #expect(forms(transport.requests) == ["H", "T", "T", "H", "T", "H"])
    }

    private static let notSupported = #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#

    @Test("that say so only when the text comes along get the text alone")
    func notSupportedAfterMiss() async throws {
        // given
        let transport = ScriptedTransport(.miss, .json(200, Self.notSupported), .hero.repeated())
        let client = try client(transport)
        // when
        let result = try await client.fetch(HeroName())
        _ = try await client.fetch(HeroName())
        // then
        #expect(result.data.hero?.name == "R2-D2")
        #expect(forms(transport.requests) == ["H", "HT", "T", "T"])
    }

    static let unknownHashes = [
        #"{"errors":[{"message":"The query must be a string."}]}"#,
        #"{"errors":[{"message":"Must provide query string."}],"data":null}"#,
        "Internal Server Error", "<html><title>Bad Request</title></html>", "",
    ]

    @Test("that answer a hash with 400 get the text once, and no hash any more", arguments: unknownHashes)
    func badRequest(body: String) async throws {
        // given
        let transport = ScriptedTransport(.json(400, body), .hero.repeated())
        let client = try client(transport)
        // when
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(HeroOfEpisode())
        // then
        #expect(forms(transport.requests) == ["H", "T", "T"])
    }

    @Test("that answer a hash with 500 get the text once, and no hash after the second time", arguments: unknownHashes)
    func serverError(body: String) async throws {
        // given
        let transport = ScriptedTransport(
            .on("hashes", where: \.hasHash, .json(500, body)), .hero.repeated())
        let client = try client(transport)
        // when
        for _ in 1...3 {
            _ = try await client.fetch(HeroName())
        }
        // then
        #expect(forms(transport.requests) == ["H", "T", "H", "T", "T"])
    }

    @Test("and requests that are wrong anyway are not confused", arguments: [400, 500])
    func wrongAnyway(status: Int) async throws {
        // given: the text fails as the hash does
        let body = #"{"errors":[{"message":"Variable $episode is missing."}]}"#
        let transport = ScriptedTransport(.graphQL(status, body), .graphQL(status, body), .hero)
        let client = try client(transport)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        _ = try await client.fetch(HeroName())
        // then
        #expect(failure?.graphQLErrors.map(\.message) == ["Variable $episode is missing."])
        #expect(forms(transport.requests) == ["H", "T", "H"])
    }

    @Test(
        "and those that refuse a GET which could be another site's are not confused, in whatever form they say it",
        arguments: [
            ("application/json", #"{"errors":[{"message":"%","extensions":{"code":"BAD_REQUEST"}}]}"#),
            ("text/plain", "%"), ("text/html; charset=utf-8", "<pre>BadRequestError: %</pre>"),
        ])
    func preventsForgery(type: String, form: String) async throws {
        // given: Apollo Server 4 and 3, and what stands before them
        let words =
            "This operation has been blocked as a potential Cross-Site Request Forgery (CSRF). Please either specify ..."
        let body = form.replacing("%", with: words)
        let transport = ScriptedTransport(.json(400, body, headers: ["Content-Type": type]), .hero.repeated())
        let client = try client(transport)
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(
                HeroName(), options: client.graphQLOptions.changing { $0.usesGETForHashedQueries = true })
        }
        _ = try await client.fetch(HeroName())
        // then
        #expect(failure?.code == "status.400")
        #expect(forms(transport.requests) == ["H", "H"])
    }

    @Test("are not suspected where a hash has worked before", arguments: [400, 500])
    func supported(status: Int) async throws {
        // given
        let transport = ScriptedTransport(.miss, .hero, .json(status, #"{"errors":[{"message":"Oops."}]}"#), .hero)
        let client = try client(transport)
        // when
        _ = try await client.fetch(HeroName())
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        _ = try await client.fetch(HeroName())
        // then
        #expect(failure?.code == "status.\(status)")
        #expect(forms(transport.requests) == ["H", "HT", "H", "H"])
    }

    @Test(
        "a mutation that was executed is not sent twice", arguments: [400, 500],
        [
            #"{"data":{"createReview":null},"errors":[{"message":"Oops."}]}"#,
            #"{"data":null,"errors":[{"message":"Oops."}]}"#,
            #"{"errors":[{"message":"Oops."}],"data":{"createReview":{"stars":5}}}"#,
        ])
    func mutation(status: Int, body: String) async throws {
        // given
        let transport = ScriptedTransport(.json(status, body))
        let client = try client(transport)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(CreateReview()) }
        // then
        #expect(failure?.code == "status.\(status)")
        #expect(failure?.graphQLErrors.map(\.message) == ["Oops."])
        #expect(forms(transport.requests) == ["H"])
    }

    @Test("that answer a hash with 422 are told at once", arguments: unknownHashes)
    func unprocessable(body: String) async throws {
        // given
        let transport = ScriptedTransport(.on("hashes", where: \.hasHash, .json(422, body)), .hero.repeated())
        let client = try client(transport)
        // when
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(HeroOfEpisode())
        // then
        #expect(forms(transport.requests) == ["H", "T", "T"])
    }

    @Test("that answer a hash with 200 and errors get the text once, and no hash after the second time")
    func legacy() async throws {
        // given
        let body = #"{"errors":[{"message":"Must provide query string."}]}"#
        let transport = ScriptedTransport(.on("hashes", where: \.hasHash, .json(200, body)), .hero.repeated())
        let client = try client(transport)
        // when
        for _ in 1...3 {
            _ = try await client.fetch(HeroName())
        }
        // then
        #expect(forms(transport.requests) == ["H", "T", "H", "T", "T"])
    }

    @Test("are forgotten with a reset, and known again afterwards")
    func reset() async throws {
        // given
        let transport = ScriptedTransport(.on("hashes", where: \.hasHash, .json(400, "{}")), .hero.repeated())
        let interceptor = PersistedQueries(hasher: .sha256)
        let client = try makeClient(transport) {
            Decoding()
            interceptor
        }
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(HeroName())
        // when
        interceptor.reset()
        // then
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(HeroName())
        #expect(forms(transport.requests) == ["H", "T", "T", "H", "T", "T"])
    }

    /// Has everything forgotten while the first request is under way.
    private struct Forgetting: HTTP.Interceptor {
        let interceptor: PersistedQueries
        let isDone = Lock(false)

        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            let response = try await next(request)
            let isFirst = isDone.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            if isFirst { interceptor.reset() }
            return response
        }
    }

    @Test("that are updated while a call is under way are asked anew after a reset")
    func resetMeanwhile() async throws {
        // given: what the old version says comes after the reset
        let transport = ScriptedTransport(.json(200, Self.notSupported), .hero.repeated())
        let interceptor = PersistedQueries(hasher: .sha256)
        let client = try makeClient(transport) {
            Decoding()
            interceptor
            Forgetting(interceptor: interceptor)
        }
        // when
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(HeroName())
        // then
        #expect(forms(transport.requests) == ["H", "T", "H"])
    }

    @Test(
        "answers that are no GraphQL responses decide nothing",
        arguments: [
            (400, ""), (401, #"{"errors":[{"message":"Sign in first."}]}"#), (503, ""), (200, "<html></html>"),
            (200, "{}"), (404, "<html></html>"),
        ])
    func undecided(status: Int, body: String) async throws {
        // given
        let observer = RecordingObserver()
        let transport = ScriptedTransport(.json(status, body).repeated())
        let client = try client(transport, observer: observer)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure != nil)
        #expect(observer.calls.map(\.values.persistedQuery) == [.undecided])
        #expect(observer.calls.first?.trace.events.filter { $0.name == "apq" }.map(\.text) == ["undecided"])
    }

    @Test(
        "an error about the caller or the load says nothing of the hash, and the text does not follow",
        arguments: ["RATE_LIMITED", "SERVICE_UNAVAILABLE", "TIMEOUT", "UNAUTHENTICATED", "FORBIDDEN"], [200, 400, 500])
    func refusedCall(code: String, status: Int) async throws {
        // given
        let body = #"{"errors":[{"message":"No.","extensions":{"code":"%"}}]}"#.replacing("%", with: code)
        let transport = ScriptedTransport(.json(status, body).repeated())
        let client = try client(transport)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure != nil)
        #expect(forms(transport.requests) == ["H"])
    }

    /// Scripts after which nobody knows what the server knows.
    private static let endings: [String: [Stub<HTTP.Request, HTTP.Response>]] = [
        "lost at once": [.failure(TransportError(.lost))],
        "lost after a miss": [.miss, .failure(TransportError(.lost))],
        "lost after a refusal": [.json(200, notSupported), .failure(TransportError(.lost))],
        "missed twice": [.miss, .miss],
    ]

    @Test(
        "without a response, or after a second miss, nothing is decided",
        arguments: ["lost at once", "lost after a miss", "lost after a refusal", "missed twice"])
    func undecided(ending: String) async throws {
        // given
        let observer = RecordingObserver()
        let client = try client(ScriptedTransport(#require(Self.endings[ending])), observer: observer)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        let isLost = ending.hasPrefix("lost")
        #expect(failure?.code == (isLost ? "transport.lost" : "service.graphQL.persistedQueryNotFound"))
        #expect(observer.calls.map(\.values.persistedQuery) == [.undecided])
        #expect(observer.calls.first?.trace.events.filter { $0.name == "apq" }.map(\.text) == ["undecided"])
    }

    @Test("no other status means that the hash is unknown", arguments: [401, 403, 404, 429, 502, 503, 504])
    func otherStatus(status: Int) async throws {
        // given
        let transport = ScriptedTransport(.json(status, #"{"errors":[{"message":"Oops."}]}"#))
        let client = try client(transport)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "status.\(status)")
        #expect(forms(transport.requests) == ["H"])
    }

    @Test("the trace and the call's values say what happened")
    func trace() async throws {
        // given
        let observer = RecordingObserver()
        let transport = ScriptedTransport(.miss, .hero, .hero, .hero, .hero)
        let client = try client(transport, observer: observer)
        let unsupported = try self.client(ScriptedTransport(.json(200, Self.notSupported), .hero), observer: observer)
        // when
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(HeroName())
        _ = try await client.fetch(
            HeroName(), options: client.graphQLOptions.changing { $0.isAPQInterceptorEnabled = false })
        _ = try await unsupported.fetch(HeroName())
        // then
        let notes = observer.calls.map { call in call.trace.events.filter { $0.name == "apq" }.map(\.text) }
        #expect(notes == [["registered"], ["hit"], ["off"], ["unsupported"]])
        #expect(observer.calls.map(\.values.persistedQuery) == [.registered, .hit, .off, .unsupported])
    }
}
