import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore

@Suite("A retry after the loss of a connection that many calls shared", .limited)
struct RetryLedgerTests {
    private let ledger = RetryLedger()

    /// The share of a random wait that is drawn is half.
    private static func wait(
        _ seconds: Int, _ jitter: Backoff.Jitter = .full, growth: Backoff.Growth = .constant, unit: Double = 0.5
    ) throws -> RetryWait {
        let backoff = try Backoff(
            baseDelay: .seconds(seconds), maximumDelay: .seconds(3 * seconds), growth: growth, jitter: jitter)
        return RetryWait(backoff, failedAttempts: 1, random: FixedRandom(units: unit))
    }

    /// Takes one from a budget of a single retry.
    private func take(
        _ cost: Double = 1, for connection: UInt64? = 7, at milliseconds: Int = 0, before wait: RetryWait,
        within rest: Duration? = nil
    ) throws -> Duration? {
        ledger.take(
            cost, for: connection, from: "a", at: .milliseconds(milliseconds), before: wait, within: rest,
            try RetryBudget(capacity: 1, refill: 0, interval: nil))
    }

    @Test("is paid for once, and made at one moment, or at once by who comes a little later")
    func once() throws {
        #expect(try take(at: 0, before: Self.wait(6)) == .seconds(3))
        #expect(try take(at: 1000, before: Self.wait(20)) == .seconds(2))
        #expect(try take(at: 3250, before: Self.wait(20)) == .zero)
        #expect(try take(at: 3251, before: Self.wait(20)) == .seconds(10))
        #expect(try take(at: 4251, before: Self.wait(20, unit: 0.9)) == .seconds(9))
        #expect(try take(for: 8, before: Self.wait(6)) == nil)
        #expect(try take(for: nil, before: Self.wait(6)) == nil)
    }

    @Test("is not made with the others before what a server demands, counted from the reset of a rate limit")
    func demanded() throws {
        #expect(try take(before: Self.wait(6)) == .seconds(3))
        #expect(try take(before: Self.wait(20).atLeast(.seconds(4)).added(to: .seconds(1))) == .seconds(11))
    }

    @Test("is free for a call that has led further, which shares the moment")
    func free() throws {
        #expect(try take(0, before: Self.wait(6)) == .seconds(3))
        #expect(try take(1, before: Self.wait(20)) == .seconds(3))
        #expect(try take(1, for: 8, before: Self.wait(6)) == nil)
        #expect(try take(0, for: 8, before: Self.wait(6)) == .seconds(3))
    }

    @Test(
        "is made with the others only when the call's own policy could have chosen that",
        arguments: [
            (3, .none, .constant, 200, 2800), (3, .none, .constant, 2500, 500),  // it knows of the loss later
            (12, .none, .constant, 0, 12_000),
            (2, .full, .constant, 0, 1000),  // it never waits that long
            (3, .full, .constant, 0, 3000), (6, .equal, .constant, 0, 3000), (7, .equal, .constant, 0, 5250),
            (4, .around(0.5), .constant, 0, 3000), (5, .around(0.1), .constant, 0, 5000),
            (4, .around(0.2), .constant, 0, 4000),  // it waits 3.2 s at least
            (4, .full, .decorrelated, 0, 8000),  // it never waits less than the base delay
        ] as [(base: Int, jitter: Backoff.Jitter, growth: Backoff.Growth, at: Int, wait: Int)])
    func policies(base: Int, jitter: Backoff.Jitter, growth: Backoff.Growth, at time: Int, wait: Int) throws {
        #expect(try take(before: Self.wait(6)) == .seconds(3))
        #expect(try take(at: time, before: Self.wait(base, jitter, growth: growth)) == .milliseconds(wait))
    }

    @Test("is made at the earliest moment that a call has chosen, by those that may, whoever came first")
    func earliest() throws {
        for _ in 1...2 {
            #expect(try take(before: Self.wait(12, .none)) == .seconds(12))
            #expect(try take(before: Self.wait(2)) == .seconds(1))
            #expect(try take(before: Self.wait(2, unit: 0.9)) == .seconds(1))
        }
    }

    @Test("counts from the call that has chosen its moment")
    func chosenLater() throws {
        #expect(try take(before: Self.wait(12, .none)) == .seconds(12))
        #expect(try take(at: 1000, before: Self.wait(2, .none)) == .seconds(2))
        #expect(try take(at: 1900, before: Self.wait(2, .none)) == .milliseconds(1100))
    }

    @Test("is never made before the time that the server demands of the call", arguments: [(1, 3), (3, 3), (8, 5)])
    func demanded(drawn: Int, waited: Int) throws {
        #expect(try take(before: Self.wait(drawn == 8 ? 10 : 2)) == .seconds(drawn == 8 ? 5 : 1))
        #expect(try take(before: Self.wait(drawn * 2).atLeast(.seconds(3))) == .seconds(waited))
    }

    @Test("follows the others no earlier than the server demands, if that is only a little later")
    func demandedSoon() throws {
        #expect(try take(before: Self.wait(2)) == .seconds(1))
        #expect(try take(before: Self.wait(20).atLeast(.milliseconds(1200))) == .milliseconds(1200))
    }

    @Test("waits for the others only within the call's own time", arguments: [(8, 2), (2, 4)])
    func withinTime(rest: Int, expected: Int) throws {
        #expect(try take(before: Self.wait(4)) == .seconds(2))
        #expect(try take(before: Self.wait(8), within: .seconds(rest)) == .seconds(expected))
    }
}
