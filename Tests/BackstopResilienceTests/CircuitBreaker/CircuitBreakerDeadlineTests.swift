import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A circuit breaker, when the deadline of a call ends an attempt,", .limited)
struct CircuitBreakerDeadlineTests {
    private typealias Breaker = CircuitBreaker<Ask, Answer>
    private let clock = ManualClock()

    /// Opens at the first failure, for 5 s.
    private func breaker() throws -> Breaker {
        Breaker(try CircuitBreakerPolicy(window: .calls(1), jitter: false), log: nil)
    }

    /// Takes time before each attempt.
    private struct Pause: Interceptor {
        let duration: Duration
        func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
            try await context.clock.sleep(for: duration)
            return try await next(request)
        }
    }

    private func options(deadline: Duration? = nil) -> CallOptions {
        var options = CallOptions.with(clock)
        options.deadline = deadline
        return options
    }

    /// Until the breaker has heard how the calls ended.
    private func settled(_ breaker: Breaker) async {
        while breaker.circuits.running > 0 {
            await Task.yield()
        }
    }

    @Test("counts a timeout, whoever set the deadline", arguments: [true, false])
    func opens(isOption: Bool) async throws {
        // given
        let breaker = Breaker.forTimeouts(log: nil)
        let server = Script<Ask, Answer>(.hang.repeated())
        let chain = try AskChain(
            transport: server,
            interceptors: [
                isOption ? Deadline() : Deadline(.seconds(3)), Retry(), breaker, AttemptTimeout(.seconds(30)),
            ])
        // when
        for call in 1...3 {
            #expect(breaker.state() == .closed)
            let task = Task { await chain.result(Ask(), options: options(deadline: isOption ? .seconds(3) : nil)) }
            await server.waitForRequests(call)
            await clock.waitForSleeper(remaining: .seconds(3))
            await clock.advance(by: .seconds(3))
            #expect(await task.value.failure?.code == "timeout.deadline")
            await settled(breaker)
        }
        // then
        let failure = await chain.result(Ask(), options: options()).failure
        #expect(failure?.code == "rejected.breakerOpen")
    }

    @Test("counts nothing if the attempt had less than half of the call's time", arguments: [1500, 1501])
    func half(pause: Int) async throws {
        // given
        let breaker = try breaker()
        let server = Script<Ask, Answer>(.hang)
        let chain = try AskChain(
            transport: server,
            interceptors: [Deadline(.seconds(3)), Pause(duration: .milliseconds(pause)), breaker])
        let task = Task { await chain.result(Ask(), options: options()) }
        await clock.waitForSleepers(2)
        // when
        await clock.advance(by: .milliseconds(pause))
        await server.waitForRequests(1)
        await clock.advance(by: .milliseconds(3000 - pause))
        // then
        #expect(await task.value.failure?.code == "timeout.deadline")
        await settled(breaker)
        #expect((breaker.state() == .closed) == (pause > 1500))
    }

    @Test("counts nothing if its caller gave an answer less than a second", arguments: [999, 1000], [true, false])
    func hasty(milliseconds: Int, endsInside: Bool) async throws {
        // given
        let breaker = try breaker()
        let server = Script<Ask, Answer>(.hang)
        let deadline = Deadline<Ask, Answer>(.milliseconds(milliseconds))
        let chain = try AskChain(
            transport: server, interceptors: endsInside ? [breaker, deadline] : [deadline, breaker])
        let task = Task { await chain.result(Ask(), options: options()) }
        await server.waitForRequests(1)
        await clock.waitForSleepers(1)
        // when
        await clock.advance(by: .milliseconds(milliseconds))
        // then
        #expect(await task.value.failure?.code == "timeout.deadline")
        await settled(breaker)
        #expect((breaker.state() == .closed) == (milliseconds < 1000))
    }

    @Test("counts nothing of a call that a person cancelled, even if the work goes on beyond the deadline")
    func person() async throws {
        // given
        let breaker = try breaker()
        let gate = Gate()
        let server = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                try Task.checkCancellation()
                return Answer()
            })
        let chain = try AskChain(transport: server, interceptors: [Deadline(.seconds(3)), breaker])
        let task = Task { await chain.result(Ask(), options: options()) }
        await gate.waitForArrivals(1)
        await clock.advance(by: .seconds(2))
        // when
        task.cancel()
        #expect(await task.value.failure?.code == "cancelled")
        await clock.advance(by: .seconds(2))
        gate.open()
        // then
        await settled(breaker)
        #expect(breaker.state() == .closed)
    }

    @Test("counts nothing if a person cancels after a deadline that nothing in the chain enforces")
    func unenforced() async throws {
        // given
        let breaker = try breaker()
        let server = Script<Ask, Answer>(.hang)
        let limit = Step { ask, context, next in
            try await next(ask, context: context.withDeadline(.seconds(3)))
        }
        let chain = try AskChain(transport: server, interceptors: [limit, breaker])
        let task = Task { await chain.result(Ask(), options: options()) }
        await server.waitForRequests(1)
        await clock.advance(by: .seconds(4))
        // when
        task.cancel()
        _ = await task.value
        // then
        await settled(breaker)
        #expect(breaker.state() == .closed)
    }

    @Test("counts nothing if nothing was sent")
    func unsent() async throws {
        // given
        let breaker = try breaker()
        let chain = try AskChain(
            transport: Script(), interceptors: [Deadline(.seconds(3)), breaker, Pause(duration: .seconds(9))])
        let task = Task { await chain.result(Ask(), options: options()) }
        await clock.waitForSleepers(2)
        // when
        await clock.advance(by: .seconds(3))
        // then
        #expect(await task.value.failure?.code == "timeout.deadline")
        await settled(breaker)
        #expect(breaker.state() == .closed)
    }

    @Test("counts nothing if the request waited in the transport's own line")
    func queued() async throws {
        // given
        let breaker = try breaker()
        let server = Script<Ask, Answer>(
            .respond { _, context in
                context.track { TransferProgress(.queued) }
                try await untilCancelled()
                return Answer()
            })
        let chain = try AskChain(transport: server, interceptors: [Deadline(.seconds(3)), breaker])
        let task = Task { await chain.result(Ask(), options: options()) }
        await server.waitForRequests(1)
        await clock.waitForSleepers(1)
        // when
        await clock.advance(by: .seconds(3))
        // then
        #expect(await task.value.failure?.code == "timeout.deadline")
        await settled(breaker)
        #expect(breaker.state() == .closed)
    }

    @Test("tells the policy how long the call was to take")
    func candidate() async throws {
        // given
        let heard = Notes<CircuitCandidate>()
        let policy = try CircuitBreakerPolicy { candidate in
            heard.add(candidate)
            return candidate.standardOutcome
        }
        let breaker = Breaker(policy, log: nil)
        let server = Script<Ask, Answer>(.hang)
        let chain = try AskChain(transport: server, interceptors: [Deadline(.seconds(3)), breaker])
        let task = Task { await chain.result(Ask(), options: options()) }
        await server.waitForRequests(1)
        // when
        await clock.advance(by: .seconds(3))
        _ = await task.value
        await settled(breaker)
        // then
        let candidate = try #require(heard.all.first)
        #expect(candidate.reason.code == "timeout.deadline")
        #expect(candidate.duration == .seconds(3))
        #expect(candidate.wasSent)
    }
}
