import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The retry budget of a client", .limited)
struct ClientBudgetTests {
    private static let late = Stub<HTTP.Request, HTTP.Response>.failure(TimeoutError(.attempt, after: .seconds(4)))

    private func code(_ client: Client, _ target: String = "books") async -> String? {
        do {
            _ = try await client.get(target) as HTTP.Response
            return nil
        } catch {
            return error.code
        }
    }

    @Test("is that of all clients derived from it, even with another Retry")
    func derived() async throws {
        // given
        let rig = Rig(Self.late.repeated())
        let client = try rig.client { Retry() }
        let patient = try client.withChain { try $0.replacing(.retry, with: Retry(attempts: 5)) }
        let hurried = client.withOptions { $0.deadline = .seconds(20) }
        // when
        let first = await code(client)
        // then
        #expect(first == "timeout.attempt")
        #expect(await code(patient) == "rejected.silence")
        #expect(await code(hurried) == "rejected.silence")
        #expect(await code(client.scoped("shop") {}) == "rejected.silence")
        #expect(rig.transport.requests.count == 2)
    }

    @Test("is not that of another client, even with the same chain")
    func separate() async throws {
        // given
        let rig = Rig(Self.late, Self.late, .status(200))
        let first = try rig.client { Retry() }
        let second = try Client(baseURL: URL(string: Rig.base), chain: first.chain, options: rig.options)
        // when
        _ = await code(first)
        // then
        #expect(await code(second) == nil)
        #expect(await code(first) == "rejected.silence")
    }

    @Test(
        "counts each origin by itself",
        arguments: [
            ("https://API.example.com:443/x", false), ("http://api.example.com/x", true),
            ("https://api.example.com:8443/x", true), ("https://cdn.example.com/x", true),
        ])
    func origins(target: String, isOther: Bool) async throws {
        // given
        let rig = Rig(Self.late, Self.late, Self.late, .status(200).repeated())
        let client = try rig.client { Retry() }
        // Two resources, so that the whole origin is silent.
        _ = [await code(client), await code(client, "authors")]
        // when
        let code = await code(client, target)
        // then
        #expect(code == (isOther ? nil : "rejected.silence"))
    }

    @Test("is in the standard client, and not in one that never retries")
    func standard() async throws {
        // given
        let rig = Rig(Self.late.repeated())
        let standard = try rig.standard()
        let never = try Client.standard(
            baseURL: Rig.base, transport: rig.transport, retry: .never, logging: nil, options: rig.options)
        // when
        let codes = [await code(standard), await code(standard)]
        let plain = [await code(never), await code(never), await code(never)]
        // then
        #expect(codes == ["timeout.attempt", "rejected.silence"])
        #expect(plain == Array(repeating: "timeout.attempt", count: 3))
    }

    @Test("lets a person's repetition out once, whose success ends the silence")
    func person() async throws {
        // given
        let rig = Rig(Self.late, Self.late, .status(200).repeated())
        let client = try rig.client { Retry() }
        _ = await code(client)
        let codes = Notes<String>()
        // when
        let outcome = await client.perform(.get("books") as HTTP.Call<HTTP.Response>) { failure in
            codes.add(failure.code)
            return .retry(after: .zero)
        }
        // then
        #expect(outcome.value?.status == 200)
        #expect(codes.all == ["rejected.silence"])
        #expect(await code(client) == nil)
    }

    @Test("keeps nothing about origins that answer, and at most 1,000 of those that do not")
    func bounded() async throws {
        // given
        let rig = Rig(
            .on("good", where: { $0.url.path == "/good" }, .status(200)),
            .on("bad", where: { $0.url.path == "/bad" }, .failure(TransportError(.lost))))
        // Without waits, in which accounts would be forgotten.
        let policy = try RetryPolicy(backoff: .none)
        let client = try Client(baseURL: nil, transport: rig.transport, options: rig.options) { Retry(policy) }
        // when
        for number in 0..<1200 {
            _ = await code(client, "https://host\(number).example.com/good")
        }
        let good = client.retryLedger.count
        for number in 0..<1200 {
            _ = await code(client, "https://host\(number).example.com/bad")
        }
        // then
        #expect(good == 0)
        #expect(client.retryLedger.count == 1000)
    }

    @Test("stays whole while calls of many tasks succeed, fail and are cancelled")
    func races() async throws {
        // given: a service that loses every third request
        let count = Counter()
        let rig = Rig(
            .respond { _, _ in
                await Task.yield()
                guard count.increment() % 3 != 0 else {
                    throw TransportError(.lost)
                }
                return HTTP.Response(status: 200)
            }.repeated())
        let client = try rig.client { Retry() }
        // when
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let call = Task { _ = await code(client) }
                    if number % 7 == 0 {
                        call.cancel()
                    }
                    await call.value
                }
            }
        }
        // then: all good answers bring it back to rest
        let calm = ScriptedTransport(.status(200).repeated())
        let rest = client.retryLedger
        let again = client.withChain { chain in
            HTTP.Chain(transport: calm, interceptors: chain.interceptors, orderRules: [])
        }
        for _ in 0..<20 {
            _ = await code(again)
        }
        #expect(rest.count == 0)
    }
}
