import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The shape of a backoff", .limited)
struct BackoffShapesTests {
    /// Waits from 0.1 s, 1 s at most.
    private static func backoff(_ growth: Backoff.Growth, _ jitter: Backoff.Jitter = .full) throws -> Backoff {
        try Backoff(baseDelay: .milliseconds(100), maximumDelay: .seconds(1), growth: growth, jitter: jitter)
    }

    @Test(
        "gives each wait its bound, up to the maximum",
        arguments: [
            (.constant, [100, 100, 100, 100, 100, 100]), (.linear, [100, 200, 300, 400, 500, 600]),
            (.exponential, [100, 200, 400, 800, 1000, 1000]),
            (.exponential(factor: 1), [100, 100, 100, 100, 100, 100]),
            (.exponential(factor: 3), [100, 300, 900, 1000, 1000, 1000]),
            (.decorrelated, [300, 900, 1000, 1000, 1000, 1000]),
        ] as [(Backoff.Growth, [Int])])
    func bounds(growth: Backoff.Growth, milliseconds: [Int]) throws {
        let backoff = try Self.backoff(growth)
        #expect((1...6).map { backoff.bound(failedAttempts: $0) } == milliseconds.map { .milliseconds($0) })
    }

    @Test("never passes the maximum, whatever the number of attempts", arguments: [10, 11, 1001, Int.max])
    func manyAttempts(failed: Int) throws {
        for growth: Backoff.Growth in [.linear, .exponential, .decorrelated] {
            #expect(try Self.backoff(growth).bound(failedAttempts: failed) == .seconds(1))
        }
        #expect(try Self.backoff(.constant).bound(failedAttempts: failed) == .milliseconds(100))
    }

    @Test("begins with the first bound where there was no attempt", arguments: [0, -1, Int.min])
    func fewAttempts(failed: Int) throws {
        for growth: Backoff.Growth in [.constant, .linear, .exponential] {
            #expect(try Self.backoff(growth).bound(failedAttempts: failed) == .milliseconds(100))
        }
    }

    @Test(
        "depends on the wait before, if it is decorrelated",
        arguments: [(100, 300), (150, 450), (333, 999), (334, 1000), (60_000, 1000), (50, 300), (0, 300)])
    func decorrelated(previous: Int, milliseconds: Int) throws {
        for failed in [1, 2, 9] {
            let bound = try Self.backoff(.decorrelated).bound(failedAttempts: failed, after: .milliseconds(previous))
            #expect(bound == .milliseconds(milliseconds))
        }
    }

    @Test("does not depend on the wait before in any other case")
    func independent() throws {
        for growth: Backoff.Growth in [.constant, .linear, .exponential] {
            let backoff = try Self.backoff(growth)
            #expect(backoff.bound(failedAttempts: 3, after: .seconds(60)) == backoff.bound(failedAttempts: 3))
        }
    }

    /// A draw, and the wait in milliseconds that it gives.
    struct Draw: Sendable, CustomTestStringConvertible {
        let growth: Backoff.Growth
        let jitter: Backoff.Jitter
        let failed: Int
        var previous: Int?
        let unit: Double
        let milliseconds: Int

        var testDescription: String { "\(growth), \(jitter), attempt \(failed), \(unit)" }
    }

    private static let table: [Draw] = [
        // Below the maximum: the bound is 200 ms.
        Draw(growth: .exponential, jitter: .full, failed: 2, unit: 0, milliseconds: 0),
        Draw(growth: .exponential, jitter: .full, failed: 2, unit: 0.5, milliseconds: 100),
        Draw(growth: .linear, jitter: .full, failed: 2, unit: 0.75, milliseconds: 150),
        Draw(growth: .constant, jitter: .full, failed: 2, unit: 0.75, milliseconds: 75),
        Draw(growth: .exponential, jitter: .equal, failed: 2, unit: 0, milliseconds: 100),
        Draw(growth: .exponential, jitter: .equal, failed: 2, unit: 0.5, milliseconds: 150),
        Draw(growth: .exponential, jitter: .around(0.25), failed: 2, unit: 0, milliseconds: 150),
        Draw(growth: .exponential, jitter: .around(0.25), failed: 2, unit: 0.5, milliseconds: 200),
        Draw(growth: .exponential, jitter: .around(0.25), failed: 2, unit: 0.75, milliseconds: 225),
        Draw(growth: .exponential, jitter: .none, failed: 2, unit: 0.1, milliseconds: 200),
        // At the maximum of 1 s: the same shares of it, so the random number was drawn afterwards.
        Draw(growth: .exponential, jitter: .full, failed: 40, unit: 0.5, milliseconds: 500),
        Draw(growth: .linear, jitter: .full, failed: 40, unit: 0.25, milliseconds: 250),
        Draw(growth: .exponential, jitter: .equal, failed: 40, unit: 0, milliseconds: 500),
        Draw(growth: .exponential, jitter: .equal, failed: 40, unit: 0.5, milliseconds: 750),
        Draw(growth: .exponential, jitter: .around(0.25), failed: 40, unit: 0, milliseconds: 750),
        Draw(growth: .exponential, jitter: .around(0.25), failed: 40, unit: 0.75, milliseconds: 1125),
        Draw(growth: .exponential, jitter: .none, failed: 40, unit: 0.1, milliseconds: 1000),
        // Decorrelated: from 100 ms to 600 ms after a wait of 200 ms, to 1 s after one of 900 ms.
        Draw(growth: .decorrelated, jitter: .full, failed: 2, previous: 200, unit: 0, milliseconds: 100),
        Draw(growth: .decorrelated, jitter: .full, failed: 2, previous: 200, unit: 0.5, milliseconds: 350),
        Draw(growth: .decorrelated, jitter: .full, failed: 2, previous: 900, unit: 0.5, milliseconds: 550),
        Draw(growth: .decorrelated, jitter: .equal, failed: 2, previous: 200, unit: 0, milliseconds: 350),
        Draw(growth: .decorrelated, jitter: .equal, failed: 2, previous: 200, unit: 0.5, milliseconds: 475),
        Draw(growth: .decorrelated, jitter: .none, failed: 2, previous: 200, unit: 0.1, milliseconds: 600),
        Draw(growth: .decorrelated, jitter: .full, failed: 1, unit: 0.5, milliseconds: 200),
    ]

    @Test("draws its waits from the range of its jitter, after the maximum was applied", arguments: table)
    func draws(draw: Draw) throws {
        let wait = try Self.backoff(draw.growth, draw.jitter).wait(
            failedAttempts: draw.failed, after: draw.previous.map { .milliseconds($0) },
            random: FixedRandom(units: draw.unit))
        #expect(wait == .milliseconds(draw.milliseconds))
    }

    /// How often waits fall into each tenth of a range.
    private func tenths(_ waits: [Duration], from low: Double, to high: Double) -> [Int] {
        waits.reduce(into: Array(repeating: 0, count: 10)) { tenths, wait in
            let share = (wait.milliseconds - low) / (high - low)
            if share >= 0, share < 1 {
                tenths[Int(share * 10)] += 1
            }
        }
    }

    private static let ranges: [(Backoff.Growth, Backoff.Jitter, Int, Double, Double)] = [
        (.constant, .full, 9, 0, 100), (.linear, .full, 4, 0, 400), (.exponential, .full, 3, 0, 400),
        (.exponential, .full, 30, 0, 1000), (.constant, .equal, 9, 50, 100), (.linear, .equal, 30, 500, 1000),
        (.exponential, .equal, 3, 200, 400), (.constant, .around(0.2), 9, 80, 120),
        (.linear, .around(0.2), 4, 320, 480), (.exponential, .around(0.2), 30, 800, 1200),
    ]

    @Test("spreads its waits evenly over the range of its jitter", arguments: Seed.ofRun)
    func distribution(seed: Seed) throws {
        for (growth, jitter, failed, low, high) in Self.ranges {
            // given
            let random = SeededRandom(seed: seed.number)
            let backoff = try Self.backoff(growth, jitter)
            // when
            let waits = (0..<10_000).map { _ in backoff.wait(failedAttempts: failed, random: random) }
            // then: 1,000 expected in each, with a deviation of 30
            let tenths = tenths(waits, from: low, to: high)
            #expect(tenths.reduce(0, +) == 10_000, "\(growth), \(jitter)")
            #expect(tenths.allSatisfy { (800...1200).contains($0) }, "\(growth), \(jitter): \(tenths)")
        }
    }

    @Test("spreads decorrelated waits evenly from the base to three times the wait before", arguments: Seed.ofRun)
    func decorrelatedDistribution(seed: Seed) throws {
        // given
        let random = SeededRandom(seed: seed.number)
        let backoff = try Self.backoff(.decorrelated)
        // when
        var previous: Duration?
        var shares: [Duration] = []
        for failed in 1...10_000 {
            let wait = backoff.wait(failedAttempts: failed, after: previous, random: random)
            let high = min(1000, 3 * (previous?.milliseconds ?? 100))
            shares.append(.milliseconds(Int((wait.milliseconds - 100) / (high - 100) * 1_000_000)))
            previous = wait
        }
        // then
        let tenths = tenths(shares, from: 0, to: 1_000_000)
        #expect(tenths.reduce(0, +) == 10_000)
        #expect(tenths.allSatisfy { (800...1200).contains($0) }, "\(tenths)")
    }

    @Test("has a wait for any duration", arguments: [1, 2, 63, 1000, Int.max])
    func longDurations(failed: Int) throws {
        let longest = Duration.seconds(Int64.max)
        for growth: Backoff.Growth in [.constant, .linear, .exponential, .decorrelated] {
            for jitter: Backoff.Jitter in [.full, .equal, .around(1), .none] {
                for base in [Duration.nanoseconds(1), longest / 2, longest] {
                    let backoff = try Backoff(baseDelay: base, maximumDelay: longest, growth: growth, jitter: jitter)
                    let wait = backoff.wait(failedAttempts: failed, after: longest, random: FixedRandom(units: 1))
                    #expect(wait >= .zero && wait <= longest, "\(growth), \(jitter), \(base)")
                }
            }
        }
    }

    @Test("is named in a text")
    func description() {
        let growths: [Backoff.Growth] = [.constant, .linear, .exponential, .exponential(factor: 1.5), .decorrelated]
        #expect(
            growths.map(\.description)
                == ["constant", "linear", "exponential(2.0)", "exponential(1.5)", "decorrelated"])
        #expect(Backoff.Growth.exponential == .exponential(factor: 2))
    }
}
