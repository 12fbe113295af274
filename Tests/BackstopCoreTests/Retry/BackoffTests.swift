import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A backoff", .limited)
struct BackoffTests {
    @Test(
        "doubles its bound with every failed attempt, up to the cap",
        arguments: [
            (1, 500), (2, 1000), (3, 2000), (4, 4000), (5, 8000), (6, 16_000), (7, 20_000), (8, 20_000), (100, 20_000),
            (0, 500), (-3, 500),
        ])
    func bounds(failed: Int, milliseconds: Int) {
        #expect(Backoff.standard.bound(failedAttempts: failed) == .milliseconds(milliseconds))
    }

    @Test("has a bound for any number of attempts", arguments: [1001, 100_000, Int.max, Int.min])
    func manyAttempts(failed: Int) throws {
        let bound = Backoff.standard.bound(failedAttempts: failed)
        #expect(bound == (failed > 0 ? .seconds(20) : .milliseconds(500)))
        let wait = Backoff.standard.wait(failedAttempts: failed, random: SystemRandom())
        #expect(wait >= .zero)
        #expect(wait < bound)
    }

    @Test("has a bound for any duration", arguments: [1, 2, 63, 64, 1000, Int.max])
    func longDurations(failed: Int) throws {
        // given
        let longest = Duration.seconds(Int64.max)
        let backoffs = try [
            Backoff(baseDelay: longest, maximumDelay: longest),
            Backoff(baseDelay: .nanoseconds(1), maximumDelay: longest),
            Backoff(baseDelay: longest / 2, maximumDelay: longest, jitter: .none),
        ]
        for backoff in backoffs {
            // then
            #expect(backoff.bound(failedAttempts: failed) <= longest)
            #expect(backoff.bound(failedAttempts: failed) > .zero)
            #expect(backoff.wait(failedAttempts: failed, random: FixedRandom(units: 1)) <= longest)
        }
    }

    @Test(
        "draws its wait evenly below the bound, after the cap was applied",
        arguments: [(1, 0.0, 0), (1, 0.5, 250), (2, 0.5, 500), (3, 0.25, 500), (10, 0.5, 10_000), (10, 0.75, 15_000)])
    func jitter(failed: Int, unit: Double, milliseconds: Int) {
        #expect(
            Backoff.standard.wait(failedAttempts: failed, random: FixedRandom(units: unit))
                == .milliseconds(milliseconds))
    }

    @Test("never draws its bound itself, even with the greatest random number", arguments: 1...12)
    func belowTheBound(failed: Int) throws {
        for base in [Duration.milliseconds(100), .milliseconds(333), .milliseconds(500), .seconds(3)] {
            let backoff = try Backoff(baseDelay: base)
            let wait = backoff.wait(failedAttempts: failed, random: FixedRandom(units: 1))
            #expect(wait < backoff.bound(failedAttempts: failed))
        }
    }

    @Test("has waits below the bound that are spread evenly, and none at the cap", arguments: Seed.ofRun)
    func distribution(seed: Seed) {
        // given: the eighth attempt, where a library that clamps after drawing gives the cap nine times of ten
        let random = SeededRandom(seed: seed.number)
        let cap = Duration.seconds(20)
        // when
        let waits = (0..<10_000).map { _ in Backoff.standard.wait(failedAttempts: 8, random: random) }
        // then
        #expect(waits.allSatisfy { $0 >= .zero && $0 < cap })
        #expect(!waits.contains(cap))
        var tenths = Array(repeating: 0, count: 10)
        for wait in waits {
            tenths[Int(wait.seconds / 2)] += 1
        }
        // 1,000 expected in each, with a deviation of 30.
        #expect(tenths.allSatisfy { (800...1200).contains($0) }, "\(tenths)")
    }

    @Test("waits as long as its bound when it has no jitter")
    func noJitter() throws {
        // given
        let backoff = try Backoff(baseDelay: .milliseconds(300), maximumDelay: .seconds(1), jitter: .none)
        // then
        #expect(
            (1...4).map { backoff.wait(failedAttempts: $0, random: SystemRandom()) }
                == [.milliseconds(300), .milliseconds(600), .seconds(1), .seconds(1)])
    }

    @Test("of none does not wait")
    func none() {
        #expect(Backoff.none.wait(failedAttempts: 5, random: SystemRandom()) == .zero)
    }

    @Test("has the standard settings that are documented")
    func standard() {
        #expect(Backoff.standard.baseDelay == .milliseconds(500))
        #expect(Backoff.standard.maximumDelay == .seconds(20))
        #expect(Backoff.standard.growth == .exponential)
        #expect(Backoff.standard.jitter == .full)
    }

    @Test(
        "cannot be made of settings without sense",
        arguments: [
            (.seconds(-1), .seconds(1), "Backoff.baseDelay"),
            (.milliseconds(-1), .milliseconds(-1), "Backoff.baseDelay"),
            (.seconds(2), .seconds(1), "Backoff.maximumDelay"), (.zero, .seconds(-1), "Backoff.maximumDelay"),
        ] as [(Duration, Duration, String)])
    func invalid(base: Duration, cap: Duration, setting: String) throws {
        // when
        let error = try #require(throws: ConfigurationError.self) {
            _ = try Backoff(baseDelay: base, maximumDelay: cap)
        }
        // then
        #expect(error.setting == setting)
        #expect(!error.problem.isEmpty)
        #expect(error.description == "\(error.setting) \(error.problem). \(error.fix)")
    }

    @Test("can be made of the least settings with sense")
    func least() throws {
        #expect(try Backoff(baseDelay: .zero, maximumDelay: .zero).bound(failedAttempts: 9) == .zero)
        #expect(try Backoff(baseDelay: .seconds(1), maximumDelay: .seconds(1)).bound(failedAttempts: 9) == .seconds(1))
    }

    @Test(
        "grows by its factor",
        arguments: [(1.0, [100, 100, 100, 100]), (1.5, [100, 150, 225, 338]), (10.0, [100, 1000, 5000, 5000])])
    func factor(factor: Double, milliseconds: [Int]) throws {
        // given
        let backoff = try Backoff(
            baseDelay: .milliseconds(100), maximumDelay: .seconds(5), growth: .exponential(factor: factor),
            jitter: .none)
        // then
        let bounds = (1...4).map { backoff.bound(failedAttempts: $0).milliseconds.rounded() }
        #expect(bounds == milliseconds.map(Double.init))
    }

    @Test("cannot shrink, stand for no number, or grow beyond measure", arguments: [0.99, 10.01, -2, .nan, .infinity])
    func invalidFactor(factor: Double) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Backoff(baseDelay: .zero, growth: .exponential(factor: factor))
        }
        #expect(error.setting == "Backoff.growth")
    }

    @Test(
        "cannot be around its bound by less than nothing or more than all", arguments: [-0.01, 1.01, .nan, .infinity])
    func invalidShare(share: Double) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Backoff(baseDelay: .zero, jitter: .around(share))
        }
        #expect(error.setting == "Backoff.jitter")
    }
}
