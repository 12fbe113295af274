import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

/// Random schedules of copies, answers and cancellations, against a model that knows no tasks.
@Suite("Random hedging", .limited)
struct HedgingModelTests {
    /// What becomes of one copy.
    private enum Fate: CaseIterable {
        case success, transient, permanent, refused
    }

    /// The plan of a call: what the server does, and when the caller gives up.
    private struct Plan {
        let attempts: Int
        let fates: [Fate]
        /// How long each copy takes, in milliseconds.
        let times: [Int]
        let cancellation: Int?
        /// How many retries the budget has.
        let budget: Int

        /// No two things happen at the same moment: delays are multiples of 100, and each copy has a last digit of its
        /// own.
        init(_ random: inout SeededNumbers) {
            let attempts = 2 + random.below(4)
            self.attempts = attempts
            fates = (0..<attempts).map { _ in Fate.allCases[random.below(4)] }
            times = (0..<attempts).map { 10 * random.below(60) + $0 + 1 }
            cancellation = random.below(4) == 0 ? 10 * random.below(60) + 9 : nil
            budget = random.below(attempts + 1)
        }
    }

    /// The call as it should go: one moment after the other.
    private struct Model {
        let plan: Plan
        var now = 0
        /// When each running copy ends, by its number.
        var running: [Int: Int]
        var started = 1
        var asked = 0
        var ended = 0
        var timer: Int? = 100
        var failed: Int?
        var outcome: String?
        var sent: Int

        init(_ plan: Plan) {
            self.plan = plan
            running = [1: plan.times[0]]
            sent = plan.fates[0] == .refused ? 0 : 1
        }

        /// The moments that lie ahead, other than the cancellation.
        var moments: [Int] {
            Array(running.values) + (timer.map { [$0] } ?? [])
        }

        mutating func step() {
            now = (moments + (plan.cancellation.map { [$0] } ?? [])).min() ?? 0
            if now == plan.cancellation {
                outcome = "cancelled"
            } else if now == timer {
                timer = nil
                guard failed == nil else {
                    return
                }
                asked += 1
                guard started <= plan.budget else {
                    return
                }
                started += 1
                sent += plan.fates[started - 1] == .refused ? 0 : 1
                running[started] = now + plan.times[started - 1]
                timer = started < plan.attempts ? now + 100 : nil
            } else if let number = running.first(where: { $0.value == now })?.key {
                running[number] = nil
                end(number, plan.fates[number - 1])
            }
        }

        private mutating func end(_ number: Int, _ fate: Fate) {
            ended += 1
            switch fate {
            case .success: outcome = "answer \(number)"
            case .permanent: outcome = "failure \(number)"
            case .refused: break
            case .transient: failed = number
            }
            if outcome == nil, running.isEmpty {
                // If nothing was sent, the first request says why.
                outcome = "failure \(failed ?? 1)"
            }
        }
    }

    /// An error that names the copy.
    private struct Broken: Error, FailureReasonConvertible {
        let number: Int
        let fate: Fate
        var classifiedReason: Failure.Reason {
            switch fate {
            case .refused: .rejected(RejectionError("full", "no place", isTransient: true))
            case .permanent: .transport(TransportError(.tls))
            default: .transport(TransportError(.lost))
            }
        }
    }

    /// A number that goes up and down.
    private final class Level: Sendable {
        private let number = Lock(0)
        var value: Int { number.withLock { $0 } }
        func change(by step: Int) { number.withLock { $0 += step } }
    }

    /// Refuses the copies that are to be refused, after their time.
    private struct Refusing: Interceptor {
        let plan: Plan
        let active: Level

        func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
            let number = context.attempt
            active.change(by: 1)
            defer { active.change(by: -1) }
            guard plan.fates[number - 1] == .refused else {
                return try await next(request)
            }
            try await context.clock.sleep(for: .milliseconds(plan.times[number - 1]))
            throw Broken(number: number, fate: .refused)
        }
    }

    private struct Server: Transport {
        let plan: Plan
        let sent: Counter

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            sent.increment()
            let number = context.attempt
            try await context.clock.sleep(for: .milliseconds(plan.times[number - 1]))
            guard plan.fates[number - 1] == .success else {
                throw Broken(number: number, fate: plan.fates[number - 1])
            }
            return Answer("\(number)")
        }
    }

    @Test("goes as the model says: what is sent when, who wins, what is left", arguments: Seed.ofRun)
    func model(seed: Seed) async throws {
        var random = seed.numbers
        for _ in 0..<400 {
            // given
            let plan = Plan(&random)
            var model = Model(plan)
            let clock = ManualClock()
            let (active, sent) = (Level(), Counter())
            let contexts = Notes<CallContext>()
            let retry = try Self.retry(budget: plan.budget)
            let hedging = Hedging<Ask, Answer>(after: .milliseconds(100), attempts: plan.attempts)
            let chain = try AskChain(
                transport: Server(plan: plan, sent: sent),
                interceptors: [
                    Step { ask, context, next in
                        contexts.add(context)
                        return try await next(ask)
                    }, retry, hedging, Refusing(plan: plan, active: active),
                ])
            // when
            let call = Task { await chain.result(Ask(), options: .with(clock)) }
            while model.outcome == nil {
                for moment in model.moments {
                    await clock.waitForSleeper(remaining: .milliseconds(moment - model.now))
                }
                let before = model.now
                model.step()
                await clock.advance(by: .milliseconds(model.now - before))
                while asked(contexts) < model.asked { await Task.yield() }
                while model.outcome == nil, ended(contexts) < model.ended { await Task.yield() }
                if model.outcome == "cancelled" {
                    call.cancel()
                }
            }
            // then
            let result = await call.value
            #expect(text(result) == model.outcome, "\(plan)")
            #expect(asked(contexts) == model.asked, "\(plan)")
            if let failure = result.failure {
                #expect(failure.attempts.count == model.started, "\(plan)")
            }
            // Nothing is left: no copy, no timer.
            while active.value > 0 || !clock.sleepers.isEmpty { await Task.yield() }
            await clock.advance(by: .seconds(10))
            #expect(sent.value == model.sent, "\(plan)")
            // What was taken for copies that were never sent is back.
            let isFirstSent = plan.fates[0] != .refused
            #expect(left(in: retry) == plan.budget - model.sent + (isFirstSent ? 1 : 0), "\(plan)")
        }
    }

    /// Makes no second attempt, and has a budget that successes do not fill.
    private static func retry(budget: Int) throws -> Retry<Ask, Answer> {
        Retry(try RetryPolicy(attempts: 1, budget: RetryBudget(capacity: Double(budget), refill: 0, interval: nil)))
    }

    /// How many retries are left in the budget, which is empty afterwards.
    private func left(in retry: Retry<Ask, Answer>) -> Int {
        let budget = retry.budget(of: Ask(), CallContext())
        var count = 0
        while budget.take() {
            count += 1
        }
        return count
    }

    /// How often a copy was due, started or not.
    private func asked(_ contexts: Notes<CallContext>) -> Int {
        let trace = contexts.all.first?.trace
        let unpaid = trace?.events.count { $0.text.hasPrefix("no copy sent: ") }
        return (trace?.attempts.count ?? 1) - 1 + (unpaid ?? 0)
    }

    /// How many attempts the call knows to have ended.
    private func ended(_ contexts: Notes<CallContext>) -> Int {
        contexts.all.first?.trace.attempts.count { $0.result != .running } ?? 0
    }

    private func text(_ result: Result<Answer, Failure>) -> String {
        switch result {
        case .success(let answer): "answer \(answer.body)"
        case .failure(let failure):
            (failure.underlying as? Broken).map { "failure \($0.number)" } ?? failure.code
        }
    }

    // MARK: Races

    /// A clock whose limits come after a few turns of other tasks.
    private struct HastyClock: CallClock {
        let turns: Int
        var now: Duration { .zero }
        var date: Duration { .zero }
        func sleep(for duration: Duration) async throws {
            for _ in 0..<turns {
                await Task.yield()
                try Task.checkCancellation()
            }
        }
    }

    private final class Flag: Sendable {
        private let flag = Lock(false)
        var isRaised: Bool { flag.withLock { $0 } }
        func raise() { flag.withLock { $0 = true } }
    }

    private struct HastyServer: Transport {
        /// How many turns each copy takes, and whether it succeeds.
        let copies: [(turns: Int, succeeds: Bool)]
        let isOver: Flag
        /// Requests that arrived uncancelled after the call had ended.
        let late: Counter
        /// Copies that arrived, the first request aside.
        let copiesSent: Counter

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            if isOver.isRaised, !Task.isCancelled {
                late.increment()
            }
            if context.attempt > 1 {
                copiesSent.increment()
            }
            let copy = copies[context.attempt - 1]
            for _ in 0..<copy.turns {
                await Task.yield()
                try Task.checkCancellation()
            }
            guard copy.succeeds else {
                throw TransportError(.lost)
            }
            return Answer("\(context.attempt)")
        }
    }

    @Test("ends once and leaves nothing, whoever is first", arguments: Seed.ofRun)
    func races(seed: Seed) async throws {
        var random = seed.numbers
        for _ in 0..<1000 {
            // given
            let attempts = 2 + random.below(3)
            let copies = (0..<attempts).map { _ in (turns: random.below(6), succeeds: random.below(3) > 0) }
            let (active, isOver, late, copiesSent) = (Level(), Flag(), Counter(), Counter())
            let retry = try Self.retry(budget: 10)
            let contexts = Notes<CallContext>()
            let chain = try AskChain(
                transport: HastyServer(
                    copies: copies, isOver: isOver, late: late, copiesSent: copiesSent),
                interceptors: [
                    Step { ask, context, next in
                        contexts.add(context)
                        return try await next(ask)
                    }, retry, Hedging(after: .milliseconds(1), attempts: attempts),
                    // Counts a copy from before it is recorded as sent.
                    Step { ask, _, next in
                        active.change(by: 1)
                        defer { active.change(by: -1) }
                        return try await next(ask)
                    },
                ])
            let clock = HastyClock(turns: random.below(4))
            let giveUp = random.below(3) == 0 ? random.below(10) : nil
            // when
            let call = Task {
                defer { isOver.raise() }
                return await chain.result(Ask(), options: .with(clock))
            }
            if let giveUp {
                for _ in 0..<giveUp { await Task.yield() }
                call.cancel()
            }
            // then
            switch await call.value {
            case .success(let answer):
                let winner = try #require(Int(answer.body))
                #expect(copies[winner - 1].succeeds)
                #expect(winner <= asked(contexts) + 1)
            case .failure(let failure):
                #expect(failure.attempts.count == asked(contexts) + 1)
                let allFailed = copies.prefix(asked(contexts) + 1).allSatisfy { !$0.succeeds }
                #expect(failure.isCancelled ? giveUp != nil : allFailed && failure.code == "transport.lost")
            }
            while active.value > 0 { await Task.yield() }
            #expect(late.value == 0)
            // No retry is lost: at most one is taken for each copy that was sent.
            #expect(10 - left(in: retry) <= copiesSent.value)
        }
    }
}
