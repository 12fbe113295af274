#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import BackstopGraphQL

    extension Scenario {
        /// Results, errors, and what is neither. Each call sends its text once, whatever comes back.
        static let graphQLResponses: [Scenario] = [
            graphQL("query", "A query with variables.", "", .hero, expect: "ok"),
            graphQL("mutation", "A mutation.", "", .createReview, expect: "ok"),
            graphQL("partial", "Data and errors: a result with both.", "", .secret, expect: "ok"),
            graphQL(
                "partial-failure", "Data and errors, when the call wants all or nothing.", "", .secret,
                expect: "service.graphQL.partialData"
            ) { $0.failsOnPartialData = true },
            graphQL("294", "294, partial success.", "?partialStatus=294", .secret, expect: "ok"),
            graphQL(
                "request-error", "A document that does not fit the schema: errors and no data.", "", .mistaken,
                expect: "service.graphQL.errors"),
            graphQL(
                "error-status", "A GraphQL response with 500, in GraphQL's own media type: it is still read.",
                "?status=500&type=graphql&strict=1", .secret, expect: "ok"),
            graphQL(
                "intermediary", "JSON with 401: an intermediary may have answered, but readable errors are kept.",
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
                "wrong-type", "Data that does not fit the operation's type.", "?malformed=dataWrongType", TypedHero(),
                expect: "decoding"),
        ]

        /// The ways in which servers persist queries, or do not.
        static let persistedQueries: [Scenario] = [
            persisted(
                "apq-registered", "The server learns a hash.", "registry=learns", expect: "ok",
                arrivals: ["POST hash", "POST hash and text"]),
            persisted(
                "apq-hit", "The server knows the hash from another client.", "registry=knows", isKnown: true,
                expect: "ok", arrivals: ["POST hash", "POST hash and text", "POST hash"]),
            persisted(
                "apq-get", "A known hash by GET, which intermediate caches may answer.", "registry=get", isKnown: true,
                expect: "ok", arrivals: ["POST hash", "POST hash and text", "GET hash"]
            ) { $0.usesGETForHashedQueries = true },
            persisted(
                "apq-miss-code", "A miss indicated only by a code, with 404.",
                "registry=codes&miss=code&missStatus=404", expect: "ok", arrivals: ["POST hash", "POST hash and text"]),
            persisted(
                "apq-second-miss", "A server that does not learn: no loop.", "registry=forgets&alwaysMiss=1",
                expect: "service.graphQL.persistedQueryNotFound", arrivals: ["POST hash", "POST hash and text"]),
            persisted(
                "apq-unsupported", "A server that says it does not support persisted queries.", "apq=unsupported",
                expect: "ok", arrivals: ["POST hash", "POST text"]),
            persisted(
                "apq-unknown-400", "A server that does not know hashes and answers 400.", "apq=off", expect: "ok",
                arrivals: ["POST hash", "POST text"]),
            persisted(
                "apq-unknown-500", "A server that does not know hashes and answers 500.", "apq=unknown", expect: "ok",
                arrivals: ["POST hash", "POST text"]),
            Scenario(
                "graphql/apq-safelist", "A document that only the server could know, and it does not.",
                expect: "service.graphQL.unknownDocument", arrivals: graphQLArrivals("POST hash")
            ) { stage, calls in
                let known = GraphQL.Document(
                    name: "Hero", kind: .query, knownToServerAs: String(repeating: "0", count: 64))
                let operation = DynamicOperation(document: known, variables: .object([:]))
                return await ask(try persisting(stage, calls), operation, at: "graphql?safelist=1&registry=d", calls)
            },
        ]

        /// What a cache does without a network.
        static let caches: [Scenario] = [
            Scenario(
                "graphql/cache-only", "Only the cache is asked, and has nothing.", expect: "rejected.cacheMiss",
                arrivals: graphQLArrivals()
            ) { stage, calls in
                let client = try caching(stage, calls)
                return await ask(client, DynamicOperation.hero, calls) { $0.cachePolicy = .cacheOnly }
            },
            Scenario(
                "graphql/cache-fallback", "The device goes offline, but the cache has a stored response.",
                expect: "ok", arrivals: graphQLArrivals("POST text")
            ) { stage, calls in
                let client = try caching(stage, calls)
                _ = await ask(client, DynamicOperation.hero, calls) { $0.cachePolicy = .networkFirst }
                let offline = try client.withChain { $0.replacing(transport: Offline()) }
                return await ask(offline, DynamicOperation.hero, calls) { $0.cachePolicy = .networkFirst }
            },
            Scenario(
                "graphql/cache-miss", "The network fails, and the cache has nothing: the network's failure counts.",
                expect: "status.503", arrivals: Arrivals(path: "/status/503", forms: ["POST text"])
            ) { stage, calls in
                let client = try caching(stage, calls)
                return await ask(client, DynamicOperation.hero, at: "status/503", calls) {
                    $0.cachePolicy = .networkFirst
                }
            },
        ]

        /// No connection to a network.
        private struct Offline: HTTP.Transport {
            func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
                throw TransportError(.offline, phase: .connecting)
            }
        }

        private static func graphQL<Operation: GraphQL.Operation>(
            _ name: String, _ title: String, _ query: String, _ operation: Operation, expect expected: String,
            changing change: @escaping @Sendable (inout GraphQL.Options) -> Void = { _ in }
        ) -> Scenario where Operation.Data: Encodable {
            let arrivals = graphQLArrivals("POST text")
            return Scenario("graphql/\(name)", title, expect: expected, arrivals: arrivals) { stage, calls in
                let client = try stage.client(observer: calls)
                return await ask(client, operation, at: "graphql\(query)", calls, changing: change)
            }
        }

        private static func persisted(
            _ name: String, _ title: String, _ query: String, isKnown: Bool = false, expect expected: String,
            arrivals: [String], changing change: @escaping @Sendable (inout GraphQL.Options) -> Void = { _ in }
        ) -> Scenario {
            let arrivals = Arrivals(path: "/graphql", forms: arrivals)
            return Scenario("graphql/\(name)", title, expect: expected, arrivals: arrivals) { stage, calls in
                let path = "graphql?\(query)"
                if isKnown {
                    let other = Calls()
                    _ = await ask(try persisting(stage, other), DynamicOperation.hero, at: path, other)
                }
                return await ask(
                    try persisting(stage, calls), DynamicOperation.hero, at: path, calls, changing: change)
            }
        }

        private static func graphQLArrivals(_ forms: String...) -> Arrivals {
            Arrivals(path: "/graphql", forms: forms)
        }

        private static func persisting(_ stage: DemoStage, _ calls: Calls) throws -> Client {
            try stage.client(observer: calls).withChain {
                try $0.inserting(PersistedQueries(), outside: .attemptTimeout)
            }
        }

        private static func caching(_ stage: DemoStage, _ calls: Calls) throws -> Client {
            try stage.client(attempts: 1, observer: calls).withChain {
                try $0.inserting(ResponseCache(), outside: .retry)
            }
        }

        private static func ask<Operation: GraphQL.Operation>(
            _ client: Client, _ operation: Operation, at path: String = "graphql", _ calls: Calls,
            changing change: (inout GraphQL.Options) -> Void = { _ in }
        ) async -> CallReport where Operation.Data: Encodable {
            let options = client.graphQLOptions.changing {
                $0.path = path
                change(&$0)
            }
            return CallReport(graphQL: await client.perform(operation, options: options), calls: calls.all)
        }
    }

    extension GraphQL.Operation where Self == DynamicOperation {
        static var hero: Self {
            operation(
                "query Hero($episode: Episode) { hero(episode: $episode) { name friends { name } } }",
                variables: ["episode": "EMPIRE"])
        }

        static var secret: Self {
            operation("query Secret { hero { name secretBackstory } }")
        }

        static var mistaken: Self {
            operation("query Mistaken { hero { nam } }")
        }

        static var createReview: Self {
            operation(
                "mutation Review($review: ReviewInput!) { createReview(episode: JEDI, review: $review) { stars } }",
                variables: ["review": ["stars": 5, "commentary": "Good."]])
        }

        fileprivate static func operation(_ text: String, variables: JSONValue = [:]) -> Self {
            DynamicOperation(document: GraphQL.Document(text: text), variables: variables)
        }
    }

    /// The operations that the playground offers.
    enum GraphQLExample: String, CaseIterable, Sendable {
        case hero, secret, mistaken, review
        /// Whose results arrive one after the other.
        case counter, deferred

        var operation: DynamicOperation {
            switch self {
            case .hero: .hero
            case .secret: .secret
            case .mistaken: .mistaken
            case .review: .createReview
            case .counter: .operation("subscription Counter { counter }")
            case .deferred:
                .operation("query Deferred { hero { name ... @defer { biography } friends @stream { name } } }")
            }
        }
    }

    /// The same query, with the type of its data.
    private struct TypedHero: GraphQL.Operation {
        struct Data: Codable, Sendable {
            struct Hero: Codable, Sendable {
                let name: String
            }

            let hero: Hero
        }

        var document: GraphQL.Document { DynamicOperation.hero.document }
        var variables: JSONValue { DynamicOperation.hero.variables }
    }
#endif
