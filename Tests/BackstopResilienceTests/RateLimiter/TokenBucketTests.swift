import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A bucket of tokens", .limited)
struct TokenBucketTests {
    @Test("gives out exactly its rate over a year, at odd rates too", arguments: [1, 3, 7, 1000])
    func noDrift(count: Int) {
        // given: every token is taken as soon as it is there
        let rate = TokenBucket.Rate(count: count, period: .seconds(1), burst: count)
        var bucket = TokenBucket(rate, now: .seconds(5))
        let atFirst = bucket.tokens(at: .seconds(5))
        #expect(atFirst == count)
        let taken = (0..<count).map { _ in bucket.take(now: .seconds(5)) }
        #expect(!taken.contains(false))
        // when
        var now = Duration.seconds(5)
        var isExact = true
        for _ in 0..<(count * 100) {
            let tooEarly = bucket.take(now: now)
            now += bucket.wait(for: 1, now: now)
            let inTime = bucket.take(now: now)
            isExact = isExact && !tooEarly && inTime
        }
        #expect(isExact)
        // then: the last token came with the hundredth second, not an attosecond per token later
        #expect(now == .seconds(105))
        let atLast = bucket.tokens(at: .seconds(31_536_000))
        #expect(atLast == count)
    }

    @Test(
        "is as full as a model in whole numbers says, whatever the order of calls", arguments: Seed.ofRun(and: [1, 2]))
    func model(seed: Seed) throws {
        var random = seed.numbers
        for round in 0..<300 {
            let (count, period, burst) = (1 + random.below(20), 1 + random.below(500), 1 + random.below(30))
            var bucket = TokenBucket(
                TokenBucket.Rate(count: count, period: .milliseconds(period), burst: burst), now: .milliseconds(1000))
            // A token is `period` units; `count` units come each millisecond.
            var units = burst * period
            var now = 1000
            for step in 0..<200 {
                switch random.below(5) {
                case 0, 1:
                    let taken = units >= period
                    let isTaken = bucket.take(now: .milliseconds(now))
                    try #require(isTaken == taken, "round \(round), step \(step)")
                    units -= taken ? period : 0
                case 2:
                    bucket.giveBack()
                    units = min(units + period, burst * period)
                case 3:
                    let wanted = 1 + random.below(40)
                    let wait = bucket.wait(for: wanted, now: .milliseconds(now))
                    let missing = max(0, wanted * period - units)
                    // The smallest time that is enough: exact, and an attosecond less is not.
                    try #require(wait * count >= .milliseconds(missing), "round \(round), step \(step)")
                    let less = wait - Duration(secondsComponent: 0, attosecondsComponent: 1)
                    try #require(missing == 0 || less * count < .milliseconds(missing), "round \(round), step \(step)")
                default:
                    let step = random.below(300)
                    now += step
                    units = min(units + step * count, burst * period)
                }
                let tokens = bucket.tokens(at: .milliseconds(now))
                try #require(tokens == units / period, "round \(round), step \(step)")
                try #require(bucket.isFull(at: .milliseconds(now)) == (units == burst * period))
            }
        }
    }

    @Test("lets nobody have a token for a time, and then those that have come meanwhile, no more than it holds")
    func pause() {
        var bucket = TokenBucket(TokenBucket.Rate(count: 10, period: .seconds(1), burst: 3), now: .zero)
        let first = (1...3).map { _ in bucket.take(now: .zero) }
        let news = [59, 64, 63].map { bucket.pause(for: .seconds($0), now: .seconds(1)) }
        bucket.giveBack()
        let waits = [1, 3, 4, 5].map { bucket.wait(for: $0, now: .seconds(2)) }
        let rests = [64_999, 65_000].map { bucket.pauseRest(at: .milliseconds($0)) }
        let taken = [64_999, 65_000, 65_000, 65_000, 65_000].map { bucket.take(now: .milliseconds($0)) }
        let none = bucket.pause(for: .zero, now: .seconds(70))
        #expect(first == [true, true, true])
        #expect(news == [true, true, false])
        #expect(waits == [63_000, 63_000, 63_100, 63_200].map { .milliseconds($0) })
        #expect(rests == [.milliseconds(1), .zero])
        #expect(taken == [false, true, true, true, false])
        #expect(!none)
    }

    @Test("counts a pause from the latest moment that it knows, should a clock be read too early")
    func pauseSetBack() {
        var bucket = TokenBucket(TokenBucket.Rate(count: 1, period: .seconds(60), burst: 1), now: .seconds(100))
        let news = bucket.pause(for: .seconds(30), now: .seconds(80))
        let taken = [129, 130].map { bucket.take(now: .seconds($0)) }
        #expect(news)
        #expect(taken == [false, true])
    }

    @Test("counts no time twice when a clock goes back by less than it takes to fill it")
    func setBack() {
        var bucket = TokenBucket(TokenBucket.Rate(count: 1, period: .seconds(60), burst: 1), now: .seconds(100))
        let taken = [100, 80, 150, 160].map { bucket.take(now: .seconds($0)) }
        #expect(taken == [true, false, false, true])
    }

    @Test("survives a pause of any length, and a clock that was read too early")
    func extremes() {
        var bucket = TokenBucket(
            TokenBucket.Rate(count: 1_000_000, period: .seconds(86_400), burst: 1_000_000), now: .zero)
        let taken = [bucket.take(now: .seconds(1)), bucket.take(now: .zero)]
        let tokens = bucket.tokens(at: .seconds(Int64.max))
        #expect(taken == [true, true])
        #expect(tokens == 1_000_000)
    }
}
