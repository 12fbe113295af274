import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopResilience

@Suite("A rate limiter that honors the limit of the service", .limited)
struct RateLimiterServerLimitTests {
    typealias Limiter = RateLimiter<Ask, Answer>
    let clock = ManualClock()

    func limiter(
        _ count: Int = 10, per period: Duration = .seconds(10), maximumWait: Duration = .zero, honors: Bool = true
    ) -> Limiter {
        Limiter(
            count, per: period, maximumWait: maximumWait, honorsServerLimit: honors, grouping: .all, log: nil)
    }

    func chain(_ limiter: Limiter, _ answers: Stub<Ask, Answer>...) throws -> AskChain {
        try AskChain(transport: Script(answers + [.response(Answer()).repeated()]), interceptors: [limiter])
    }

    func call(_ chain: AskChain) -> Task<Result<Answer, Failure>, Never> {
        Task { await chain.result(Ask(), options: .with(clock)) }
    }

    func answer(_ status: Int = 200, wait: Duration? = nil, reset: Duration? = nil) -> Stub<Ask, Answer> {
        var answer = Answer(status: status, wait: wait)
        answer.reset = reset
        return .response(answer)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var status = 200
        var wait: Duration?
        var reset: Duration?
        var pause: Duration?

        var testDescription: String { "\(status), wait \(wait?.text ?? "-"), reset \(reset?.text ?? "-")" }
    }

    @Test(
        "stops its calls for as long as a refusal says that it is used up",
        arguments: [
            Row(status: 429, wait: .seconds(20), pause: .seconds(20)),
            Row(status: 429, reset: .seconds(30), pause: .seconds(30)),
            Row(status: 429, wait: .seconds(20), reset: .seconds(30), pause: .seconds(20)),
            Row(status: 403, reset: .seconds(30), pause: .seconds(30)),
            Row(status: 403, wait: .seconds(20), pause: .seconds(20)),
            Row(status: 503, reset: .seconds(30), pause: .seconds(30)),
            // The last request that was allowed is none, nor is an overload.
            Row(reset: .seconds(30)), Row(status: 404, reset: .seconds(30)), Row(status: 503, wait: .seconds(20)),
            Row(status: 429), Row(status: 429, reset: .zero), Row(),
            // Whatever a server says is believed for a minute.
            Row(status: 429, wait: .seconds(60), pause: .seconds(60)),
            Row(status: 429, wait: .seconds(61), pause: .seconds(61)),
            Row(status: 429, wait: .seconds(1 << 60), pause: .seconds(1 << 60)),
        ])
    func answers(row: Row) async throws {
        let chain = try chain(limiter(), answer(row.status, wait: row.wait, reset: row.reset))
        _ = try await call(chain).value.get()
        let failure = await call(chain).value.failure
        #expect(failure?.retryAfter == row.pause)
        guard let pause = row.pause else { return }
        #expect(
            failure?.explanation
                == "The request was not sent: The service says that its rate limit is used up, and the next may start in "
                + pause.text)
        // afterwards: what has come meanwhile, and then at the rate of 1 per second
        await clock.advance(by: min(pause, .seconds(60)))
        for _ in 1...10 {
            _ = try await call(chain).value.get()
        }
        #expect(await call(chain).value.failure?.retryAfter == .seconds(1))
    }

    /// What says in its content, and not by its status, what became of a request.
    private struct Meaning: Interceptor, StatusMeaning {
        let meantStatus: Int?
        let failureCode = "refused"
        let failureExplanation = "Refused."
        let isTransient: Bool? = true

        func intercept(_ request: Ask, context: CallContext, next: Next<Ask, Answer>) async throws -> Answer {
            _ = try await next(request)
            throw self
        }
    }

    @Test(
        "hears a refusal by the status or by the content",
        arguments: [
            (200, 429, Duration.seconds(30)), (200, 404, nil), (200, 403, nil), (200, 503, nil),
            (429, 400, .seconds(30)), (429, 500, .seconds(30)), (403, 401, .seconds(30)),
        ])
    func meaning(status: Int, meant: Int, pause: Duration?) async throws {
        let chain = try AskChain(
            transport: Script(answer(status, reset: .seconds(30)).repeated()),
            interceptors: [limiter(), Meaning(meantStatus: meant)])
        _ = await call(chain).value
        #expect(await call(chain).value.failure?.retryAfter == pause)
    }

    @Test("rejects who would wait much too long now, and is told nothing by a shorter time than is known")
    func tolerance() {
        var state = RateLimiterState<Int>(TokenBucket.Rate(count: 1, period: .seconds(1), burst: 1), now: .zero)
        _ = state.enter(now: .zero)
        _ = state.enterOrWait(1, number: 1, now: .zero, patience: .milliseconds(1500))
        let news = [1200, 1205, 2000].map { time in
            state.pause(for: .milliseconds(time), atMost: .seconds(60), now: .zero)?.map(\.waiter)
        }
        #expect(news == [[], [], [1]])
        let long = state.pause(for: .seconds(3600), atMost: .seconds(60), now: .zero)?.map(\.waiter)
        let short = state.pause(for: .seconds(15), atMost: .seconds(60), now: .seconds(50))?.map(\.waiter)
        #expect(long == [])
        #expect(short == nil)
        // it is in use as long as that lasts, though its bucket is full
        #expect(!state.isIdle(at: .milliseconds(59_999)))
        #expect(state.isIdle(at: .seconds(60)))
    }

    @Test("knows from when until when its last pause was, lengthened, refusing or over")
    func lastPause() {
        var state = RateLimiterState<Int>(TokenBucket.Rate(count: 1, period: .seconds(1), burst: 1), now: .zero)
        func pause(_ time: Duration, at now: Duration) -> [Int]? {
            state.pause(for: time, atMost: .seconds(60), now: now)?.map(\.waiter)
        }
        func time(from start: Int, to end: Int, now: Int) -> Duration {
            state.pause(from: .seconds(start), to: .seconds(end), now: .seconds(now))
        }
        // lengthened
        let first = [pause(.seconds(10), at: .seconds(100)), pause(.seconds(10), at: .seconds(108))]
        #expect(first == [[], []])
        #expect(time(from: 90, to: 130, now: 130) == .seconds(18))
        // a minute, and a little more, for which nobody waits
        _ = state.enter(now: .seconds(200))
        _ = state.enterOrWait(1, number: 1, now: .seconds(200), patience: .seconds(100))
        let second = [pause(.seconds(60), at: .seconds(200)), pause(.seconds(61), at: .milliseconds(200_001))]
        #expect(second == [[], [1]])
        #expect(time(from: 210, to: 900, now: 210) == .milliseconds(51_001))
        // over, it refuses nobody, and a short one counts again
        #expect(time(from: 210, to: 300, now: 300) == .milliseconds(50_001))
        #expect(pause(.seconds(5), at: .seconds(300)) == [])
        #expect(time(from: 290, to: 310, now: 310) == .seconds(5))
    }

    @Test("lets calls wait for as long as retry would wait for the service, unless another wait is set")
    func defaultWait() {
        #expect(Limiter(1, per: .seconds(1), log: nil).maximumWait == .seconds(10))
        #expect(Limiter(1, per: .seconds(1), honorsServerLimit: true, log: nil).maximumWait == .seconds(60))
        #expect(RetryPolicy.standard.maximumRetryAfter == .seconds(60))
    }

    @Test("blames the service only where calls wait for it, and not for the rate that was set")
    func blame() async throws {
        let chain = try chain(limiter(1, per: .seconds(10)), answer(429, wait: .seconds(1)))
        _ = try await call(chain).value.get()
        let failure = await call(chain).value.failure
        #expect(failure?.retryAfter == .seconds(10))
        #expect(
            failure?.explanation
                == "The request was not sent: 1 call per 10 s is allowed, and the next may start in 10 s")
        // of two limits that it would exceed, the text names the one that was set for it
        var options = CallOptions.with(clock)
        options.deadline = .seconds(1)
        let hurried = await chain.result(Ask(), options: options).failure
        #expect(hurried?.explanation == failure?.explanation)
    }

    @Test("hears the refusal of a client that is called in a policy")
    func policy() async throws {
        let transport = ScriptedTransport(.status(429, headers: ["Retry-After": "30"]), .status(200))
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: transport, retry: .never, options: .with(clock))
        let policy = try Policy(options: .with(clock)) {
            RateLimiter(10, per: .seconds(10), maximumWait: .zero, honorsServerLimit: true, log: nil)
        }
        var codes: [String?] = []
        for _ in 1...2 {
            codes.append(await policy.result { try await client.get("books", as: [Int].self) }.failure?.code)
        }
        #expect(codes == ["status.429", "rejected.rateLimit"])
    }

    @Test("does nothing of the kind unless it is asked to")
    func off() async throws {
        let chain = try chain(limiter(honors: false), answer(429, wait: .seconds(20), reset: .seconds(30)))
        for _ in 0..<10 {
            _ = try await call(chain).value.get()
        }
    }

    @Test("does no harm to a client that calls as often as it may, each call the last for now")
    func withinLimit() async throws {
        let chain = try AskChain(
            transport: Script<Ask, Answer>([answer(reset: .seconds(1)).repeated()]),
            interceptors: [limiter(10, per: .seconds(1))])
        for _ in 1...60 {
            _ = try await call(chain).value.get()
            await clock.advance(by: .milliseconds(100))
        }
    }

    @Test("stops the calls to that server only, unless a grouping says otherwise")
    func destinations() async throws {
        var codes: [[String?]] = []
        for grouping in [nil, CallGrouping<HTTP.Request>.all] {
            let limiter = HTTP.RateLimiter(
                10, per: .seconds(10), maximumWait: .zero, honorsServerLimit: true, grouping: grouping, log: nil)
            let transport = ScriptedTransport(.status(429, headers: ["Retry-After": "9"]), .status(200))
            let chain = try HTTP.Chain(transport: transport, interceptors: [limiter])
            var ends: [String?] = []
            for host in ["a", "a", "b"] {
                let request = try HTTP.Request(.get, "https://\(host).example.com/")
                ends.append(await chain.result(request, options: .with(clock)).failure?.code)
            }
            codes.append(ends)
        }
        #expect(codes == [[nil, "rejected.rateLimit", nil], [nil, "rejected.rateLimit", "rejected.rateLimit"]])
    }

    @Test("looks at those who wait a few times while many answers say it, each a little later")
    func cost() {
        // given: 3,000 wait, for a token each
        var state = RateLimiterState<Int>(TokenBucket.Rate(count: 1000, period: .seconds(1), burst: 1), now: .zero)
        _ = state.enter(now: .zero)
        for number in 1...3000 {
            _ = state.enterOrWait(number, number: UInt64(number), now: .zero, patience: .seconds(3600))
        }
        for (start, pause) in [(0, Duration.milliseconds(1)), (3000, .seconds(5))] {
            // when
            var news = 0
            let time = cpuTime {
                for answer in (start + 1)...(start + 3000) {
                    let late = state.pause(for: pause, atMost: .seconds(60), now: .microseconds(answer * 10))
                    news += late == nil ? 0 : 1
                }
            }
            // then
            #expect(news == 3000)
            #expect(time < .seconds(1))
        }
        #expect(state.waiting == 3000)
    }

    @Test("stops the calls of that key only")
    func keys() async throws {
        let limiter = Limiter(
            10, per: .seconds(10), maximumWait: .zero, honorsServerLimit: true, grouping: .by(\.text), log: nil)
        let script = Script<Ask, Answer>(
            .respond { request, _ in Answer(status: request.text == "a" ? 429 : 200, wait: .seconds(9)) }.repeated())
        let chain = try AskChain(transport: script, interceptors: [limiter])
        var ends: [String?] = []
        for key in ["a", "b", "a", "b"] {
            ends.append(await chain.result(Ask(key), options: .with(clock)).failure?.code)
        }
        #expect(ends == [nil, nil, "rejected.rateLimit", nil])
    }

    @Test(
        "listens to the service itself, not to another server that answers by a redirect",
        arguments: [("api.example.com", "rejected.rateLimit"), ("cdn.example.com", nil)])
    func redirected(host: String, end: String?) async throws {
        let server = Script<HTTP.Request, HTTP.Response>(
            .respond { _, context in
                context.recordHop(try HTTP.Request(.get, "https://\(host)/file"))
                return HTTP.Response(status: 429, headers: ["Retry-After": "30"])
            }.repeated())
        let chain = try HTTP.Chain(transport: server) {
            HTTP.RateLimiter(10, per: .seconds(10), maximumWait: .zero, honorsServerLimit: true, log: nil)
            StatusValidation()
        }
        var codes: [String?] = []
        for _ in 1...2 {
            let request = try HTTP.Request(.get, "https://api.example.com/file")
            codes.append(await chain.result(request, options: .with(clock)).failure?.code)
        }
        #expect(codes == ["status.429", end ?? "status.429"])
    }

    @Test("listens to the service itself, not to the other host that answers a copy of its request")
    func otherHost() async throws {
        let transport = ScriptedTransport(
            .status(503), .status(429, headers: ["Retry-After": "30"]), .status(200))
        let chain = try HTTP.Chain(transport: transport) {
            HTTP.RateLimiter(10, per: .seconds(10), maximumWait: .zero, honorsServerLimit: true, log: nil)
            HTTP.Hedging(after: .seconds(1), toHost: "us.example.com")
            StatusValidation()
        }
        var codes: [String?] = []
        for _ in 1...2 {
            let request = try HTTP.Request(.get, "https://eu.example.com/books")
            codes.append(await chain.result(request, options: .with(clock)).failure?.code)
        }
        #expect(codes == ["status.503", nil])
        #expect(transport.requests.map(\.url.host) == ["eu.example.com", "us.example.com", "eu.example.com"])
    }

    @Test("a retry of the refused call is sent when the service accepts it again, and the others with it")
    func retried() async throws {
        let clock = RecordingClock()
        let transport = ScriptedTransport(
            .status(429, headers: ["Retry-After": "7"]), .status(200),
            .status(429, headers: ["RateLimit": "\"default\";r=0;t=9"]), .status(200), .status(200))
        let chain = try HTTP.Chain(transport: transport) {
            Retry(attempts: 2, baseDelay: .zero)
            HTTP.RateLimiter(100, per: .seconds(1), honorsServerLimit: true, log: nil)
            StatusValidation()
        }
        let request = try HTTP.Request(.get, "https://api.example.com/books")
        for _ in 1...3 {
            _ = try await chain.result(request, options: .with(clock)).get()
        }
        #expect(clock.sleeps == [.seconds(7), .seconds(9)])
    }

    @Test(
        "keeps those who wait to their time and lets nobody through before the end, whatever comes in which order",
        arguments: Seed.ofRun)
    func model(seed: Seed) throws {
        var random = seed.numbers
        for round in 0..<2000 {
            let rate = TokenBucket.Rate(
                count: 1 + random.below(5), period: .seconds(1 + random.below(3)), burst: 1 + random.below(6))
            var state = RateLimiterState<Int>(rate, now: .zero)
            var (now, end, waiting) = (Duration.zero, Duration.zero, [(number: Int, tokens: Int, until: Duration)]())
            // Where more was asked for than is believed, until when.
            var refusal: Duration?
            for number in 1...60 {
                now += .milliseconds(random.below(400))
                switch random.below(4) {
                case 0:
                    let time = Duration.milliseconds(random.below(3000))
                    let late = state.pause(for: time, atMost: .seconds(2), now: now)
                    if late != nil {
                        refusal = time > .seconds(2) ? now + time : now >= end ? nil : refusal
                        end = max(end, now + min(time, .seconds(2)))
                    }
                    if late != nil, time > .seconds(2) { try #require(late?.count == waiting.count) }
                    for (waiter, wait) in late ?? [] {
                        let place = try #require(waiting.firstIndex { $0.number == waiter }, "round \(round)")
                        let before = waiting.remove(at: place)
                        try #require(refusal != nil || now + wait > before.until, "round \(round)")
                        try #require(now + wait >= end, "round \(round)")
                    }
                case 1 where random.below(3) == 0:
                    state.giveBack(1 + random.below(3))
                case 1 where !waiting.isEmpty:
                    let gone = waiting.remove(at: random.below(waiting.count))
                    try #require(state.giveUp(UInt64(gone.number)) == gone.number, "round \(round)")
                default:
                    let (tokens, patience) = (1 + random.below(rate.burst), Duration.milliseconds(random.below(4000)))
                    switch state.enterOrWait(number, tokens, number: UInt64(number), now: now, patience: patience) {
                    case .goes: try #require(now >= end && waiting.isEmpty, "round \(round)")
                    case .waits(let wait):
                        try #require(wait <= patience && (refusal == nil || now >= end), "round \(round)")
                        waiting.append((number, tokens, now + patience))
                    case .refused(let wait):
                        let until = now < end ? refusal.map { max($0, end) } : nil
                        try #require(until.map { now + wait == $0 } ?? (wait > patience), "round \(round)")
                        try #require(now + wait >= end, "round \(round)")
                    }
                }
                // The timer is on time.
                while let wait = state.nextToken(now: now), wait == .zero || random.below(3) > 0 {
                    now += wait
                    for granted in state.grant(now: now) {
                        let first = waiting.removeFirst()
                        try #require(granted.waiter == first.number, "round \(round)")
                        try #require(now >= end, "round \(round)")
                    }
                }
                try #require(state.waiting == waiting.count, "round \(round)")
            }
        }
    }
}
