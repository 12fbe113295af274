#if Demo
    import Backstop
    import BackstopCore
    import BackstopFaultServer
    import BackstopGraphQL
    import BackstopTestSupport
    import Testing

    @Suite("GraphQL calls over sockets", .sockets)
    struct ServerResponseTests {
        @Test("variables arrive, and data comes back, by POST and by GET", arguments: [false, true])
        func data(byGET: Bool) async throws {
            try await withServer { server in
                // given
                var operation = HeroOfEpisode()
                operation.variables.episode = "EMPIRE"
                operation.document = .init(
                    text: "query Hero($episode: Episode) { hero(episode: $episode) { name } }")
                // when
                let client = try server.client()
                let result = try await client.fetch(
                    operation, options: client.graphQLOptions.changing { $0.usesGETForQueries = byGET })
                // then
                #expect(result.data.hero?.name == "Luke Skywalker")
                #expect(result.response.mediaType == "application/graphql-response+json")
                #expect(await server.graphQLForms == [byGET ? "GET T" : "POST T"])
            }
        }

        @Test("a field that fails is partial data with its error", arguments: ["", "partialStatus=294", "type=json"])
        func partial(switches: String) async throws {
            try await withServer { server in
                // when
                let client = try server.client(switches)
                let result = try await client.fetch(HeroBackstory())
                // then
                #expect(result.data.hero?.name == "R2-D2")
                #expect(result.data.hero?.secretBackstory == nil)
                #expect(result.error(at: "hero.secretBackstory")?.code == "FORBIDDEN")
                #expect(result.response.status == (switches == "partialStatus=294" ? 294 : 200))
                // and
                let failure = await failure { () async throws(Failure) in
                    try await client.fetch(
                        HeroBackstory(), options: client.graphQLOptions.changing { $0.failsOnPartialData = true })
                }
                #expect(failure?.code == "service.graphQL.partialData")
            }
        }

        @Test(
            "a request error is what the service says, or a status",
            arguments: [
                ("", "service.graphQL.errors"), ("type=json", "service.graphQL.errors"),
                ("type=json&legacyStatus=400", "status.400"), ("type=graphql&status=401", "service.graphQL.errors"),
                ("type=json&status=401", "status.401"),
            ])
        func requestError(switches: String, code: String) async throws {
            try await withServer { server in
                // given
                var operation = HeroName()
                operation.document = .init(text: "query Q { villain { name } }")
                // when
                let client = try server.client(switches)
                let failure = await failure { [operation] () async throws(Failure) in
                    try await client.fetch(operation)
                }
                // then
                #expect(failure?.code == code)
                #expect(failure?.graphQLErrors.first?.message.contains("villain") == true)
            }
        }

        @Test("data that is null because of strict fields is what the service says")
        func strict() async throws {
            try await withServer { server in
                // given
                var operation = HeroName()
                operation.document = .init(text: "query Q { hero: human(id: 4001) { name } }")
                // when
                let client = try server.client("strict=1")
                let failure = await failure { [operation] () async throws(Failure) in
                    try await client.fetch(operation)
                }
                // then
                #expect(failure?.code == "service.graphQL.errors")
                #expect(failure?.graphQLErrors.first?.path == "hero.name")
            }
        }

        @Test(
            "broken bodies end as a value or as a failure that says why",
            arguments: [
                ("errorsEntry", "ok"), ("noDataNoErrors", "service.graphQL.missingData"), ("notObject", "decoding"),
                ("notJSON", "decoding"), ("html", "decoding"), ("empty", "decoding"), ("truncated", "decoding"),
                ("byteOrderMark", "ok"), ("emptyErrors", "ok"), ("nullErrors", "ok"),
                ("errorsObject", "ok"), ("bigNumbers", "ok"), ("deepExtensions&depth=50", "ok"),
                ("deepExtensions", "decoding"), ("dataWrongType", "decoding"), ("wrongField", "decoding"),
                ("unknownKeys", "ok"),
            ])
        func malformed(kind: String, code: String) async throws {
            try await withServer { server in
                for type in ["graphql", "json"] {
                    // when
                    let client = try server.client("malformed=\(kind)&type=\(type)")
                    let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
                    // then
                    #expect(failure?.code ?? "ok" == code)
                    #expect(failure == nil || failure?.response != nil)
                    if type == "json" {
                        let client = try server.client("malformed=\(kind)&type=\(type)&status=404")
                        let failure = await BackstopGraphQLTests.failure { () async throws(Failure) in
                            try await client.fetch(HeroName())
                        }
                        #expect(failure?.code == "status.404")
                    }
                }
            }
        }

        @Test("members that come twice, extensions of any depth, and bytes that are no text end one way or the other")
        func odd() async throws {
            try await withServer { server in
                for switches in ["malformed=duplicate", "malformed=notUTF8", "malformed=deepExtensions&depth=10000"] {
                    let outcome = try await server.client(switches).perform(HeroName())
                    switch outcome {
                    case .value: break
                    case .unhandled(let failure): #expect(failure.response != nil)
                    case .handled, .cancelled: Issue.record("odd outcome: \(outcome)")
                    }
                }
            }
        }

        @Test("all odd entries of errors are there")
        func oddEntries() async throws {
            try await withServer { server in
                let result = try await server.client("malformed=errorsEntry").fetch(HeroName())
                #expect(result.errors.count == 9)
                #expect(result.errors.first?.message == "The first entry is good.")
                #expect(result.errors.last?.code == "LAST")
            }
        }

        @Test("a query is sent again by retry, a mutation is not")
        func retry() async throws {
            try await withServer { server in
                // when
                let hero = try await server.client("flaky=503&times=1&id=a").fetch(HeroName())
                let client = try server.client("flaky=503&times=1&id=b")
                let failure = await failure { () async throws(Failure) in try await client.fetch(CreateReview()) }
                // then
                #expect(hero.data.hero?.name == "R2-D2")
                #expect(failure?.stopReason == .notIdempotent)
                #expect(server.requestCount(of: "/graphql") == 3)
            }
        }

        @Test("nobody listens: the failure is one of transport, and the cache may step in")
        func networkFirst() async throws {
            // given
            let server = try await FaultServer.start()
            let cache = ResponseCache()
            let client = try server.client(cache: cache)
            _ = try await client.fetch(HeroName())
            await server.stop()
            // when
            let result = try await client.fetch(
                HeroName(), options: client.graphQLOptions.changing { $0.cachePolicy = .networkFirst })
            let failure = await failure { () async throws(Failure) in
                try await client.fetch(
                    HeroBackstory(), options: client.graphQLOptions.changing { $0.cachePolicy = .networkFirst })
            }
            // then
            #expect(result.data.hero?.name == "R2-D2")
            #expect(failure?.code == "transport.refused")
        }
    }
#endif
