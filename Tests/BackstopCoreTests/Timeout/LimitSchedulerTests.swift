import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore

@Suite("The scheduler of time limits", .limited)
struct LimitSchedulerTests {
    private struct Firing: Equatable {
        let name: Int
        let time: Duration
    }

    private let clock = ManualClock()
    private let scheduler: LimitScheduler
    private let firings: AsyncStream<Firing>
    private let source: AsyncStream<Firing>.Continuation

    init() async {
        // No clock of a real call begins at zero.
        await clock.advance(by: .seconds(1000))
        scheduler = LimitScheduler(clock: clock)
        (firings, source) = AsyncStream.makeStream()
    }

    @discardableResult
    private func schedule(_ name: Int, after duration: Duration) -> LimitScheduler.Ticket {
        let (source, clock) = (source, clock)
        return scheduler.schedule(after: duration) {
            source.yield(Firing(name: name, time: clock.now))
            return nil
        }
    }

    /// The next so many actions that ran, each with the time of the clock then.
    private func next(_ count: Int) async -> [Firing] {
        var found: [Firing] = []
        for await firing in firings.prefix(count) {
            found.append(firing)
        }
        return found
    }

    @Test("fires each limit when it is due, and none when the first is")
    func staggered() async {
        // given
        for seconds in [3, 1, 2] {
            schedule(seconds, after: .seconds(seconds))
        }
        for seconds in 1...3 {
            // when
            await clock.waitForSleeper(remaining: .seconds(1))
            await clock.advance(by: .seconds(1))
            // then
            #expect(await next(1) == [Firing(name: seconds, time: .seconds(1000 + seconds))])
        }
    }

    @Test("fires a limit in time that is shorter than those before it, with one sleep for all")
    func shorter() async {
        // given
        schedule(10, after: .seconds(10))
        await clock.waitForSleeper(remaining: .seconds(10))
        // when
        schedule(1, after: .seconds(1))
        await clock.waitForSleeper(remaining: .seconds(1))
        // then
        #expect(clock.sleepers == [.seconds(1)])
        await clock.advance(by: .seconds(1))
        #expect(await next(1) == [Firing(name: 1, time: .seconds(1001))])
        // and the longer one is not forgotten
        await clock.waitForSleeper(remaining: .seconds(9))
        await clock.advance(by: .seconds(9))
        #expect(await next(1) == [Firing(name: 10, time: .seconds(1010))])
    }

    @Test("sleeps once more for a limit that comes when it had nothing left to do")
    func afterIdleness() async {
        for round in 1...3 {
            // given
            schedule(round, after: .seconds(1))
            await clock.waitForSleeper(remaining: .seconds(1))
            // when
            await clock.advance(by: .seconds(1))
            // then
            #expect(await next(1) == [Firing(name: round, time: .seconds(1000 + round))])
        }
    }

    @Test("does not fire what was cancelled, and fires what comes after it")
    func cancelled() async {
        // given
        let first = schedule(1, after: .seconds(1))
        schedule(2, after: .seconds(2))
        // when
        scheduler.cancel(first)
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.advance(by: .seconds(1))
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.advance(by: .seconds(1))
        // then
        #expect(await next(1) == [Firing(name: 2, time: .seconds(1002))])
    }

    @Test("fires again what asks for it, until it is cancelled, even while it runs", arguments: [false, true])
    func again(cancelsItself: Bool) async {
        // given
        let (source, clock, scheduler) = (source, clock, scheduler)
        let own = Lock<LimitScheduler.Ticket?>(nil)
        let ticket = scheduler.schedule(after: .seconds(1)) {
            source.yield(Firing(name: 1, time: clock.now))
            if cancelsItself, clock.now == .seconds(1003), let ticket = own.withLock({ $0 }) {
                scheduler.cancel(ticket)
            }
            return .seconds(2)
        }
        own.withLock { $0 = ticket }
        for (wait, time) in [(1, 1001), (2, 1003)] {
            // when
            await clock.waitForSleeper(remaining: .seconds(wait))
            await clock.advance(by: .seconds(wait))
            // then
            #expect(await next(1) == [Firing(name: 1, time: .seconds(time))])
        }
        // when
        if !cancelsItself {
            await clock.waitForSleeper(remaining: .seconds(2))
            scheduler.cancel(ticket)
        }
        schedule(2, after: .seconds(2))
        await clock.waitForSleeper(remaining: .seconds(2))
        await clock.advance(by: .seconds(2))
        // then
        #expect(await next(1) == [Firing(name: 2, time: .seconds(1005))])
    }

    @Test("keeps no entries of the many limits that are cancelled before they are due")
    func piling() {
        // given
        schedule(0, after: .seconds(3600))
        // when
        for name in 1...10_000 {
            scheduler.cancel(schedule(name, after: .seconds(30)))
        }
        // then
        #expect(scheduler.entryCount <= 100)
    }

    @Test("lets go of an action that ran, and of one that was cancelled")
    func released() async {
        // given
        final class Held: Sendable {
            let released: @Sendable () -> Void
            init(_ released: @escaping @Sendable () -> Void) { self.released = released }
            deinit { released() }
        }
        let (source, clock) = (source, clock)
        func schedule(_ name: Int) -> LimitScheduler.Ticket {
            let held = Held { source.yield(Firing(name: name, time: clock.now)) }
            return scheduler.schedule(after: .seconds(1)) {
                withExtendedLifetime(held) {}
                return nil
            }
        }
        // when
        scheduler.cancel(schedule(1))
        // then
        #expect(await next(1) == [Firing(name: 1, time: .seconds(1000))])
        // when
        _ = schedule(2)
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.advance(by: .seconds(1))
        // then
        #expect(await next(1) == [Firing(name: 2, time: .seconds(1001))])
    }

    @Test("fires what is left exactly when it is due, whatever is cancelled", arguments: Seed.ofRun(and: [1, 2, 3]))
    func random(seed: Seed) async {
        // given
        var random = seed.numbers
        var due: [Int: Int] = [:]
        var tickets: [LimitScheduler.Ticket] = []
        for name in 0..<300 {
            let milliseconds = 1 + random.below(60)
            due[name] = milliseconds
            tickets.append(schedule(name, after: .milliseconds(milliseconds)))
        }
        for name in 0..<300 where random.below(4) != 0 {
            scheduler.cancel(tickets[name])
            due[name] = nil
        }
        // when
        for step in 1...60 where due.values.contains(where: { $0 >= step }) {
            // Whoever sleeps asks for what is left from now on, so the clock moves when that is known.
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(1))
            let time = clock.now
            let expected = due.filter { .seconds(1000) + .milliseconds($0.value) == time }.keys.sorted()
            // then
            let found = await next(expected.count)
            #expect(found.map(\.name).sorted() == expected)
            #expect(found.allSatisfy { $0.time == time })
        }
    }
}

@Suite("A time limit on a clock of the app's own", .limited)
struct LimitTimerTests {
    @Test("counts from when it was set, however late its task begins") func late() async throws {
        for _ in 0..<100 {
            let (clock, over) = (RecordingClock(), Gate())
            let timer = LimitTimer(after: .seconds(5), clock: clock) { over.open() }
            clock.advance(by: .seconds(5))
            await over.pass()
            timer.cancel()
            #expect(clock.now == .seconds(5))
        }
    }

    /// A clock whose first sleep takes too long.
    private final class AsleepClock: CallClock {
        let late: Duration
        /// Guarded by its lock.
        let state = Lock((now: Duration.zero, sleeps: [Duration]()))

        init(late: Duration) {
            self.late = late
        }

        var now: Duration { state.withLock { $0.now } }
        var date: Duration { now }

        func sleep(for duration: Duration) async throws {
            state.withLock { state in
                state.sleeps.append(duration)
                state.now += duration + (state.sleeps.count == 1 ? late : .zero)
            }
        }
    }

    @Test(
        "lets what arrived while the process was asleep come before the limits that were reached then",
        arguments: [
            (.seconds(3600), .milliseconds(500)), (.milliseconds(200), .milliseconds(200)),
            (.milliseconds(50), .milliseconds(50)), (.milliseconds(10), nil),
        ] as [(Duration, Duration?)])
    func asleep(late: Duration, grace: Duration?) async {
        let clock = AsleepClock(late: late)
        let scheduler = LimitScheduler(clock: clock)
        let (times, source) = AsyncStream<Duration>.makeStream()
        _ = scheduler.schedule(after: .seconds(1)) {
            source.yield(clock.now)
            return nil
        }
        var iterator = times.makeAsyncIterator()
        #expect(await iterator.next() == .seconds(1) + late + (grace ?? .zero))
        #expect(clock.state.withLock { $0.sleeps } == [.seconds(1)] + (grace.map { [$0] } ?? []))
        // and calls that began before are known to have slept, if it was for long
        #expect(scheduler.wokeLate(since: .seconds(1)) == (late > .seconds(1)))
        #expect(!scheduler.wokeLate(since: clock.now + .nanoseconds(1)))
    }
}
