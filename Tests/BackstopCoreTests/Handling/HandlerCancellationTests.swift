import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A call that is cancelled while its failure is handled", .limited)
struct HandlerCancellationTests {
    private static let resolutions: [(Resolution<Int>, String)] = [
        (.handled, "handled"), (.unhandled, "cancelled"), (.value(5), "value"), (.retry, "cancelled"),
        (.retry(after: .seconds(1)), "cancelled"),
    ]

    @Test("ends once: with what its handler reached, or as cancelled", arguments: resolutions)
    func whileHandling(resolution: Resolution<Int>, expected: String) async {
        // given
        let fixture = HandlingFixture()
        let gate = Gate()
        let own = Own("own") { _ in
            await gate.pass()
            return resolution
        }
        let task = Task { await fixture.perform(failing: [ShopError()], own: [own]) }
        await gate.waitForArrivals(1)
        // when
        task.cancel()
        gate.open()
        // then
        #expect(await task.value.word == expected)
        #expect(fixture.outcomes.count == 1)
        #expect((fixture.outcomes == [.cancelled]) == (expected == "cancelled"))
        #expect(fixture.log.entries.isEmpty)
    }

    @Test("ends as cancelled in the pause before it is sent anew")
    func whilePausing() async {
        // given
        let fixture = HandlingFixture()
        let clock = ManualClock()
        let calls = Notes<Int>()
        let task = Task {
            await fixture.handling.perform(clock: clock, own: [fixture.own("own", .retry(after: .seconds(30)))]) {
                () async throws(Failure) -> Int in
                calls.add(1)
                throw Failure(ShopError())
            }
        }
        await clock.waitForSleeper(remaining: .seconds(30))
        // when
        task.cancel()
        // then
        #expect(await task.value.word == "cancelled")
        #expect(calls.all.count == 1)
        #expect(fixture.outcomes == [.cancelled])
    }

    @Test("waits its pause by the clock when it is not cancelled")
    func pause() async {
        // given
        let fixture = HandlingFixture()
        let clock = ManualClock()
        let calls = Notes<Int>()
        let task = Task {
            await fixture.handling.perform(clock: clock, own: [fixture.own("own", .retry(after: .seconds(30)))]) {
                () async throws(Failure) -> Int in
                calls.add(1)
                guard calls.all.count > 1 else {
                    throw Failure(ShopError())
                }
                return 2
            }
        }
        await clock.waitForSleeper(remaining: .seconds(30))
        // when
        await clock.advance(by: .seconds(29))
        // then
        #expect(calls.all.count == 1)
        #expect(fixture.outcomes.isEmpty)
        // when
        await clock.advance(by: .seconds(1))
        // then
        #expect(await task.value.value == 2)
        #expect(fixture.outcomes == [.retried(by: "own")])
    }

    @Test("does not hold up another, though its handler never returns")
    func stuckHandler() async {
        // given
        let fixture = HandlingFixture()
        let gate = Gate()
        let stuck = Otherwise { _ in await gate.pass() }
        let task = Task { await fixture.perform(failing: [ShopError()], defaults: [stuck]) }
        await gate.waitForArrivals(1)
        // when
        let other = await fixture.perform(failing: [ShopError()], defaults: [fixture.handler("b", .handled)])
        // then
        #expect(other.handledBy == "b")
        #expect(fixture.outcomes == [.handled(by: "b")])
        // afterwards
        gate.open()
        #expect(await task.value.word == "handled")
    }
}
