#if Hummingbird && AsyncHTTPClient && Demo
    import BackstopFaultServer
    import BackstopHummingbird
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import HTTPTypes
    import Hummingbird
    import Testing

    @Suite("The idempotency key of an incoming request, with a server of Hummingbird")
    struct IdempotencyKeyTests {
        /// A server whose `POST /orders` posts to `/a`, twice to `/b`, and gets `/books`.
        private func run(
            _ middleware: PropagationMiddleware<BasicRequestContext> = PropagationMiddleware { request, _ in
                request.headers[.authorization]
            },
            client: (Client) throws -> Client = { $0.propagating() },
            test: @Sendable (Servers) async throws -> Void
        ) async throws {
            let ok = ["/a", "/b"].map { path in FaultServer.Mount(path) { _ in .text("ok") } }
            try await Servers.run(mounting: ok) { rrouter, shop in
                rrouter.add(middleware: FailureMiddleware())
                rrouter.add(middleware: middleware)
                let shop = try client(shop)
                rrouter.post("orders") { _, _ in
                    try await shop.post("a", json: ["at": Date().timeIntervalSince1970])
                    try await shop.post("b", json: ["item": 1])
                    try await shop.post("b", json: ["item": 2])
                    _ = try await shop.get("books")
                    return "ok"
                }
                rrouter.post("both") { _, _ in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for item in 1...2 {
                            group.addTask { try await shop.post("hang", json: ["item": item]) }
                        }
                        while try await group.next() != nil {}
                    }
                    return "ok"
                }
            } test: {
                try await test($0)
            }
        }

        private static let headers: HTTP.Headers = ["Idempotency-Key": "order-1", "Authorization": "Bearer ada"]

        /// The keys that the service got since the last time, in the order of the calls.
        private func keys(_ servers: Servers, after count: Int = 0) async -> [String] {
            var keys: [String] = []
            for (path, calls) in [("/a", 1), ("/b", 2)] {
                keys += await servers.upstream.requests(to: path).dropFirst(count * calls)
                    .flatMap { $0.values(of: "Idempotency-Key") }
            }
            return keys
        }

        @Test("each call has a key of its own, and the same when the request is repeated")
        func repeated() async throws {
            try await run { servers in
                for _ in 1...2 {
                    try await servers.post("/orders", headers: Self.headers)
                }
                let second = await keys(servers, after: 1)
                #expect(second.count == 3)
                #expect(Set(second).count == 3)
                #expect(Set(await keys(servers)) == Set(second))
                #expect(second.allSatisfy { UUID(uuidString: $0) != nil })
                #expect(
                    await servers.upstream.requests(to: "/books").allSatisfy {
                        $0.values(of: "Idempotency-Key").isEmpty
                    })
            }
        }

        @Test(
            "another key, another caller and another request give other keys",
            arguments: [["Idempotency-Key": "order-2"], ["Authorization": "Bearer bob"], [:]])
        func different(_ change: [String: String]) async throws {
            try await run { servers in
                try await servers.post("/orders", headers: Self.headers)
                var headers = Self.headers
                for (name, value) in change {
                    headers[HTTP.Headers.Name(name)] = value
                }
                let path = change.isEmpty ? "/orders?dry=1" : "/orders"
                try await servers.post(path, headers: headers)
                #expect(Set(await keys(servers)).count == 6)
            }
        }

        @Test("no key is passed on that no known caller has sent, nor one that is too long")
        func without() async throws {
            try await run(PropagationMiddleware()) { servers in
                try await servers.post("/orders", headers: Self.headers)
                #expect(await keys(servers).isEmpty)
            }
            try await run { servers in
                try await servers.post("/orders", headers: ["Idempotency-Key": "order-1"])
                var headers = Self.headers
                headers[.idempotencyKey] = String(repeating: "k", count: 256)
                try await servers.post("/orders", headers: headers)
                #expect(await keys(servers).isEmpty)
            }
        }

        @Test("a client of a service that knows no keys sends none")
        func unknownToService() async throws {
            try await run(client: { $0.propagating(idempotencyKeys: false) }) { servers in
                try await servers.post("/orders", headers: Self.headers)
                #expect(await keys(servers).isEmpty)
            }
        }

        @Test("two calls to one URL at once are refused: which gets which key would be up to chance")
        func concurrent() async throws {
            try await run { servers in
                let answer = try await servers.send(.post, "/both", headers: Self.headers)
                #expect(answer.status == 500)
                #expect(try answer.problem().extensions == ["code": "rejected.idempotencyKey"])
                #expect(servers.upstream.requestCount(of: "/hang") <= 1)
            }
        }

        @Test("all attempts of a call have its key, and an endpoint's own key stays")
        func attempts() async throws {
            let transport = ScriptedTransport(.status(503), .status(200), .status(200))
            var options = CallOptions()
            options.clock = RecordingClock()
            let client = try Client.standard(
                baseURL: "https://shop.example.com", transport: transport, logging: nil, options: options
            ).propagating()
            try await Servers.run { router, _ in
                router.add(middleware: PropagationMiddleware { _, _ in "" })
                router.post("orders") { _, _ in
                    try await client.post("a")
                    try await client.post("a", headers: ["Idempotency-Key": "own"])
                    return "ok"
                }
            } test: { servers in
                try await servers.post("/orders", headers: Self.headers)
            }
            let keys = transport.requests.map { $0.headers[.idempotencyKey] }
            #expect(keys.count == 3)
            #expect(keys[0] != nil)
            #expect(keys[0] == keys[1])
            #expect(keys[2] == "own")
        }
    }
#endif
