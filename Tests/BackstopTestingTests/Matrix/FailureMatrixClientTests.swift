import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A failure matrix of a client", .limited)
struct FailureMatrixClientTests {
    static func client(attempts: Int = 3, deadline: Duration? = nil) throws -> Client {
        try Client.standard(
            baseURL: "https://shop.example.com",
            retry: RetryPolicy(attempts: attempts, backoff: Backoff(baseDelay: .seconds(1), maximumDelay: .seconds(2))),
            attemptTimeout: .seconds(10), deadline: deadline, logging: nil)
    }

    @Test(
        "says how many attempts the chain makes, how long they take, and what they end with",
        arguments: [
            // Three attempts of 120 ms, with waits of up to 1 and 2 s.
            ("transport.refused", "transport.refused", 3, 3360),
            ("transport.certificate", "transport.certificate", 1, 120),
            ("status.404", "service.problem", 1, 120),
            ("status.500", "service.problem", 3, 3360),
            // Three attempts until the limit of the chain, not until that of the sample.
            ("timeout.attempt", "timeout.attempt", 3, 33_000),
            ("timeout.deadline", "timeout.attempt", 3, 33_000),
            ("decoding (html)", "decoding", 1, 120),
            ("cancelled", "cancelled", 1, 120),
        ] as [(String, String, Int, Int)])
    func rows(name: String, code: String, attempts: Int, milliseconds: Int) async throws {
        let matrix = try await FailureMatrix.run(client: try Self.client())
        let row = try #require(matrix[name])
        #expect(row.code == code)
        #expect(row.attempts == attempts)
        let elapsed: Double = (row.elapsed ?? .zero) / .milliseconds(1)
        #expect(abs(elapsed - Double(milliseconds)) < 0.01)
    }

    @Test("ends each sample at the deadline of the chain")
    func deadline() async throws {
        let matrix = try await FailureMatrix.run(client: try Self.client(deadline: .seconds(4)))
        let row = try #require(matrix["timeout.attempt"])
        #expect(row.code == "timeout.deadline")
        #expect(row.attempts == 1)
        #expect(row.elapsed == .seconds(4))
    }

    @Test("asks the handlers of the client, and those given, about what the chain made of the sample")
    func handlers() async throws {
        let scope = HandlerScope("shop") { On(status: 404) { _ in } }
        let matrix = try await FailureMatrix.run(
            client: try Self.client().scoped("app") { On(status: 410) { _ in } },
            own: [On(.timeout, name: "own") { _ in .retry(after: .seconds(7)) }],
            scopes: [scope]
        ) {
            On(status: 500) { _ in }
        }
        #expect(matrix["status.404"]?.handledBy == "shop: On(status.404)")
        #expect(matrix["status.410"]?.handledBy == "app: On(status.410)")
        #expect(matrix["status.500"]?.handledBy == "On(status.500)")
        #expect(matrix["timeout.attempt"]?.handledBy == "own")
        // The pause of the handler, and not a wait of Retry.
        #expect(matrix["timeout.attempt"]?.verdict == .retry(after: .seconds(7)))
        #expect(matrix["status.403"]?.verdict == .unhandled)
        #expect(matrix["cancelled"]?.verdict == .cancelled)
    }

    @Test("shows what an interceptor gave a value for")
    func recovered() async throws {
        struct Substitute: HTTP.Interceptor {
            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                do {
                    return try await next(request)
                } catch is TransportError {
                    return HTTP.Response(status: 200)
                }
            }
        }
        let matrix = try await FailureMatrix.run(
            client: try Self.client().withChain { $0.prepending(Substitute()) })
        #expect(matrix["transport.refused"]?.verdict == .recovered)
        #expect(matrix["transport.refused"]?.attempts == 3)
        #expect(matrix["status.500"]?.verdict == .unhandled)
    }

    @Test("calls no status a success that calls which read or ignore a body fail with")
    func unjudged() async throws {
        let client = try Client(baseURL: "https://shop.example.com") { Retry() }
        let matrix = try await FailureMatrix.run(client: client)
        #expect(matrix["status.404"]?.verdict == .unhandled)
        #expect(matrix["status.404"]?.code == "status.404")
        #expect(matrix.rows.allSatisfy { $0.verdict != .recovered })
    }

    @Test("gives each sample a client of its own")
    func fresh() async throws {
        // given
        let made = Lock(0)
        let samples = Array(FailureSamples.all.prefix(5))

        func makeClient() throws -> Client {
            made.withLock { $0 += 1 }
            return try Self.client()
        }

        // when
        _ = try await FailureMatrix.run(client: try makeClient(), samples: samples)

        // then: one more for the handlers
        #expect(made.withLock { $0 } == 6)
    }

    @Test("throws what the making of the client throws")
    func badClient() async {
        await #expect(throws: ConfigurationError.self) {
            try await FailureMatrix.run(client: try Self.client(attempts: 0))
        }
    }

    @Test("gives every sample budgets, breakers and limits of its own, also with a client that exists already")
    func ownState() async throws {
        // given: a client whose breaker opens at the second failure, and whose limits are soon reached
        let client = try Self.client().withChain {
            try $0.inserting(
                [
                    RateLimiter(4, per: .seconds(86_400), maximumWait: .zero),
                    CircuitBreaker(CircuitBreakerPolicy(window: .calls(6)), log: nil),
                ], inside: .retry)
        }
        // when
        let first = try await FailureMatrix.run(client: client)
        let second = try await FailureMatrix.run(client: client)
        let fresh = try await FailureMatrix.run(client: try Self.client())
        // then
        #expect(first.rows.map(\.code) == fresh.rows.map(\.code))
        #expect(first.description == second.description)
    }

    @Test("gives every sample places of its own, also where those of a client are taken")
    func ownPlaces() async throws {
        // given
        let transport = ScriptedTransport(.hang)
        let client = try Self.client().withChain {
            try $0.inserting(
                [Hedging(afterPercentile: 0.95), Bulkhead(limit: 1, queue: .none)], inside: .retry
            ).replacing(transport: transport)
        }
        let running = Task { try await client.get("/") }
        await transport.waitForRequests(1)
        // when
        let matrix = try await FailureMatrix.run(client: client)
        // then
        #expect(matrix.rows.map(\.code) == (try await FailureMatrix.run(client: Self.client())).rows.map(\.code))
        running.cancel()
        _ = await running.result
    }

    @Test("asks nothing about the device's network, which may be offline where the tests run")
    func offline() async throws {
        let online = try await FailureMatrix.run(client: try Self.client())
        let offline = try await FailureMatrix.run(
            client: try Self.client().withChain {
                try $0.inserting(
                    ConnectivityCheck(ManualConnectivity(.offline), whenOffline: .wait(upTo: .seconds(10))),
                    inside: .deadline)
            })
        #expect(offline.description == online.description)
    }

    @Test("asks neither token server nor token store, and gives each sample credentials of its own")
    func credentials() async throws {
        // given: tokens that expire at once, and tokens that are still in the store
        struct Store: TokenStore {
            func load() -> TokenSet? {
                Issue.record("loaded")
                return nil
            }
            func save(_ tokens: TokenSet?) { Issue.record("saved") }
        }
        for tokens in [TokenSet(access: "a", refresh: "r", expirySince1970: .seconds(1)), nil] {
            let credentials = try Credentials(tokens, store: Store()) { _ in
                Issue.record("refreshed")
                return nil
            }
            let client = try Client.standard(
                baseURL: "https://shop.example.com", authentication: BearerAuthentication(credentials), logging: nil)
            // when
            let matrix = try await FailureMatrix.run(client: client)
            // then: one that is refused is sent again with a new token
            #expect(matrix["status.401"]?.attempts == 2)
            #expect(matrix["transport.lost"]?.attempts == 3)
            #expect(matrix["status.500"]?.attempts == 3)
            #expect(credentials.tokens == tokens)
        }
    }

    @Test("has columns for attempts and time, and says what a sample has become")
    func table() async throws {
        let matrix = try await FailureMatrix.run(
            client: try Self.client(),
            samples: ["transport.lost", "timeout.deadline"].compactMap { name in
                FailureSamples.all.first { $0.name == name }
            }
        ) {
            On(.timeout) { _ in }
        }
        #expect(
            matrix.description == """
                code                                 attempts  time   verdict    by
                transport.lost                       3         3.4 s  unhandled  -
                timeout.deadline -> timeout.attempt  3         33 s   handled    On(timeout)
                2 failures: 1 handled, 1 unhandled.
                """)
    }
}
