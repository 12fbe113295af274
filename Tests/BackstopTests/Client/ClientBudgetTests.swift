import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The retry budget of a client", .limited)
struct ClientBudgetTests {
    private typealias Stubbed = Stub<HTTP.Request, HTTP.Response>
    private static let lost = Stubbed.failure(TransportError(.lost))

    /// How many attempts a call makes; nil when it succeeds.
    private func attempts(_ client: Client, _ target: String = "books") async -> Int? {
        await failure(client, target)?.attempts.count
    }

    private func failure(_ client: Client, _ target: String = "books") async -> Failure? {
        do {
            _ = try await client.get(target) as HTTP.Response
            return nil
        } catch {
            return error
        }
    }

    @Test("is that of all clients derived from it, even with another Retry")
    func derived() async throws {
        // given
        let rig = Rig(Self.lost.repeated())
        let client = try rig.client { Retry() }
        let again = try client.withChain { try $0.replacing(.retry, with: Retry(.standard)) }
        let hurried = client.withOptions { $0.deadline = .seconds(20) }
        // then
        #expect(await attempts(client) == 3)
        #expect(await attempts(again) == 1)
        #expect(await attempts(hurried) == 1)
        #expect(await attempts(client.scoped("shop") {}) == 1)
    }

    @Test("is not that of another client, even with the same chain")
    func separate() async throws {
        // given
        let rig = Rig(Self.lost.repeated())
        let first = try rig.client { Retry() }
        let second = try Client(baseURL: URL(string: Rig.base), chain: first.chain, options: rig.options)
        // then
        #expect(await attempts(first) == 3)
        #expect(await attempts(second) == 3)
        #expect(await attempts(first) == 1)
    }

    @Test(
        "counts each origin by itself",
        arguments: [
            ("https://API.example.com:443/x", 1), ("http://api.example.com/x", 3),
            ("https://api.example.com:8443/x", 3), ("https://cdn.example.com/x", 3),
        ])
    func origins(target: String, expected: Int) async throws {
        let client = try Rig(Self.lost.repeated()).client { Retry() }
        #expect(await attempts(client) == 3)
        #expect(await attempts(client, target) == expected)
    }

    @Test("is in the standard client, which refuses no call")
    func standard() async throws {
        let rig = Rig(Self.lost.repeated())
        let client = try rig.standard()
        for number in 0..<50 {
            #expect(await attempts(client) == (number == 0 ? 3 : 1))
        }
        #expect(rig.transport.requests.count == 52)
    }

    /// What a server answers for one path.
    private static func at(_ path: String, _ answer: @escaping @Sendable (CallContext) async throws -> HTTP.Response)
        -> Stubbed
    {
        .on(
            path, where: { $0.url.path == "/v1" + path },
            Stubbed.respond { _, context in try await answer(context) }.repeated())
    }

    @Test(
        "repeats a timeout where the same origin has answered another call meanwhile, and no other origin",
        arguments: [("good", 2), ("https://cdn.example.com/v1/good", 1), (nil, 1)] as [(String?, Int)])
    func answered(other: String?, expected: Int) async throws {
        // given
        let made = Lock<Client?>(nil)
        let clock = Lock<RecordingClock?>(nil)
        let rig = Rig(
            Self.at("/good") { _ in HTTP.Response(status: 200) },
            Self.at("/slow") { _ in
                clock.withLock { $0 }?.advance(by: .seconds(1))
                if let other, let client = made.withLock({ $0 }) {
                    _ = await failure(client, other)
                }
                throw TimeoutError(.attempt, after: .seconds(4))
            })
        let client = try rig.client { Retry() }
        made.withLock { $0 = client }
        clock.withLock { $0 = rig.clock }
        // then
        #expect(await attempts(client, "slow") == expected)
    }

    @Test("takes a redirect for an answer of the host that sent it, and not of the one that it leads to")
    func redirect() async throws {
        // given: one call that is redirected, and one that hangs, at either end of the redirect
        for (hanging, expected) in [("slow", 2), ("https://cdn.example.com/v1/slow", 1)] {
            let made = Lock<Client?>(nil)
            let clock = Lock<RecordingClock?>(nil)
            let rig = Rig(
                Self.at("/moved") { context in
                    context.recordHop(try HTTP.Request(.get, "https://cdn.example.com/file"))
                    throw TimeoutError(.attempt, after: .seconds(4))
                },
                Self.at("/slow") { context in
                    clock.withLock { $0 }?.advance(by: .seconds(1))
                    if context.attempt == 1, let client = made.withLock({ $0 }) {
                        _ = await failure(client, "moved")
                    }
                    throw TimeoutError(.attempt, after: .seconds(4))
                })
            let client = try rig.client { Retry() }
            made.withLock { $0 = client }
            clock.withLock { $0 = rig.clock }
            #expect(await attempts(client, hanging) == expected)
        }
    }

    @Test(
        "repeats a timeout behind a redirect where the host that it led to has answered meanwhile, not the one asked",
        arguments: [
            ("moved", "https://cdn.example.com/v1/good", 2), ("moved", "good", 1),
            ("mirrored", "https://cdn.example.com/v1/good", 1), ("mirrored", "good", 2),
        ])
    func behindRedirect(target: String, other: String, expected: Int) async throws {
        let made = Lock<Client?>(nil)
        let clock = Lock<RecordingClock?>(nil)
        let rig = Rig(
            Self.at("/good") { _ in HTTP.Response(status: 200) },
            Self.at("/" + target) { context in
                context.recordHop(try HTTP.Request(.get, "https://cdn.example.com/file"))
                clock.withLock { $0 }?.advance(by: .seconds(1))
                if context.attempt == 1, let client = made.withLock({ $0 }) {
                    _ = await failure(client, other)
                }
                throw TimeoutError(.attempt, after: .seconds(4))
            })
        let client = try rig.client {
            Retry()
            ClosureInterceptor { request, _, next in
                var request = request
                if request.url.path.hasSuffix("mirrored") {
                    request.url = try #require(URL(string: "https://mirror.example.com/v1/mirrored"))
                }
                return try await next(request)
            }
        }
        made.withLock { $0 = client }
        clock.withLock { $0 = rig.clock }
        #expect(await attempts(client, target) == expected)
    }

    @Test("keeps at most 1,000 origins")
    func bounded() async throws {
        // given
        let rig = Rig(Self.lost.repeated())
        let policy = try RetryPolicy(backoff: .none)
        let client = try Client(baseURL: nil, transport: rig.transport, options: rig.options) { Retry(policy) }
        // when
        for number in 0..<1200 {
            _ = await attempts(client, "https://host\(number).example.com/bad")
        }
        // then
        #expect(client.retryLedger.count == 1000)
    }

    @Test("stays whole while calls of many tasks succeed, fail and are cancelled")
    func races() async throws {
        // given: a service that loses every third request, and retries that nothing but successes gives back
        let count = Counter()
        let rig = Rig(
            .respond { _, _ in
                await Task.yield()
                guard count.increment() % 3 != 0 else {
                    throw TransportError(.lost)
                }
                return HTTP.Response(status: 200)
            }.repeated())
        let policy = try RetryPolicy(attempts: 3, budget: RetryBudget(capacity: 2, refill: 0, interval: nil))
        let client = try rig.client { Retry(policy) }
        // when
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let call = Task { _ = await failure(client) }
                    if number % 7 == 0 {
                        call.cancel()
                    }
                    await call.value
                }
            }
        }
        // then: no more than two retries were made
        #expect(count.value <= 302)
    }
}
