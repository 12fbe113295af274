#if Demo
    import Backstop
    import BackstopCore
    import BackstopFaultServer
    import BackstopGraphQL
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    /// What was done is counted on the server: reviews are added by the mutation, and read back.
    @Suite("A mutation by persisted queries over sockets", .sockets)
    struct ServerMutationTests {
        /// A mutation that can be seen afterwards.
        private struct AddReview: GraphQL.Operation {
            struct Data: Decodable, Sendable {}

            var document = GraphQL.Document(
                text: "mutation AddReview { createReview(episode: EMPIRE, review: {stars: 4}) { stars } }")
        }

        private struct Reviews: GraphQL.Operation {
            struct Data: Decodable, Sendable {
                struct Review: Decodable, Sendable { var stars: Int }
                var reviews: [Review]
            }

            var document = GraphQL.Document(
                text: "query Reviews { reviews(episode: EMPIRE) { stars } }")
        }

        private func reviewCount(_ server: FaultServer) async throws -> Int {
            try await server.client().data(for: Reviews()).reviews.count
        }

        /// Makes the mutation's hash known; that does it once.
        private func teach(_ server: FaultServer) async throws {
            _ = try await server.client("registry=m", persisted: PersistedQueries(hasher: .sha256)).fetch(AddReview())
        }

        @Test("goes out once over a connection that is lost, by POST, whatever it is called", arguments: [false, true])
        func lostConnection(byGET: Bool) async throws {
            struct Pay: GraphQL.Operation {
                struct Data: Decodable, Sendable {}
                var document = GraphQL.Document(text: "# query\nmutation query { pay }")
            }
            try await withServer { server in
                // given
                let client = try Client(baseURL: server.url.absoluteString + "/reset") {
                    Retry(attempts: 3, baseDelay: .milliseconds(1))
                    Decoding()
                }
                .withOptions { $0.values.graphQL.usesGETForQueries = byGET }
                // when
                let failure = await failure { () async throws(Failure) in try await client.fetch(Pay()) }
                // then
                #expect(failure?.code == "transport.lost")
                #expect(await server.requests(to: "/reset").map(\.method) == ["POST"])
            }
        }

        static let executed = [
            "status=500&malformed=empty", "status=500&malformed=html", "status=500&malformed=noData&type=json",
            "status=500&malformed=noData&type=graphql", "status=500&malformed=notJSON",
            "status=500&malformed=truncated",
            "status=400&malformed=noData&type=json", "status=422&malformed=noData&type=graphql",
            "status=200&malformed=noData&type=graphql", "status=200&malformed=noDataNoErrors",
            "status=502&malformed=html", "status=503&malformed=empty", "status=504&malformed=html",
        ]

        @Test("is done once by a server that knows the hash, whatever it answers", arguments: executed)
        func once(switches: String) async throws {
            try await withServer { server in
                // given
                try await teach(server)
                let before = try await reviewCount(server)
                let forms = await server.graphQLForms.count
                let client = try server.client(
                    "registry=m&\(switches)", persisted: PersistedQueries(hasher: .sha256))
                // when
                let failure = await failure { () async throws(Failure) in try await client.fetch(AddReview()) }
                // then
                #expect(failure != nil)
                #expect(await server.graphQLForms.dropFirst(forms) == ["POST H"])
                #expect(try await reviewCount(server) == before + 1)
            }
        }

        @Test(
            "is done once by a server that did not know the hash, or knows of none",
            arguments: [
                ("apq=on", ["POST H", "POST HT"]), ("apq=unsupported", ["POST H", "POST T"]),
                ("apq=off", ["POST H", "POST T"]), ("apq=off&type=json&refusalStatus=422", ["POST H", "POST T"]),
            ])
        func notExecuted(switches: String, forms: [String]) async throws {
            try await withServer { server in
                let client = try server.client(switches, persisted: PersistedQueries(hasher: .sha256))
                _ = try await client.fetch(AddReview())
                #expect(await server.graphQLForms == forms)
                #expect(try await reviewCount(server) == 1)
            }
        }

        @Test("is not sent again to a server that trips over hashes: its 500 does not say that nothing was done")
        func unknown() async throws {
            try await withServer { server in
                // given
                let client = try server.client("apq=unknown", persisted: PersistedQueries(hasher: .sha256))
                // when
                let failure = await failure { () async throws(Failure) in try await client.fetch(AddReview()) }
                // then
                #expect(failure?.statusCode == 500)
                #expect(failure?.isRetryable == false)
                #expect(await server.graphQLForms == ["POST H"])
                #expect(try await reviewCount(server) == 0)
            }
        }
    }
#endif
