#if Hummingbird && AsyncHTTPClient && Demo
    import BackstopFaultServer
    import BackstopHummingbird
    import BackstopResilience
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Hummingbird
    import Testing

    @Suite("Deadline and trace context of an incoming request, with a server of Hummingbird")
    struct PropagationTests {
        private func run(
            _ middleware: PropagationMiddleware<BasicRequestContext> = PropagationMiddleware(),
            options: CallOptions = CallOptions(), client: (Client) throws -> Client = { $0.propagating() },
            test: @Sendable (Servers) async throws -> Void
        ) async throws {
            try await Servers.run(options: options) { router, shop in
                router.add(middleware: FailureMiddleware())
                router.add(middleware: middleware)
                router.addCall(try client(shop))
            } test: {
                try await test($0)
            }
        }

        @Test("a call ends when the caller stops waiting, which is answered with 504")
        func deadline() async throws {
            let clock = ManualClock()
            var options = CallOptions()
            options.clock = clock
            try await run(options: options) { servers in
                async let answer = servers.call("/hang", headers: ["Request-Timeout": "100"])
                await servers.upstream.waitForRequest(to: "/hang")
                await clock.advance(by: .seconds(100))
                let problem = try await answer.problem()
                #expect(problem.status == 504)
                #expect(problem.extensions == ["code": "timeout.deadline"])
            }
        }

        @Test("nothing is sent when the caller's time is over")
        func over() async throws {
            try await run { servers in
                let answer = try await servers.call("/echo", headers: ["Request-Timeout": "0"])
                #expect(try answer.problem().extensions == ["code": "timeout.deadline"])
                #expect(answer.status == 504)
                #expect(servers.upstream.requestCount(of: "/echo") == 0)
            }
        }

        @Test("the service learns how much of the time is left")
        func rest() async throws {
            try await run { servers in
                _ = try await servers.call("/echo", headers: ["Request-Timeout": "80000.5"])
                let sent = try #require(await servers.upstream.requests(to: "/echo").first)
                let rest = try #require(sent.values(of: "Request-Timeout").first.flatMap(Double.init))
                #expect((1...80000.5).contains(rest))
            }
            try await run(PropagationMiddleware(timeoutHeader: "Connect-Timeout-Ms")) { servers in
                _ = try await servers.call("/echo", headers: ["Connect-Timeout-Ms": "80000000"])
                let sent = try #require(await servers.upstream.requests(to: "/echo").first)
                let rest = try #require(sent.values(of: "Connect-Timeout-Ms").first.flatMap(Int.init))
                #expect((1000...80_000_000).contains(rest))
            }
        }

        @Test("a later deadline of the caller changes nothing about that of the call")
        func ownDeadline() async throws {
            let clock = ManualClock()
            var options = CallOptions()
            options.clock = clock
            options.deadline = .seconds(700)
            try await run(options: options) { servers in
                async let answer = servers.call("/hang", headers: ["Request-Timeout": "80000"])
                await servers.upstream.waitForRequest(to: "/hang")
                let sent = try #require(await servers.upstream.requests(to: "/hang").first)
                #expect(sent.values(of: "Request-Timeout") == ["700"])
                await clock.advance(by: .seconds(700))
                #expect(try await answer.status == 504)
            }
        }

        @Test("without a time that is a number, a service learns of no deadline")
        func none() async throws {
            var options = CallOptions()
            options.deadline = .seconds(3600)
            try await run(options: options) { servers in
                _ = try await servers.call("/echo")
                _ = try await servers.call("/echo", headers: ["Request-Timeout": "soon"])
                for sent in await servers.upstream.requests(to: "/echo") {
                    #expect(sent.values(of: "Request-Timeout").isEmpty)
                }
            }
        }

        @Test("no caller opens a circuit breaker with a short time")
        func breaker() async throws {
            let clock = ManualClock()
            var options = CallOptions()
            options.clock = clock
            options.deadline = .seconds(50)
            let policy = try CircuitBreakerPolicy(minimumThroughput: 1)
            try await run(options: options) { shop in
                try shop.withChain { try $0.inserting(CircuitBreaker(policy, log: nil), inside: .retry) }.propagating()
            } test: { servers in
                async let answer = servers.call("/hang", headers: ["Request-Timeout": "40"])
                await servers.upstream.waitForRequest(to: "/hang")
                await clock.advance(by: .seconds(40))
                let problem = try await answer.problem()
                #expect(problem.extensions == ["code": "timeout.deadline"])
                await servers.upstream.waitForDisconnection(of: "/hang")
                let next = try await servers.call("/books")
                #expect(next.status == 200)
            }
        }

        @Test(
            "an answer that time ran out opens no circuit breaker if the caller gave less than a second",
            arguments: [408, 504])
        func shortAnswer(status: Int) async throws {
            let clock = ManualClock()
            var options = CallOptions()
            options.clock = clock
            let policy = try CircuitBreakerPolicy(failureRatio: 0.1, minimumThroughput: 1)
            // Not over a socket: a transport ends such a short call itself, by the system's clock, where nothing moves.
            let service = ScriptedTransport(.on(.get, "/books", .json(200, "[]")), .status(status).repeated())
            try await run(options: options) { [options] _ in
                try Client.standard(
                    baseURL: "http://service.test", transport: service, retry: .never, logging: nil, options: options
                ).withChain { try $0.inserting(CircuitBreaker(policy, log: nil), inside: .retry) }.propagating()
            } test: { servers in
                func expect(_ code: String, within time: String) async throws {
                    let answer = try await servers.call("/answer", headers: ["Request-Timeout": "\(time)"])
                    #expect(try answer.problem().extensions["code"] == .string(code))
                }
                // The server's clock is the system's; this asks unless 0.999 s pass before.
                try await expect("timeout.deadline", within: "0.999")
                try await servers.call("/books", expecting: 200)
                try await expect("status.\(status)", within: "80000")
                try await expect("rejected.breakerOpen", within: "80000")
            }
        }

        @Test("a second middleware adds only what the first has not taken over")
        func twice() async throws {
            let ok = ["/one", "/two"].map { path in FaultServer.Mount(path) { _ in .text("ok") } }
            try await Servers.run(mounting: ok) { router, shop in
                let shop = shop.propagating()
                router.add(middleware: FailureMiddleware())
                router.add(middleware: PropagationMiddleware())
                router.add(middleware: Calling(shop: shop, path: "one"))
                router.add(middleware: PropagationMiddleware(timeoutHeader: "Other-Timeout") { _, _ in "ada" })
                router.add(middleware: Calling(shop: shop, path: "two"))
                router.add(middleware: PropagationMiddleware { _, _ in "ada" })
                router.post("orders") { _, _ in
                    try await shop.post("two", json: ["item": 2])
                    return "ok"
                }
            } test: { servers in
                let answer = try await servers.send(
                    .post, "/orders",
                    headers: ["Idempotency-Key": "k", "Request-Timeout": "80000", "Other-Timeout": "0"])
                #expect(try answer.problem().extensions == ["code": "rejected.idempotencyKey"])
                let sent = await (servers.upstream.requests(to: "/one"), servers.upstream.requests(to: "/two"))
                #expect(sent.0.map { $0.values(of: "Idempotency-Key").count } == [0])
                #expect(sent.1.map { $0.values(of: "Idempotency-Key").count } == [1])
            }
        }

        @Test("a task that outlives the request takes nothing over", arguments: [true, false])
        func outliving(throwing: Bool) async throws {
            let (ended, end) = AsyncStream<Void>.makeStream()
            let (done, finish) = AsyncStream<Void>.makeStream()
            try await Servers.run { router, shop in
                let shop = shop.propagating()
                router.add(middleware: PropagationMiddleware { _, _ in "ada" })
                router.post("orders") { _, _ -> String in
                    Task {
                        for await _ in ended {}
                        _ = try? await shop.post("echo", json: ["item": 1])
                        finish.finish()
                    }
                    guard !throwing else { throw HTTPError(.conflict) }
                    return "ok"
                }
            } test: { servers in
                let headers: HTTP.Headers = [
                    "Idempotency-Key": "k", "Request-Timeout": "80000", "traceparent": "\(Self.parent)",
                ]
                _ = try await servers.send(.post, "/orders", headers: headers)
                end.finish()
                for await _ in done {}
                let sent = try #require(await servers.upstream.requests(to: "/echo").first)
                for name in ["Idempotency-Key", "Request-Timeout", "traceparent"] {
                    #expect(sent.values(of: name).isEmpty, "\(name)")
                }
            }
        }

        private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

        @Test("the trace context goes on as it came, when no tracing has made one")
        func trace() async throws {
            try await run { servers in
                _ = try await servers.call(
                    "/echo", headers: ["traceparent": "\(Self.parent)", "tracestate": "a=1,b=2"])
                _ = try await servers.call("/echo", headers: ["traceparent": "00-0-0-01", "tracestate": "a=1"])
                let sent = await servers.upstream.requests(to: "/echo")
                #expect(sent.map { $0.values(of: "traceparent") } == [[Self.parent], []])
                #expect(sent.map { $0.values(of: "tracestate") } == [["a=1,b=2"], []])
            }
        }

        @Test("the trace context of an interceptor goes before that of the incoming request")
        func ownTrace() async throws {
            let own = "00-11111111111111111111111111111111-2222222222222222-00"
            try await run { shop in
                try shop.propagating().withChain {
                    try $0.inserting(Adding(fields: ["traceparent": own]), inside: .retry)
                }
            } test: { servers in
                _ = try await servers.call(
                    "/echo", headers: ["traceparent": "\(Self.parent)", "tracestate": "a=1"])
                let sent = try #require(await servers.upstream.requests(to: "/echo").first)
                #expect(sent.values(of: "traceparent") == [own])
                #expect(sent.values(of: "tracestate").isEmpty)
            }
        }

        @Test("a client that does not propagate sends nothing of the incoming request")
        func plain() async throws {
            try await run(client: { $0 }) { servers in
                _ = try await servers.call(
                    "/echo", headers: ["traceparent": "\(Self.parent)", "Request-Timeout": "0"])
                let sent = try #require(await servers.upstream.requests(to: "/echo").first)
                #expect(sent.values(of: "traceparent").isEmpty)
            }
        }

        @Test("a propagating client keeps a good order, and does not propagate twice")
        func order() throws {
            let client = try Client.standard(baseURL: "https://shop.example.com", transport: ScriptedTransport())
            let once = client.propagating()
            #expect(once.chain.orderIssues.isEmpty)
            #expect(once.propagating().chain.description == once.chain.description)
            #expect(
                once.chain.roles.map(\.name) == [
                    "logging", "deadline", "CallPropagation", "retry", "decoding", "statusValidation",
                    "apiErrorDecoding", "AttemptPropagation", "attemptTimeout",
                ])
        }
    }

    /// Posts something to the service, and then goes on.
    private struct Calling: RouterMiddleware {
        typealias Context = BasicRequestContext
        let shop: Client
        let path: String

        func handle(
            _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
        ) async throws -> Response {
            try await shop.post(path, json: ["item": 1])
            return try await next(request, context)
        }
    }

    /// Adds fields to each attempt.
    private struct Adding: HTTP.Interceptor {
        let fields: HTTP.Headers

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            var request = request
            for field in fields {
                request.headers[HTTP.Headers.Name(field.name.text)] = field.value
            }
            return try await next(request)
        }
    }
#endif
