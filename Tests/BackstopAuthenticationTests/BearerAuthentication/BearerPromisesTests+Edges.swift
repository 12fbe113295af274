import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import Backstop
@testable import BackstopAuthentication
@testable import BackstopCore

extension BearerPromisesTests {
    @Test("a failed refresh for a token that another call found refused costs no call its good token") func marked()
        async throws
    {
        let service = ScriptedTransport(.status(401), .status(200))
        let client = try client(service, credentials())
        let body = HTTP.Body.stream(once: AsyncStream { Data("a".utf8) })
        login.answer(.failure(TransportError(.lost)))

        let first = await client.result(of: HTTP.Call(.put, "books/1", body: body))
        let second = await client.result(of: HTTP.Call(.get, "books"))

        #expect([first, second].map(Self.code) == ["status.401", "200"])
        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer old"])
        #expect(login.asked.count == 1)
    }

    @Test("a call that finds the store empty goes on signed out when somebody signs in") func emptyStore() async throws
    {
        struct Empty: TokenStore {
            func load() -> TokenSet? { nil }
            func save(_ tokens: TokenSet?) {}
        }
        let credentials = try Credentials(store: Empty(), refresh: login.refresh)
        let service = ScriptedTransport(
            .respond { _, _ in
                try await credentials.signIn(Self.old)
                return HTTP.Response(status: 503)
            }, .status(200))

        let result = try await client(service, credentials).result(of: HTTP.Call(.get, "books"))

        #expect(Self.code(result) == "200")
        #expect(Self.tokens(of: service) == [nil, nil])
    }

    @Test("an expired token that may not be refreshed yet is not sent") func expiredAtLimit() async throws {
        let service = ScriptedTransport(.status(401), .status(200).repeated())
        let credentials = try Credentials(
            Self.old, refreshLimit: TokenRefreshLimit(1, per: .seconds(30)), refresh: login.refresh)
        let client = try client(service, credentials)
        login.answer(
            .success(TokenSet(access: "short", expirySince1970: .milliseconds(500))),
            .success(TokenSet(access: "unasked")))
        _ = try await client.get("books")
        await clock.advance(by: .milliseconds(600))

        let failure = await client.result(of: HTTP.Call(.get, "books")).failure

        #expect(failure?.code == "rejected.tokenRefreshLimit")
        #expect(failure?.retryAfter == .milliseconds(29_400))
        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer short"])
    }

    @Test("a call that is cancelled as its token is refused asks for no other") func cancelledAtRefusal() async throws {
        let credentials = try credentials()
        let service = ScriptedTransport(
            .respond { _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return HTTP.Response(status: 401)
            })
        // Without limits, which would run the rest in a task of their own.
        let client = try Client(baseURL: "https://api.example.com", transport: service) {
            BearerAuthentication(credentials)
            StatusValidation()
        }
        login.answer(.success(TokenSet(access: "unasked")))

        let failure = await Task { await client.result(of: HTTP.Call(.get, "books")).failure }.value

        #expect(failure?.code == "cancelled")
        #expect(login.asked.isEmpty)
    }

    private func withNewKeys(_ service: ScriptedTransport, retries: Int) throws -> Client {
        struct KeyMaker: HTTP.Interceptor {
            let made = Counter()

            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                var request = request
                request.headers[.idempotencyKey] = "\(made.increment())"
                return try await next(request)
            }
        }
        let retry = Retry<HTTP.Request, HTTP.Response>(try RetryPolicy(backoff: .none))
        login.answer(.success(TokenSet(access: "new", account: "ann")))
        let chain = try HTTP.Chain(
            transport: service,
            interceptors: [BearerAuthentication(try credentials()), KeyMaker()]
                + Array(repeating: retry, count: retries) + [Decoding(), StatusValidation()])
        return try Client(baseURL: URL(string: "https://api.example.com"), chain: chain)
    }

    @Test(
        "a refused call is not sent under another key, where something further in had sent it before",
        arguments: [1, 2])
    func newKey(retries: Int) async throws {
        let service = ScriptedTransport(.failure(TransportError(.lost)), .status(401), .status(201))

        let result = try await withNewKeys(service, retries: retries).result(of: HTTP.Call(.post, "orders"))

        #expect(service.requests.map { $0.headers[.idempotencyKey] } == ["1", "1"])
        #expect(result.failure?.code == "rejected.idempotencyKey")
    }

    /// Sends each request under a key of its own before, as another order.
    private func sendingFirst(under key: String) -> some HTTP.Interceptor {
        ClosureInterceptor { request, _, next in
            var first = request
            first.headers[.idempotencyKey] = key
            _ = try await next(first)
            return try await next(request)
        }
    }

    @Test("a refused call that has a key is not sent under another, or none, after what may have been done with one")
    func otherKey() async throws {
        for sent in [["made 1", "made 2"], ["own", "made 2"], ["own", nil]] {
            let service = ScriptedTransport(.status(403), .status(201))
            login.answer(.success(TokenSet(access: "new", account: "ann")))
            let count = Counter()
            let change = ClosureInterceptor { request, _, next in
                var request = request
                request.headers[.idempotencyKey] = sent[count.increment() - 1]
                return try await next(request)
            }
            let refused = TokenRefusal { result in
                guard case .failure(let error as StatusError) = result, error.code == 403 else { return nil }
                return .maybeApplied
            }
            let chain = try HTTP.Chain(
                transport: service,
                interceptors: [
                    BearerAuthentication(try credentials(), refusedBy: [refused]), change, Decoding(),
                    StatusValidation(),
                ])

            let result = try await Client(baseURL: URL(string: "https://api.example.com"), chain: chain)
                .result(of: HTTP.Call(.post, "orders", headers: ["Idempotency-Key": "own"]))

            #expect(service.requests.map { $0.headers[.idempotencyKey] } == [sent[0]])
            #expect(result.failure?.code == "rejected.idempotencyKey")
        }
    }

    @Test(
        "a refused call is sent again under its key, whatever interceptors sent beside it under another",
        arguments: [true, false])
    func otherRequests(isInside: Bool) async throws {
        let service = ScriptedTransport(.status(200), .status(401), .status(200).repeated())
        login.answer(.success(TokenSet(access: "new", account: "ann")))
        let two = sendingFirst(under: "other")
        let prefix = ClosureInterceptor { request, _, next in
            var request = request
            request.headers[.idempotencyKey] = request.headers[.idempotencyKey].map { "shop-" + $0 }
            return try await next(request)
        }
        let bearer = BearerAuthentication(try credentials())
        let chain = try HTTP.Chain(
            transport: service,
            interceptors: (isInside ? [bearer, two] : [two, bearer, prefix]) + [Decoding(), StatusValidation()])

        let result = try await Client(baseURL: URL(string: "https://api.example.com"), chain: chain)
            .result(of: HTTP.Call(.post, "orders", headers: ["Idempotency-Key": "own"]))

        #expect(Self.code(result) == "200")
        let keys = service.requests.map { $0.headers[.idempotencyKey] }
        #expect(keys == (isInside ? ["other", "own", "other", "own"] : ["shop-other", "shop-own", "shop-own"]))
    }

    @Test("a refused call keeps a key of its own, whatever else the call had sent before") func ownKey() async throws {
        let service = ScriptedTransport(.status(201), .status(401), .status(201))
        login.answer(.success(TokenSet(access: "new", account: "ann")))
        let two = sendingFirst(under: "a")
        let chain = try HTTP.Chain(
            transport: service,
            interceptors: [two, BearerAuthentication(try credentials()), Decoding(), StatusValidation()])

        let result = try await Client(baseURL: URL(string: "https://api.example.com"), chain: chain)
            .result(of: HTTP.Call(.post, "orders", headers: ["Idempotency-Key": "b"]))

        #expect(service.requests.map { $0.headers[.idempotencyKey] } == ["a", "b", "b"])
        #expect(Self.code(result) == "201")
    }

    @Test("a call that only its refusal answered is sent again under any key") func firstKey() async throws {
        let service = ScriptedTransport(.status(401), .status(201))

        let result = try await withNewKeys(service, retries: 1).result(of: HTTP.Call(.post, "orders"))

        #expect(service.requests.map { $0.headers[.idempotencyKey] } == ["1", "2"])
        #expect(Self.code(result) == "201")
    }

    @Test("an operation that is cancelled as its token is refused asks for no other") func cancelledOperation()
        async throws
    {
        struct Refused: Error {}
        let credentials = try credentials()
        login.answer(.success(TokenSet(access: "unasked")))

        let call = Task {
            try await credentials.withToken(clock: clock, isRefused: { $0 is Refused }) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw Refused()
            }
        }

        await #expect(throws: Refused.self) { try await call.value }
        #expect(login.asked.isEmpty)
    }

    @Test("a limit of refreshes has a count and a window", arguments: [(0, 30), (1001, 30), (1, 0), (1, -1)])
    func refusedLimit(count: Int, seconds: Int) {
        let error = #expect(throws: ConfigurationError.self) {
            try TokenRefreshLimit(count, per: .seconds(seconds))
        }
        #expect(error?.setting == (seconds > 0 ? "TokenRefreshLimit.count" : "TokenRefreshLimit.window"))
    }
}
