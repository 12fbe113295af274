#if Demo
    import Backstop
    import BackstopCore
    import BackstopFaultServer
    import BackstopGraphQL
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("Persisted queries over sockets", .sockets)
    struct ServerPersistedQueryTests {
        static let misses = ["message", "code", "both"].flatMap { miss in
            ["", "200", "400", "404"].flatMap { status in
                ["", "&missData=1", "&case=odd"].map { more in
                    "miss=\(miss)" + (status.isEmpty ? "" : "&missStatus=\(status)") + more
                }
            }
        }

        @Test("a miss is seen however it is told, and the query known from then on", arguments: misses)
        func miss(switches: String) async throws {
            try await withServer { server in
                for type in ["graphql", "json"] {
                    // given
                    let before = await server.graphQLForms.count
                    let client = try server.client(
                        "\(switches)&type=\(type)&registry=\(type)", persisted: PersistedQueries(hasher: .sha256))
                    // when
                    let names = [
                        try await client.data(for: HeroName()).hero?.name,
                        try await client.data(for: HeroName()).hero?.name,
                    ]
                    // then
                    #expect(names == ["R2-D2", "R2-D2"])
                    #expect(await server.graphQLForms.dropFirst(before) == ["POST H", "POST HT", "POST H"])
                }
            }
        }

        @Test(
            "servers without persisted queries are found out",
            arguments: [
                ("apq=unsupported", ["POST H", "POST T", "POST T", "POST T"]),
                ("apq=unsupported&miss=code&type=json", ["POST H", "POST T", "POST T", "POST T"]),
                ("apq=unsupported&miss=message&type=json&legacyStatus=400", ["POST H", "POST T", "POST T", "POST T"]),
                ("apq=off", ["POST H", "POST T", "POST T", "POST T"]),
                ("apq=off&type=json&legacyStatus=400", ["POST H", "POST T", "POST T", "POST T"]),
                ("apq=off&refusalStatus=422", ["POST H", "POST T", "POST T", "POST T"]),
                ("apq=off&type=json&refusalStatus=200", ["POST H", "POST T", "POST H", "POST T", "POST T"]),
                ("apq=unknown", ["POST H", "POST T", "POST H", "POST T", "POST T"]),
                ("apq=unknown&type=json", ["POST H", "POST T", "POST H", "POST T", "POST T"]),
            ])
        func unsupported(switches: String, forms: [String]) async throws {
            try await withServer { server in
                // given
                let observer = RecordingObserver()
                let client = try server.client(switches, persisted: PersistedQueries(hasher: .sha256)).withOptions {
                    $0.observers = [observer]
                }
                // when
                for _ in 1...3 {
                    #expect(try await client.data(for: HeroName()).hero?.name == "R2-D2")
                }
                // then
                #expect(await server.graphQLForms == forms)
                #expect(observer.calls.map(\.values.persistedQuery) == [.unsupported, .unsupported, .unsupported])
                #expect(observer.calls.map(\.trace.attempts.count) == [1, 1, 1])
            }
        }

        @Test("a query that is never learned is a failure after the second miss", arguments: ["", "&missStatus=404"])
        func secondMiss(switches: String) async throws {
            try await withServer { server in
                // given
                let client = try server.client(
                    "alwaysMiss=1" + switches, persisted: PersistedQueries(hasher: .sha256))
                // when
                let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
                // then
                #expect(failure?.code == "service.graphQL.persistedQueryNotFound")
                #expect(failure?.attempts.count == 1)
                #expect(await server.graphQLForms == ["POST H", "POST HT"])
            }
        }

        @Test("a server that forgets is taught each time")
        func forgetting() async throws {
            try await withServer { server in
                let client = try server.client("forget=1", persisted: PersistedQueries(hasher: .sha256))
                for _ in 1...2 {
                    _ = try await client.fetch(HeroName())
                }
                #expect(await server.graphQLForms == ["POST H", "POST HT", "POST H", "POST HT"])
            }
        }

        @Test("hashed queries go by GET, with variables, and mutations by POST")
        func get() async throws {
            try await withServer { server in
                // given
                var options = GraphQL.Options()
                options.usesGETForHashedQueries = true
                options.usesGETForQueries = true
                let client = try server.client("registry=a", persisted: PersistedQueries(hasher: .sha256))
                    .withOptions { [options] in $0.values.graphQL = options }
                var operation = HeroOfEpisode()
                operation.document = .init(
                    text: "query Hero($episode: Episode) { hero(episode: $episode) { name } }")
                // when
                for _ in 1...2 {
                    operation.variables.episode = "EMPIRE"
                    #expect(try await client.data(for: operation).hero?.name == "Luke Skywalker")
                }
                _ = try await client.fetch(CreateReview())
                // then
                #expect(await server.graphQLForms == ["GET H", "GET HT", "GET H", "POST H", "POST HT"])
            }
        }

        @Test("documents that were registered are found by hash and by documentId", arguments: [false, true])
        func safelist(byID: Bool) async throws {
            try await withServer { server in
                // given
                let client = try server.client(
                    "safelist=1&registry=s",
                    persisted: PersistedQueries(hasher: .precomputed, format: byID ? .documentID : .extensions))
                let registry = try Client(baseURL: server.url.absoluteString) { StatusValidation() }
                try await registry.post("graphql/register?registry=s", json: ["known-id": HeroName.text])
                var known = HeroName()
                known.document = .init(name: "HeroName", kind: .query, knownToServerAs: "known-id")
                var unknown = HeroName()
                unknown.document = .init(name: "HeroName", kind: .query, knownToServerAs: "unknown-id")
                // when
                let hero = try await client.data(for: known).hero
                let failure = await failure { [unknown] () async throws(Failure) in try await client.fetch(unknown) }
                // then
                #expect(hero?.name == "R2-D2")
                #expect(failure?.code == "service.graphQL.unknownDocument")
                #expect(server.requestCount(of: "/graphql") == 2)
            }
        }

        @Test("fifty first calls at once need one registration")
        func concurrent() async throws {
            try await withServer { server in
                // given
                let client = try server.client("", persisted: PersistedQueries(hasher: .sha256))
                    // A clock that never moves: nobody loses patience on a slow machine.
                    .withOptions { $0.clock = ManualClock() }
                // when
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<50 {
                        group.addTask { try await client.data(for: HeroName()).hero?.name }
                    }
                    for try await name in group {
                        #expect(name == "R2-D2")
                    }
                }
                // then
                let forms = await server.graphQLForms
                #expect(forms.count == 51)
                #expect(forms.filter { $0 == "POST HT" }.count == 1)
            }
        }

        @Test("a server that prevents cross-site requests answers queries by GET, in full and by their hashes")
        func preflight() async throws {
            try await withServer { server in
                // given
                var options = GraphQL.Options()
                options.usesGETForQueries = true
                let plain = try server.client("csrf=1").withOptions { [options] in $0.values.graphQL = options }
                let hashed = try server.client("csrf=1&registry=c", persisted: PersistedQueries(hasher: .sha256))
                    .withOptions { [options] in $0.values.graphQL = options }
                // when
                let names = [
                    try await plain.data(for: HeroName()).hero?.name,
                    try await hashed.data(for: HeroName()).hero?.name,
                ]
                // then
                #expect(names == ["R2-D2", "R2-D2"])
                #expect(await server.graphQLForms == ["GET T", "GET H", "GET HT"])
            }
        }

        @Test("a refusal that prevents cross-site requests is not taken for ignorance of hashes")
        func preflightRefusal() async throws {
            /// Takes out what the server asks for.
            struct Stripping: HTTP.Interceptor {
                func intercept(
                    _ request: HTTP.Request, context: CallContext, next: HTTP.Next
                ) async throws -> HTTP.Response {
                    var request = request
                    request.headers.remove("Apollo-Require-Preflight")
                    return try await next(request)
                }
            }
            try await withServer { server in
                // given
                let persisted = PersistedQueries(hasher: .sha256)
                let client = try server.client("csrf=1", persisted: persisted)
                let stripped = try client.withChain { try $0.inserting(Stripping(), inside: .persistedQueries) }
                // when
                let failure = await failure { () async throws(Failure) in
                    try await stripped.fetch(
                        HeroName(), options: stripped.graphQLOptions.changing { $0.usesGETForQueries = true })
                }
                _ = try await client.fetch(HeroName())
                // then
                #expect(failure?.statusCode == 400)
                #expect(failure?.values.persistedQuery == .undecided)
                #expect(await server.graphQLForms == ["GET H", "POST H", "POST HT"])
            }
        }

        @Test("a server that answers only 500 gets one hash in a call, and the text in each attempt")
        func onlyErrors() async throws {
            try await withServer { server in
                // given
                let client = try server.client(
                    "status=500&malformed=html", persisted: PersistedQueries(hasher: .sha256)
                )
                .withChain { try $0.replacing(.retry, with: Retry(attempts: 3, baseDelay: .milliseconds(1))) }
                // when
                let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
                // then
                #expect(failure?.statusCode == 500)
                #expect(failure?.attempts.count == 3)
                #expect(failure?.values.persistedQuery == .undecided)
                #expect(await server.graphQLForms == ["POST H", "POST T", "POST T", "POST T"])
            }
        }

        @Test("documents are named as the draft has it: sha256 and the hex")
        func documentID() async throws {
            try await withServer { server in
                // given
                let client = try server.client(
                    "safelist=1&registry=d", persisted: PersistedQueries(hasher: .sha256, format: .documentID))
                let id = "sha256:7e7c85cbf5ef3af5641552c55965608a4e5d7243f3116a486d21c3a958d34235"
                let registry = try Client(baseURL: server.url.absoluteString) { StatusValidation() }
                try await registry.post("graphql/register?registry=d", json: [id: HeroName.text])
                // when
                let hero = try await client.data(for: HeroName()).hero
                // then
                #expect(hero?.name == "R2-D2")
                let sent = await server.requests(to: "/graphql").map { String(decoding: $0.body, as: UTF8.self) }
                #expect(sent == [#"{"documentId":"\#(id)","operationName":"HeroName"}"#])
            }
        }

        @Test("the client persists queries by itself")
        func client() async throws {
            try await withServer { server in
                let client = try server.client()
                for _ in 1...2 {
                    _ = try await client.fetch(
                        HeroName(), options: client.graphQLOptions.changing { $0.isAPQClientEnabled = true })
                }
                #expect(await server.graphQLForms == ["POST H", "POST HT", "POST H"])
            }
        }
    }
#endif
