import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The policies of the cache", .limited)
struct CachePolicyTests {
    private static let luke = Stub<HTTP.Request, HTTP.Response>.graphQL(
        200, #"{"data":{"hero":{"name":"Luke"}}}"#)
    private static let partial = Stub<HTTP.Request, HTTP.Response>.graphQL(
        200, #"{"data":{"hero":{"name":"Half"}},"errors":[{"message":"a"}]}"#)

    private func client(
        _ transport: ScriptedTransport, _ policy: GraphQL.CachePolicy, cache: ResponseCache? = nil,
        decodes: Bool = true, observer: RecordingObserver? = nil
    ) throws -> Client {
        var options = GraphQL.Options()
        options.cachePolicy = policy
        return try makeClient(transport, graphQL: options) {
            cache ?? ResponseCache()
            if decodes {
                Decoding()
            }
            StatusValidation()
        }
        .withOptions { $0.observers = observer.map { [$0] } ?? [] }
    }

    private func name(_ client: Client) async throws -> String? {
        try await client.data(for: HeroName()).hero?.name
    }

    @Test("network only asks the service every time")
    func networkOnly() async throws {
        let client = try client(ScriptedTransport(.hero, Self.luke), .networkOnly)
        #expect(try await name(client) == "R2-D2")
        #expect(try await name(client) == "Luke")
    }

    @Test("cache first asks the service once, wherever the content is decoded", arguments: [true, false])
    func cacheFirst(decodes: Bool) async throws {
        // given
        let observer = RecordingObserver()
        let transport = ScriptedTransport(.hero)
        let client = try client(transport, .cacheFirst, decodes: decodes, observer: observer)
        // when
        let names = [try await name(client), try await name(client), try await name(client)]
        // then
        #expect(names == ["R2-D2", "R2-D2", "R2-D2"])
        #expect(transport.requests.count == 1)
        let notes = observer.calls.map { call in call.trace.events.filter { $0.name == "cache" }.map(\.text) }
        #expect(notes == [["miss"], ["hit"], ["hit"]])
        #expect(observer.calls.last?.response?.statusCode == 200)
    }

    @Test("what network only fetches is there for cache first")
    func networkOnlyStores() async throws {
        // given
        let cache = ResponseCache()
        let transport = ScriptedTransport(.hero)
        // when
        _ = try await name(client(transport, .networkOnly, cache: cache))
        let second = try await name(client(transport, .cacheFirst, cache: cache))
        // then
        #expect(second == "R2-D2")
        #expect(transport.requests.count == 1)
    }

    @Test("cache first and nothing there: the service's failure counts")
    func cacheFirstFailure() async throws {
        let client = try client(ScriptedTransport(.failure(TransportError(.offline))), .cacheFirst)
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        #expect(failure?.code == "transport.offline")
    }

    @Test("network first falls back on what is there when the service cannot be reached", arguments: 0..<outages.count)
    func networkFirst(index: Int) async throws {
        // given
        let transport = ScriptedTransport(.hero, Self.outages[index].1, Self.luke)
        let client = try client(transport, .networkFirst)
        // when
        var results: [GraphQL.Result<HeroName.Data>] = []
        for _ in 1...3 {
            results.append(try await client.fetch(HeroName()))
        }
        // then
        #expect(results.map(\.data.hero?.name) == ["R2-D2", "R2-D2", "Luke"])
        #expect(results.map(\.isFromCache) == [false, true, false])
        #expect(transport.requests.count == 3)
    }

    @Test("network first passes over no refusal and no mistake", arguments: 0..<refusals.count)
    func networkFirstRefused(index: Int) async throws {
        // given
        let (code, step) = Self.refusals[index]
        let client = try client(ScriptedTransport(.hero, step), .networkFirst)
        _ = try await name(client)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == code)
    }

    @Test("a result says whether it came from the cache, and when the service gave it", arguments: [true, false])
    func source(decodes: Bool) async throws {
        // given
        let clock = RecordingClock()
        let client = try client(ScriptedTransport(.hero), .cacheFirst, decodes: decodes).withOptions {
            $0.clock = clock
        }
        let date = clock.date
        // when
        let first = try await client.fetch(HeroName())
        let second = try await client.fetch(HeroName())
        // then
        #expect(first.source == .service && !first.isFromCache)
        #expect(second.source == .cache(stored: date) && second.isFromCache)
    }

    @Test("a result is the service's where an interceptor asked again, and only the first answer was the cache's")
    func sourceOfLast() async throws {
        // given
        let transport = ScriptedTransport(.hero, .status(503), Self.luke)
        let cache = ResponseCache()
        _ = try await name(client(transport, .networkFirst, cache: cache))
        let asksTwice = try client(transport, .networkFirst, cache: cache).withChain {
            $0.prepending(
                ClosureInterceptor { request, _, next in
                    _ = try await next(request)
                    return try await next(request)
                })
        }
        // when
        let result = try await asksTwice.fetch(HeroName())
        // then
        #expect(result.data.hero?.name == "Luke")
        #expect(result.source == .service)
    }

    @Test("network first and an outage with nothing there: the service's failure counts", arguments: 0..<outages.count)
    func networkFirstOutage(index: Int) async throws {
        let (code, step) = Self.outages[index]
        let client = try client(ScriptedTransport(step), .networkFirst)
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        #expect(failure?.code == code)
    }

    @Test("network first and nothing there: the service's failure counts", arguments: 0..<failures.count)
    func networkFirstMiss(index: Int) async throws {
        // given
        let client = try client(ScriptedTransport(Self.failures[index]), .networkFirst)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        let codes = ["transport.offline", "status.503", "service.graphQL.errors", "decoding", "decoding"]
        #expect(failure?.code == codes[index])
    }

    @Test("network first that is cancelled gives nothing from the cache")
    func networkFirstCancelled() async throws {
        // given
        let transport = ScriptedTransport(.hero, .hang)
        let client = try client(transport, .networkFirst)
        _ = try await name(client)
        // when
        let task = Task { try await client.fetch(HeroName()) }
        await transport.waitForRequests(2)
        task.cancel()
        // then
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.isCancelled == true)
    }

    /// Says of a cancelled exchange that it was lost, as careless transports do.
    private struct Careless: HTTP.Interceptor {
        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            do {
                return try await next(request)
            } catch is CancellationError {
                throw TransportError(.lost)
            }
        }
    }

    @Test("network first that is cancelled is no hit, whatever the transport makes of it")
    func networkFirstCancelledAndLost() async throws {
        // given
        let observer = RecordingObserver()
        let transport = ScriptedTransport(.hero, .hang)
        var options = GraphQL.Options()
        options.cachePolicy = .networkFirst
        let client = try makeClient(transport, graphQL: options) {
            ResponseCache()
            Careless()
            StatusValidation()
        }
        .withOptions { $0.observers = [observer] }
        _ = try await name(client)
        // when
        let task = Task { try await client.fetch(HeroName()) }
        await transport.waitForRequests(2)
        task.cancel()
        _ = await task.result
        // then
        let notes = observer.calls.last?.trace.events.filter { $0.name == "cache" }.map(\.text)
        #expect(notes == [])
    }

    @Test("cache only never asks the service; a miss is rejected.cacheMiss")
    func cacheOnly() async throws {
        // given
        let cache = ResponseCache()
        let transport = ScriptedTransport(.hero)
        let client = try client(transport, .cacheOnly, cache: cache)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        _ = try await name(self.client(transport, .networkOnly, cache: cache))
        let hit = try await name(client)
        cache.removeAll()
        let second = await BackstopGraphQLTests.failure { () async throws(Failure) in
            try await client.fetch(HeroName())
        }
        // then
        #expect(failure?.code == "rejected.cacheMiss")
        #expect(failure?.explanation.contains("HeroName") == true)
        #expect(hit == "R2-D2")
        #expect(second?.code == "rejected.cacheMiss")
        #expect(transport.requests.count == 1)
    }

    @Test("cache only says of a stale response that a mutation came after it")
    func cacheOnlyStale() async throws {
        // given
        let cache = ResponseCache()
        let transport = ScriptedTransport(.hero, .json(200, #"{"data":null}"#))
        _ = try await name(self.client(transport, .networkOnly, cache: cache))
        _ = try? await client(transport, .networkOnly, cache: cache).fetch(CreateReview())
        let client = try client(transport, .cacheOnly, cache: cache)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "rejected.cacheMiss")
        #expect(failure?.explanation.contains("no response for HeroName from after the last mutation") == true)
    }

    @Test("cache only is not retried, and sends nothing through retry")
    func cacheOnlyWithRetry() async throws {
        // given
        let clock = RecordingClock()
        let client = try makeClient(ScriptedTransport(), clock: clock) {
            Retry()
            ResponseCache()
        }
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(HeroName(), options: client.graphQLOptions.changing { $0.cachePolicy = .cacheOnly })
        }
        // then
        #expect(failure?.code == "rejected.cacheMiss")
        #expect(clock.sleeps.isEmpty)
    }

    @Test("partial data is not kept unless asked", arguments: [true, false], [true, false])
    func partial(stores: Bool, decodes: Bool) async throws {
        // given
        let transport = ScriptedTransport(Self.partial, Self.luke)
        let client = try client(
            transport, .cacheFirst, cache: ResponseCache(storesPartialData: stores), decodes: decodes)
        // when
        let first = try await client.fetch(HeroName())
        let second = try await client.fetch(HeroName())
        // then
        #expect(first.isPartial)
        #expect(second.data.hero?.name == (stores ? "Half" : "Luke"))
        #expect(second.isPartial == stores)
        #expect(transport.requests.count == (stores ? 1 : 2))
    }

    @Test("a kept partial response is still a failure for a call that wants all or nothing")
    func partialForStrict() async throws {
        // given
        let client = try client(
            ScriptedTransport(Self.partial), .cacheFirst, cache: ResponseCache(storesPartialData: true))
        _ = try await client.fetch(HeroName())
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(HeroName(), options: client.graphQLOptions.changing { $0.failsOnPartialData = true })
        }
        // then
        #expect(failure?.code == "service.graphQL.partialData")
    }

    @Test("responses that failed are not kept", arguments: 0..<failures.count, [true, false])
    func failed(index: Int, decodes: Bool) async throws {
        // given
        let transport = ScriptedTransport(Self.failures[index], .hero)
        let client = try client(
            transport, .cacheFirst, cache: ResponseCache(storesPartialData: true), decodes: decodes)
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then: without Decoding the cache cannot know that data does not fit
        #expect(failure != nil)
        let isUnknown = !decodes && index == 3
        guard !isUnknown else {
            return
        }
        #expect(try await name(client) == "R2-D2")
    }

    @Test("a status outside 2xx is not kept, whatever its body is", arguments: [300, 400, 404, 503])
    func status(status: Int) async throws {
        // given
        let transport = ScriptedTransport(.graphQL(status, #"{"data":{"hero":{"name":"Odd"}}}"#), .hero)
        let client = try client(transport, .cacheFirst)
        // when
        let names = [try await name(client), try await name(client)]
        // then
        #expect(names == ["Odd", "R2-D2"])
    }

    @Test("mutations pass by", arguments: GraphQL.CachePolicy.allCases)
    func mutation(policy: GraphQL.CachePolicy) async throws {
        // given
        let transport = ScriptedTransport(.graphQL(200, #"{"data":{}}"#).repeated(2))
        let client = try client(transport, policy)
        // when
        _ = try await client.fetch(CreateReview())
        _ = try await client.fetch(CreateReview())
        // then
        try transport.checkFinished()
    }

    @Test("a capacity of nothing is refused", arguments: [0, -1, Int.min])
    func capacity(capacity: Int) {
        let error = #expect(throws: ConfigurationError.self) { try requireValid(ResponseCache(capacity: capacity)) }
        #expect(error?.setting == "ResponseCache.capacity")
    }
}
