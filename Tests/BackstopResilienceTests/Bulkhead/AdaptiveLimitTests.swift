import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A limit that adapts", .limited)
struct AdaptiveLimitTests {
    private var limit = AdaptiveLimit(minimum: 10)

    @discardableResult
    private mutating func timeOut(
        _ times: Int, running: Int = 1000, at seconds: Int = 0, since mark: AdaptiveLimit.Mark? = nil
    ) -> Int {
        for _ in 0..<times {
            _ = limit.count(isTimeout: true, since: mark ?? limit.mark, running: running, now: .seconds(seconds))
        }
        return limit.current
    }

    @discardableResult
    private mutating func answer(_ times: Int = 1, running: Int = 1000, at seconds: Int = 0) -> Int {
        for _ in 0..<times {
            _ = limit.count(isTimeout: false, since: limit.mark, running: running, now: .seconds(seconds))
        }
        return limit.current
    }

    @Test("is none until a hundred calls in a row have run out of time")
    mutating func sign() {
        #expect(timeOut(99, running: 5000) == AdaptiveLimit.highest)
        answer()
        #expect(timeOut(99) == AdaptiveLimit.highest)
        #expect(!limit.isOn)
        #expect(timeOut(1) == 500)
        #expect(limit.isOn)
    }

    @Test("is none for those who have few calls under way anyhow", arguments: [(19, false), (20, true)])
    mutating func few(running: Int, isOn: Bool) {
        timeOut(1000, running: running)
        #expect(limit.isOn == isOn)
    }

    @Test("is half of the calls that ran, and half again when as many as may run have run out of time, to its minimum")
    mutating func halves() {
        // The most that ran meanwhile, also where they drain.
        timeOut(1, running: 100)
        #expect(timeOut(99, running: 3) == 50)
        // Those that began before say nothing.
        #expect(timeOut(1000, since: AdaptiveLimit.Mark()) == 50)
        #expect(timeOut(49, running: 50) == 50)
        #expect(timeOut(1, running: 50) == 25)
        // Fewer run than may.
        #expect(timeOut(25, running: 24) == 12)
        #expect(timeOut(12, running: 12) == 10)
        #expect(timeOut(1000, running: 10) == 10)
    }

    @Test("is back at half of what was too much with the first answer, and grows by one with as many as it has places")
    mutating func grows() {
        timeOut(100, running: 60)
        timeOut(30, running: 30)
        #expect(limit.current == 15)
        // After timeouts without an answer between them, the first cut says what was too much.
        #expect(answer() == 30)
        #expect(answer(29) == 30)
        #expect(answer() == 31)
        // One that is not used does not grow.
        #expect(answer(1000, running: 14) == 31)
        #expect(answer(31, running: 15) == 32)
        // An answer between says that what ran then was too much.
        answer(10, running: 16)
        timeOut(32, running: 32)
        #expect(answer(15) == 16)
        #expect(answer() == 17)
    }

    @Test("is doubled every ten seconds from a minute after the last trouble on, until it is gone")
    mutating func ends() {
        timeOut(100, running: 20)
        for (seconds, current) in [(59, 10), (60, 20), (69, 20), (70, 40), (190, 100_000)] {
            limit.renew(at: .seconds(seconds))
            #expect(limit.current == current)
        }
        #expect(!limit.isOn)
    }

    @Test("lasts as long as calls run out of time, and not longer for one here and there")
    mutating func lasts() {
        timeOut(100, running: 20)
        timeOut(10, running: 1, at: 50)
        limit.renew(at: .seconds(109))
        #expect(limit.current == 10)
        answer(at: 109)
        timeOut(9, at: 109)
        limit.renew(at: .seconds(110))
        #expect(limit.current == 20)
    }

    @Test("limits nothing where calls that began together are answered early, or run out of time late")
    mutating func waves() {
        for _ in 1...20 {
            let start = limit.mark
            answer(101)
            timeOut(900, since: start)
            #expect(!limit.isOn)
        }
        // One in ten is not enough to go on.
        let start = limit.mark
        answer(9)
        timeOut(1000, since: start)
        #expect(limit.isOn)
    }

    @Test("limits nothing where one call in ten is answered", arguments: Seed.ofRun(and: [1]))
    mutating func partly(seed: Seed) {
        var random = seed.numbers
        // A hundred in a row are as likely as 1 to 40,000: the tenth is forced.
        for number in 0..<20_000 {
            let isAnswered = random.below(10) == 0 || number % 50 == 0
            let running = random.below(5000)
            _ = isAnswered ? answer(running: running) : timeOut(1, running: running)
            #expect(!limit.isOn)
        }
    }

    @Test("stays in its bounds, whatever comes", arguments: Seed.ofRun(and: [1]))
    func bounds(seed: Seed) {
        var random = seed.numbers
        for _ in 0..<200 {
            let minimum = 1 + random.below(50)
            var limit = AdaptiveLimit(minimum: minimum)
            var (now, luck) = (0, 1)
            for _ in 0..<2000 {
                luck = random.below(100) == 0 ? 1 + random.below(400) : luck
                now += random.below(20) == 0 ? random.below(70) : 0
                limit.renew(at: .seconds(now))
                let before = limit
                let isTimeout = random.below(luck) > 0
                let mark = random.below(4) == 0 ? AdaptiveLimit.Mark() : limit.mark
                let cause = limit.count(
                    isTimeout: isTimeout, since: mark, running: random.below(200), now: .seconds(now))
                #expect((minimum...AdaptiveLimit.highest).contains(limit.current))
                #expect((cause != nil) == (limit.mark.round > before.mark.round))
                if let cause {
                    #expect(cause >= 10 && isTimeout && limit.current <= max(minimum, before.current / 2))
                } else {
                    #expect(limit.current == before.current || !isTimeout && limit.current > before.current)
                }
            }
        }
    }
}
