import BackstopTestSupport
import Testing

@testable import BackstopCore

/// The account against a plain model of a bucket: what is left, and when it was looked at last.
@Suite("Retry budget: account", .limited)
struct RetryBudgetAccountTests {
    private struct Bucket {
        var left: Double
        var time = 0.0
        let capacity: Double
        let refill: Double
        /// The seconds in which time adds a retry; nil for never.
        let interval: Double?
        let overflows: Bool

        mutating func wait(until now: Double) {
            let seconds = now - time
            time = now
            if left > capacity {
                left = capacity + (left - capacity) * max(0, 1 - seconds / 10)
            } else if let interval {
                left = min(capacity, left + seconds / interval)
            }
        }

        mutating func succeed() {
            left += refill
            left = overflows ? left : min(left, capacity)
        }

        mutating func take(_ cost: Double) -> Bool {
            guard left > cost - 1e-9 else {
                return false
            }
            left -= cost
            return true
        }
    }

    @Test("agrees with a model over random successes, retries and pauses", arguments: Seed.ofRun(and: [1, 2, 3]))
    func model(seed: Seed) throws {
        var numbers = seed.numbers
        var taken = 0, refused = 0, overflows = 0
        for _ in 0..<2000 {
            let seconds = [nil, 1, 30, 90, 3600][numbers.below(5)]
            let isPreset = numbers.below(5) == 0
            let budget =
                isPreset
                ? RetryBudget.awsStandard
                : try RetryBudget(
                    capacity: Double(numbers.below(9)) / 2, refill: Double(numbers.below(11)) / 10,
                    interval: seconds.map { .seconds($0) })
            var account = RetryBudget.Account()
            var now = Double(numbers.below(2_000_000) - 1_000_000)
            var bucket = Bucket(
                left: budget.capacity, time: now, capacity: budget.capacity, refill: budget.refill,
                interval: isPreset ? nil : seconds.map(Double.init), overflows: !isPreset)
            var owed: [Double] = []
            for _ in 0..<200 {
                now += Double([0, 0, 0, 1, 7, 90, 4000][numbers.below(7)])
                let time = Duration.seconds(Int(now))
                switch numbers.below(10) {
                case 0..<5:
                    bucket.wait(until: now)
                    bucket.succeed()
                    account.succeed(at: time, budget)
                case 5..<9:
                    let asked = Double(1 + numbers.below(2))
                    // Of a budget of less than two, a timeout takes all, and of less than one nothing can be had.
                    let cost = budget.capacity >= 2 ? asked : min(asked, max(1, budget.capacity))
                    bucket.wait(until: now)
                    let isTaken = account.take(asked, at: time, budget)
                    overflows += bucket.left > bucket.capacity + 1 ? 1 : 0
                    // Not on the edge, where sums in another order may differ by a rounding error.
                    guard abs(bucket.left - cost) > 1e-7 else {
                        bucket.left -= isTaken ? cost : 0
                        continue
                    }
                    try #require(isTaken == bucket.take(cost))
                    taken += isTaken ? 1 : 0
                    refused += isTaken ? 0 : 1
                    if isTaken {
                        owed.append(cost)
                    }
                default:
                    if let cost = owed.popLast() {
                        bucket.left += cost
                        bucket.left = bucket.overflows ? bucket.left : min(bucket.left, bucket.capacity)
                        account.giveBack(cost, budget)
                    }
                }
            }
        }
        // The schedules reach what they are to test.
        #expect(taken > 10_000 && refused > 10_000 && overflows > 1000)
    }

    @Test("is small, because a simulation keeps a million of them")
    func size() {
        #expect(MemoryLayout<RetryBudget.Account>.size <= 40)
    }

    @Test("knows whether an answer came after a request, in whatever order they are noted")
    func answers() {
        var account = RetryBudget.Account()
        #expect(!account.hasAnsweredAttempt(after: .zero))
        account.noteAnswer(toAttemptAt: .seconds(7))
        account.noteAnswer(toAttemptAt: .seconds(5))
        #expect(account.hasAnsweredAttempt(after: .seconds(6)))
        #expect(!account.hasAnsweredAttempt(after: .seconds(7)))
    }

    @Test("of a budget after AWS, gives 100 retries and takes back a fifth for each success, and no more than 100")
    func aws() {
        var account = RetryBudget.Account()
        (0..<50).forEach { _ in account.succeed(at: .zero, .awsStandard) }
        let retries = (0..<200).count { _ in account.take(at: .zero, .awsStandard) }
        (0..<5).forEach { _ in account.succeed(at: .zero, .awsStandard) }
        #expect(retries == 100)
        let more = [0, 0, 100_000].map { account.take(at: .seconds($0), .awsStandard) }
        #expect(more == [true, false, false])
    }

    @Test("of a budget after gRPC, stops at half of the tokens, of which every transient failure takes one")
    func grpc() {
        var account = RetryBudget.Account()
        func take() -> Bool { account.take(at: .zero, .grpc) }
        (0..<4).forEach { _ in account.fail(at: .zero, .grpc) }
        #expect(take())
        account.fail(at: .zero, .grpc)
        #expect(!take())
        account.succeed(at: .zero, .grpc)
        #expect(take())
    }

    @Test("of a budget after gRPC, has no fewer than no tokens, and gets back none for a retry that was not made")
    func grpcEmpty() {
        // given
        var account = RetryBudget.Account()
        (0..<30).forEach { _ in account.fail(at: .zero, .grpc) }
        // when
        (0..<49).forEach { _ in account.succeed(at: .zero, .grpc) }
        account.giveBack(1, .grpc)
        let few = account.take(at: .zero, .grpc)
        (0..<2).forEach { _ in account.succeed(at: .zero, .grpc) }
        let enough = account.take(at: .zero, .grpc)
        // then
        #expect(!few && enough)
    }

    @Test("loses nothing by failures that are not retried")
    func failures() {
        var account = RetryBudget.Account()
        (0..<10).forEach { _ in account.fail(at: .zero, .standard) }
        let taken = (0..<3).map { _ in account.take(at: .zero, .standard) }
        #expect(taken == [true, true, false])
    }

    @Test("is not forgotten within ten minutes after a retry, and at any time once it is full")
    func use() {
        var account = RetryBudget.Account()
        #expect(account.isFull(at: .zero))
        _ = account.take(at: .zero, .standard)
        #expect(!account.isFull(at: .seconds(599)))
        #expect(account.isFull(at: .seconds(600)))
        (0..<6).forEach { _ in account.succeed(at: .zero, .standard) }
        #expect(account.isFull(at: .zero))
    }

    @Test("is forgotten for another destination only when it is full, or when too many are in use")
    func ledger() {
        let ledger = RetryLedger()
        let long = String(repeating: "ä", count: 50_000)
        #expect(ledger.update(long + "1", at: .zero) { $0.take(2, at: .zero, .standard) })
        for number in 0..<5000 {
            ledger.update("\(number)", at: .zero) { $0.noteAnswer(toAttemptAt: .zero) }
        }
        #expect(ledger.count <= RetryLedger.limit)
        #expect(!ledger.update(long + "1", at: .zero) { $0.take(at: .zero, .standard) })
        #expect(ledger.update(long + "2", at: .zero) { $0.take(at: .zero, .standard) })
        for number in 0..<5000 {
            #expect(ledger.update("\(number)", at: .zero) { $0.take(at: .zero, .standard) })
        }
        #expect(ledger.count <= RetryLedger.limit)
    }
}
