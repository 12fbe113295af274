import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

@Suite("The time of an attempt", .limited)
struct AttemptTimeTests {
    @Test("runs only while there is a connection, over all exchanges")
    func overExchanges() async {
        let clock = SteppedClock()
        var time = AttemptTime(limit: .seconds(10))
        var limits = clock.limits.makeAsyncIterator()
        var seconds: [Int64?] = []
        for _ in 0..<3 {
            time.begin(clock: clock) { _ in }
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
        var time = AttemptTime(limit: .seconds(10))
        time.begin(clock: clock) { _ in }
        clock.advance(by: .seconds(4))
        let since = clock.now
        clock.advance(by: .seconds(600))
        time.pause(clock: clock, since: since)
        #expect(time.remaining == .seconds(6))
    }

    @Test("does not run where nothing limits the attempt")
    func unlimited() {
        let clock = SteppedClock()
        var time = AttemptTime(limit: nil)
        time.begin(clock: clock) { _ in }
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
