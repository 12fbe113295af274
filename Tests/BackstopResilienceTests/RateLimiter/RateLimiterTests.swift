import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A rate limiter", .limited)
struct RateLimiterTests {
    private typealias Limiter = RateLimiter<Ask, Answer>
    private let clock = ManualClock()

    init() async {
        // No clock of a real call begins at zero.
        await clock.advance(by: .seconds(1000))
    }

    private func chain(_ limiter: Limiter, _ seen: Notes<String> = Notes()) throws -> AskChain {
        try AskChain(
            transport: Script<Ask, Answer>(
                .respond { request, _ in
                    seen.add(request.text)
                    return Answer(request.text)
                }.repeated())
        ) { limiter }
    }

    private func call(_ chain: AskChain, _ text: String = "hello", deadline: Duration? = nil) -> Task<
        Result<Answer, Failure>, Never
    > {
        var options = CallOptions.with(clock)
        options.deadline = deadline
        return Task { [options] in await chain.result(Ask(text), options: options) }
    }

    private func waitFor(_ count: Int, in limiter: Limiter, key: String? = nil) async {
        while limiter.waitingCalls(of: key) != count {
            await Task.yield()
        }
    }

    @Test("lets a burst through at once, and then as many as the rate allows, first come, first served")
    func rate() async throws {
        // given
        let seen = Notes<String>()
        let limiter = Limiter(10, per: .seconds(1), burst: 2)
        let chain = try chain(limiter, seen)
        var calls: [Task<Result<Answer, Failure>, Never>] = []
        for number in 0..<6 {
            calls.append(call(chain, "\(number)"))
            if number < 2 {
                _ = await calls[number].value
            } else {
                await waitFor(number - 1, in: limiter)
            }
        }
        #expect(seen.all == ["0", "1"])
        // when
        for number in 2..<6 {
            #expect(await clock.runNextSleep() == .milliseconds(100))
            _ = await calls[number].value
            // then
            #expect(seen.all == (0...number).map(String.init))
        }
        #expect(limiter.lines.total == (0, 0, 0))
        #expect(clock.sleepers.isEmpty)
    }

    @Test("nobody overtakes those who wait, though a token has come that they have not got yet")
    func order() {
        // given: one that waits
        var state = RateLimiterState<Int>(TokenBucket.Rate(count: 1, period: .seconds(1), burst: 1), now: .zero)
        _ = state.enter(now: .zero)
        guard case .waits = state.enterOrWait(1, number: 1, now: .zero, patience: .seconds(9)) else {
            Issue.record("It was to wait.")
            return
        }
        // when: a token comes, and so does another call before the timer has fired
        let isFirst = state.enter(now: .seconds(1))
        guard case .waits = state.enterOrWait(2, number: 2, now: .seconds(1), patience: .seconds(9)) else {
            Issue.record("It was to wait.")
            return
        }
        // then
        let granted = [state.grant(now: .seconds(1)), state.grant(now: .seconds(2))].map { $0.map(\.waiter) }
        #expect(!isFirst)
        #expect(granted == [[1], [2]])
    }

    @Test("is not forgotten while a call waits, though its token has come")
    func idle() {
        var state = RateLimiterState<Int>(TokenBucket.Rate(count: 1, period: .seconds(1), burst: 1), now: .zero)
        _ = state.enter(now: .zero)
        _ = state.enterOrWait(1, number: 1, now: .zero, patience: .seconds(9))
        #expect(!state.isIdle(at: .seconds(5)))
        _ = state.grant(now: .seconds(5))
        #expect(!state.isIdle(at: .seconds(5)))
        #expect(state.isIdle(at: .seconds(6)))
    }

    @Test("rejects a call whose token would come too late, and says when it comes")
    func tooLate() async throws {
        // given: two calls wait, for 1 and 2 s
        let limiter = Limiter(1, per: .seconds(1), maximumWait: .seconds(2))
        let chain = try chain(limiter)
        _ = try await call(chain).value.get()
        let waiting = [call(chain), call(chain)]
        await waitFor(2, in: limiter)
        // when
        let failure = try #require(await call(chain).value.failure)
        // then
        #expect(failure.code == "rejected.rateLimit")
        #expect(failure.retryAfter == .seconds(3))
        #expect(failure.isTransient)
        #expect(
            failure.explanation
                == "The request was not sent: 1 call per 1 s is allowed, and the next may start in 3 s")
        // afterwards
        for _ in 0..<2 {
            await clock.runNextSleep()
        }
        for task in waiting {
            _ = try await task.value.get()
        }
    }

    @Test("does not begin a wait that would end at the call's deadline or later")
    func deadline() async throws {
        // given
        let limiter = Limiter(1, per: .seconds(1))
        let chain = try chain(limiter)
        _ = try await call(chain).value.get()
        // when
        let failure = try #require(await call(chain, deadline: .seconds(1)).value.failure)
        // then
        #expect(failure.code == "rejected.rateLimit")
        #expect(failure.explanation.hasSuffix("the next may start in 1 s, after the deadline of the call"))
        #expect(limiter.lines.total == (0, 0, 0))
    }

    @Test("with no wait, rejects at once")
    func noWait() async throws {
        // given
        let chain = try chain(Limiter(2, per: .seconds(60), maximumWait: .zero))
        // when
        var codes: [String] = []
        for _ in 0..<3 {
            codes.append(await call(chain).value.failure?.code ?? "ok")
        }
        // then
        #expect(codes == ["ok", "ok", "rejected.rateLimit"])
        await clock.advance(by: .seconds(30))
        #expect(await call(chain).value.failure == nil)
    }

    @Test("puts a wait into the trace, with its reason, and into a recorded clock")
    func trace() async throws {
        // given
        let clock = RecordingClock()
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(Answer()), .failure(ShopError()))) {
            Limiter(4, per: .seconds(1), burst: 1)
        }
        _ = await chain.result(Ask(), options: .with(clock))
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(clock.sleeps == [.milliseconds(250)])
        #expect(failure.trace.events.map(\.name) == ["rateLimiter", "rateLimiter"])
        #expect(
            failure.trace.events.map(\.text) == [
                "waits for its turn: 4 calls per 1 s are allowed", "waited 250 ms: 4 calls per 1 s are allowed",
            ])
    }

    @Test("gives the place of a cancelled call in the line to the one behind it")
    func cancelledInLine() async throws {
        // given
        let seen = Notes<String>()
        let limiter = Limiter(1, per: .seconds(1))
        let chain = try chain(limiter, seen)
        _ = await call(chain, "0").value
        let first = call(chain, "1")
        await waitFor(1, in: limiter)
        let second = call(chain, "2")
        await waitFor(2, in: limiter)
        // when
        first.cancel()
        #expect(await first.value.failure?.code == "cancelled")
        await clock.runNextSleep()
        // then
        _ = try await second.value.get()
        #expect(seen.all == ["0", "2"])
        #expect(limiter.lines.total == (0, 0, 0))
    }

    @Test("holds no timer when the last waiting call is cancelled")
    func noTimer() async throws {
        // given
        let limiter = Limiter(1, per: .seconds(1))
        let chain = try chain(limiter)
        _ = await call(chain).value
        let waiting = call(chain)
        await clock.waitForSleepers(1)
        #expect(limiter.lines.total == (0, 1, 1))
        // when
        waiting.cancel()
        _ = await waiting.value
        // then
        #expect(limiter.lines.total == (0, 0, 0))
        while !clock.sleepers.isEmpty {
            await Task.yield()
        }
    }

    @Test("takes the token back of a call that was not sent, and keeps that of one that was")
    func unused() async throws {
        // given
        let limiter = Limiter(2, per: .seconds(60), maximumWait: .zero)
        let refusing = try AskChain(transport: Script<Ask, Answer>()) {
            limiter
            Step { _, _, _ in throw RejectionError(.breakerOpen, "Open.") }
        }
        let failing = try AskChain(transport: Script<Ask, Answer>(.failure(TransportError(.lost)).repeated())) {
            limiter
        }
        let retrying = try AskChain(transport: Script<Ask, Answer>(.failure(TransportError(.lost)).repeated())) {
            limiter
            Retry(attempts: 2)
            Step { request, context, next in
                guard context.attempt == 1 else { throw RejectionError("quota", "No.", isTransient: false) }
                return try await next(request)
            }
        }
        let now = { clock.now }
        // when
        for _ in 0..<5 {
            #expect(await call(refusing).value.failure?.code == "rejected.breakerOpen")
        }
        // then
        #expect(limiter.lines.tokens(nil, at: now()) == 2)
        // when
        _ = await call(failing).value
        #expect(limiter.lines.tokens(nil, at: now()) == 1)
        // when the second attempt was refused, the first was still sent
        let task = call(retrying)
        await clock.runNextSleep()
        #expect(await task.value.failure?.code == "rejected.quota")
        #expect(limiter.lines.tokens(nil, at: now()) == 0)
    }

    @Test("has a bucket for each key, and forgets full ones alone, unless there are a hundred times too many")
    func keys() async throws {
        // given
        let limiter = Limiter(
            1, per: .seconds(60), maximumWait: .zero, grouping: .by { $0.text }, keys: 5, lifetime: .seconds(600))
        let chain = try chain(limiter)
        #expect(await call(chain, "a").value.failure == nil)
        #expect(await call(chain, "a").value.failure?.code == "rejected.rateLimit")
        #expect(await call(chain, "b").value.failure == nil)
        // when: many more keys
        for number in 0..<100 {
            _ = await call(chain, "\(number)").value
        }
        // then no key gets more than its tokens
        #expect(await call(chain, "a").value.failure?.code == "rejected.rateLimit")
        #expect(limiter.lines.total.keys == 102)
        // though the number is bounded
        for number in 100..<600 {
            _ = await call(chain, "\(number)").value
        }
        #expect(limiter.lines.total.keys == 500)
        // and after a while, all buckets are full and forgotten one by one
        await clock.advance(by: .seconds(601))
        for _ in 0..<520 {
            _ = await call(chain, "new").value
        }
        #expect(limiter.lines.total.keys == 1)
    }

    @Test("never forgets a key for whose token a call waits, however many keys there are")
    func keptKey() async throws {
        // given
        let limiter = Limiter(
            1, per: .seconds(60), maximumWait: .seconds(60), grouping: .by { $0.text }, keys: 5,
            lifetime: .seconds(600))
        let chain = try chain(limiter)
        _ = await call(chain, "a").value
        let waiting = call(chain, "a")
        await waitFor(1, in: limiter, key: "a")
        // when
        for number in 0..<50 {
            _ = await call(chain, "\(number)").value
        }
        // then
        #expect(limiter.waitingCalls(of: "a") == 1)
        await clock.runNextSleep()
        _ = try await waiting.value.get()
    }

    @Test("refuses settings that make no sense, and names them")
    func invalid() {
        let cases: [(String, () throws -> Void)] = [
            ("RateLimiter.count", { try requireValid(Limiter(0, per: .seconds(1))) }),
            ("RateLimiter.count", { try requireValid(Limiter(1_000_001, per: .seconds(1))) }),
            ("RateLimiter.period", { try requireValid(Limiter(1, per: .microseconds(999))) }),
            ("RateLimiter.period", { try requireValid(Limiter(1, per: .seconds(Int64.max))) }),
            ("RateLimiter.burst", { try requireValid(Limiter(1, per: .seconds(1), burst: 0)) }),
            ("RateLimiter.burst", { try requireValid(Limiter(1, per: .seconds(1), burst: 1_000_001)) }),
            ("RateLimiter.maximumWait", { try requireValid(Limiter(1, per: .seconds(1), maximumWait: .seconds(-1))) }),
            (
                "RateLimiter.maximumWait",
                { try requireValid(Limiter(1, per: .seconds(1), maximumWait: .seconds(86_401))) }
            ),
        ]
        for (setting, make) in cases {
            let error = #expect(throws: ConfigurationError.self, performing: make)
            #expect(error?.setting == setting)
        }
    }
}
