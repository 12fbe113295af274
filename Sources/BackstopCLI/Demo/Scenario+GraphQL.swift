#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import BackstopGraphQL

    extension Scenario {
        /// GraphQL calls: results, errors, and the ways in which servers persist queries.
        static let graphQL: [Scenario] = results + persistedQueries + caches

        private static let results: [Scenario] = [
            graphQL("query", "A query with variables.", "", .hero, expect: "ok"),
            graphQL("mutation", "A mutation.", "", .createReview, expect: "ok"),
            graphQL("partial", "Data and errors: a result with both.", "", .secret, expect: "ok"),
            graphQL(
                "partial-failure", "Data and errors, where the call wants all or nothing.", "", .secret,
                expect: "service.graphQL.partialData"
            ) { $0.failsOnPartialData = true },
            graphQL("294", "294, partial success.", "?partialStatus=294", .secret, expect: "ok"),
            graphQL(
                "request-error", "A document that does not fit the schema: errors and no data.", "", .mistaken,
                expect: "service.graphQL.errors"),
            graphQL(
                "error-status", "A GraphQL response with 500, in GraphQL's own media type: it is read all the same.",
                "?status=500&type=graphql&strict=1", .secret, attempts: 1, expect: "ok"),
            graphQL(
                "intermediary", "JSON with 401: somebody else may have answered, but readable errors are kept.",
                "?status=401&type=json", .mistaken, expect: "status.401"),
            graphQL(
                "malformed-error", "One malformed error does not hide the others.", "?malformed=errorsEntry", .hero,
                expect: "ok"),
            graphQL(
                "missing-data", "An object with neither data nor errors.", "?malformed=noDataNoErrors", .hero,
                expect: "service.graphQL.missingData"),
            graphQL("not-object", "JSON that is not an object.", "?malformed=notObject", .hero, expect: "decoding"),
            graphQL("html", "A web page with 200.", "?malformed=html", .hero, expect: "decoding"),
            graphQL(
                "wrong-type", "Data that does not fit the operation's type.", "?malformed=dataWrongType", .hero,
                expect: "decoding"),
        ]

        private static let persistedQueries: [Scenario] = [
            persisted("apq-registered", "The server learns a hash.", "registry=a", expect: "ok"),
            persisted("apq-hit", "The server knows the hash.", "registry=a", expect: "ok"),
            persisted("apq-get", "A hash by GET.", "registry=a", expect: "ok") { $0.usesGETForHashedQueries = true },
            persisted(
                "apq-miss-code", "A miss told by a code alone, with 404.", "registry=b&miss=code&missStatus=404",
                expect: "ok"),
            persisted(
                "apq-second-miss", "A server that does not learn: no loop.", "registry=c&alwaysMiss=1",
                expect: "service.graphQL.persistedQueryNotFound"),
            persisted(
                "apq-unsupported", "A server that says that it does not persist queries.", "apq=unsupported",
                expect: "ok"),
            persisted(
                "apq-unknown-400", "A server that knows nothing of hashes, and says 400.", "apq=off", expect: "ok"),
            persisted(
                "apq-unknown-500", "A server that knows nothing of hashes, and says 500.", "apq=unknown", expect: "ok"),
            Scenario(
                "graphql/apq-safelist", "A document that only the server could know, and it does not.",
                expect: "service.graphQL.unknownDocument"
            ) { stage, calls in
                let client = try persisting(stage, calls)
                let known = GraphQL.Document(
                    name: "Hero", kind: .query, knownToServerAs: String(repeating: "0", count: 64))
                let operation = DynamicOperation(document: known, variables: .object([:]))
                return CallReport(
                    await client.perform(
                        operation, options: client.graphQLOptions.changing { $0.path = "graphql?safelist=1&registry=d" }
                    ),
                    calls: calls.all)
            },
        ]

        private static let caches: [Scenario] = [
            Scenario(
                "graphql/cache-only", "Only the cache is asked, and has nothing.", expect: "rejected.cacheMiss"
            ) { stage, calls in
                let client = try caching(stage, calls)
                return await CallReport(ask(client, .cacheOnly), calls: calls.all)
            },
            Scenario(
                "graphql/cache-fallback", "The device goes offline, and the cache has an answer from before.",
                expect: "ok"
            ) { stage, calls in
                let client = try caching(stage, calls)
                _ = await ask(client, .networkFirst)
                let offline = client.withChain { $0.replacing(transport: Offline()) }
                return await CallReport(ask(offline, .networkFirst), calls: calls.all)
            },
            Scenario(
                "graphql/cache-miss", "The network fails, and the cache has nothing: the network's failure counts.",
                expect: "status.503"
            ) { stage, calls in
                let client = try caching(stage, calls)
                return await CallReport(ask(client, .networkFirst, at: "status/503"), calls: calls.all)
            },
        ]

        /// No connection to a network.
        private struct Offline: HTTP.Transport {
            func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
                throw TransportError(.offline, phase: .connecting)
            }
        }

        private static func graphQL(
            _ name: String, _ title: String, _ query: String, _ operation: DynamicOperation, attempts: Int = 3,
            expect expected: String, changing change: @escaping @Sendable (inout GraphQL.Options) -> Void = { _ in }
        ) -> Scenario {
            Scenario("graphql/\(name)", title, expect: expected) { stage, calls in
                let client = try stage.client(attempts: attempts, observer: calls)
                let options = client.graphQLOptions.changing {
                    $0.path = "graphql\(query)"
                    change(&$0)
                }
                // The type of the data decides what fits.
                if name == "wrong-type" {
                    return CallReport(await client.perform(TypedHero(), options: options), calls: calls.all)
                }
                return CallReport(await client.perform(operation, options: options), calls: calls.all)
            }
        }

        private static func persisted(
            _ name: String, _ title: String, _ query: String, expect expected: String,
            changing change: @escaping @Sendable (inout GraphQL.Options) -> Void = { _ in }
        ) -> Scenario {
            Scenario("graphql/\(name)", title, expect: expected) { stage, calls in
                let client = try persisting(stage, calls)
                let options = client.graphQLOptions.changing {
                    $0.path = "graphql?\(query)"
                    change(&$0)
                }
                return CallReport(await client.perform(DynamicOperation.hero, options: options), calls: calls.all)
            }
        }

        private static func persisting(_ stage: DemoStage, _ calls: Calls) throws -> Client {
            try stage.client(observer: calls).withChain {
                try $0.inserting(PersistedQueries(), outside: .attemptTimeout)
            }
        }

        private static func caching(_ stage: DemoStage, _ calls: Calls) throws -> Client {
            let cache = try ResponseCache()
            return try stage.client(attempts: 1, observer: calls).withChain {
                try $0.inserting(cache, outside: .retry)
            }
        }

        private static func ask(
            _ client: Client, _ policy: GraphQL.CachePolicy, at path: String = "graphql"
        ) async -> Outcome<GraphQL.Result<JSONValue>> {
            await client.perform(
                DynamicOperation.hero, cachePolicy: policy, options: client.graphQLOptions.changing { $0.path = path })
        }
    }

    extension DynamicOperation {
        fileprivate static let hero = DynamicOperation(
            document: GraphQL.Document(
                name: "Hero", kind: .query,
                text: "query Hero($episode: Episode) { hero(episode: $episode) { name friends { name } } }"),
            variables: ["episode": "EMPIRE"])

        fileprivate static let secret = DynamicOperation(
            document: GraphQL.Document(
                name: "Secret", kind: .query, text: "query Secret { hero { name secretBackstory } }"),
            variables: [:])

        fileprivate static let mistaken = DynamicOperation(
            document: GraphQL.Document(name: "Mistaken", kind: .query, text: "query Mistaken { hero { nam } }"),
            variables: [:])

        fileprivate static let createReview = DynamicOperation(
            document: GraphQL.Document(
                name: "Review", kind: .mutation,
                text:
                    "mutation Review($review: ReviewInput!) { createReview(episode: JEDI, review: $review) { stars } }"),
            variables: ["review": ["stars": 5, "commentary": "Good."]])
    }

    /// The same query, with the type of its data.
    private struct TypedHero: GraphQL.Operation {
        struct Data: Decodable, Sendable {
            struct Hero: Decodable, Sendable {
                let name: String
            }

            let hero: Hero
        }

        var document: GraphQL.Document { DynamicOperation.hero.document }
        var variables: JSONValue { DynamicOperation.hero.variables }
    }
#endif
