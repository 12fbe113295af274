import Backstop
import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopAuthentication

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A refresh that fails", .limited)
struct RefreshFailureTests {
    private static let expired = TokenSet(access: "old", refresh: "r1", expirySince1970: .seconds(1), account: "ann")
    private let clock = ManualClock(date: .seconds(1000))

    private func client(
        _ service: ScriptedTransport, _ tokens: TokenSet = expired, retry: RetryPolicy = .standard,
        refresh: @escaping @Sendable (TokenSet) async throws -> TokenSet?
    ) throws -> (client: Client, credentials: Credentials) {
        var options = CallOptions()
        options.clock = clock
        let credentials = try Credentials(tokens, refresh: refresh)
        let client = try Client.standard(
            baseURL: "https://api.example.com/v1", transport: service, retry: retry,
            authentication: BearerAuthentication(credentials), logging: nil, options: options)
        return (client, credentials)
    }

    @Test(
        "has the reason of the network, and is not retried",
        arguments: [
            (URLError(.notConnectedToInternet) as any Error, "transport.offline"),
            (TransportError(.lost), "transport.lost"), (Failure(TransportError(.offline)), "transport.offline"),
            (TimeoutError(.attempt, after: .seconds(5)), "timeout.attempt"),
        ])
    func network(error: any Error, code: String) async throws {
        let service = ScriptedTransport(.status(200))
        let asked = Lock(0)
        let (client, _) = try client(service, retry: RetryPolicy(attempts: 3, backoff: .none) { $0.isTransient }) { _ in
            asked.withLock { $0 += 1 }
            throw error
        }

        let failure = try #require(await client.result(of: .get("books")).failure)

        #expect(failure.code == code)
        #expect(failure.isRetryable && failure.error(as: TokenRefreshError.self) != nil)
        #expect(failure.report.contains("a new token was asked for: \(code)"))
        #expect(failure.stopReason.description == "a failed refresh of the token is not repeated")
        #expect(asked.withLock { $0 } == 1)
        #expect(service.requests.isEmpty)
    }

    @Test(
        "that ran out of time says where to look, which is not the call's own chain",
        arguments: [HTTP.Method.get, .post])
    func timeout(method: HTTP.Method) async throws {
        let (client, _) = try client(ScriptedTransport(.status(401))) { _ in
            throw TimeoutError(.attempt, after: .seconds(5))
        }

        let failure = try #require(await client.result(of: HTTP.Call(method, "books")).failure)

        let step = "failure.error(as: TokenRefreshError.self) says why. The next call refreshes anew."
        #expect(failure.report.hasSuffix("next:     \(step)"))
    }

    @Test(
        "is not repeated before the server's Retry-After, a minute at most",
        arguments: [
            (30, 29_000, 30_000, "for 30 s"), (3600, 59_000, 60_000, "for 60 s"), (0, 1000, 2000, nil),
        ] as [(Int, Int, Int, String?)])
    func pause(seconds: Int, last: Int, next: Int, words: String?) async throws {
        // given: a login that refuses the first refresh, and a call that was refused with it
        let service = ScriptedTransport(.status(401).repeated())
        let login = ScriptedTransport(
            .status(429, headers: ["Retry-After": "\(seconds)"]), .status(500).repeated())
        var options = CallOptions()
        options.clock = clock
        let loginClient = try Client.standard(
            baseURL: "https://login.example.com", transport: login, retry: .never, logging: nil, options: options)
        let valid = TokenSet(access: "old", refresh: "r1", account: "ann")
        let (client, _) = try client(service, valid) { _ in
            _ = try await loginClient.post("token") as HTTP.Response
            return nil
        }
        let first = try #require(await client.result(of: .get("books")).failure)
        // when
        await clock.advance(by: .milliseconds(last))
        let second = try #require(await client.result(of: .get("books")).failure)
        let refreshes = login.requests.count
        await clock.advance(by: .milliseconds(next - last))
        _ = await client.result(of: .get("books"))
        // then
        #expect(first.code == "rejected.tokenRefresh" && first.retryAfter == .seconds(seconds))
        #expect(refreshes == (seconds > 0 ? 1 : 2))
        #expect(login.requests.count == (seconds > 0 ? 2 : 3))
        let step = "failure.error(as: TokenRefreshError.self) says why. "
        let anew = "The next call refreshes anew."
        #expect(first.nextStep == step + (words.map { "No call refreshes anew \($0)." } ?? anew))
        #expect(first.explanation.hasSuffix(": a new token was asked for: 429"))
        if seconds > 0 {
            #expect(second.code == "rejected.tokenRefresh")
            #expect(second.retryAfter == .seconds(seconds) - .milliseconds(last))
            #expect(second.nextStep == step + "No call refreshes anew for 1 s.")
            #expect(second.explanation.hasSuffix(": an earlier call asked for a new token: 429"))
        }
    }

    @Test(
        "is repeated by the next call where an error of the app's own asks for no wait, or for one in the past",
        arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
    func oddPause(pause: Duration) async throws {
        let asked = Lock(0)
        let (client, _) = try client(ScriptedTransport(.status(401).repeated())) { _ in
            asked.withLock { $0 += 1 }
            throw Failure(RejectionError(.limit, "Not now", retryAfter: pause))
        }

        for second in 1...2 {
            await clock.advance(by: .seconds(second))
            _ = await client.result(of: .get("books"))
        }

        #expect(asked.withLock { $0 } == 2)
    }

    @Test(
        "is repeated by the next call, and in an outage by one a second",
        arguments: [(503, [1, 2, 2, 3, 3, 4, 4]), (429, [1, 2, 2, 3, 3, 4, 4]), (400, [1, 2, 3, 4, 5, 6, 7])])
    func outage(status: Int, requests: [Int]) async throws {
        // given
        let login = ScriptedTransport(.status(status).repeated())
        let loginClient = try Client.standard(
            baseURL: "https://login.example.com", transport: login, retry: .never, logging: nil)
        let (client, _) = try client(ScriptedTransport(.status(401).repeated())) { _ in
            _ = try await loginClient.post("token") as HTTP.Response
            return nil
        }
        // when
        var asked: [Int] = []
        for milliseconds in [0, 1, 999, 1, 999, 1, 999] {
            await clock.advance(by: .milliseconds(milliseconds))
            _ = await client.result(of: .get("books"))
            asked.append(login.requests.count)
        }
        // then
        #expect(asked == requests)
    }

    /// An error of a closure that calls no client of this package.
    private struct Busy: Error, FailureReasonConvertible {
        var classifiedReason: Failure.Reason {
            .rejected(RejectionError(.limit, "Not now", retryAfter: .seconds(600)))
        }
    }

    @Test("is not repeated while an error of the app's own asks to wait, a minute at most")
    func ownPause() async throws {
        let asked = Lock(0)
        let (client, _) = try client(ScriptedTransport(.status(401).repeated())) { _ in
            asked.withLock { $0 += 1 }
            throw Busy()
        }

        _ = await client.result(of: .get("books"))
        await clock.advance(by: .seconds(59))
        let second = await client.result(of: .get("books")).failure
        let refreshes = asked.withLock { $0 }
        await clock.advance(by: .seconds(1))
        _ = await client.result(of: .get("books"))

        #expect(refreshes == 1 && second?.retryAfter == .seconds(541))
        #expect(asked.withLock { $0 } == 2)
    }

    @Test("is repeated by the next call when the clock has gone back behind it")
    func clockBack() async throws {
        let login = ScriptedTransport(.status(429, headers: ["Retry-After": "30"]).repeated())
        let loginClient = try Client.standard(
            baseURL: "https://login.example.com", transport: login, retry: .never, logging: nil)
        let (client, _) = try client(ScriptedTransport(.status(401).repeated())) { _ in
            _ = try await loginClient.post("token") as HTTP.Response
            return nil
        }

        _ = await client.result(of: .get("books"))
        clock.date -= .seconds(500)
        _ = await client.result(of: .get("books"))

        #expect(login.requests.count == 2)
    }

    @Test("before the server's Retry-After, leaves calls whose token is still good alone")
    func pauseOfGood() async throws {
        let service = ScriptedTransport(.status(401), .status(200).repeated())
        let login = ScriptedTransport(.status(429, headers: ["Retry-After": "30"]).repeated())
        let loginClient = try Client.standard(
            baseURL: "https://login.example.com", transport: login, retry: .never, logging: nil)
        let valid = TokenSet(access: "old", refresh: "r1", expirySince1970: .seconds(1020), account: "ann")
        let (client, _) = try client(service, valid) { _ in
            _ = try await loginClient.post("token") as HTTP.Response
            return nil
        }
        _ = await client.result(of: .get("books"))
        await clock.advance(by: .seconds(19))
        let good = await client.result(of: .get("books"))
        await clock.advance(by: .seconds(1))
        let expired = await client.result(of: .get("books"))

        #expect(good.failure == nil)
        #expect(expired.failure?.code == "rejected.tokenRefresh")
        #expect(expired.failure?.retryAfter == .seconds(10))
        #expect(login.requests.count == 1)
    }

    @Test("is offline for handlers, and for a fallback") func offline() async throws {
        let (client, _) = try client(ScriptedTransport()) { _ in throw URLError(.notConnectedToInternet) }
        let kept = try client.withChain {
            try $0.inserting(
                Fallback("kept", value: HTTP.Response(status: 200, body: Data("kept".utf8))), outside: .retry)
        }

        let outcome = await client.perform(.get("books")) { On(.offline, name: "offline") { _ in } }

        #expect(outcome.handledBy == "offline")
        #expect(outcome.failure?.error(as: URLError.self)?.code == .notConnectedToInternet)
        #expect(try await kept.get("books").body == Data("kept".utf8))
    }

    @Test("is not tried again at once for the call that began it because of a refusal before")
    func marked() async throws {
        let service = ScriptedTransport(.status(401).repeated())
        let asked = Lock(0)
        let (client, _) = try client(service, TokenSet(access: "old", account: "ann")) { _ in
            asked.withLock { $0 += 1 }
            throw TransportError(.lost)
        }
        let body = HTTP.Body.stream(once: AsyncStream { Data("a".utf8) })
        _ = await client.result(of: HTTP.Call(.put, "books/1", body: body))

        let failure = await client.result(of: .get("books")).failure

        #expect(failure?.code == "transport.lost")
        #expect(service.requests.count == 2)
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("passes if its cause does", arguments: [(503, true), (400, false)])
    func outage(status: Int, isTransient: Bool) async throws {
        let (client, _) = try client(ScriptedTransport()) { _ in throw Failure(StatusError(status)) }

        let failure = try #require(await client.result(of: .get("books")).failure)

        #expect(failure.code == "rejected.tokenRefresh")
        #expect(failure.isTransient == isTransient)
        #expect(failure.statusCode == nil)
    }

    @Test("does not count towards the limit, so that the app works as soon as the token service does") func limit()
        async throws
    {
        let isDown = Lock(true)
        let (client, _) = try client(ScriptedTransport(.status(200).repeated())) { _ in
            if isDown.withLock({ $0 }) { throw TransportError(.refused) }
            return TokenSet(access: "new")
        }
        for _ in 1...20 {
            #expect(await client.result(of: .get("books")).failure?.code == "transport.refused")
            await clock.advance(by: .milliseconds(50))
        }
        isDown.withLock { $0 = false }

        #expect(try await client.get("books").status == 200)
    }

    @Test("the limit of one account is not that of the next") func nextAccount() async throws {
        let count = Lock(0)
        let service = ScriptedTransport(.status(401).repeated())
        let (client, credentials) = try client(service) { _ in
            TokenSet(access: "new \(count.withLock { $0 += 1; return $0 })")
        }
        for _ in 1...6 { _ = await client.result(of: .get("books")) }
        #expect(await client.result(of: .get("books")).failure?.code == "rejected.tokenRefreshLimit")

        try await credentials.signIn(TokenSet(access: "bob's", account: "bob"))

        #expect(await client.result(of: .get("books")).failure?.code == "status.401")
        #expect(count.withLock { $0 } == 6)
    }

    /// The answers of a service that also issues the tokens, and asks for the new one.
    private static let service = ScriptedTransport.Step.respond { request, _ in
        if request.url.path.hasSuffix("token") {
            return HTTP.Response(status: 200, body: Data(#"{"access":"new"}"#.utf8))
        }
        return HTTP.Response(status: request.headers[.authorization] == "Bearer new" ? 200 : 401)
    }

    /// A client whose refresh is a call of its own, through one more interceptor.
    private func clientOfItself(
        _ interceptor: some HTTP.Interceptor, _ tokens: TokenSet, _ first: ScriptedTransport.Step...
    ) throws -> Client {
        let own = Lock<Client?>(nil)
        let service = ScriptedTransport(first + [Self.service.repeated()])
        let (plain, _) = try client(service, tokens, retry: .never) { _ in
            let answer = try await own.withLock { $0 }?.get("token", as: [String: String].self)
            return answer?["access"].map { TokenSet(access: $0, account: "ann") }
        }
        let client = try plain.withChain { try $0.inserting(interceptor, inside: .retry) }
        own.withLock { $0 = client }
        return client
    }

    @Test("a bulkhead does not hold up the refresh that its calls wait for")
    func bulkhead() async throws {
        let client = try clientOfItself(
            Bulkhead(limit: 2, queue: .firstInFirstOut(100, timeout: .seconds(4))), TokenSet(access: "old"))

        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...4 { group.addTask { try await client.get("books").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(statuses == [200, 200, 200, 200])
    }

    @Test("a rate limiter does not refuse the refresh that its call waits for") func rateLimiter() async throws {
        let client = try clientOfItself(
            RateLimiter(1, per: .seconds(60), maximumWait: .zero), TokenSet(access: "old", expirySince1970: .zero))

        #expect(try await client.get("books").status == 200)
    }

    @Test("of a call's token fails no other call whose token is good: each goes on with its own") func others()
        async throws
    {
        let (asked, gate) = (Gate(), Gate())
        let service = ScriptedTransport(
            .respond { request, _ in HTTP.Response(status: request.url.path.hasSuffix("admin") ? 401 : 200) }.repeated()
        )
        let (client, credentials) = try client(service, TokenSet(access: "old")) { _ in
            asked.open()
            await gate.pass()
            throw TransportError(.lost)
        }
        let refused = Task { await client.result(of: .get("admin")).failure?.code }
        await asked.pass()
        let other = Task { try await client.get("books").status }
        while credentials.load.waiting < 2 { await Task.yield() }

        gate.open()

        #expect(await refused.value == "transport.lost")
        #expect(try await other.value == 200)
    }

    @Test("to end in time holds calls up whose token is good for a second, and not for its limit") func hangs()
        async throws
    {
        let asked = Gate()
        let service = ScriptedTransport(
            .respond { request, _ in HTTP.Response(status: request.url.path.hasSuffix("admin") ? 401 : 200) }.repeated()
        )
        let (client, credentials) = try client(service, TokenSet(access: "old")) { _ in
            asked.open()
            try await untilCancelled()
            return nil
        }
        let refused = Task { await client.result(of: .get("admin")).failure?.code }
        await asked.pass()
        let other = Task { try await client.get("books").status }
        while credentials.load.waiting < 2 { await Task.yield() }
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.advance(by: .seconds(1))

        #expect(try await other.value == 200)
        #expect(credentials.load.waiting == 1)
        refused.cancel()
        #expect(await refused.value == "cancelled")
    }

    @Test("that ended long before a call was refused is not the call's") func longAgo() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let refreshes = Lock(0)
        let service = ScriptedTransport(
            .respond { request, _ in
                guard request.headers[.authorization] != "Bearer new" else { return HTTP.Response(status: 200) }
                if request.url.path.hasSuffix("slow") {
                    arrived.open()
                    await gate.pass()
                }
                return HTTP.Response(status: 401)
            }.repeated())
        let (client, _) = try client(service, TokenSet(access: "old")) { _ in
            if refreshes.withLock({
                $0 += 1; return $0
            }) == 1 {
                throw TransportError(.lost)
            }
            return TokenSet(access: "new")
        }
        let slow = Task { try await client.get("slow").status }
        await arrived.pass()
        #expect(await client.result(of: .get("books")).failure?.code == "transport.lost")
        await clock.advance(by: .seconds(2))

        gate.open()

        #expect(try await slow.value == 200)
    }

    @Test("a breaker does not refuse the refresh that its probe waits for") func breaker() async throws {
        let policy = try CircuitBreakerPolicy(window: .calls(1), minimumThroughput: 1)
        let client = try clientOfItself(
            CircuitBreaker(policy, log: nil), TokenSet(access: "old", expirySince1970: .seconds(1100)), .status(503))
        #expect(await client.result(of: .get("books")).failure?.code == "status.503")
        #expect(await client.result(of: .get("books")).failure?.code == "rejected.breakerOpen")

        await clock.advance(by: .seconds(200))

        #expect(try await client.get("books").status == 200)
    }
}
