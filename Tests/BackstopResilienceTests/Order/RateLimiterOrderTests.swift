import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The place of a rate limiter", .limited)
struct RateLimiterOrderTests {
    private typealias Limiter = RateLimiter<Ask, Answer>

    @Test("outside retry, more requests are sent than the rate allows")
    func outsideRetry() async throws {
        for isRight in [true, false] {
            // given: one a minute
            let clock = RecordingClock()
            let transport = Script<Ask, Answer>(.failure(TransportError(.lost)).repeated())
            let limiter = Limiter(1, per: .seconds(60), maximumWait: .zero)
            let retry = Retry<Ask, Answer>(try RetryPolicy { $0.reason.kind == "transport" })
            let chain = try AskChain(
                transport: transport, interceptors: isRight ? [retry, limiter] : [limiter, retry])
            // when
            _ = await chain.result(Ask(), options: .with(clock))
            // then
            #expect(transport.requests.count == (isRight ? 1 : 3))
            #expect(chain.orderIssues.map(\.rule.inner) == (isRight ? [] : [.rateLimiter]))
        }
    }

    @Test("inside a retry that repeats its refusals, most of those who come back together hear the same, minutes later")
    func insideRetryOfRefusals() async throws {
        for isRight in [true, false] {
            // given: the only token of the minute is taken
            let clock = ManualClock()
            let transport = Script<Ask, Answer>(.response(Answer()).repeated())
            let limiter = Limiter(1, per: .seconds(60), maximumWait: .zero)
            let policy =
                isRight
                ? RetryPolicy.standard : try RetryPolicy(budget: .unlimited, isRetryable: { $0.isTransient })
            let chain = try AskChain(transport: transport, interceptors: [Retry(policy), limiter])
            _ = await chain.result(Ask(), options: .with(clock))
            // when
            let calls = (0..<5).map { _ in Task { await chain.result(Ask(), options: .with(clock)).failure } }
            for waiting in isRight ? [] : [5, 4] {
                await clock.waitForSleepers(waiting)
                await clock.advance(by: .seconds(60))
            }
            var refused: [Failure] = []
            for call in calls {
                refused += [await call.value].compactMap { $0 }
            }
            // then: a refusal at once, or after two waits
            #expect(refused.map(\.code) == Array(repeating: "rejected.rateLimit", count: isRight ? 5 : 3))
            #expect(refused.allSatisfy { $0.attempts.count == (isRight ? 1 : 3) })
            #expect(clock.now == (isRight ? .zero : .seconds(120)))
        }
    }

    @Test("inside a circuit breaker, calls that wait are sent to a service that is known to be down")
    func insideBreaker() async throws {
        for isRight in [true, false] {
            // given: two calls open the breaker, three wait for tokens
            let clock = ManualClock()
            let gate = Gate()
            let transport = Script<Ask, Answer>(
                .respond { _, _ in
                    await gate.pass()
                    return Answer(status: 503)
                }.repeated())
            let limiter = Limiter(2, per: .seconds(1))
            let breaker = CircuitBreaker<Ask, Answer>(
                try CircuitBreakerPolicy(window: .calls(2), breakDuration: .seconds(60)), log: nil)
            let chain = try AskChain(
                transport: transport, interceptors: (isRight ? [limiter, breaker] : [breaker, limiter]) + [Judge()])
            let calls = (0..<5).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
            while limiter.waitingCalls() < 3 {
                await Task.yield()
            }
            await gate.waitForArrivals(2)
            // when
            gate.open()
            while breaker.state() == .closed {
                await Task.yield()
            }
            while limiter.waitingCalls() > 0 {
                await clock.waitForSleepers(1)
                await clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
            for call in calls {
                _ = await call.value
            }
            // then
            #expect(transport.requests.count == (isRight ? 2 : 5))
            #expect(chain.orderIssues.map(\.rule.outer) == (isRight ? [] : [.rateLimiter]))
        }
    }

    @Test("inside the limit of an attempt, a call that only waits runs out of time")
    func insideAttemptTimeout() async throws {
        for isRight in [true, false] {
            // given
            let clock = ManualClock()
            let limiter = Limiter(1, per: .seconds(8))
            let limit = AttemptTimeout<Ask, Answer>(.seconds(5))
            let chain = try AskChain(transport: Echo(), interceptors: isRight ? [limiter, limit] : [limit, limiter])
            _ = await chain.result(Ask(), options: .with(clock))
            let call = Task { await chain.result(Ask(), options: .with(clock)) }
            await clock.waitForSleepers(isRight ? 1 : 2)
            // when
            await clock.advance(by: .seconds(5))
            if isRight {
                await clock.advance(by: .seconds(3))
            }
            // then
            #expect(await call.value.failure?.code == (isRight ? nil : "timeout.attempt"))
            #expect(chain.orderIssues.map(\.rule.outer) == (isRight ? [] : [.rateLimiter]))
        }
    }

    @Test("outside a deadline, the wait for a token is not limited by it")
    func outsideDeadline() async throws {
        for isRight in [true, false] {
            // given: the next token comes in 8 s
            let clock = ManualClock()
            let limiter = Limiter(1, per: .seconds(8))
            let deadline = Deadline<Ask, Answer>(.seconds(5))
            let chain = try AskChain(
                transport: Echo(), interceptors: isRight ? [deadline, limiter] : [limiter, deadline])
            _ = await chain.result(Ask(), options: .with(clock))
            // when
            let call = Task { await chain.result(Ask(), options: .with(clock)) }
            if !isRight {
                await clock.waitForSleeper(remaining: .seconds(8))
                await clock.advance(by: .seconds(8))
            }
            // then
            #expect(await call.value.failure?.code == (isRight ? "rejected.rateLimit" : nil))
            let issues = chain.orderIssues.filter { $0.rule.condition == nil }
            #expect(issues.map(\.rule.inner) == (isRight ? [] : [.rateLimiter]))
        }
    }

    @Test("outside a wait for the network, calls are sent all at once when it is back")
    func outsideConnectivity() async throws {
        for isRight in [true, false] {
            // given: one a second; three calls, and the network comes after 5 s
            let (clock, times) = (ManualClock(), Notes<Duration>())
            let transport = Script<Ask, Answer>(
                .respond { _, context in
                    times.add(context.clock.now)
                    return Answer()
                }.repeated())
            let connectivity = ManualConnectivity(.offline)
            let limiter = Limiter(1, per: .seconds(1))
            let check = ConnectivityCheck<Ask, Answer>(connectivity, whenOffline: .wait(upTo: .seconds(30)))
            let chain = try AskChain(
                transport: transport, interceptors: isRight ? [check, limiter] : [limiter, check])
            let calls = (0..<3).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
            if !isRight {
                for waiting in [2, 1] {
                    while limiter.waitingCalls() != waiting {
                        await Task.yield()
                    }
                    await clock.waitForSleeper(remaining: .seconds(1))
                    await clock.advance(by: .seconds(1))
                }
            }
            await clock.waitForSleepers(3)
            await clock.advance(by: .seconds(5) - clock.now)
            // when
            connectivity.state = .online
            for waiting in isRight ? [2, 1] : [] {
                while limiter.waitingCalls() != waiting || times.all.count != 3 - waiting {
                    await Task.yield()
                }
                await clock.waitForSleeper(remaining: .seconds(1))
                await clock.advance(by: .seconds(1))
            }
            for call in calls {
                _ = await call.value
            }
            // then
            #expect(times.all == (isRight ? [5, 6, 7] : [5, 5, 5]).map { .seconds($0) })
            #expect(chain.orderIssues.map(\.rule.outer) == (isRight ? [] : [.rateLimiter]))
            // A check that does not wait holds up nothing.
            let hasty = ConnectivityCheck<Ask, Answer>(connectivity)
            #expect(try AskChain(transport: transport, interceptors: [limiter, hasty]).orderIssues.isEmpty)
        }
    }
}
