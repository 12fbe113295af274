import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The place of a circuit breaker", .limited)
struct CircuitBreakerOrderTests {
    private typealias Breaker = CircuitBreaker<Ask, Answer>

    private func breaker() throws -> Breaker {
        Breaker(try CircuitBreakerPolicy(window: .calls(3)), log: nil)
    }

    @Test("outside retry, it lets three times as many requests through to a service that is down")
    func outsideRetry() async throws {
        // given
        func sent(_ interceptors: [any Interceptor<Ask, Answer>]) async throws -> (requests: Int, issues: [OrderIssue])
        {
            let transport = Script<Ask, Answer>(.response(Answer(status: 503)).repeated())
            let chain = try AskChain(transport: transport, interceptors: interceptors + [Judge()])
            let clock = RecordingClock()
            for _ in 0..<5 {
                _ = await chain.result(Ask(), options: .with(clock, random: FixedRandom(units: 0)))
            }
            return (transport.requests.count, chain.orderIssues)
        }
        // when
        // Without a budget, which would end this sooner.
        let policy = try RetryPolicy(budget: .unlimited)
        let inside = try await sent([Retry(policy), try breaker()])
        let outside = try await sent([try breaker(), Retry(policy)])
        // then: inside it stops after the three attempts of the first call
        #expect(inside.requests == 3)
        #expect(inside.issues.isEmpty)
        #expect(outside.requests == 9)
        #expect(
            outside.issues.map(\.description) == [
                "Retry is inside CircuitBreaker: the breaker counts a whole retried call as one failure and cannot stop "
                    + "the attempts in it. Put Retry above CircuitBreaker."
            ])
    }

    @Test("inside the limit of an attempt, it never opens for a service that hangs")
    func insideAttemptTimeout() async throws {
        // given
        func state(_ make: (Breaker) throws -> [any Interceptor<Ask, Answer>]) async throws
            -> (state: CircuitState, issues: [OrderIssue])
        {
            let breaker = try breaker()
            let chain = try AskChain(transport: Script(.hang.repeated()), interceptors: try make(breaker))
            let clock = ManualClock()
            for _ in 0..<5 {
                let call = Task { await chain.result(Ask(), options: .with(clock)).failure?.code }
                guard breaker.state() == .closed else {
                    _ = await call.value
                    continue
                }
                await clock.waitForSleeper(remaining: .seconds(10))
                await clock.advance(by: .seconds(10))
                #expect(await call.value == "timeout.attempt")
            }
            return (breaker.state(), chain.orderIssues)
        }
        // when
        let outside = try await state { [$0, AttemptTimeout(.seconds(10))] }
        let inside = try await state { [AttemptTimeout(.seconds(10)), $0] }
        // then
        #expect(outside.state.description == "open")
        #expect(outside.issues.isEmpty)
        #expect(inside.state == .closed)
        #expect(inside.issues.map(\.rule.outer) == [.circuitBreaker])
        #expect(inside.issues.map(\.rule.severity) == [.error])
    }

    @Test("outside a fallback, it never sees a failure")
    func outsideFallback() async throws {
        for isRight in [true, false] {
            // given
            let breaker = try breaker()
            let fallback = Fallback<Ask, Answer>(value: Answer("old"), when: { _ in true }, log: nil)
            let server = Script<Ask, Answer>(.response(Answer(status: 503)).repeated())
            let chain = try AskChain(
                transport: server, interceptors: (isRight ? [fallback, breaker] : [breaker, fallback]) + [Judge()])
            // when
            for _ in 0..<6 {
                #expect(try await chain.result(Ask(), options: .with(RecordingClock())).get().body == "old")
            }
            // then
            #expect(breaker.state().description == (isRight ? "open" : "closed"))
            #expect(server.requests.count == (isRight ? 3 : 6))
            #expect(chain.orderIssues.map(\.rule.inner) == (isRight ? [] : [.circuitBreaker]))
            #expect(chain.orderIssues.allSatisfy { $0.rule.severity == .error })
        }
    }

    @Test("outside hedging, its probe is sent twice")
    func outsideHedging() async throws {
        for isRight in [true, false] {
            // given: a break is over, and the service hangs
            let clock = ManualClock()
            let breaker = Breaker(try CircuitBreakerPolicy(window: .calls(1), jitter: false), log: nil)
            let hedging = Hedging<Ask, Answer>(after: .seconds(1))
            let server = Script<Ask, Answer>(.response(Answer(status: 503)), .hang.repeated())
            let chain = try AskChain(
                transport: server, interceptors: (isRight ? [hedging, breaker] : [breaker, hedging]) + [Judge()])
            _ = await chain.result(Ask(), options: .with(clock))
            await clock.advance(by: .seconds(5))
            // when
            let call = Task { await chain.result(Ask(), options: .with(clock)) }
            await server.waitForRequests(2)
            await clock.waitForSleeper(remaining: .seconds(1))
            await clock.advance(by: .seconds(1))
            if !isRight {
                await server.waitForRequests(3)
            }
            call.cancel()
            _ = await call.value
            // then
            #expect(server.requests.count == (isRight ? 2 : 3))
            #expect(chain.orderIssues.map(\.rule.inner) == (isRight ? [] : [.circuitBreaker]))
        }
    }

    @Test("outside what makes errors of statuses is right; inside, it never sees one")
    func insideStatusValidation() async throws {
        for isRight in [true, false] {
            // given
            let breaker = try breaker()
            let chain = try AskChain(
                transport: Script(.response(Answer(status: 503)).repeated()),
                interceptors: isRight ? [breaker, Judge()] : [Judge(), breaker])
            // when
            for _ in 0..<5 {
                _ = await chain.result(Ask(), options: .with(RecordingClock()))
            }
            // then
            #expect(breaker.state().description == (isRight ? "open" : "closed"))
        }
    }
}
