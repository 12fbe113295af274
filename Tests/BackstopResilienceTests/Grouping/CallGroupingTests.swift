import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("Calls grouped by origin", .limited)
struct CallGroupingTests {
    @Test("are counted together where no key is asked for, and by the URL of an origin otherwise")
    func counts() async throws {
        let gate = Gate()
        let bulkhead = HTTP.Bulkhead(limit: 1, grouping: .origin, log: nil)
        let limiter = HTTP.RateLimiter(1, per: .seconds(60), maximumWait: .seconds(600), grouping: .origin, log: nil)
        let transport = ScriptedTransport(
            .respond { _, _ in
                await gate.pass()
                return HTTP.Response(status: 200)
            }.repeated())
        let clock = ManualClock()
        func calls(_ interceptor: any HTTP.Interceptor) throws -> [Task<Void, Never>] {
            let chain = try HTTP.Chain(transport: transport, interceptors: [interceptor])
            return try ["a", "b", "b"].map { host in
                let request = try HTTP.Request(.get, "https://\(host).example.com/")
                return Task { _ = try? await chain.call(request, options: .with(clock)) }
            }
        }
        let running = try calls(bulkhead)
        await transport.waitForRequests(2)
        await clock.waitForSleepers(1)
        #expect(bulkhead.runningCalls() == 2)
        #expect(bulkhead.waitingCalls() == 1)
        #expect(bulkhead.runningCalls(of: "a.example.com") == 1)
        #expect(bulkhead.waitingCalls(of: "https://b.example.com/") == 1)
        let limited = try calls(limiter)
        await transport.waitForRequests(4)
        await clock.waitForSleeper(remaining: .seconds(60))
        #expect(limiter.waitingCalls() == 1)
        #expect(limiter.waitingCalls(of: "b.example.com") == 1)
        #expect(limiter.waitingCalls(of: "a.example.com") == 0)
        for call in running + limited {
            call.cancel()
        }
        gate.open()
        for call in running + limited {
            await call.value
        }
    }

    @Test("share a circuit with calls to the same scheme, host and port, and with no others")
    func origins() async throws {
        // given
        let breaker = CircuitBreaker<HTTP.Request, HTTP.Response>(
            try CircuitBreakerPolicy(window: .calls(2)), grouping: .origin, log: nil)
        let transport = ScriptedTransport(.status(503).repeated(2), .status(200).repeated())
        let client = try Client(baseURL: "https://api.example.com/v1", transport: transport) {
            breaker
            StatusValidation()
        }
        func code(_ target: String) async -> String {
            do throws(Failure) {
                return "\(try await client.get(target).status)"
            } catch {
                return error.code
            }
        }
        // when
        _ = await code("books")
        _ = await code("https://API.example.com:443/other")
        // then
        #expect(await code("books/2") == "rejected.breakerOpen")
        #expect(await code("https://api.example.com:8443/books") == "200")
        #expect(await code("http://api.example.com/books") == "200")
        #expect(await code("https://cdn.example.com/books") == "200")
        #expect(breaker.state(of: "https://api.example.com:443").description == "open")
        #expect(breaker.states.count == 4)
    }

    @Test("counts what comes of a redirect for the origin that it led to, success and failure")
    func redirects() async throws {
        // given: A redirects to B, which fails from the third request on
        let breaker = CircuitBreaker<HTTP.Request, HTTP.Response>(
            try CircuitBreakerPolicy(window: .calls(2)), grouping: .origin, log: nil)
        let count = Counter()
        let transport = ScriptedTransport(
            .respond { request, context in
                guard request.url.path == "/file" else {
                    return HTTP.Response(status: 200)
                }
                context.recordHop(try HTTP.Request(.get, "https://cdn.example.com/file"))
                return HTTP.Response(status: count.increment() > 2 ? 500 : 200)
            }.repeated())
        let client = try Client(baseURL: "https://api.example.com", transport: transport) {
            breaker
            StatusValidation()
        }
        // when
        for _ in 0..<6 {
            _ = try? await client.get("file") as HTTP.Response
        }
        // then
        #expect(breaker.state(of: "https://cdn.example.com:443").description == "open")
        #expect(breaker.state(of: "https://api.example.com:443") == .closed)
        #expect(breaker.circuits.running == 0)
        #expect(try await client.get("books").status == 200)
    }
}
