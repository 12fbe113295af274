import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The place of a bulkhead", .limited)
struct BulkheadOrderTests {
    private typealias Hull = Bulkhead<Ask, Answer>

    /// Fails the first request, and answers the others.
    private var flaky: Script<Ask, Answer> {
        Script(.failure(TransportError(.lost)), .response(Answer()).repeated())
    }

    /// Answers the first request when the gate opens, and the second at once.
    private static func transport(holding gate: Gate) -> Script<Ask, Answer> {
        Script(
            .respond { _, _ in
                await gate.pass()
                return Answer()
            }, .response(Answer()))
    }

    /// A call that has the only place of the bulkhead, until the gate opens.
    private static func hold(
        _ bulkhead: Hull, _ transport: Script<Ask, Answer>, _ gate: Gate, _ clock: ManualClock
    ) async throws -> Task<Result<Answer, Failure>, Never> {
        let chain = try AskChain(transport: transport, interceptors: [bulkhead])
        let call = Task { await chain.result(Ask(), options: .with(clock)) }
        await gate.waitForArrivals(1)
        return call
    }

    @Test("outside retry, a call that only waits for its next attempt keeps out another")
    func outsideRetry() async throws {
        for isRight in [true, false] {
            // given: a call that waits for its second attempt
            let clock = ManualClock()
            let bulkhead = Hull(limit: 1, queue: .none)
            let retry = Retry<Ask, Answer>(.standard)
            let chain = try AskChain(transport: flaky, interceptors: isRight ? [retry, bulkhead] : [bulkhead, retry])
            let options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
            let first = Task { await chain.result(Ask(), options: options) }
            await clock.waitForSleeper(remaining: .milliseconds(250))
            // when
            let second = await chain.result(Ask(), options: options)
            // then
            #expect(second.failure?.code == (isRight ? nil : "rejected.limit"))
            #expect(chain.orderIssues.map(\.rule.inner) == (isRight ? [] : [.bulkhead]))
            // afterwards
            await clock.advance(by: .seconds(1))
            _ = await first.value
        }
    }

    @Test("inside a circuit breaker, its queue is sent to a service that is known to be down")
    func insideBreaker() async throws {
        for isRight in [true, false] {
            // given: one call runs, nine wait
            let gate = Gate()
            let clock = ManualClock()
            let transport = Script<Ask, Answer>(
                .respond { _, _ in
                    await gate.pass()
                    return Answer(status: 503)
                }.repeated())
            let bulkhead = Hull(limit: 1)
            let breaker = CircuitBreaker<Ask, Answer>(try CircuitBreakerPolicy(window: .calls(2)), log: nil)
            let chain = try AskChain(
                transport: transport, interceptors: (isRight ? [bulkhead, breaker] : [breaker, bulkhead]) + [Judge()])
            let calls = (0..<10).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
            while bulkhead.waitingCalls() < 9 {
                await Task.yield()
            }
            // when
            gate.open()
            for call in calls {
                _ = await call.value
            }
            // then
            #expect(transport.requests.count == (isRight ? 2 : 10))
            #expect(chain.orderIssues.map(\.rule.outer) == (isRight ? [] : [.bulkhead]))
        }
    }

    @Test("inside the limit of an attempt, a call that only waits runs out of time")
    func insideAttemptTimeout() async throws {
        for isRight in [true, false] {
            // given: another call runs
            let (gate, clock, bulkhead) = (Gate(), ManualClock(), Hull(limit: 1))
            let transport = Self.transport(holding: gate)
            let limit = AttemptTimeout<Ask, Answer>(.seconds(8))
            let chain = try AskChain(
                transport: transport, interceptors: isRight ? [bulkhead, limit] : [limit, bulkhead])
            let first = try await Self.hold(bulkhead, transport, gate, clock)
            let second = Task { await chain.result(Ask(), options: .with(clock)) }
            await clock.waitForSleepers(isRight ? 1 : 2)
            // when
            await clock.advance(by: .seconds(8))
            if !isRight {
                #expect(await second.value.failure?.code == "timeout.attempt")
            }
            gate.open()
            // then
            #expect(await second.value.failure?.code == (isRight ? nil : "timeout.attempt"))
            _ = try await first.value.get()
            #expect(chain.orderIssues.map(\.rule.outer) == (isRight ? [] : [.bulkhead]))
        }
    }

    @Test("outside a deadline, the wait for a place is not limited by it")
    func outsideDeadline() async throws {
        for isRight in [true, false] {
            // given: another call runs
            let (gate, clock, bulkhead) = (Gate(), ManualClock(), Hull(limit: 1))
            let transport = Self.transport(holding: gate)
            let deadline = Deadline<Ask, Answer>(.seconds(5))
            let chain = try AskChain(
                transport: transport, interceptors: isRight ? [deadline, bulkhead] : [bulkhead, deadline])
            let first = try await Self.hold(bulkhead, transport, gate, clock)
            let second = Task { await chain.result(Ask(), options: .with(clock)) }
            while bulkhead.waitingCalls() < 1 {
                await Task.yield()
            }
            await clock.waitForSleepers(isRight ? 2 : 1)
            // when
            await clock.advance(by: .seconds(5))
            if isRight {
                #expect(await second.value.failure?.code == "timeout.deadline")
            } else {
                #expect(bulkhead.waitingCalls() == 1)
            }
            gate.open()
            // then
            #expect(await second.value.failure?.code == (isRight ? "timeout.deadline" : nil))
            _ = try await first.value.get()
            let issues = chain.orderIssues.filter { $0.rule.condition == nil }
            #expect(issues.map(\.rule.inner) == (isRight ? [] : [.bulkhead]))
        }
    }

    @Test("inside a rate limiter, calls take tokens, wait for a place, and are then sent all at once")
    func insideRateLimiter() async throws {
        for isRight in [true, false] {
            // given: one a second; the first call holds the only place for three seconds
            let (gate, clock, times) = (Gate(), ManualClock(), Notes<Duration>())
            let transport = Script<Ask, Answer>(
                .respond { _, context in
                    times.add(context.clock.now)
                    await gate.pass()
                    return Answer()
                }.repeated())
            let bulkhead = Hull(limit: 1)
            let limiter = RateLimiter<Ask, Answer>(1, per: .seconds(1))
            let chain = try AskChain(
                transport: transport, interceptors: isRight ? [bulkhead, limiter] : [limiter, bulkhead])
            let calls = (0..<3).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
            await gate.waitForArrivals(1)
            while bulkhead.waitingCalls() + limiter.waitingCalls() < 2 {
                await Task.yield()
            }
            // when: the tokens of three seconds
            for second in 1...3 {
                await clock.waitForSleepers(1)
                await clock.advance(by: .seconds(1))
                while !isRight, bulkhead.waitingCalls() < min(second, 2) {
                    await Task.yield()
                }
            }
            gate.open()
            // then: the third call has its own second, or is sent together with the second one
            if isRight {
                await clock.waitForSleeper(remaining: .seconds(1))
                await clock.advance(by: .seconds(1))
            }
            for call in calls {
                _ = await call.value
            }
            #expect(times.all == (isRight ? [0, 3, 4] : [0, 3, 3]).map { .seconds($0) })
            #expect(chain.orderIssues.map(\.rule.outer) == (isRight ? [] : [.bulkhead]))
        }
    }
}
