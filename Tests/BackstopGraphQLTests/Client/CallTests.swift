import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("GraphQL calls in all their forms", .limited)
struct CallTests {
    private static let partial = Stub<HTTP.Request, HTTP.Response>.graphQL(
        200, #"{"data":{"hero":null},"errors":[{"message":"a","path":["hero"]},{"message":"b"}]}"#)

    // MARK: Policies

    @Test("the cache's policy can be said in one word by each of them")
    func cachePolicy() async throws {
        // given
        let transport = ScriptedTransport(.hero)
        let client = try makeClient(transport) {
            ResponseCache()
            Decoding()
        }
        // when
        let first = try await client.fetch(HeroName(), cachePolicy: .cacheFirst)
        let second = try await client.fetch(HeroName(), cachePolicy: .cacheFirst)
        let data = try await client.data(for: HeroName(), cachePolicy: .cacheOnly)
        let outcome = await client.perform(HeroName(), cachePolicy: .cacheOnly)
        let handled = await client.perform(HeroName(), cachePolicy: .cacheOnly) { _ in .unhandled }
        // then
        #expect(!first.isFromCache && second.isFromCache)
        #expect(data.hero?.name == "R2-D2")
        #expect(outcome.value?.isFromCache == true)
        #expect(handled.value?.isFromCache == true)
        #expect(transport.requests.count == 1)
    }

    @Test("cache only is refused by a chain without the cache, and nothing is sent", arguments: [true, false])
    func noCache(isAlone: Bool) async throws {
        // given
        let transport = ScriptedTransport()
        let client = try makeClient(transport) {
            if !isAlone {
                Retry()
                Decoding()
                StatusValidation()
                PersistedQueries(hasher: .sha256)
                AttemptTimeout(.seconds(30))
            }
        }
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(HeroName(), cachePolicy: .cacheOnly)
        }
        // then
        #expect(failure?.code == "rejected.noCache")
        #expect(failure?.explanation.contains("add a ResponseCache") == true)
        #expect(failure?.isRetryable == false)
        #expect(transport.requests.isEmpty)
    }

    @Test("cache only without our cache lets a cache of the app's own answer, and mutations pass")
    func ownCache() async throws {
        struct Own: HTTP.Interceptor {
            var role: Role { .cache }

            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                HTTP.Response(status: 200, body: Data(#"{"data":{"hero":{"name":"Kept"}}}"#.utf8))
            }
        }
        // given
        let transport = ScriptedTransport(.graphQL(200, #"{"data":{}}"#))
        // when
        let name = try await makeClient(transport) { Own() }.data(for: HeroName(), cachePolicy: .cacheOnly).hero?.name
        _ = try await makeClient(transport).fetch(CreateReview(), cachePolicy: .cacheOnly)
        // then
        #expect(name == "Kept")
        #expect(transport.requests.count == 1)
    }

    // MARK: Errors that are dropped

    @Test("errors that data(for:) drops leave a mark in the trace", arguments: [true, false])
    func dropped(decodes: Bool) async throws {
        // given
        let observer = RecordingObserver()
        let client = try makeClient(ScriptedTransport(Self.partial, .hero, Self.partial)) {
            if decodes {
                Decoding()
            }
            StatusValidation()
        }
        .withOptions { $0.observers = [observer] }
        // when
        _ = try await client.data(for: HeroName())
        _ = try await client.data(for: HeroName())
        _ = try await client.fetch(HeroName())
        // then
        let notes = observer.calls.map { call in call.trace.events.filter { $0.name == "graphQL" }.map(\.text) }
        #expect(notes == [["2 errors came with the data, dropped by data(for:); fetch gives both"], [], []])
    }

    @Test("one error that data(for:) drops is counted as one")
    func droppedOne() async throws {
        // given
        let observer = RecordingObserver()
        let one = Stub.graphQL(200, #"{"data":{"hero":null},"errors":[{"message":"Lost."}]}"#)
        let client = try makeClient(ScriptedTransport(one)).withOptions { $0.observers = [observer] }
        // when
        _ = try await client.data(for: HeroName())
        // then
        let notes = observer.calls.first?.trace.events.filter { $0.name == "graphQL" }.map(\.text)
        #expect(notes == ["1 error came with the data, dropped by data(for:); fetch gives both"])
    }

    // MARK: Callbacks

    private struct Placed: GraphQL.Operation {
        typealias Data = HeroName.Data
        let isOnMain = Lock<[Bool]>([])
        var document: GraphQL.Document { HeroName().document }

        func encodedVariables(by encoder: JSONEncoder) throws -> Foundation.Data {
            isOnMain.withLock { $0.append(isOnMainThread()) }
            return Foundation.Data("{}".utf8)
        }
    }

    @MainActor
    @Test("from the main actor does not encode the variables there")
    func offMain() async throws {
        // given
        let operation = Placed()
        let client = try makeClient(ScriptedTransport(.hero.repeated()))
        // when
        _ = try await client.fetch(operation)
        _ = try await client.data(for: operation)
        _ = await client.result(of: operation)
        await client.perform(operation)
        await client.perform(operation) { _ in .unhandled }
        await client.perform(operation) { Otherwise { _ in } }
        // then
        #expect(operation.isOnMain.withLock { $0 } == Array(repeating: false, count: 6))
    }

    @Test("handles only failures in the closure of a call that is awaited, which may return nothing or a Boolean")
    func handle() async throws {
        // given
        let transport = ScriptedTransport(.hero, .status(404), .status(404), .status(404))
        let client = try makeClient(transport).scoped("quiet") { Otherwise { _ in } }
        let codes = Lock<[String]>([])
        // when
        await client.perform(HeroName()) { failure in codes.withLock { $0.append(failure.code) } }
        let handled = await client.perform(HeroName(), cachePolicy: .networkOnly) { failure in
            codes.withLock { $0.append(failure.code) }
            codes.withLock { $0.append(failure.message.title) }
        }
        let left = await client.perform(HeroName(), cachePolicy: .networkOnly) { failure in failure.isOffline }
        let kept = await client.perform(HeroName(), cachePolicy: .networkOnly) { failure in !failure.isOffline }
        // then
        #expect(codes.withLock { $0 } == ["status.404", "Not found"])
        #expect(handled.handledBy == "call")
        #expect(left.handledBy != "call")
        #expect(kept.handledBy == "call")
    }

    @Test("closures: a result reaches one, a failure the other, and a cancellation the third")
    func closures() async throws {
        // given
        let seen = Lock<[String]>([])
        @Sendable func note(_ text: String) {
            seen.withLock { $0.append(text) }
        }
        let transport = ScriptedTransport(.hero, .status(503), .hang)
        let client = try makeClient(transport).scoped("quiet") { Otherwise { _ in } }
        @Sendable func start() -> Task<Void, Never> {
            client.perform(
                HeroName(), onSuccess: { note("success \($0.data.hero?.name ?? "")") },
                onFailure: { failure in
                    note("failure \(failure.code)")
                    return true
                }, onCancel: { note("cancel") })
        }
        // when
        await start().value
        await start().value
        let hanging = start()
        await transport.waitForRequests(3)
        hanging.cancel()
        await hanging.value
        // then
        #expect(seen.withLock { $0 } == ["success R2-D2", "failure status.503", "cancel"])
    }

    @Test("closures: the cache's policy and the options are those of the call, and onFailure may be nil")
    func closureOptions() async throws {
        // given
        let transport = ScriptedTransport(.hero)
        let client = try makeClient(transport) { ResponseCache() }.scoped("quiet") { Otherwise { _ in } }
        let seen = Lock<[Bool]>([])
        // when
        for _ in 1...2 {
            await client.perform(
                HeroName(), cachePolicy: .cacheFirst,
                options: client.graphQLOptions.changing { $0.headers["X-Trace"] = "1" },
                onSuccess: { result in seen.withLock { $0.append(result.isFromCache) } }, onFailure: nil
            ).value
        }
        await client.perform(CreateReview(), onSuccess: { _ in }, onFailure: nil).value
        // then
        #expect(seen.withLock { $0 } == [false, true])
        #expect(transport.requests.first?.headers["X-Trace"] == "1")
    }

    @Test("closures: without onFailure, the handlers of a scope can repeat the call")
    func closureRetries() async throws {
        // given
        let transport = ScriptedTransport(.status(400), .hero)
        let client = try makeClient(transport).scoped("again") { On(status: 400) { _ in .retry } }
        let seen = Lock<[String]>([])
        // when
        await client.perform(
            HeroName(), onSuccess: { result in seen.withLock { $0.append(result.data.hero?.name ?? "") } },
            onFailure: nil, onCancel: { seen.withLock { $0.append("cancel") } }
        ).value
        // then
        #expect(seen.withLock { $0 } == ["R2-D2"])
    }

    @Test("closures: one gets the outcome, whatever it is")
    func completion() async throws {
        // given
        let transport = ScriptedTransport(.hero, .status(400))
        let client = try makeClient(transport).scoped("quiet") { Otherwise { _ in } }
        let seen = Lock<[String]>([])
        // when
        for _ in 1...2 {
            await client.perform(
                HeroName(), options: client.graphQLOptions.changing { $0.headers["X-Trace"] = "1" },
                completion: { outcome in
                    let text = outcome.value?.data.hero?.name ?? outcome.failure?.code ?? ""
                    seen.withLock { $0.append(text) }
                }
            ).value
        }
        // then
        #expect(seen.withLock { $0 } == ["R2-D2", "status.400"])
        #expect(transport.requests.map { $0.headers["X-Trace"] } == ["1", "1"])
    }

    // MARK: Samples

    @Test("every case of GraphQLFailure has a sample, for previews and for a matrix of handlers")
    func samples() async throws {
        // given
        let codes = Set(GraphQLFailure.samples.compactMap { $0.graphQL?.failureCode })
        // then
        #expect(
            codes == [
                "graphQL.errors", "graphQL.partialData", "graphQL.decodingError", "graphQL.encodingError",
                "graphQL.invalidData", "graphQL.missingData", "graphQL.persistedQueryNotFound",
                "graphQL.unknownDocument",
            ])
        #expect(GraphQLFailure.samples.map(\.code).contains("rejected.noCache"))
        for failure in GraphQLFailure.samples {
            #expect(!failure.report.isEmpty && failure.name == "Hero")
            #expect((failure.response == nil) == ["request", "rejected"].contains(failure.reason.kind))
        }
        // when
        let samples = GraphQLFailure.samples.map { FailureSample($0, detail: $0.graphQL?.failureCode) }
        let matrix = await FailureMatrix.run(samples: FailureSamples.all + samples) {
            On(graphQLCode: "UNAUTHENTICATED") { _ in }
            On(.graphQLErrors) { _ in }
            Otherwise { _ in }
        }
        // then
        #expect(matrix["service.graphQL.errors (graphQL.errors)"]?.handledBy?.contains("UNAUTHENTICATED") == true)
        #expect(matrix["service.graphQL.partialData"]?.handledBy?.contains("graphQLErrors") == true)
        #expect(Set(matrix.rows.map(\.name)).count == matrix.rows.count)
        try matrix.requireAllHandled()
    }
}

private func isOnMainThread() -> Bool {
    Thread.isMainThread
}
