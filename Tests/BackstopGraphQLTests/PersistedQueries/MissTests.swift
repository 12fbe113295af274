import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A miss of a persisted query", .limited)
struct MissTests {
    private func client(_ transport: ScriptedTransport, clock: RecordingClock = RecordingClock()) throws -> Client {
        try makeClient(transport, clock: clock) {
            Retry()
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .sha256)
        }
    }

    static let words = [
        #""message":"PersistedQueryNotFound""#,
        #""message":"persistedquerynotfound""#,
        #""message":"PERSISTEDQUERYNOTFOUND","extensions":{"code":"OTHER"}"#,
        #""message":"Unknown.","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}"#,
        #""extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}"#,
        #""message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}"#,
    ]
    static let bodies = [#"{"errors":[{%}]}"#, #"{"data":null,"errors":[{%}]}"#, #"{"errors":[7,{%}],"data":null}"#]

    @Test("is seen however it is told, and the text sent once", arguments: words, [200, 400, 404, 500])
    func told(words: String, status: Int) async throws {
        for form in Self.bodies {
            for type in ["application/json", "application/graphql-response+json", "text/plain"] {
                // given
                let body = form.replacing("%", with: words)
                let transport = ScriptedTransport(
                    .json(status, body, headers: ["Content-Type": type]), .hero)
                // when
                let result = try await client(transport).fetch(HeroName())
                // then
                #expect(result.data.hero?.name == "R2-D2")
                #expect(forms(transport.requests) == ["H", "HT"])
                try transport.checkFinished()
            }
        }
    }

    @Test("costs one attempt, however many a retry would make")
    func attempts() async throws {
        // given
        let observer = RecordingObserver()
        let clock = RecordingClock()
        let transport = ScriptedTransport(.miss, .status(503))
        let client = try client(transport, clock: clock).withChain {
            try $0.replacing(.retry, with: Retry(attempts: 1))
        }
        .withOptions { $0.observers = [observer] }
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "status.503")
        #expect(failure?.attempts.count == 1)
        #expect(failure?.stopReason == .attemptsUsed(1))
        #expect(clock.sleeps.isEmpty)
        #expect(observer.calls.first?.trace.attempts.count == 1)
    }

    @Test("is not asked for again when the text was refused: further attempts begin with it", arguments: [200, 503])
    func textRefused(status: Int) async throws {
        // given
        let refusal = ScriptedTransport.Step.json(
            status, #"{"errors":[{"message":"Slow down.","extensions":{"code":"RATE_LIMITED"}}]}"#)
        let transport = ScriptedTransport(.miss, refusal, refusal, .hero)
        // when
        let result = try await client(transport).fetch(HeroName())
        // then
        #expect(result.data.hero?.name == "R2-D2")
        #expect(forms(transport.requests) == ["H", "HT", "HT", "HT"])
        try transport.checkFinished()
    }

    @Test("in a second attempt, after one that failed, is one attempt as well")
    func secondAttempt() async throws {
        // given
        let observer = RecordingObserver()
        let transport = ScriptedTransport(.failure(TransportError(.lost)), .miss, .hero)
        let client = try client(transport).withOptions { $0.observers = [observer] }
        // when
        _ = try await client.fetch(HeroName())
        // then
        #expect(forms(transport.requests) == ["H", "H", "HT"])
        #expect(observer.calls.first?.trace.attempts.count == 2)
    }

    @Test("of a mutation is followed by the text once, since nothing was executed")
    func mutation() async throws {
        // given
        let transport = ScriptedTransport(.miss, .graphQL(200, #"{"data":{}}"#))
        // when
        _ = try await client(transport).fetch(CreateReview())
        // then
        #expect(forms(transport.requests) == ["H", "HT"])
        #expect(transport.requests.map(\.method) == [.post, .post])
    }

    @Test("for the second time is a failure that says so, without a loop", arguments: [200, 400, 404])
    func second(status: Int) async throws {
        // given
        let body = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#
        let transport = ScriptedTransport(.json(status, body).repeated())
        let client = try client(transport)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "service.graphQL.persistedQueryNotFound")
        #expect(failure?.graphQL?.kind == .persistedQueryNotFound)
        #expect(failure?.graphQL?.documentName == "HeroName")
        #expect(forms(transport.requests) == ["H", "HT"])
        #expect(failure?.attempts.count == 1)
        #expect(failure?.response?.status == status)
        #expect(failure?.explanation.contains("HeroName") == true)
    }

    @Test("for the second time is not asked for again, whatever its status is", arguments: [429, 500, 503])
    func secondIsFinal(status: Int) async throws {
        // given
        let body = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#
        let transport = ScriptedTransport(.json(status, body).repeated())
        // when
        let client = try client(transport)
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "service.graphQL.persistedQueryNotFound")
        #expect(failure?.stopReason == .notRetryable)
        #expect(failure?.isTransient == false)
        #expect(forms(transport.requests) == ["H", "HT"])
    }

    @Test("is not seen in an error at a field: the operation was executed", arguments: [200, 500])
    func atField(status: Int) async throws {
        // given: what a gateway says whose own service missed a query
        let body = #"{"data":null,"errors":[{"message":"PersistedQueryNotFound","path":["createReview"]}]}"#
        let transport = ScriptedTransport(.json(status, body))
        // when
        let client = try client(transport)
        let failure = await failure { () async throws(Failure) in try await client.fetch(CreateReview()) }
        // then
        #expect(failure?.graphQLErrors.map(\.message) == ["PersistedQueryNotFound"])
        #expect(forms(transport.requests) == ["H"])
    }

    @Test("is not seen in an answer that has data: it was executed", arguments: [true, false])
    func executed(isMutation: Bool) async throws {
        // given: what a gateway says whose own service missed a query
        let body = #"{"data":{"hero":{"name":"Luke"}},"errors":[{"message":"PersistedQueryNotFound","path":["b"]}]}"#
        let transport = ScriptedTransport(.json(200, body))
        let client = try client(transport)
        // when
        let errors =
            try await isMutation ? client.fetch(CreateReview()).errors : client.fetch(HeroName()).errors
        // then
        #expect(errors.map(\.message) == ["PersistedQueryNotFound"])
        #expect(forms(transport.requests) == ["H"])
    }

    @Test("after a hit teaches the hash again: the server has forgotten it")
    func forgotten() async throws {
        // given
        let service = ScriptedService()
        let transport = service.transport
        let client = try client(transport)
        // when
        for index in 0..<4 {
            if index == 2 {
                service.forget()
            }
            _ = try await client.fetch(HeroName())
        }
        // then
        #expect(forms(transport.requests) == ["H", "HT", "H", "H", "HT", "H"])
    }

    @Test(
        "of a document that only the server knows is a failure at once",
        arguments: [PersistedQueries.Format.extensions, .documentID],
        [
            #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
            #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#,
        ])
    func safelisted(format: PersistedQueries.Format, body: String) async throws {
        // given
        var operation = HeroName()
        operation.document = .init(name: "HeroName", kind: .query, knownToServerAs: "abc")
        let transport = ScriptedTransport(.json(400, body))
        let client = try makeClient(transport) {
            Retry()
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .precomputed, format: format)
        }
        // when
        let failure = await failure { [operation] () async throws(Failure) in try await client.fetch(operation) }
        // then
        #expect(failure?.code == "service.graphQL.unknownDocument")
        #expect(failure?.response?.status == 400)
        #expect(transport.requests.count == 1)
    }

    @Test("with documentId is a failure at once also for a document whose text is known")
    func documentID() async throws {
        // given
        let transport = ScriptedTransport(.json(404, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#))
        let client = try makeClient(transport) {
            Decoding()
            PersistedQueries(hasher: .sha256, format: .documentID)
        }
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "service.graphQL.unknownDocument")
        #expect(forms(transport.requests) == [""])
    }
}
