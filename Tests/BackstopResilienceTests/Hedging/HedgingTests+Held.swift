import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

/// Requests that an interceptor further in holds up.
extension HedgingTests {
    @Test("waits with its copy while a limiter further in holds up the request, which would hold up the copy too")
    func held() async throws {
        // given: a token each second, and the first is taken
        let limiter = RateLimiter<Ask, Answer>(1, per: .seconds(1), log: nil)
        let server = Server(.response(Answer()), .hang, .response(Answer("copy")))
        let contexts = Notes<CallContext>()
        let chain = try AskChain(transport: server) {
            try hedging()
            Step { ask, context, next in
                contexts.add(context)
                return try await next(ask)
            }
            limiter
        }
        _ = try await chain.result(Ask(), options: .with(clock)).get()
        // when
        let call = Task { await chain.result(Ask(), options: .with(clock)) }
        await clock.waitForSleeper(remaining: .seconds(1))
        while contexts.all.last?.currentHold == nil { await Task.yield() }
        for _ in 1...3 {
            await passDelay()
        }
        await clock.waitForSleeper(remaining: .milliseconds(300))
        #expect(limiter.waitingCalls() == 1)
        await clock.advance(by: .milliseconds(100))
        await server.waitForRequests(2)
        // then: a whole delay after it was sent, the copy waits for its own token
        await clock.waitForSleeper(remaining: .milliseconds(200))
        await clock.advance(by: .milliseconds(200))
        await clock.waitForSleeper(remaining: .milliseconds(100))
        #expect(limiter.waitingCalls() == 0)
        await clock.advance(by: .milliseconds(100))
        await clock.waitForSleeper(remaining: .milliseconds(700))
        #expect(limiter.waitingCalls() == 1)
        await clock.advance(by: .milliseconds(700))
        #expect(try await call.value.get().body == "copy")
    }

    @Test("sends its copy a whole delay after an interceptor further in let the request go on")
    func heldShortly() async throws {
        let server = Server(.hang, .response(Answer("copy")))
        let call = try call(server, inside: [Holding(for: .milliseconds(200), by: clock)], by: hedging())
        await clock.waitForSleeper(remaining: .milliseconds(200))
        await clock.advance(by: .milliseconds(200))
        await server.waitForRequests(1)
        await clock.waitForSleeper(remaining: .milliseconds(100))
        await clock.advance(by: .milliseconds(100))
        await clock.waitForSleeper(remaining: .milliseconds(200))
        #expect(server.requests.count == 1)
        await clock.advance(by: .milliseconds(200))
        await clock.waitForSleeper(remaining: .milliseconds(200))
        await clock.advance(by: .milliseconds(200))
        #expect(try await call.value.get().body == "copy")
    }

    @Test("does not learn from the time that interceptors further in hold up a request", arguments: [true, false])
    func heldTime(isFirst: Bool) async throws {
        // given: 9 s in a line, and 40 ms at the server
        let hedging = Hedging<Ask, Answer>(
            afterPercentile: 0.5, minimumSamples: 1, initially: isFirst ? nil : .seconds(20))
        let held = try call(
            Server(.delay(.milliseconds(40), then: .response(Answer()))),
            inside: [Holding(for: .seconds(9), by: clock)], by: hedging)
        await clock.waitForSleeper(remaining: .seconds(9))
        await clock.advance(by: .seconds(9))
        await clock.waitForSleeper(remaining: .milliseconds(40))
        await clock.advance(by: .milliseconds(40))
        _ = try await held.value.get()
        // when
        let next = try call(Server(.hang), by: hedging)
        // then
        await clock.waitForSleeper(remaining: .milliseconds(40))
        next.cancel()
        _ = await next.value
    }

    @Test("does not learn from a copy that is still held up when the first request is answered")
    func heldCopy() async throws {
        let hedging = Hedging<Ask, Answer>(afterPercentile: 0.5, minimumSamples: 1, initially: .milliseconds(300))
        let holding = Holding(for: .seconds(100), by: clock, from: 2)
        let slow = try call(
            Server(.delay(.seconds(1), then: .response(Answer()))), inside: [holding], by: hedging)
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
        await clock.waitForSleeper(remaining: .seconds(100))
        await clock.advance(by: .milliseconds(700))
        _ = try await slow.value.get()
        // when
        let next = try call(Server(.hang), by: hedging)
        // then: 1 s was learned, and not 700 ms
        await clock.waitForSleeper(remaining: .seconds(1))
        next.cancel()
        _ = await next.value
    }

    @Test("sends its copy a whole delay after a request goes out again that waited for a new token")
    func heldAfterRefusal() async throws {
        // given: a refusal at once, 200 ms for a token, and 340 ms at the server
        let hedging = Hedging<Ask, Answer>(afterPercentile: 0.5, minimumSamples: 1, initially: .milliseconds(300))
        let renewing = Step { [clock] request, context, next in
            _ = try? await next(request)
            context.endAttempt(failing: ShopError())
            context.hold(Hold("waiting", advice: "Wait"))
            try await clock.sleep(for: .milliseconds(200))
            context.endHold()
            let second = context.nextAttempt(after: ShopError(), waited: .milliseconds(200), because: "token")
            return try await next(request, context: second)
        }
        let server = Server(
            .failure(ShopError()), .delay(.milliseconds(340), then: .response(Answer("first"))), .response(Answer()))
        let call = try call(server, inside: [renewing], by: hedging)
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.waitForSleeper(remaining: .milliseconds(200))
        await clock.advance(by: .milliseconds(200))
        await clock.waitForSleeper(remaining: .milliseconds(340))
        // when
        await clock.advance(by: .milliseconds(100))
        // then: not before 500 ms
        await clock.waitForSleeper(remaining: .milliseconds(200))
        #expect(server.requests.count == 2)
        await clock.advance(by: .milliseconds(199))
        #expect(server.requests.count == 2)
        call.cancel()
        _ = await call.value
    }

    /// Holds each request up, as a rate limiter does.
    struct Holding: Interceptor {
        let time: Duration
        let clock: ManualClock
        let first: Int

        init(for time: Duration, by clock: ManualClock, from first: Int = 1) {
            (self.time, self.clock, self.first) = (time, clock, first)
        }

        func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
            guard context.attempt >= first else {
                return try await next(request)
            }
            context.hold(Hold("waiting", advice: "Wait"))
            try await clock.sleep(for: time)
            context.endHold()
            return try await next(request)
        }
    }
}
