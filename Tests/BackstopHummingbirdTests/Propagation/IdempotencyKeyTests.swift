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
        /// A server whose `POST /orders` posts to `/a`, `/b` and `/c`, and gets `/books`.
        private func run(
            _ middleware: PropagationMiddleware<BasicRequestContext> = PropagationMiddleware { request, _ in
                request.headers[.authorization]
            },
            client: (Client) throws -> Client = { $0.propagating() },
            test: @Sendable (Servers) async throws -> Void
        ) async throws {
            let ok = ["/a", "/b", "/c"].map { path in FaultServer.Mount(path) { _ in .text("ok") } }
            try await Servers.run(mounting: ok) { rrouter, shop in
                rrouter.add(middleware: FailureMiddleware())
                rrouter.add(middleware: middleware)
                let shop = try client(shop)
                rrouter.post("orders") { _, _ in
                    try await shop.post("a", json: ["at": Date().timeIntervalSince1970])
                    try await shop.post("b", json: ["item": 1])
                    try await shop.post("c", json: ["item": 2])
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

        /// The keys that the service got after so many requests.
        private func keys(_ servers: Servers, after count: Int = 0) async -> [String] {
            var keys: [String] = []
            for path in ["/a", "/b", "/c"] {
                keys += await servers.upstream.requests(to: path).dropFirst(count)
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

        @Test("of two calls to one URL at once, one is refused")
        func concurrent() async throws {
            try await run { servers in
                let answer = try await servers.send(.post, "/both", headers: Self.headers)
                #expect(answer.status == 500)
                #expect(try answer.problem().extensions == ["code": "rejected.idempotencyKey"])
                #expect(servers.upstream.requestCount(of: "/hang") <= 1)
            }
        }

        /// Has a handler make calls, and returns the keys that they sent.
        private func sentKeys(
            _ stubs: [ScriptedTransport.Step], retry: RetryPolicy = .never,
            inside interceptor: (any HTTP.Interceptor)? = nil,
            calls: @escaping @Sendable (Client) async throws -> Void
        ) async throws -> [String?] {
            let transport = ScriptedTransport(stubs)
            var options = CallOptions()
            options.clock = RecordingClock()
            let client = try Client.standard(
                baseURL: "https://shop.example.com", transport: transport, retry: retry,
                interceptors: interceptor.map { [$0] } ?? [], logging: nil, options: options
            ).propagating()
            try await Servers.run { router, _ in
                router.add(middleware: PropagationMiddleware { _, _ in "" })
                router.post("orders") { _, _ in
                    try await calls(client)
                    return "ok"
                }
            } test: { servers in
                try await servers.post("/orders", headers: Self.headers)
            }
            return transport.requests.map { $0.headers[.idempotencyKey] }
        }

        @Test("a second call that would get the key of one before is refused before it is sent", arguments: [200, 503])
        func second(_ status: Int) async throws {
            let keys = try await sentKeys([.status(status), .status(200)]) { client in
                _ = try? await client.post("a", json: ["item": 1])
                let failure = await #expect(throws: Failure.self) { try await client.post("a", json: ["item": 2]) }
                #expect(failure?.code == "rejected.idempotencyKey")
                #expect(failure?.report.contains("Give each call a name of its own") == true)
                await #expect(throws: Failure.self) { try await client.post("a", json: ["item": 1]) }
            }
            #expect(keys.count == 1)
        }

        @Test("calls of one URL with names of their own have keys of their own")
        func names() async throws {
            let keys = try await sentKeys([.status(200), .status(200)]) { client in
                try await client.withOptions { $0.name = "deposit" }.post("a", json: ["amount": 1])
                try await client.withOptions { $0.name = "rest" }.post("a", json: ["amount": 2])
            }
            #expect(!keys.contains(nil))
            #expect(Set(keys).count == 2)
        }

        @Test("all attempts of a call have its key, and an endpoint's own key stays")
        func attempts() async throws {
            let keys = try await sentKeys([.status(503), .status(200), .status(200)], retry: .standard) { client in
                try await client.post("a")
                try await client.post("a", headers: ["Idempotency-Key": "own"])
            }
            #expect(keys.count == 3)
            #expect(keys[0] != nil)
            #expect(keys[0] == keys[1])
            #expect(keys[2] == "own")
        }

        @Test("a call that a handler repeats keeps its key")
        func handlers() async throws {
            let keys = try await sentKeys([.status(503), .status(200)]) { client in
                let outcome = await client.perform(.post("a", json: ["item": 1])) {
                    On(.transient) { _ in .retry() }
                }
                #expect(outcome.failure == nil)
            }
            #expect(keys.count == 2)
            #expect(keys[0] != nil)
            #expect(keys[0] == keys[1])
        }

        @Test("after an answer for which nothing was sent, the same request may have its key")
        func answeredUnsent() async throws {
            let keys = try await sentKeys([.status(200)], inside: RefusingFirst(answer: HTTP.Response(status: 200))) {
                client in
                for _ in 1...2 {
                    try await client.post("a", json: ["item": 1])
                }
            }
            #expect(keys.count == 1)
        }

        @Test("after a call that sent nothing, only the same request may have its key")
        func unsent() async throws {
            let keys = try await sentKeys([.status(200)], inside: RefusingFirst()) { client in
                let outcome = await client.perform(.post("a", json: ["item": 1])) {
                    On(.transient) { _ in .retry() }
                }
                #expect(outcome.failure == nil)
            }
            #expect(keys.count == 1)
            let later = try await sentKeys([.status(200)], inside: RefusingFirst()) { client in
                await #expect(throws: Failure.self) { try await client.post("a", json: ["item": 1]) }
                await #expect(throws: Failure.self) { try await client.post("a", json: ["item": 2]) }
                await #expect(throws: Never.self) { try await client.post("a", json: ["item": 1]) }
            }
            #expect(later.count == 1)
        }

        @Test(
            "after a call that got no connection, only the same request may have its key",
            arguments: [TransportError.Phase.queued, .connecting])
        func refusedConnection(phase: TransportError.Phase) async throws {
            let refused = ScriptedTransport.Step.failure(TransportError(.refused, phase: phase))
            let keys = try await sentKeys([refused, .status(200)]) { client in
                await #expect(throws: Failure.self) { try await client.post("a", json: ["item": 1]) }
                let other = await #expect(throws: Failure.self) { try await client.post("a", json: ["item": 2]) }
                #expect(other?.code == "rejected.idempotencyKey")
                await #expect(throws: Never.self) { try await client.post("a", json: ["item": 1]) }
            }
            #expect(keys.count == 2)
            #expect(Set(keys).count == 1)
            #expect(!keys.contains(nil))
        }

        @Test("a call that may have reached the service keeps its key, also if its last attempt got no connection")
        func perhapsSent() async throws {
            let lost = ScriptedTransport.Step.failure(TransportError(.lost, phase: .waiting))
            let refused = ScriptedTransport.Step.failure(TransportError(.refused, phase: .connecting))
            for steps in [[lost], [lost, refused, refused]] {
                let keys = try await sentKeys(
                    steps + [.status(200)], retry: steps.count == 1 ? .never : .standard
                ) { client in
                    for _ in 1...2 {
                        await #expect(throws: Failure.self) { try await client.post("a", json: ["item": 1]) }
                    }
                }
                #expect(keys.count == steps.count)
            }
        }
    }

    /// Refuses the first request before it is sent.
    private struct RefusingFirst: HTTP.Interceptor {
        /// What it answers in the place of a refusal.
        var answer: HTTP.Response?
        private let requests = Notes<HTTP.Request>()

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            requests.add(request)
            guard requests.all.count == 1 else { return try await next(request) }
            guard let answer else { throw RejectionError(.limit, "The line is full.") }
            return answer
        }
    }
#endif
