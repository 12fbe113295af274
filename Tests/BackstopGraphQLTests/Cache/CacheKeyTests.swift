import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("What responses are kept by", .limited)
struct CacheKeyTests {
    /// Fetches twice, and says how many requests that took.
    private func requests(
        url: String = endpoint, first: HeroOfEpisode = HeroOfEpisode(),
        second: HeroOfEpisode = HeroOfEpisode(), options: @escaping (inout GraphQL.Options) -> Void = { _ in }
    ) async throws -> Int {
        let transport = ScriptedTransport(.hero.repeated())
        var defaults = GraphQL.Options()
        defaults.cachePolicy = .cacheFirst
        let client = try makeClient(transport, url: url, graphQL: defaults) {
            ResponseCache()
            Decoding()
        }
        _ = try await client.fetch(first)
        _ = try await client.fetch(second, options: client.graphQLOptions.changing(options))
        return transport.requests.count
    }

    @Test("the same operation with the same variables is the same")
    func same() async throws {
        #expect(try await requests() == 1)
    }

    @Test("variables tell responses apart")
    func variables() async throws {
        var second = HeroOfEpisode()
        second.variables.episode = "EMPIRE"
        #expect(try await requests(second: second) == 2)
    }

    @Test("documents and names tell responses apart")
    func documents() async throws {
        var text = HeroOfEpisode()
        text.document = .init(text: "query HeroOfEpisode { hero { id } }")
        #expect(try await requests(second: text) == 2)
        let two = "query A { hero { name } } query B { hero { id } }"
        var (first, second) = (HeroOfEpisode(), HeroOfEpisode())
        first.document = .init(text: two, name: "A")
        second.document = .init(text: two, name: "B")
        #expect(try await requests(first: first, second: second) == 2)
        #expect(try await requests(first: first, second: first) == 1)
        var known = HeroOfEpisode()
        known.document = .init(name: "HeroOfEpisode", kind: .query, knownToServerAs: "a")
        var other = known
        other.document = .init(name: "HeroOfEpisode", kind: .query, knownToServerAs: "b")
        #expect(try await requests(first: known, second: other) == 2)
        #expect(try await requests(first: known, second: known) == 1)
    }

    @Test("the endpoint tells responses apart")
    func path() async throws {
        #expect(try await requests { $0.path = "v2" } == 2)
    }

    @Test("whether a query goes by GET, and how a header's name is written, do and do not tell responses apart")
    func requests() async throws {
        #expect(try await requests { $0.usesGETForQueries = true } == 2)
        let transport = ScriptedTransport(.hero)
        let client = try makeClient(transport) { ResponseCache() }
        for name in ["X-Tenant", "x-tenant"] {
            let options = client.graphQLOptions.changing { options in
                options.cachePolicy = .cacheFirst
                options.headers[HTTP.Headers.Name(name)] = "a"
            }
            _ = try await client.fetch(HeroName(), options: options)
        }
        try transport.checkFinished()
    }

    @Test("partial-data policy and persisted queries do not matter")
    func policies() async throws {
        #expect(
            try await requests { options in
                options.failsOnPartialData = true
                options.isAPQInterceptorEnabled = false
            } == 1)
    }

    @Test("many calls at once end well, and find what is there")
    func concurrent() async throws {
        // given
        let transport = ScriptedTransport(.hero.repeated())
        let cache = ResponseCache(capacity: 20_000)
        let client = try makeClient(transport) {
            cache
            Decoding()
        }
        // when
        try await withThrowingTaskGroup(of: String?.self) { group in
            for index in 0..<400 {
                group.addTask {
                    if index % 100 == 99 {
                        cache.removeAll()
                    }
                    var operation = HeroOfEpisode()
                    operation.variables.first = index % 7
                    return try await client.fetch(
                        operation,
                        options: client.graphQLOptions.changing { options in
                            options.cachePolicy = index % 2 == 0 ? .cacheFirst : .networkFirst
                        }
                    ).data.hero?.name
                }
            }
            // then
            for try await name in group {
                #expect(name == "R2-D2")
            }
        }
    }
}
