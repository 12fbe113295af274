import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore

/// The account against a model of it that knows phases, whole tenths of retries, and no arithmetic of bytes.
@Suite("Retry budget: account")
struct RetryBudgetAccountTests {
    /// One destination, as the guide describes it, with the defaults.
    private struct Model {
        enum Phase: Equatable {
            /// Calls go out; so many timeouts in a row, the last noted then.
            case open(timeouts: Int, last: Duration)
            case silent(since: Duration, until: Duration, refused: Int, number: Int)
            /// The silence is over, and a probe is out or not.
            case probing(since: Duration, until: Duration, lease: Duration?, number: Int)
        }

        var phase = Phase.open(timeouts: 0, last: .zero)
        /// The tenths of retries that are left.
        var tenths = 20
        var lastUse = Duration.zero

        mutating func touch(_ now: Duration) {
            var from = lastUse
            switch phase {
            case .open: break
            case .silent(_, let until, _, _), .probing(_, let until, _, _): from = max(from, until)
            }
            if now - from > .seconds(600) {
                self = Model()
            }
            lastUse = now
            if case .silent(let since, let until, let refused, let number) = phase,
                now >= until || refused >= 20 && now >= since + (until - since) / 12
            {
                phase = .probing(since: since, until: until, lease: nil, number: number)
            }
        }

        mutating func admit(isPersonal: Bool, at now: Duration) -> RetryBudget.Admission {
            touch(now)
            switch phase {
            case .open: return .call
            case _ where isPersonal: return .personalProbe
            case .silent(let since, let until, let refused, let number):
                phase = .silent(since: since, until: until, refused: refused + 1, number: number)
                return .refused(until - now)
            case .probing(_, _, let lease?, _) where lease > now: return .refused(lease - now)
            case .probing(let since, let until, _, let number):
                phase = .probing(since: since, until: until, lease: now + .seconds(60), number: number)
                return .probe
            }
        }

        mutating func succeed(at now: Duration) {
            touch(now)
            tenths = min(20, tenths + 1)
            phase = .open(timeouts: 0, last: .zero)
        }

        mutating func fail(
            _ sign: RetryBudget.Sign, _ admission: RetryBudget.Admission, start: Duration, drawn: Duration,
            at now: Duration
        ) {
            touch(now)
            if admission == .probe, case .probing(let since, let until, _, let number) = phase {
                phase = .probing(since: since, until: until, lease: nil, number: number)
            }
            switch (sign, phase) {
            case (.none, _), (.timeout, .silent): break
            case (.answer, _): phase = .open(timeouts: 0, last: .zero)
            case (.timeout, .open(0, _)): phase = .open(timeouts: 1, last: now)
            case (.timeout(let limit), .open(_, let last))
            where start >= last || limit.map { now >= last + $0 / 10 } == true:
                phase = .silent(since: now, until: now + drawn, refused: 0, number: 1)
            case (.timeout, .probing(let since, _, _, let number)) where start >= since:
                phase = .silent(
                    since: now, until: now + (number >= 3 ? drawn * 2 : drawn), refused: 0, number: number + 1)
            case (.timeout, _): break
            }
        }

        mutating func takeRetry(at now: Duration) -> StopReason? {
            touch(now)
            if case .silent(_, let until, _, _) = phase {
                return .silence(until - now)
            }
            guard tenths >= 10 else {
                return .budget
            }
            tenths -= 10
            return nil
        }
    }

    private struct Running {
        var admission: RetryBudget.Admission
        var start: Duration
    }

    @Test("agrees with a model over random calls, failures and cancellations", arguments: Seed.ofRun(and: [1, 2, 3]))
    func model(seed: Seed) throws {
        var numbers = seed.numbers
        var refused = 0, probes = 0, budgetStops = 0, longSilences = 0
        for _ in 0..<2000 {
            var account = RetryBudget.Account()
            var model = Model()
            var now = Duration.seconds(numbers.below(1000))
            var running: [Running] = []
            // Some services are dead, some busy, some slow.
            let deadness = numbers.below(100)
            for _ in 0..<120 {
                now += .milliseconds(numbers.below(4) == 0 ? numbers.below(120_000) : numbers.below(3000))
                if numbers.below(400) == 0 {
                    now += .seconds(700)
                }
                switch numbers.below(10) {
                case 0..<5:
                    let isPersonal = numbers.below(8) == 0
                    let admission = account.admit(isPersonal: isPersonal, at: now)
                    try #require(admission == model.admit(isPersonal: isPersonal, at: now))
                    if case .refused(let rest) = admission {
                        refused += 1
                        longSilences += rest > .seconds(70) ? 1 : 0
                        try #require(rest > .zero && rest <= .seconds(140))
                    } else {
                        probes += admission == .probe ? 1 : 0
                        running.append(Running(admission: admission, start: now))
                    }
                case 5..<9 where !running.isEmpty:
                    let ended = running.remove(at: numbers.below(running.count))
                    guard numbers.below(100) < deadness else {
                        account.succeed(at: now, .standard)
                        model.succeed(at: now)
                        break
                    }
                    let signs: [RetryBudget.Sign] = [
                        .timeout(limit: .seconds(5)), .timeout(limit: nil), .none, .answer,
                    ]
                    let sign = signs[numbers.below(numbers.below(4) == 0 ? 4 : 2)]
                    let eighth = numbers.below(8)
                    account.fail(
                        sign, admitted: ended.admission, start: ended.start, isTransient: true, at: now, .standard,
                        unit: Double(eighth) / 8)
                    model.fail(
                        sign, ended.admission, start: ended.start,
                        drawn: .milliseconds(40_000 + eighth * 30_000 / 8), at: now)
                default:
                    let stop = account.takeRetry(at: now, .standard)
                    try #require(stop == model.takeRetry(at: now))
                    budgetStops += stop == .budget ? 1 : 0
                    if stop == nil, numbers.below(4) == 0 {
                        account.giveBackRetry(.standard)
                        model.tenths += 10
                    }
                }
            }
            // Whatever happened, a few successes bring it back to rest.
            for _ in 0..<20 {
                account.succeed(at: now, .standard)
            }
            try #require(account.isAtRest && account.admit(isPersonal: false, at: now) == .call)
        }
        // The schedules reach what they are to test.
        #expect(refused > 1000 && probes > 100 && budgetStops > 1000 && longSilences > 20)
    }

    @Test("is small, because a simulation keeps a million of them")
    func size() {
        #expect(MemoryLayout<RetryBudget.Account>.size <= 96)
    }

    @Test("of a budget after AWS, gives 100 retries and takes back a fifth for each success")
    func aws() {
        var account = RetryBudget.Account()
        let retries = (0..<200).count { _ in account.takeRetry(at: .zero, .awsStandard) == nil }
        (0..<5).forEach { _ in account.succeed(at: .zero, .awsStandard) }
        #expect(retries == 100)
        #expect(account.takeRetry(at: .zero, .awsStandard) == nil)
        #expect(account.takeRetry(at: .zero, .awsStandard) == .budget)
    }

    @Test("of a budget after gRPC, stops at half of the tokens, of which every transient failure takes one")
    func grpc() {
        var account = RetryBudget.Account()
        func fail(isTransient: Bool = true) {
            account.fail(
                .none, admitted: .call, start: .zero, isTransient: isTransient, at: .zero, .grpc,
                unit: 0)
        }
        (0..<20).forEach { _ in fail(isTransient: false) }
        (0..<4).forEach { _ in fail() }
        #expect(account.takeRetry(at: .zero, .grpc) == nil)
        fail()
        #expect(account.takeRetry(at: .zero, .grpc) == .budget)
        account.succeed(at: .zero, .grpc)
        #expect(account.takeRetry(at: .zero, .grpc) == nil)
    }
}
