import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopResilience

/// A clock must not go back. If one does, nothing waits longer than it could have at first.
@Suite("A clock that goes back", .limited)
struct ClockBackTests {
    private static let year = Duration.seconds(31_536_000)

    @Test("does not lengthen the break of a circuit")
    func circuit() throws {
        // given: open for 60 s
        let policy = try CircuitBreakerPolicy(
            window: .calls(2), minimumThroughput: 2, breakDuration: .seconds(60), maximumBreakDuration: .seconds(60),
            jitter: false)
        var circuit = Circuit(policy)
        for _ in 1...2 {
            guard case .admitted(let permit) = circuit.admit(now: Self.year, changes: { _ in }) else {
                Issue.record("refused")
                return
            }
            _ = circuit.settle(permit, .failure, isSlow: false, now: Self.year)
        }
        // then
        #expect(circuit.admit(now: Self.year, changes: { _ in }) == .refused(until: Self.year + .seconds(60)))
        #expect(circuit.admit(now: .seconds(5), changes: { _ in }) == .refused(until: .seconds(65)))
        #expect(circuit.admit(now: .seconds(64), changes: { _ in }) == .refused(until: .seconds(65)))
        guard case .admitted = circuit.admit(now: .seconds(65), changes: { _ in }) else {
            Issue.record("still open")
            return
        }
        // A probe that never ends keeps its place no longer than its lease, should the clock go back again.
        guard case .admitted = circuit.admit(now: .seconds(20), changes: { _ in }) else {
            Issue.record("the place of the probe is not free")
            return
        }
    }

    @Test("does not keep old calls in the window of a circuit")
    func window() throws {
        var counts = CircuitCounts(try .time(.seconds(10)))
        counts.add(isFailure: true, isSlow: false, now: Self.year)
        counts.add(isFailure: false, isSlow: false, now: Self.year - .seconds(1))
        #expect(counts.calls == 2)
        counts.add(isFailure: false, isSlow: false, now: .seconds(5))
        #expect((counts.calls, counts.failures) == (1, 0))
        counts.add(isFailure: false, isSlow: false, now: .seconds(14))
        #expect(counts.calls == 2)
        counts.add(isFailure: false, isSlow: false, now: .seconds(16))
        #expect(counts.calls == 2)
    }

    @Test("does not keep a budget of retries empty, and gives nothing to it")
    func budget() {
        // given: no retry is left
        var account = RetryBudget.Account()
        _ = (0..<2).map { _ in account.take(at: Self.year, .standard) }
        // when
        let taken = [100, 159, 160].map { account.take(at: .seconds($0), .standard) }
        // then
        #expect(taken == [false, false, true])
    }

    @Test("does not lengthen a pause that a service asks for")
    func pauseSetBack() {
        var bucket = TokenBucket(TokenBucket.Rate(count: 1, period: .seconds(1), burst: 1), now: Self.year)
        _ = bucket.pause(for: .seconds(30), now: Self.year)
        let taken = [5, 34, 35].map { bucket.take(now: .seconds($0)) }
        #expect(taken == [false, false, true])
    }

    @Test("does not keep a bucket of tokens empty")
    func tokens() {
        // given: a token each second
        var bucket = TokenBucket(TokenBucket.Rate(count: 1, period: .seconds(1), burst: 2), now: Self.year)
        let taken = (0..<3).map { _ in bucket.take(now: Self.year) }
        #expect(taken == [true, true, false])
        // when
        let atFirst = bucket.wait(for: 1, now: .seconds(5))
        let early = bucket.take(now: .milliseconds(5900))
        let inTime = bucket.take(now: .seconds(6))
        // then
        #expect(atFirst == .seconds(1))
        #expect(!early)
        #expect(inTime)
        // A call that read the clock a little before another one gives no token twice.
        let late = bucket.take(now: .milliseconds(5500))
        let again = bucket.wait(for: 1, now: .seconds(6))
        #expect(!late)
        #expect(again == .seconds(1))
    }
}
