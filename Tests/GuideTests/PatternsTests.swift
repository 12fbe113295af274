#if Demo
    import BackstopFaultServer
    import BackstopGraphQL
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    #if canImport(Combine) || OpenCombine
        import BackstopCombine
        import BackstopPresentation
    #endif

    @Suite("The patterns of the guide, over real HTTP", .sockets)
    struct PatternsTests {
        /// A client of the server with the standard chain, whose waits take no time.
        private func client(_ server: FaultServer, _ path: String = "", clock: RecordingClock = RecordingClock()) throws
            -> Client
        {
            var options = CallOptions()
            options.clock = clock
            var handling = FailureHandling()
            handling.log = RecordingLog()
            return try Client.standard(
                baseURL: server.url.absoluteString + path, logging: nil, options: options, handling: handling)
        }

        @Test(
            "1: a GraphQL failure says which kind it is",
            arguments: [
                ("", false, "R2-D2 tells nothing: FORBIDDEN"),
                ("", true, "errors beside R2-D2: FORBIDDEN"),
                ("?malformed=noDataNoErrors", false, "not a GraphQL response"),
                ("?malformed=notObject", false, "not a GraphQL response"),
                ("?malformed=dataWrongType", false, "data of another shape: "),
                ("?status=503&type=json", false, "no answer: status.503"),
            ])
        func kinds(switches: String, all: Bool, told: String) async throws {
            try await withServer { server in
                let text = await story(try client(server, "/graphql\(switches)"), all: all)
                #expect(text.hasPrefix(told), "\(text)")
            }
        }

        /// Asks for a field that the schema does not have.
        private struct Misspelling: HTTP.Interceptor {
            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                var request = request
                let text = #"{"operationName":"HeroStory","query":"query HeroStory { villain { name } }"}"#
                request.body = .data(Data(text.utf8))
                return try await next(request)
            }
        }

        @Test("1: a request that the service refuses has errors and no data")
        func refused() async throws {
            try await withServer { server in
                let client = try client(server, "/graphql").withChain { $0.appending(Misspelling()) }
                let text = await story(client)
                #expect(text.hasPrefix("errors and no data: "), "\(text)")
            }
        }

        private struct Villain: GraphQL.Operation {
            typealias Data = HeroName.Data

            var document: GraphQL.Document {
                .init(text: "query Villain { villain { name } }")
            }
        }

        private struct HeroName: GraphQL.Operation {
            struct Data: Decodable, Sendable {
                struct Hero: Decodable, Sendable { let name: String }
                let hero: Hero
            }

            var document: GraphQL.Document {
                .init(text: "query HeroName { hero { name } }")
            }
        }

        @Test("2: what the service says is told from what never came from it")
        func answers() async throws {
            try await withServer { server in
                guard case .whole(let data) = await (try client(server, "/graphql")).answer(to: HeroName()) else {
                    Issue.record("All of it came.")
                    return
                }
                #expect(data.hero.name == "R2-D2")
                guard case .part(_, let errors) = await (try client(server, "/graphql")).answer(to: HeroStory()) else {
                    Issue.record("A part of it came.")
                    return
                }
                #expect(errors.map(\.code) == ["FORBIDDEN"])
                guard case .refused(let refusals) = await (try client(server, "/graphql")).answer(to: Villain()) else {
                    Issue.record("The service refused.")
                    return
                }
                #expect(refusals.first?.message.contains("villain") == true)
            }
        }

        @Test(
            "2: what never came is lost, with its code",
            arguments: [
                ("/graphql?malformed=html", nil, "decoding"), ("/status/503", nil, "status.503"),
                ("/reset", nil, "transport.lost"), ("/graphql", GraphQL.CachePolicy.cacheOnly, "rejected.noCache"),
            ])
        func lost(path: String, cachePolicy: GraphQL.CachePolicy?, code: String) async throws {
            try await withServer { server in
                let answer = await (try client(server, path)).answer(to: HeroName(), cachePolicy: cachePolicy)
                guard case .lost(let failure) = answer else {
                    Issue.record("Nothing came.")
                    return
                }
                #expect(failure.code == code)
            }
        }

        #if canImport(Combine) || OpenCombine
            /// What a person sees of a name: the answer, or kind and words of the failure.
            private func look(of name: String, on server: FaultServer, clock: RecordingClock) async throws -> String {
                var options = CallOptions()
                options.clock = clock
                var handling = FailureHandling()
                handling.log = RecordingLog()
                let client = try Client.names(
                    baseURL: server.url.absoluteString, options: options, handling: handling)
                let names = CurrentValueSubject<String, Never>(name)
                let results = AsyncStream<Result<Availability, Failure>>.makeStream()
                let cancellable = try availability(of: names.eraseToAnyPublisher(), with: client)
                    .sink { results.continuation.yield($0) }
                defer { cancellable.cancel() }
                switch await results.stream.first(where: { _ in true }) {
                case .success(let availability)?: return availability.isAvailable ? "free" : "taken"
                case .failure(let failure)?:
                    let presentation = PresentationPolicy.signUp.presentation(of: failure)
                    return "\(presentation.kind.rawValue) \(presentation.field ?? "")"
                case nil: return "nothing"
                }
            }

            @Test(
                "3: each failure of a name has its look, and only what the service puts off is asked again",
                arguments: [
                    ("bob", "inline userName", 1), ("admin", "inline userName", 1), ("johndoe", "taken", 1),
                    ("backstop", "free", 1), ("illegalresponse", "alert ", 1), ("servererror", "banner ", 1),
                    ("maintenance", "free", 3), ("maintenance!", "fullScreen ", 3),
                ])
            func looks(name: String, expected: String, requests: Int) async throws {
                try await withServer(.init(retryAfter: 17)) { server in
                    let clock = RecordingClock()
                    let seen = try await look(of: name, on: server, clock: clock)
                    #expect(seen == expected)
                    #expect(clock.sleeps == Array(repeating: .seconds(17), count: requests - 1))
                    #expect(await server.requests(to: "/isUserNameAvailable").count == requests)
                }
            }
        #endif

        @Test("4: an endpoint gives what is in the envelope, or one failure with status, URL and words")
        @MainActor
        func endpoint() async throws {
            try await withServer { server in
                let shelf = Shelf()
                let client = try client(server)
                await shelf.load(with: client).value
                #expect(shelf.titles.count == 2)
                #expect(shelf.problem == nil)
                for (path, problem) in [
                    ("problem?status=404", "404 /problem: "), ("status/503", "503 /status/503: "),
                    ("html-404", "404 /html-404: "),
                ] {
                    await shelf.load(Novels(path: path), with: client).value
                    #expect(shelf.problem?.hasPrefix(problem) == true, "\(shelf.problem ?? "")")
                }
            }
        }

        @Test("5: what a call does not handle itself reaches the default handler, and nothing else does")
        @MainActor
        func defaultHandler() async throws {
            try await withServer { server in
                let client = try client(server)
                let screen = HomeScreen()
                await DefaultHandlers.withHandlers {
                    alerts(on: screen)
                } operation: {
                    await screen.load("books", with: client).value
                    #expect(screen.status == 200)
                    await screen.load("status/404", with: client).value
                    #expect(screen.isEmpty)
                    #expect(screen.alert == nil)
                    await screen.load("status/503", with: client).value
                }
                #expect(!screen.isEmpty)
                #expect(screen.alert != nil)
            }
        }
    }
#endif
