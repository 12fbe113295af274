import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import Backstop
@testable import BackstopCore

@Suite("The time of an attempt", .limited)
struct AttemptTimeTests {
    private static func time(_ limit: Duration?, rate: Int32 = 0) -> AttemptTime {
        let context = CallContext()
        return AttemptTime(limit.map { context.limitingAttempt(to: $0, rate: rate) } ?? context)
    }

    @Test("runs only while there is a connection, over all exchanges")
    func overExchanges() async {
        let clock = SteppedClock()
        var time = Self.time(.seconds(10))
        var limits = clock.limits.makeAsyncIterator()
        var seconds: [Int64?] = []
        for _ in 0..<3 {
            time.begin(clock: clock, moved: { .max }) { _ in }
            seconds.append(await limits.next())
            clock.advance(by: .seconds(4))
            time.pause(clock: clock)
            // In line for the next one.
            clock.advance(by: .seconds(60))
        }
        #expect(seconds == [10, 6, 2])
    }

    @Test("does not count what comes after it stood still")
    func standsStill() async {
        let clock = SteppedClock()
        var time = Self.time(.seconds(10))
        time.begin(clock: clock, moved: { .max }) { _ in }
        clock.advance(by: .seconds(4))
        let since = clock.now
        clock.advance(by: .seconds(600))
        time.pause(clock: clock, since: since)
        #expect(time.remaining == .seconds(6))
    }

    @Test(
        "is longer by a second for so many bytes that moved by its end, and by more for those that move then",
        arguments: [
            (0, 4096, [], 10), (4095, 4096, [], 10), (4096, 4096, [1], 11), (8191, 4096, [1], 11),
            (409_600, 4096, [100], 110), (30, 10, [3], 13), (.max, 0, [], 10),
        ] as [(Int64, Int32, [Int], Int)])
    func moving(bytes: Int64, rate: Int32, waits: [Int], end: Int) async {
        // given
        let clock = ManualClock()
        let (ends, source) = AsyncStream<TimeoutError>.makeStream()
        var time = Self.time(.seconds(10), rate: rate)
        time.begin(clock: clock, moved: { bytes }) { source.yield($0) }
        // when
        for wait in [10] + waits {
            await clock.waitForSleeper(remaining: .seconds(wait))
            await clock.advance(by: .seconds(wait))
        }
        // then
        #expect(await ends.first { _ in true } == TimeoutError(.attempt, after: .seconds(end)))
    }

    @Test("ends a body that stops, and leaves the next exchange what it had when it was spent")
    func stopping() async {
        // given
        let clock = ManualClock()
        let moved = Lock(Int64(20))
        let (ends, source) = AsyncStream<TimeoutError>.makeStream()
        var time = Self.time(.seconds(10), rate: 1)
        time.begin(clock: clock, moved: { moved.withLock { $0 } }) { source.yield($0) }
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(10))
        await clock.waitForSleeper(remaining: .seconds(20))
        moved.withLock { $0 = 25 }
        await clock.advance(by: .seconds(20))
        await clock.waitForSleeper(remaining: .seconds(5))
        // when
        time.pause(clock: clock)
        // then: 30 s have gone, of which it earned 25
        #expect(time.remaining == .seconds(5))
        time.begin(clock: clock, moved: { 0 }) { source.yield($0) }
        await clock.waitForSleeper(remaining: .seconds(5))
        await clock.advance(by: .seconds(5))
        #expect(await ends.first { _ in true } == TimeoutError(.attempt, after: .seconds(10)))
    }

    @Test("is all there for the next exchange after one whose bytes have earned what it took")
    func earned() {
        let clock = SteppedClock()
        var time = Self.time(.seconds(10), rate: 1)
        for (bytes, seconds, left) in [(25, 9, 10), (9, 9, 10), (5, 9, 6), (0, 4, 2)] as [(Int64, Int64, Int)] {
            time.begin(clock: clock, moved: { bytes }) { _ in }
            clock.advance(by: .seconds(seconds))
            time.pause(clock: clock)
            #expect(time.remaining == .seconds(left))
        }
    }

    @Test("does not run where nothing limits the attempt")
    func unlimited() {
        let clock = SteppedClock()
        var time = Self.time(nil)
        time.begin(clock: clock, moved: { .max }) { _ in }
        time.pause(clock: clock)
        #expect(clock.reads == 0)
    }
}

/// A clock that goes on when it is told to, and tells the limits that begin, in seconds.
private final class SteppedClock: CallClock {
    private let time = Lock((now: Duration.zero, reads: 0))
    private let source: AsyncStream<Int64>.Continuation
    let limits: AsyncStream<Int64>

    init() {
        (limits, source) = AsyncStream.makeStream()
    }

    var now: Duration {
        time.withLock { time in
            time.reads += 1
            return time.now
        }
    }

    var date: Duration { now }

    var reads: Int {
        time.withLock { $0.reads }
    }

    func advance(by duration: Duration) {
        time.withLock { $0.now += duration }
    }

    func sleep(for duration: Duration) async throws {
        source.yield(duration.components.seconds)
        try await untilCancelled()
    }
}
