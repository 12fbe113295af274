import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A rate limiter whose calls take different numbers of tokens", .limited)
struct RateLimiterTokensTests {
    private typealias Limiter = RateLimiter<Ask, Answer>
    private let clock = ManualClock()

    /// A call takes as many as its text says.
    private func limiter(burst: Int = 10) -> Limiter {
        Limiter(10, per: .seconds(1), burst: burst, log: nil, tokens: { Int($0.text) ?? 1 })
    }

    private func call(_ chain: AskChain, _ tokens: Int) -> Task<Result<Answer, Failure>, Never> {
        Task { await chain.result(Ask("\(tokens)"), options: .with(clock)) }
    }

    @Test("lets through what the bucket has, and a costly call waits for all of its tokens, before cheaper ones")
    func order() async throws {
        let limiter = limiter()
        let server = Script<Ask, Answer>(.response(Answer()).repeated())
        let chain = try AskChain(transport: server, interceptors: [limiter])
        _ = try await call(chain, 7).value.get()
        let costly = call(chain, 8)
        await clock.waitForSleeper(remaining: .milliseconds(500))
        let cheap = call(chain, 1)
        while limiter.waitingCalls() < 2 {
            await Task.yield()
        }
        // when
        await clock.advance(by: .milliseconds(500))
        _ = try await costly.value.get()
        #expect(limiter.waitingCalls() == 1)
        await clock.advance(by: .milliseconds(100))
        _ = try await cheap.value.get()
        // then
        #expect(server.requests.map(\.text) == ["7", "8", "1"])
        #expect(limiter.lines.total == (0, 0, 0))
    }

    @Test("says when the tokens of a call come, those of the calls before it included")
    func refused() async throws {
        let limiter = Limiter(10, per: .seconds(1), maximumWait: .seconds(1), log: nil, tokens: { Int($0.text) ?? 1 })
        let chain = try AskChain(transport: Script(.response(Answer()).repeated()), interceptors: [limiter])
        _ = try await call(chain, 10).value.get()
        let waiting = call(chain, 8)
        await clock.waitForSleepers(1)
        let failure = try #require(await call(chain, 5).value.failure)
        #expect(failure.code == "rejected.rateLimit")
        #expect(failure.retryAfter == .milliseconds(1300))
        #expect(failure.explanation.hasSuffix("10 tokens per 1 s are allowed, and this call may start in 1.3 s"))
        waiting.cancel()
        #expect(await waiting.value.failure?.isCancelled == true)
        // Whoever gave up takes nothing.
        await clock.advance(by: .milliseconds(500))
        _ = try await call(chain, 5).value.get()
    }

    @Test("gives all tokens of a call back that sent nothing")
    func givenBack() async throws {
        let limiter = limiter()
        let refusing = Step { _, _, _ in throw RejectionError(.breakerOpen, "open") }
        let chain = try AskChain(transport: Script<Ask, Answer>(), interceptors: [limiter, refusing])
        _ = await call(chain, 9).value
        #expect(limiter.lines.tokens(nil, at: clock.now) == 10)
    }

    @Test("rejects a call that takes more than the bucket holds for good, and lets one that takes none through")
    func extremes() async throws {
        let log = RecordingLog()
        let limiter = Limiter(10, per: .seconds(1), burst: 5, log: log, tokens: { Int($0.text) ?? 1 })
        let chain = try AskChain(transport: Script(.response(Answer()).repeated()), interceptors: [limiter])
        _ = try await call(chain, 5).value.get()
        for free in [0, -3, .min] {
            _ = try await call(chain, free).value.get()
        }
        for costly in [6, .max] {
            let failure = try #require(await call(chain, costly).value.failure)
            #expect(failure.explanation.hasSuffix("takes \(costly) tokens, and the bucket holds 5: raise the burst"))
            #expect(!failure.isTransient)
        }
        #expect(log.entries.count == 1)
    }

    @Test("never multiplies beyond all numbers", arguments: [1, 3600, 86_400])
    func overflow(seconds: Int) async throws {
        let limiter = Limiter(10, per: .seconds(seconds), log: nil, tokens: { _ in .max })
        let chain = try AskChain(transport: Script<Ask, Answer>(), interceptors: [limiter])
        #expect(await call(chain, 1).value.failure?.code == "rejected.rateLimit")
    }

    @Test("lets a cheap call go as soon as the costly one before it gives up, and one for nothing past both")
    func gaveUp() async throws {
        let limiter = limiter()
        let server = Script<Ask, Answer>(.response(Answer()).repeated())
        let chain = try AskChain(transport: server, interceptors: [limiter])
        _ = try await call(chain, 7).value.get()
        let costly = call(chain, 8)
        while limiter.waitingCalls() < 1 {
            await Task.yield()
        }
        let cheap = call(chain, 2)
        while limiter.waitingCalls() < 2 {
            await Task.yield()
        }
        _ = try await call(chain, 0).value.get()
        // when
        costly.cancel()
        #expect(await costly.value.failure?.isCancelled == true)
        // then
        _ = try await cheap.value.get()
        #expect(clock.now == .zero)
        #expect(server.requests.map(\.text) == ["7", "0", "2"])
        #expect(limiter.lines.total == (0, 0, 0))
    }

    @Test("wakes the next call when its own tokens are there, after a costlier one before it gave up")
    func rearmed() async throws {
        let limiter = limiter()
        let chain = try AskChain(transport: Script(.response(Answer()).repeated()), interceptors: [limiter])
        _ = try await call(chain, 10).value.get()
        let costly = call(chain, 9)
        await clock.waitForSleeper(remaining: .milliseconds(900))
        let cheap = call(chain, 2)
        while limiter.waitingCalls() < 2 {
            await Task.yield()
        }
        costly.cancel()
        _ = await costly.value
        await clock.waitForSleeper(remaining: .milliseconds(200))
        await clock.advance(by: .milliseconds(200))
        _ = try await cheap.value.get()
    }

    @Test("takes from the bucket what the calls take, whatever their order", arguments: Seed.ofRun(and: [1, 2]))
    func model(seed: Seed) {
        var random = seed.numbers
        for _ in 0..<300 {
            let burst = 1 + random.below(8)
            var state = RateLimiterState<Int>(.init(count: 1, period: .seconds(1), burst: burst), now: .zero)
            var (content, filled) = (burst, 0)
            var line: [(number: Int, tokens: Int)] = []
            for step in 0..<200 {
                let now = Duration.seconds(step)
                content = min(burst, content + step - filled)
                filled = step
                func granted() -> [Int] {
                    var numbers: [Int] = []
                    while let first = line.first, first.tokens <= content {
                        content -= first.tokens
                        numbers.append(line.removeFirst().number)
                    }
                    return numbers
                }
                switch random.below(4) {
                case 0, 1:
                    let tokens = random.below(burst + 1)
                    let admission = state.enterOrWait(
                        step, tokens, number: UInt64(step), now: now, patience: .seconds(20))
                    if line.isEmpty, tokens <= content {
                        content -= tokens
                        guard case .goes = admission else { return record(admission) }
                    } else if line.reduce(tokens, { $0 + $1.tokens }) - content <= 20 {
                        line.append((step, tokens))
                        guard case .waits = admission else { return record(admission) }
                    } else {
                        guard case .refused = admission else { return record(admission) }
                    }
                case 2:
                    #expect(state.grant(now: now).map(\.waiter) == granted())
                default:
                    let gone = line.isEmpty ? step : line[random.below(line.count)].number
                    let isWaiting = line.contains { $0.number == gone }
                    line.removeAll { $0.number == gone }
                    #expect((state.giveUp(UInt64(gone)) != nil) == isWaiting)
                }
                #expect(state.waiting == line.count)
            }
        }
    }

    private func record(_ admission: RateLimiterState<Int>.Admission) {
        Issue.record("\(admission)")
    }
}
