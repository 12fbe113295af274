import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A handler that repeats the call", .limited)
struct HandlerRetryTests {
    @Test("gets it made again, after the pause")
    func again() async {
        // given
        let fixture = HandlingFixture()
        // when
        let outcome = await fixture.perform(
            failing: [ShopError(), ShopError()], defaults: [fixture.handler("again", .retry(after: .seconds(2)))])
        // then
        #expect(outcome.value == 1)
        #expect(fixture.clock.sleeps == [.seconds(2), .seconds(2)])
        #expect(fixture.outcomes == [.retried(by: "again"), .retried(by: "again")])
        #expect(fixture.log.entries.isEmpty)
    }

    @Test("repeats what runs until the call has ended, and no task that it leaves behind")
    func leftBehind() async {
        // given
        let gate = Gate()
        let during = Notes<Bool>()
        let left = Notes<Task<Bool, Never>>()
        // when
        let outcome = await FailureHandling().perform(clock: RecordingClock()) { _ in
            during.all.count == 1 ? .retry : .handled
        } call: { () async throws(Failure) -> Int in
            during.add(FailureHandling.isRepeating)
            left.add(
                Task {
                    await gate.pass()
                    return FailureHandling.isRepeating
                })
            throw Failure(ShopError())
        }
        gate.open()
        // then
        #expect(outcome.word == "handled")
        #expect(during.all == [false, true])
        for task in left.all {
            #expect(await task.value == false)
        }
    }

    @Test("may be the call's own or of a scope")
    func anywhere() async {
        // given
        var fixture = HandlingFixture()
        fixture.handling.scopes = [HandlerScope("scope") { fixture.handler("b", .retry) }]
        let first = Lock(true)
        let own = Own("a") { _ in
            first.withLock { first in
                defer { first = false }
                return first ? .retry : .unhandled
            }
        }
        // when
        let outcome = await fixture.perform(failing: [ShopError(), ShopError()], own: [own])
        // then
        #expect(outcome.value == 1)
        #expect(fixture.outcomes == [.retried(by: "a"), .retried(by: "scope: b")])
        #expect(fixture.clock.sleeps == [.zero, .zero])
    }

    @Test(
        "repeats it at most three times, unless the limit differs",
        arguments: [(nil, 3), (1, 1), (0, 0), (-5, 0)])
    func limit(limit: Int?, expected: Int) async {
        // given
        var fixture = HandlingFixture()
        limit.map { fixture.handling.maximumHandlerRetries = $0 }
        // when
        let outcome = await fixture.perform(
            failing: Array(repeating: ShopError(), count: 10), defaults: [fixture.handler("again", .retry)])
        // then
        #expect(outcome.word == "unhandled")
        #expect(fixture.outcomes == Array(repeating: .retried(by: "again"), count: expected) + [.unhandled])
        #expect(fixture.log.entries.count == 1)
    }

    @Test("leaves the failure to the next handler beyond the limit")
    func fallsThrough() async {
        // given
        var fixture = HandlingFixture()
        fixture.handling.maximumHandlerRetries = 1
        // when
        let outcome = await fixture.perform(
            failing: [ShopError(), ShopError()], own: [fixture.own("own", .retry)],
            defaults: [fixture.handler("again", .retry), fixture.handler("last", .handled)])
        // then
        #expect(outcome.handledBy == "last")
        #expect(fixture.asked.all == ["own", "own", "again", "last"])
        #expect(fixture.outcomes == [.retried(by: "own"), .handled(by: "last")])
    }

    @Test("counts its retries anew for each call")
    func perCall() async {
        // given
        var fixture = HandlingFixture()
        fixture.handling.maximumHandlerRetries = 1
        let handlers = [fixture.handler("again", .retry)]
        // then
        #expect(await fixture.perform(failing: [ShopError()], defaults: handlers).value == 1)
        #expect(await fixture.perform(failing: [ShopError()], defaults: handlers).value == 1)
    }

    @Test("ends as cancelled when the repeated call is")
    func cancelledSecond() async {
        // given
        let fixture = HandlingFixture()
        // when
        let outcome = await fixture.perform(
            failing: [ShopError(), CancellationError()], defaults: [fixture.handler("again", .retry)])
        // then
        #expect(outcome.word == "cancelled")
        #expect(fixture.outcomes == [.retried(by: "again"), .cancelled])
    }
}
