import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The circuits of a breaker", .limited)
struct CircuitsTests {
    private typealias Breaker = CircuitBreaker<Ask, Answer>
    private let clock = RecordingClock()
    private static let unwell = Stub<Ask, Answer>.response(Answer(status: 503))

    private func chain(_ breaker: Breaker, _ steps: Script<Ask, Answer>.Step...) throws -> AskChain {
        try AskChain(transport: Script(steps), interceptors: [breaker, Judge()])
    }

    @Test("are one for each destination, and without a key the worst of them is told")
    func destinations() async throws {
        // given
        struct Query: CallRequest {
            let destination: String
            var isIdempotent: Bool { true }
            var isReplayable: Bool { true }
            func summary(_ redaction: Redaction) -> String { "query" }
        }
        let policy = try CircuitBreakerPolicy(window: .calls(1), jitter: false)
        let breaker = CircuitBreaker<Query, Answer>(policy, log: nil)
        let server = Script<Query, Answer>(
            .respond { query, _ in
                guard query.destination == "a" else {
                    throw TransportError(.lost)
                }
                return Answer()
            }.repeated())
        let chain = try Chain(transport: server, interceptors: [breaker])
        // then
        #expect(breaker.state() == .closed)
        _ = await chain.result(Query(destination: "a"), options: .with(clock))
        #expect(breaker.state() == .closed)
        _ = await chain.result(Query(destination: "b"), options: .with(clock))
        #expect(breaker.states == ["a": .closed, "b": .open(until: .seconds(5))])
        #expect(breaker.state() == .open(until: .seconds(5)))
        #expect(await chain.result(Query(destination: "a"), options: .with(clock)).failure == nil)
        clock.advance(by: .seconds(1))
        _ = await chain.result(Query(destination: "c"), options: .with(clock))
        #expect(breaker.state() == .open(until: .seconds(6)))
        breaker.isolate("a")
        #expect(breaker.state() == .isolated)
    }

    @Test("let no person through while they are open, unless the policy says so", arguments: [false, true])
    func people(areAdmitted: Bool) async throws {
        let policy = try CircuitBreakerPolicy(window: .calls(2), jitter: false, admitsPeople: areAdmitted)
        let chain = try chain(Breaker(policy, log: nil), Self.unwell.repeated())
        var options = CallOptions.with(clock)
        options.isUserRetry = true
        for _ in 0..<2 {
            _ = await chain.result(Ask(), options: options)
        }
        let code = await chain.result(Ask(), options: options).failure?.code
        #expect(code == (areAdmitted ? "status.503" : "rejected.breakerOpen"))
    }

    @Test("stay open for a random time, also when calls were slow", arguments: [(0, 5), (0.5, 7.5)])
    func slow(unit: Double, seconds: Double) async throws {
        let policy = try CircuitBreakerPolicy(
            window: .calls(1), slowCallDuration: .seconds(2), breakDuration: .seconds(10))
        let breaker = Breaker(policy, log: nil)
        let chain = try chain(breaker, .delay(.seconds(2), then: .response(Answer())))
        _ = await chain.result(Ask(), options: .with(clock, random: FixedRandom(units: unit)))
        #expect(breaker.state() == .open(until: .seconds(2) + .seconds(seconds)))
    }

    @Test("count the whole time of a redirected call, where the redirect led")
    func slowRedirect() async throws {
        let policy = try CircuitBreakerPolicy(
            window: .calls(1), slowCallDuration: .seconds(2), breakDuration: .seconds(5), jitter: false)
        let breaker = Breaker(policy, grouping: .by { $0.text }, log: nil)
        let chain = try chain(
            breaker,
            .respond { [clock] _, context in
                clock.advance(by: .seconds(2))
                context.recordHop(Ask("new"))
                return Answer()
            })
        _ = await chain.result(Ask("old"), options: .with(clock))
        #expect(breaker.states == ["old": .closed, "new": .open(until: .seconds(7))])
    }

    @Test(
        "count a call once that is redirected within its circuit, or sent elsewhere by an interceptor",
        arguments: [false, true])
    func redirectWithin(isSentElsewhere: Bool) async throws {
        let policy = try CircuitBreakerPolicy(window: .calls(2), jitter: false)
        let breaker = Breaker(policy, grouping: .by { String($0.text.prefix(3)) }, log: nil)
        let chain = try AskChain(
            transport: Script(
                .respond { _, context in
                    context.recordHop(Ask(isSentElsewhere ? "new" : "old/page"))
                    return Answer(status: 503)
                }.repeated())
        ) {
            breaker
            Judge()
            Step { request, _, next in try await next(isSentElsewhere ? Ask("mirror") : request) }
        }
        _ = await chain.result(Ask("old"), options: .with(clock))
        #expect(breaker.states == ["old": .closed])
        _ = await chain.result(Ask("old"), options: .with(clock))
        #expect(breaker.states == ["old": .open(until: .seconds(5))])
    }

    @Test("learn that something was sent from the failure of a call inside")
    func nested() async throws {
        let heard = Notes<Bool>()
        let policy = try CircuitBreakerPolicy { candidate in
            heard.add(candidate.wasSent)
            return candidate.standardOutcome
        }
        let inner = try AskChain(transport: Script(.failure(ShopError())), interceptors: [])
        let chain = try AskChain(transport: Script<Ask, Answer>()) {
            Breaker(policy, log: nil)
            Step { request, _, _ in try await inner.call(request) }
        }
        _ = await chain.result(Ask(), options: .with(clock))
        #expect(heard.all == [true])
    }
}
