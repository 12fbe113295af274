import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopResilience

/// What calls in line are told and wait for.
extension RateLimiterServerLimitTests {
    @Test("lets a call wait for the end if it may wait so long, and says for what it waits")
    func waits() async throws {
        let chain = try chain(limiter(maximumWait: .seconds(20)), answer(429, wait: .seconds(20)))
        _ = try await call(chain).value.get()
        let waiting = call(chain)
        await clock.waitForSleeper(remaining: .seconds(20))
        await clock.advance(by: .seconds(20))
        _ = try await waiting.value.get()
        #expect(clock.sleepers.isEmpty)
    }

    @Test("says for what a call waits, and what helps, when a time limit ends it")
    func held() async throws {
        let limiter = limiter(maximumWait: .seconds(20))
        _ = try await call(try chain(limiter, answer(429, wait: .seconds(20)))).value.get()
        let chain = try AskChain(transport: Script<Ask, Answer>()) {
            AttemptTimeout(.seconds(5))
            limiter
        }
        let waiting = call(chain)
        await clock.waitForSleepers(2)
        await clock.advance(by: .seconds(5))
        let failure = try #require(await waiting.value.failure)
        #expect(
            failure.nextStep?.hasPrefix(
                "Send fewer calls, or ask the service for a higher rate, or raise the limit of ")
                == true)
        #expect(
            failure.trace.events.map(\.text) == [
                "waits for its turn: The service says that its rate limit is used up"
            ])
    }

    @Test("says of a call that was in line when the pause began for what it has waited")
    func trace() async throws {
        let limiter = limiter(1, per: .seconds(1), maximumWait: .seconds(9))
        let script = Script<Ask, Answer>(
            .delay(.milliseconds(500), then: .response(Answer(status: 429, wait: .seconds(3)))), .failure(ShopError()))
        let chain = try AskChain(transport: script, interceptors: [limiter])
        let first = call(chain)
        await clock.waitForSleeper(remaining: .milliseconds(500))
        let second = call(chain)
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.advance(by: .milliseconds(500))
        _ = await first.value
        await clock.runNextSleep()
        await clock.waitForSleeper(remaining: .milliseconds(2500))
        await clock.advance(by: .milliseconds(2500))
        #expect(
            await second.value.failure?.trace.events.map(\.text) == [
                "waits for its turn: 1 call per 1 s is allowed",
                "waited 3.5 s: The service says that its rate limit is used up",
            ])
    }

    @Test("says of a call that was in line for the rate that was set, most of the time, that it has waited for that")
    func ownRate() async throws {
        let script = Script<Ask, Answer>(
            .delay(.seconds(8), then: .response(Answer(status: 429, wait: .seconds(4)))), .failure(ShopError()))
        let chain = try AskChain(
            transport: script, interceptors: [limiter(1, per: .seconds(10), maximumWait: .seconds(30))])
        let first = call(chain)
        await clock.waitForSleeper(remaining: .seconds(8))
        let second = call(chain)
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(8))
        _ = await first.value
        await clock.runNextSleep()
        await clock.waitForSleeper(remaining: .seconds(2))
        await clock.advance(by: .seconds(2))
        #expect(await second.value.failure?.trace.events.last?.text == "waited 12 s: 1 call per 10 s is allowed")
    }

    @Test("keeps to it though calls that were under way give their tokens back unsent")
    func givenBack() async throws {
        let limiter = limiter()
        let gate = Gate()
        let refusing = Step { _, _, _ in
            await gate.pass()
            throw RejectionError(.breakerOpen, "open")
        }
        let refused = try AskChain(transport: Script<Ask, Answer>(), interceptors: [limiter, refusing])
        let underWay = (1...8).map { _ in call(refused) }
        await gate.waitForArrivals(8)
        let chain = try chain(limiter, answer(429, wait: .seconds(20)))
        _ = try await call(chain).value.get()
        gate.open()
        for call in underWay {
            _ = await call.value
        }
        #expect(await call(chain).value.failure?.retryAfter == .seconds(20))
        await clock.advance(by: .seconds(20))
        _ = try await call(chain).value.get()
    }

    @Test("rejects those at once who wait already and would wait too long now, and lets the others wait")
    func waitingCalls() async throws {
        // given: two wait for a token of 1 s and 2 s while the answer of a third is under way
        let limiter = limiter(1, per: .seconds(1), maximumWait: .milliseconds(3500))
        let script = Script<Ask, Answer>(
            .delay(.milliseconds(500), then: .response(Answer(status: 429, wait: .seconds(3)))),
            .response(Answer()).repeated())
        let chain = try AskChain(transport: script, interceptors: [limiter])
        let first = call(chain)
        await clock.waitForSleeper(remaining: .milliseconds(500))
        let second = call(chain)
        await clock.waitForSleeper(remaining: .seconds(1))
        let third = call(chain)
        while limiter.waitingCalls() < 2 {
            await Task.yield()
        }
        // when: the service says after half a second that nothing goes for 3 s
        await clock.advance(by: .milliseconds(500))
        _ = try await first.value.get()
        // then: the second has 3 s of its 3.5 s left and waits 3 s; the third would wait 4 s, and so would another
        let failure = try #require(await third.value.failure)
        #expect(failure.code == "rejected.rateLimit")
        #expect(failure.retryAfter == .seconds(4))
        #expect(failure.explanation.hasSuffix("rate limit is used up, and the next may start in 4 s"))
        #expect(await call(chain).value.failure?.retryAfter == .seconds(4))
        #expect(limiter.waitingCalls() == 1)
        await clock.waitForSleeper(remaining: .seconds(3))
        await clock.advance(by: .milliseconds(2999))
        #expect(limiter.waitingCalls() == 1)
        await clock.advance(by: .milliseconds(1))
        _ = try await second.value.get()
        #expect(limiter.lines.total == (0, 0, 0))
        #expect(clock.sleepers.isEmpty)
    }

    @Test("is not told a shorter time by an answer that comes later")
    func shorter() async throws {
        let limiter = limiter(maximumWait: .zero)
        let script = Script<Ask, Answer>(
            .delay(.seconds(1), then: .response(Answer(status: 429, wait: .seconds(5)))),
            .response(Answer(status: 429, wait: .seconds(30))))
        let chain = try AskChain(transport: script, interceptors: [limiter])
        let slow = call(chain)
        await clock.waitForSleepers(1)
        _ = await call(chain).value
        await clock.advance(by: .seconds(1))
        _ = await slow.value
        #expect(await call(chain).value.failure?.retryAfter == .seconds(29))
    }

    @Test("lets nobody wait for longer than the minute for which it is believed, whatever its calls may wait")
    func tooLong() async throws {
        // given: a call waits for its token
        let limiter = limiter(1, per: .seconds(1), maximumWait: .seconds(7200))
        let script = Script<Ask, Answer>(
            .delay(.milliseconds(500), then: .response(Answer(status: 429, wait: .seconds(3600)))),
            .response(Answer()).repeated())
        let chain = try AskChain(transport: script, interceptors: [limiter])
        let first = call(chain)
        await clock.waitForSleeper(remaining: .milliseconds(500))
        let waiting = call(chain)
        await clock.waitForSleeper(remaining: .seconds(1))
        // when
        await clock.advance(by: .milliseconds(500))
        _ = try await first.value.get()
        // then
        #expect(await waiting.value.failure?.retryAfter == .seconds(3600))
        await clock.advance(by: .seconds(59))
        let failure = await call(chain).value.failure
        #expect(failure?.retryAfter == .seconds(3541))
        #expect(
            failure?.explanation
                == "The request was not sent: The service says that its rate limit is used up, and the next may start in "
                + Duration.seconds(3541).text)
        await clock.advance(by: .seconds(1))
        _ = try await call(chain).value.get()
        #expect(limiter.lines.total == (0, 0, 0))
        #expect(clock.sleepers.isEmpty)
    }

    @Test("rejects who waits when a call after the minute is told the same moment again")
    func toldAgain() async throws {
        // given: nothing goes until 3600 s
        let script = Script<Ask, Answer>(
            .response(Answer(status: 429, wait: .seconds(3600))),
            .delay(.milliseconds(500), then: .response(Answer(status: 429, wait: .milliseconds(3_539_500)))))
        let chain = try AskChain(
            transport: script, interceptors: [limiter(1, per: .seconds(1), maximumWait: .seconds(10))])
        _ = await call(chain).value
        await clock.advance(by: .seconds(60))
        let second = call(chain)
        await clock.waitForSleeper(remaining: .milliseconds(500))
        let third = call(chain)
        await clock.waitForSleeper(remaining: .seconds(1))
        // when
        await clock.advance(by: .milliseconds(500))
        _ = await second.value
        // then
        #expect(await third.value.failure?.retryAfter == .milliseconds(3_539_500))
        #expect(clock.sleepers.isEmpty)
    }
}
