import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The races of a rate limiter", .limited)
struct RateLimiterRaceTests {
    @Test("lose no token, waiting call or timer when calls are cancelled at any moment", arguments: Seed.ofRun)
    func storm(seed: Seed) async throws {
        var random = seed.numbers
        for round in 0..<150 {
            let clock = RecordingClock()
            let (count, burst) = (1 + random.below(5), 1 + random.below(4))
            let limiter = RateLimiter<Ask, Answer>(
                count, per: .milliseconds(10), burst: burst, maximumWait: .milliseconds(random.below(60)))
            let sent = Notes<Duration>()
            let chain = try AskChain(transport: Echo()) {
                limiter
                Step { request, context, next in
                    sent.add(context.clock.now)
                    return try await next(request)
                }
            }
            let numbers = (0..<30).map { _ in random.below(1000) }
            let ends = await withTaskGroup(of: String.self) { group in
                for number in numbers {
                    group.addTask {
                        let call = Task { await chain.result(Ask("\(number)"), options: .with(clock)) }
                        if number % 3 == 0 {
                            for _ in 0..<(number % 7) {
                                await Task.yield()
                            }
                            call.cancel()
                        }
                        return await call.value.failure?.code ?? "ok"
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // then
            #expect(Set(ends).isSubset(of: ["ok", "cancelled", "rejected.rateLimit"]), "round \(round)")
            try #require(limiter.lines.total == (0, 0, 0), "round \(round)")
            // The calls that went through are those the bucket had tokens for.
            let passed = ends.count { $0 == "ok" }
            let tokens = Double(burst) + clock.now.milliseconds / 10 * Double(count)
            try #require(Double(passed) <= tokens + 1e-6, "round \(round)")
            // No token was lost: what came and was not used is still there.
            let left = limiter.lines.tokens(nil, at: clock.now)
            try #require(left == min(burst, left), "round \(round)")
            clock.advance(by: .seconds(10))
            try #require(limiter.lines.tokens(nil, at: clock.now) == burst, "round \(round)")
        }
    }

    @Test("wake a call whose token has come though the clock moved before its timer began, hundreds of times")
    func lateTimer() async throws {
        for round in 0..<300 {
            let clock = ManualClock()
            let limiter = RateLimiter<Ask, Answer>(1, per: .seconds(1), log: nil)
            let chain = try AskChain(transport: Echo()) { limiter }
            _ = await chain.result(Ask(), options: .with(clock))
            let ended = Notes<String?>()
            let call = Task { ended.add(await chain.result(Ask(), options: .with(clock)).failure?.code) }
            while limiter.waitingCalls() < 1 {
                await Task.yield()
            }
            // when: not waiting for its timer to sleep
            await clock.advance(by: .seconds(1))
            for _ in 0..<10_000 where ended.all.isEmpty {
                await Task.yield()
            }
            // then
            let codes = ended.all
            call.cancel()
            try #require(codes == [nil], "round \(round)")
        }
    }

    @Test("hand a token on when its call is cancelled as it comes, thousands of times", arguments: Seed.ofRun)
    func handover(seed: Seed) async throws {
        var random = seed.numbers
        for round in 0..<1500 {
            // given: two calls wait for one token each
            let clock = ManualClock()
            let limiter = RateLimiter<Ask, Answer>(1, per: .seconds(1), maximumWait: .seconds(2))
            let chain = try AskChain(transport: Echo()) { limiter }
            _ = await chain.result(Ask(), options: .with(clock))
            let first = Task { await chain.result(Ask(), options: .with(clock)).failure?.code }
            while limiter.waitingCalls() < 1 {
                await Task.yield()
            }
            let second = Task { await chain.result(Ask(), options: .with(clock)).failure?.code }
            while limiter.waitingCalls() < 2 {
                await Task.yield()
            }
            await clock.waitForSleepers(1)
            // when: the token comes, and the first call is cancelled, in either order
            let turns = random.below(6)
            async let cancelled: Void = {
                for _ in 0..<turns {
                    await Task.yield()
                }
                first.cancel()
            }()
            await clock.advance(by: .seconds(1))
            await cancelled
            // then: exactly one of them used it
            let end = await first.value
            try #require(end == nil || end == "cancelled", "round \(round)")
            if end == nil {
                await clock.waitForSleepers(1)
                await clock.advance(by: .seconds(1))
            }
            try #require(await second.value == nil, "round \(round)")
            try #require(limiter.lines.total == (0, 0, 0), "round \(round)")
            try #require(limiter.lines.tokens(nil, at: clock.now) == 0, "round \(round)")
        }
    }
}
