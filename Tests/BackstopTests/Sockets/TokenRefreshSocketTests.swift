#if Demo
    import Backstop
    import BackstopAuthentication
    import BackstopCore
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("A token refresh over sockets", .sockets)
    struct TokenRefreshSocketTests {
        /// The service: knows one token, and issues another for each refresh.
        private final class Service: Sendable {
            private struct State {
                var valid = "none"
                var issued = 0
                var isDown = false
            }

            /// Guarded by the lock.
            private let state = Lock(State())
            private let gate = Gate()
            private let width: Int

            /// - Parameter width: So many requests wait for each other before the first is answered.
            init(width: Int = 1) {
                self.width = width
            }

            var issued: Int { state.withLock { $0.issued } }

            func goDown() {
                state.withLock { $0.isDown = true }
            }

            private func open() async {
                await gate.waitForArrivals(width)
                gate.open()
            }

            var mounts: [FaultServer.Mount] {
                [
                    FaultServer.Mount("/shelf/") { call in
                        async let opening: Void = self.open()
                        await self.gate.pass()
                        await opening
                        let token = call.request.values(of: "Authorization").first ?? "none"
                        let isKnown = self.state.withLock { token == "Bearer \($0.valid)" }
                        return isKnown ? .text("{}") : .text("no", status: 401)
                    },
                    FaultServer.Mount("/token") { _ in
                        let issued = self.state.withLock { state -> String? in
                            state.issued += 1
                            guard !state.isDown else { return nil }
                            state.valid = "token\(state.issued)"
                            return state.valid
                        }
                        return issued.map { .text(#"{"access":"\#($0)"}"#) } ?? .text("down", status: 503)
                    },
                ]
            }
        }

        private static func client(_ server: FaultServer) throws -> Client {
            let login = try server.client()
            // A busy machine must not reach a real limit.
            let expired = TokenSet(access: "expired")
            let credentials = try Credentials(expired, refreshMargin: .zero, refreshTimeout: .seconds(3600)) { _ in
                TokenSet(access: try await login.post("/token", as: [String: String].self)["access"] ?? "")
            }
            return try server.client().withChain { chain in
                try chain.inserting(BearerAuthentication(credentials), outside: .decoding)
            }
        }

        /// The results of so many calls at once: "ok", or the code of the failure.
        private static func results(of count: Int, _ client: Client) async -> [String: Int] {
            await withTaskGroup(of: String.self) { group in
                for number in 0..<count {
                    group.addTask {
                        do throws(Failure) {
                            _ = try await client.get("/shelf/\(number)")
                            return "ok"
                        } catch {
                            return error.code
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
        }

        @Test("50 calls at once with an expired token make one refresh, and all succeed") func shared() async throws {
            let service = Service()
            try await withServer(mounting: service.mounts) { server in
                let client = try Self.client(server)

                let first = await Self.results(of: 50, client)
                #expect(first == ["ok": 50])
                #expect(service.issued == 1)

                let second = await Self.results(of: 50, client)
                #expect(second == ["ok": 50])
                #expect(service.issued == 1)
            }
        }

        @Test("five calls at once whose refresh fails make one attempt at it, and fail once each")
        func failed() async throws {
            let service = Service(width: 5)
            service.goDown()
            try await withServer(mounting: service.mounts) { server in
                let client = try Self.client(server)

                let results = await Self.results(of: 5, client)
                #expect(results == ["rejected.tokenRefresh": 5])
                #expect(service.issued == 1)
            }
        }

        @Test("the token does not follow a redirect to another origin", arguments: [302, 307])
        func redirected(status: Int) async throws {
            let service = Service()
            let asked = Lock(0)
            try await withServer(mounting: service.mounts) { server in
                let credentials = try Credentials(TokenSet(access: "hunter2")) { _ in
                    asked.withLock { $0 += 1 }
                    return TokenSet(access: "new")
                }
                let client = try server.client().withChain { chain in
                    try chain.inserting(BearerAuthentication(credentials), outside: .decoding)
                }

                _ = await client.result(of: .get("/redirect-other?status=\(status)"))
                _ = await client.result(of: .get(server.otherOrigin.absoluteString + "/echo"))

                let first = try await server.onlyRequest(to: "/redirect-other")
                #expect(first.values(of: "Authorization") == ["Bearer hunter2"])
                let echoes = await server.requests(to: "/echo")
                #expect(echoes.count == 2)
                #expect(echoes.allSatisfy { $0.values(of: "Authorization").isEmpty })
                #expect(asked.withLock { $0 } == 0)
            }
        }

        @Test("the refresh token follows no redirect of the token endpoint", arguments: [302, 307, 308])
        func redirectedRefresh(status: Int) async throws {
            let service = Service()
            try await withServer(mounting: service.mounts) { server in
                let bearer = try BearerAuthentication.oauth(
                    tokenURL: server.url.absoluteString + "/redirect-other?status=\(status)", clientID: "shop",
                    tokens: TokenSet(access: "old", refresh: "hunter2"))
                let client = try server.client().withChain { try $0.inserting(bearer, outside: .decoding) }

                let failure = await client.result(of: .get("/shelf/1")).failure

                #expect(failure?.code == "rejected.tokenRefresh")
                #expect(await server.requests(to: "/redirect-other").count == 1)
                #expect(await server.requests(to: "/echo").isEmpty)
            }
        }
    }
#endif
