import Backstop
import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What wrong settings cost: each chain runs beside the right one.
@Suite("A chain with settings that do not fit", .limited)
struct WrongSettingsTests {
    @Test("a limit of an attempt that is not shorter than the deadline: a server that hangs once costs the call")
    func attemptTimeoutBeyondDeadline() async throws {
        func hanging(_ seconds: Int) -> Step { .delay(.seconds(seconds), then: .hang) }
        let wrong = try await ChainRun(.get, hanging(5), .status(200)) {
            Deadline(.seconds(5))
            Retry(attempts: 3)
            AttemptTimeout(.seconds(5))
        }
        let right = try await ChainRun(.get, hanging(2), .status(200)) {
            Deadline(.seconds(5))
            Retry(attempts: 3)
            AttemptTimeout(.seconds(2))
        }
        #expect(wrong.outcome == "timeout.deadline")
        #expect(wrong.requests.count == 1)
        #expect(wrong.issues == ["error: One attempt may take 5 s, and the call 5 s"])
        #expect(right.outcome == "ok")
        #expect(right.issues.isEmpty)
    }

    @Test("hedging of requests that are not idempotent: an order is placed twice")
    func hedgedOrders() async throws {
        func orders(repeatsUnsafe: Bool) async throws -> (count: Int, issues: [String]) {
            let clock = ManualClock()
            let gate = Gate()
            let transport = ScriptedTransport(
                .respond { _, _ in
                    await gate.pass()
                    return HTTP.Response(status: 200)
                }.repeated())
            let chain = try HTTP.Chain(transport: transport) {
                Hedging(after: .seconds(1), repeatsUnsafeRequests: repeatsUnsafe)
            }
            var options = CallOptions()
            options.clock = clock
            let request = try HTTP.Request(.post, "https://api.example.com/orders")
            let call = Task { [options] in try await chain.call(request, options: options) }
            await transport.waitForRequests(1)
            if repeatsUnsafe {
                await clock.waitForSleeper(remaining: .seconds(1))
                await clock.advance(by: .seconds(1))
                await transport.waitForRequests(2)
            }
            await clock.advance(by: .seconds(10))
            gate.open()
            _ = try await call.value
            return (transport.requests.count, chain.orderIssues.map { "\($0.rule.severity): \($0.finding)" })
        }
        // then
        let wrong = try await orders(repeatsUnsafe: true)
        let right = try await orders(repeatsUnsafe: false)
        #expect(wrong.count == 2)
        #expect(wrong.issues == ["error: Hedging sends copies of requests that are not idempotent"])
        #expect(right.count == 1)
        #expect(right.issues.isEmpty)
    }

    @Test("a rate limiter inside a retry that retries its refusals: a call waits that was to be refused at once")
    func retriedRefusals() async throws {
        func asked(_ isRetryable: @escaping @Sendable (RetryCandidate) -> Bool) async throws -> (
            count: Int, time: Duration, issues: [String]
        ) {
            let clock = RecordingClock()
            var options = instant
            options.clock = clock
            let count = Counter()
            let transport = ScriptedTransport(.status(200), .status(200))
            let limiter = RateLimiter<HTTP.Request, HTTP.Response>(
                1, per: .seconds(30), maximumWait: .zero)
            let chain = try HTTP.Chain(transport: transport) {
                Retry(try RetryPolicy(isRetryable: isRetryable))
                Asking(count: count)
                limiter
            }
            for _ in 0..<2 {
                _ = try? await chain.call(HTTP.Request(.get, "https://api.example.com"), options: options)
            }
            return (count.value, clock.now, chain.orderIssues.map { "\($0.rule.severity): \($0.finding)" })
        }
        // then: one call passes, and the other is refused
        let wrong = try await asked { $0.isTransient }
        let right = try await asked { $0.isRetryable }
        #expect(wrong.count == 3)
        #expect(wrong.time >= .seconds(30))
        #expect(wrong.issues == ["warning: Retry retries the refusals of RateLimiter"])
        #expect(right.count == 2)
        #expect(right.time == .zero)
        #expect(right.issues.isEmpty)
    }

    /// Options with a clock that never waits.
    private var instant: CallOptions {
        var options = CallOptions()
        options.clock = RecordingClock()
        options.random = FixedRandom(units: 0)
        return options
    }

    private struct Asking: HTTP.Interceptor {
        let count: Counter

        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            count.increment()
            return try await next(request)
        }
    }

    @Test("waits that add up to the deadline: attempts that are allowed are never made")
    func waitsBeyondDeadline() async throws {
        let policy = try RetryPolicy(attempts: 4, backoff: Backoff(baseDelay: .seconds(2), growth: .constant))
        func run(within seconds: Int) async throws -> ChainRun {
            let transport = ScriptedTransport(.status(503).repeated())
            let chain = try HTTP.Chain(transport: transport) {
                Deadline(.seconds(seconds))
                Retry(policy)
                StatusValidation()
            }
            var options = CallOptions()
            options.clock = RecordingClock()
            options.random = FixedRandom(units: 0.99)
            let request = try HTTP.Request(.get, "https://api.example.com/numbers")
            do throws(Failure) {
                _ = try await chain.call(request, options: options)
            } catch {
                return ChainRun(
                    outcome: error.code, failure: error, requests: transport.requests, sleeps: [],
                    issues: chain.orderIssues.map { "\($0.rule.severity): \($0.finding)" })
            }
            throw CancellationError()
        }
        let wrong = try await run(within: 5)
        let right = try await run(within: 30)
        #expect(wrong.requests.count == 3)
        #expect(wrong.failure?.stopReason.code == "deadline")
        #expect(wrong.issues == ["warning: The waits of Retry may add up to 6 s, and the call may take 5 s"])
        #expect(right.requests.count == 4)
        #expect(right.failure?.stopReason == .attemptsUsed(4))
        #expect(right.issues.isEmpty)
    }

    @Test("a retry without jitter: clients that failed together come back together")
    func withoutJitter() async throws {
        func waits(_ backoff: Backoff) async throws -> (clients: Set<Duration>, issues: [String]) {
            var waits: Set<Duration> = []
            var issues: [String] = []
            for client in 0..<20 {
                let clock = RecordingClock()
                let chain = try HTTP.Chain(transport: ScriptedTransport(.status(503).repeated())) {
                    Retry(try RetryPolicy(attempts: 2, backoff: backoff))
                    StatusValidation()
                }
                var options = CallOptions()
                options.clock = clock
                options.random = SeededRandom(seed: UInt64(client))
                _ = try? await chain.call(HTTP.Request(.get, "https://api.example.com"), options: options)
                waits.formUnion(clock.sleeps)
                issues = chain.orderIssues.map { "\($0.rule.severity): \($0.finding)" }
            }
            return (waits, issues)
        }
        let wrong = try await waits(Backoff(baseDelay: .seconds(1), jitter: .none))
        let right = try await waits(Backoff(baseDelay: .seconds(1)))
        #expect(wrong.clients == [.seconds(1)])
        #expect(wrong.issues == ["warning: Retry waits without jitter"])
        #expect(right.clients.count == 20)
        #expect(right.issues.isEmpty)
    }

    @Test("a retry without a cap: the last wait takes more than an hour")
    func withoutCap() async throws {
        func longest(_ cap: Duration) async throws -> (wait: Duration?, issues: [String]) {
            let clock = RecordingClock()
            let chain = try HTTP.Chain(transport: ScriptedTransport(.status(503).repeated())) {
                Retry(try RetryPolicy(attempts: 15, backoff: Backoff(baseDelay: .seconds(1), maximumDelay: cap)))
                StatusValidation()
            }
            var options = CallOptions()
            options.clock = clock
            options.random = FixedRandom(units: 0.99)
            _ = try? await chain.call(HTTP.Request(.get, "https://api.example.com"), options: options)
            return (clock.sleeps.max(), chain.orderIssues.map { "\($0.rule.severity): \($0.finding)" })
        }
        let wrong = try await longest(.seconds(1_000_000))
        let right = try await longest(.seconds(20))
        #expect(try #require(wrong.wait) > .seconds(3600))
        #expect(wrong.issues == ["warning: Retry waits without a cap"])
        #expect(try #require(right.wait) < .seconds(20))
        #expect(right.issues.isEmpty)
    }

    @Test("a breaker's window of less than two attempts: it never opens for a service that hangs")
    func breakerWindow() async throws {
        func calls(window seconds: Int) async throws -> (requests: Int, issues: [String]) {
            let transport = ScriptedTransport(Step.delay(.seconds(10), then: .hang).repeated())
            let policy = try CircuitBreakerPolicy(
                window: .time(.seconds(seconds)), minimumThroughput: 2, breakDuration: .seconds(600))
            let chain = try HTTP.Chain(transport: transport) {
                CircuitBreaker(policy, log: nil)
                StatusValidation()
                AttemptTimeout(.seconds(10))
            }
            var options = CallOptions()
            options.clock = RecordingClock()
            for _ in 0..<6 {
                _ = try? await chain.call(HTTP.Request(.get, "https://api.example.com"), options: options)
            }
            return (transport.requests.count, chain.orderIssues.map { "\($0.rule.severity): \($0.finding)" })
        }
        let wrong = try await calls(window: 9)
        let right = try await calls(window: 30)
        #expect(wrong.requests == 6)
        #expect(wrong.issues == ["warning: One attempt may take 10 s, and CircuitBreaker looks back 9 s"])
        #expect(right.requests == 2)
        #expect(right.issues.isEmpty)
    }
}
