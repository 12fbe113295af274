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

    @Test("ends as cancelled in the pause before it is repeated")
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

    @Test("asks nobody who comes after the handler in which it was cancelled")
    func nobodyAfter() async {
        // given
        var fixture = HandlingFixture()
        let cancelling = Otherwise(name: "cancelling") { _ -> Verdict in
            withUnsafeCurrentTask { $0?.cancel() }
            return .unhandled
        }
        fixture.handling.scopes = [HandlerScope("scope") { fixture.handler("scope", .handled) }]
        let handling = fixture
        // when
        let outcome = await Task {
            await handling.perform(
                failing: [ShopError()], own: [Own(cancelling), handling.own("own", .value(1))],
                defaults: [handling.handler("default", .handled)])
        }.value
        // then
        #expect(outcome.word == "cancelled")
        #expect(fixture.asked.all.isEmpty)
        #expect(fixture.outcomes == [.cancelled])
    }

    @Test("asks nobody when it was cancelled before the failure came")
    func cancelledBefore() async {
        // given
        let fixture = HandlingFixture()
        // when
        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await fixture.perform(failing: [ShopError()], own: [fixture.own("own", .value(1))])
        }.value
        // then
        #expect(outcome.word == "cancelled")
        #expect(fixture.asked.all.isEmpty)
    }

    /// A clock in whose pauses the call is cancelled, and which says nothing of it.
    private struct CancellingClock: CallClock {
        var now: Duration { .zero }
        var date: Duration { .zero }

        func sleep(for duration: Duration) async throws {
            withUnsafeCurrentTask { $0?.cancel() }
        }
    }

    @Test("is not repeated when the clock does not report that its pause was cancelled")
    func silentClock() async {
        // given
        let fixture = HandlingFixture()
        let calls = Notes<Int>()
        // when
        let outcome = await Task {
            await fixture.handling.perform(
                clock: CancellingClock(), own: [fixture.own("own", .retry(after: .seconds(30)))]
            ) { () async throws(Failure) -> Int in
                calls.add(1)
                throw Failure(ShopError())
            }
        }.value
        // then
        #expect(outcome.word == "cancelled")
        #expect(calls.all.count == 1)
        #expect(fixture.asked.all == ["own"])
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
