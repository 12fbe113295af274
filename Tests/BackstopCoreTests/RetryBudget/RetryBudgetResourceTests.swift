import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore

/// What the account knows of several resources of one destination, against a model of it with words for its phases.
@Suite("Retry budget: resources")
struct RetryBudgetResourceTests {
    /// Without the bucket, and with calls that end before the next begins: one is under way at a time.
    private struct Model {
        enum Phase: Equatable {
            case calm
            /// One timeout, of a resource.
            case once(Int)
            /// Silent for one resource; whether the others answer.
            case partly(Int, free: Bool, until: Duration)
            case wholly(until: Duration)
        }

        var phase = Phase.calm
        /// The silences in a row; those after the third last twice as long.
        var number = 0

        /// Whether a call goes out, and as what.
        func admits(_ resource: Int, at now: Duration) -> RetryBudget.Admission {
            switch phase {
            case .calm, .once: .call
            case .partly(let silent, let free, _) where resource != silent: free ? .call : .scout
            case .partly(_, _, let until), .wholly(let until): now < until ? .refused(until - now) : .probe
            }
        }

        mutating func answer(_ resource: Int) {
            if case .partly(let silent, _, let until) = phase, silent != resource {
                phase = .partly(silent, free: true, until: until)
            } else {
                phase = .calm
                number = 0
            }
        }

        mutating func timeout(_ resource: Int, at now: Duration) {
            switch phase {
            case .calm:
                phase = .once(resource)
            case .once(let first):
                number += 1
                phase = first == resource ? .partly(resource, free: false, until: end(now)) : .wholly(until: end(now))
            case .partly(let silent, free: true, let until) where silent != resource:
                phase = .partly(silent, free: false, until: until)
            case .partly(let silent, free: false, _) where silent != resource:
                phase = .wholly(until: end(now))
            case .partly(let silent, let free, _):
                number += 1
                phase = .partly(silent, free: free, until: end(now))
            case .wholly:
                number += 1
                phase = .wholly(until: end(now))
            }
        }

        private func end(_ now: Duration) -> Duration {
            now + .seconds(number > 3 ? 110 : 55)
        }
    }

    @Test("agree with a model over random calls", arguments: Seed.ofRun(and: [1, 2, 3]))
    func model(seed: Seed) throws {
        var numbers = seed.numbers
        var scouts = 0, free = 0, refused = 0, probes = 0
        for _ in 0..<2000 {
            var account = RetryBudget.Account()
            var model = Model()
            var now = Duration.seconds(1)
            let deadness = (0..<3).map { _ in numbers.below(101) }
            for _ in 0..<40 {
                // Too few calls in a silence for those of a busy client.
                now += .seconds(numbers.below(4) == 0 ? 60 : 6)
                let resource = numbers.below(3)
                let admission = account.admit(resource, isPersonal: false, at: now)
                try #require(admission == model.admits(resource, at: now))
                guard case .refused = admission else {
                    scouts += admission == .scout ? 1 : 0
                    probes += admission == .probe ? 1 : 0
                    if case .partly = model.phase, admission == .call {
                        free += 1
                    }
                    let start = now
                    now += .seconds(4)
                    if numbers.below(100) < deadness[resource] {
                        account.fail(
                            .timeout(limit: .seconds(4)), of: resource, admitted: admission, start: start,
                            isTransient: true, at: now, .standard, unit: 0.5)
                        model.timeout(resource, at: now)
                    } else if numbers.below(8) == 0 {
                        account.fail(
                            .none, of: resource, admitted: admission, start: start, isTransient: true, at: now,
                            .standard,
                            unit: 0.5)
                    } else {
                        account.succeed(resource, at: now, .standard)
                        model.answer(resource)
                    }
                    continue
                }
                refused += 1
            }
            // Whatever happened, an answer to each brings it back to rest.
            (0..<3).forEach { account.succeed($0, at: now, .standard) }
            try #require(account.isAtRest)
        }
        #expect(scouts > 500 && free > 500 && refused > 500 && probes > 500)
    }

    @Test("of which one is silent get one call at a time until one was answered, and a place that is given back")
    func oneAtATime() {
        var account = Self.silent(1)
        #expect(account.admit(2, isPersonal: false, at: .seconds(11)) == .scout)
        #expect(account.admit(3, isPersonal: false, at: .seconds(12)) == .refused(.seconds(59)))
        account.release(.scout)
        #expect(account.admit(3, isPersonal: false, at: .seconds(13)) == .scout)
        account.succeed(3, at: .seconds(14), .standard)
        #expect(account.admit(2, isPersonal: false, at: .seconds(15)) == .call)
        #expect(account.admit(2, isPersonal: false, at: .seconds(15)) == .call)
        #expect(account.admit(1, isPersonal: false, at: .seconds(15)) == .refused(.seconds(50)))
    }

    @Test("that time out at the same time are a sign for the whole destination")
    func together() {
        var account = RetryBudget.Account()
        for (resource, start, end) in [(1, 0, 4), (2, 0, 4), (1, 5, 9)] {
            account.fail(
                .timeout(limit: .seconds(4)), of: resource, admitted: .call, start: .seconds(start), isTransient: true,
                at: .seconds(end), .standard, unit: 0.5)
        }
        #expect(account.admit(3, isPersonal: false, at: .seconds(10)) == .refused(.seconds(54)))
    }

    @Test("that are not silent may be retried, and copied once others were answered")
    func retries() {
        var account = Self.silent(1)
        #expect(account.takeRetry(1, at: .seconds(11), .standard) == .silence(.seconds(54)))
        #expect(account.takeRetry(2, at: .seconds(11), .standard) == nil)
        #expect(account.takeCopy(2, at: .seconds(11), .standard) == .silence(.zero))
        account.answer(2, at: .seconds(12))
        #expect(account.takeCopy(2, at: .seconds(13), .standard) == nil)
    }

    /// Two timeouts of a resource, the last at 10 s: silent until 65 s.
    private static func silent(_ resource: Int) -> RetryBudget.Account {
        var account = RetryBudget.Account()
        for end in [4, 10] {
            account.fail(
                .timeout(limit: .seconds(4)), of: resource, admitted: .call, start: .seconds(end - 4),
                isTransient: true, at: .seconds(end), .standard, unit: 0.5)
        }
        return account
    }
}
