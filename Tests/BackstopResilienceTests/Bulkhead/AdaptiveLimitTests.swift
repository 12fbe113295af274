import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A limit that adapts", .limited)
struct AdaptiveLimitTests {
    private var limit = AdaptiveLimit(minimum: 10)

    @discardableResult
    private mutating func count(
        _ outcome: CircuitOutcome, times: Int = 1, running: Int = 1000, at seconds: Int = 0, of round: UInt64? = nil
    ) -> Int {
        for _ in 0..<times {
            _ = limit.count(outcome, of: round ?? limit.round, running: running, now: .seconds(seconds))
        }
        return limit.current
    }

    @Test(
        "is none until nine tenths of ten results or more, and of the last hundred, are failures",
        arguments: [
            (0, 9, false), (0, 10, true), (1, 8, false), (1, 9, true), (10, 89, false), (10, 90, true),
            (100, 89, false), (100, 90, true),
        ])
    mutating func sign(successes: Int, failures: Int, isCut: Bool) {
        count(.success, times: successes)
        #expect((count(.failure, times: failures) < AdaptiveLimit.highest) == isCut)
    }

    @Test("is not cut by what says nothing about the service")
    mutating func ignored() {
        #expect(count(.ignored, times: 1000) == AdaptiveLimit.highest)
    }

    @Test("is half of the calls that run, half again if those fail that began after that, and never below its minimum")
    mutating func halves() {
        #expect(count(.failure, times: 10, running: 100) == 50)
        // Those that began before.
        #expect(count(.failure, times: 90, running: 100, of: 0) == 50)
        #expect(count(.failure, times: 10, running: 50) == 25)
        // Fewer run than may.
        #expect(count(.failure, times: 10, running: 23) == 11)
        #expect(count(.failure, times: 10, running: 11) == 10)
        #expect(count(.failure, times: 100, running: 1) == 10)
    }

    @Test("is back at half of what was too much with the first success, and grows by one with as many as it has places")
    mutating func grows() {
        count(.failure, times: 10, running: 60)
        count(.failure, times: 10, running: 30)
        #expect(limit.current == 15)
        // After failures without a success between them, the first cut says what was too much.
        #expect(count(.success) == 30)
        #expect(count(.success, times: 29) == 30)
        #expect(count(.success) == 31)
        // One that is not used does not grow.
        #expect(count(.success, times: 1000, running: 14) == 31)
        #expect(count(.success, times: 31, running: 15) == 32)
    }

    @Test("is gone a minute after the last sign, and later where trouble is back at once, up to ten minutes")
    mutating func ends() {
        var now = 0
        for lifetime in [60, 120, 240, 480, 600, 600] {
            count(.failure, times: 10, at: now)
            limit.renew(at: .seconds(now + lifetime - 1))
            #expect(limit.current == 500)
            // Successes do not shorten it.
            count(.success, running: 1, at: now + 1)
            now += lifetime
            limit.renew(at: .seconds(now))
            #expect(limit.current == AdaptiveLimit.highest)
        }
        // Trouble that comes after as long a peace is new.
        now += 600
        count(.failure, times: 10, at: now)
        limit.renew(at: .seconds(now + 60))
        #expect(limit.current == AdaptiveLimit.highest)
    }

    @Test("limits nothing where a part of the calls succeeds, whatever their order", arguments: Seed.ofRun(and: [1]))
    mutating func partly(seed: Seed) {
        var random = seed.numbers
        // Half of them: nine of ten is as good as impossible, but for the first ten.
        count(.success, times: 20)
        for _ in 0..<20_000 {
            let outcome: CircuitOutcome = random.below(2) == 0 ? .failure : .success
            #expect(count(outcome, running: random.below(5000)) == AdaptiveLimit.highest)
        }
    }

    @Test("is forgotten by the next result, when its time is over")
    mutating func late() {
        count(.failure, times: 10)
        #expect(count(.failure, at: 60) == AdaptiveLimit.highest)
    }

    @Test("stays in its bounds, whatever comes", arguments: Seed.ofRun(and: [1]))
    func bounds(seed: Seed) {
        var random = seed.numbers
        for _ in 0..<200 {
            let minimum = 1 + random.below(50)
            var limit = AdaptiveLimit(minimum: minimum)
            var (now, luck) = (0, 1)
            for _ in 0..<2000 {
                luck = random.below(100) == 0 ? 1 + random.below(40) : luck
                now += random.below(20) == 0 ? random.below(70) : 0
                limit.renew(at: .seconds(now))
                let before = limit
                let outcome: CircuitOutcome = random.below(luck) == 0 ? .success : .failure
                let round = limit.round - UInt64(limit.round > 0 && random.below(4) == 0 ? 1 : 0)
                let cause = limit.count(outcome, of: round, running: random.below(200), now: .seconds(now))
                #expect((minimum...AdaptiveLimit.highest).contains(limit.current))
                #expect((cause != nil) == (limit.round > before.round))
                if cause != nil {
                    #expect(limit.current <= max(minimum, before.current / 2) && outcome == .failure)
                } else {
                    #expect(limit.current == before.current || outcome == .success && limit.current > before.current)
                }
            }
        }
    }
}
