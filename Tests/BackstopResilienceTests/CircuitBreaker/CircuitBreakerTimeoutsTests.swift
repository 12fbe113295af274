import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A circuit breaker for timeouts", .limited)
struct CircuitBreakerTimeoutsTests {
    private typealias Breaker = CircuitBreaker<Ask, Answer>
    private typealias Server = Script<Ask, Answer>
    private let clock = RecordingClock()
    private static let late = Stub<Ask, Answer>.failure(TimeoutError(.attempt, after: .seconds(5)))
    private static let there = Stub<Ask, Answer>.response(Answer("there"))
    private static let open = "rejected.breakerOpen"

    private func chain(_ server: Server, _ breaker: Breaker = .forTimeouts(log: nil)) throws -> AskChain {
        try AskChain(transport: server, interceptors: [Retry(), breaker, Judge()])
    }

    private func code(_ chain: AskChain, isPersonal: Bool = false) async -> String? {
        var options = CallOptions.with(clock, random: FixedRandom(units: 0))
        options.isUserRetry = isPersonal
        return await chain.result(Ask(), options: options).failure?.code
    }

    @Test("opens after three timeouts in a row, for 10 to 20 s, and lets one probe through then")
    func opens() async throws {
        // given
        let server = Server([Self.late, Self.late, Self.late, Self.late, Self.there])
        let chain = try chain(server)
        // when
        for _ in 1...3 {
            #expect(await code(chain) == "timeout.attempt")
        }
        // then
        #expect(await code(chain) == Self.open)
        clock.advance(by: .seconds(10))
        #expect(await code(chain) == "timeout.attempt")
        // and then up to twice as long
        clock.advance(by: .seconds(19))
        #expect(await code(chain) == Self.open)
        clock.advance(by: .seconds(1))
        #expect(await code(chain) == nil)
    }

    @Test(
        "stays closed whatever else happens between timeouts, or instead of them",
        arguments: [
            .response(Answer(status: 404)), .response(Answer(status: 500)), .response(Answer(status: 503)),
            .response(Answer()),
        ] as [Stub<Ask, Answer>])
    func answers(answer: Stub<Ask, Answer>) async throws {
        let steps = (0..<10).map { $0 % 3 == 2 ? answer : Self.late }
        let chain = try chain(Server(steps + [answer.repeated()]), Breaker.forTimeouts(log: nil))
        for _ in 0..<10 {
            #expect(await code(chain) != Self.open)
        }
    }

    @Test("counts neither faults of the network nor waits for a connection")
    func ignored() async throws {
        for error in [
            TransportError(.refused), TransportError(.offline), TransportError(.dns), TransportError(.lost),
            TimeoutError(.connection, after: .seconds(5)),
        ] as [any Error] {
            let chain = try chain(Server(Stub<Ask, Answer>.failure(error).repeated()))
            for _ in 0..<10 {
                #expect(await code(chain) != Self.open)
            }
        }
    }

    @Test("lets through whoever tries again, and closes with the first success")
    func people() async throws {
        // given
        let server = Server([Self.late, Self.late, Self.late, Self.late, Self.there, Self.there])
        let chain = try chain(server)
        for _ in 1...3 {
            _ = await code(chain)
        }
        // then
        #expect(await code(chain) == Self.open)
        #expect(await code(chain, isPersonal: true) == "timeout.attempt")
        #expect(await code(chain) == Self.open)
        #expect(await code(chain, isPersonal: true) == nil)
        #expect(await code(chain) == nil)
        #expect(server.requests.count == 6)
    }

    @Test("lets through what a handler repeats, but not where it is isolated by hand")
    func handler() async throws {
        // given
        let breaker = Breaker.forTimeouts(log: nil)
        let chain = try chain(Server([Self.late, Self.late, Self.late, Self.there]), breaker)
        for _ in 1...3 {
            _ = await code(chain)
        }
        // when
        let codes = Notes<String>()
        let outcome = await FailureHandling().perform(clock: clock) { failure in
            codes.add(failure.code)
            return Resolution<Answer>.retry(after: .zero)
        } call: { () async throws(Failure) in
            try await chain.call(Ask(), options: .with(clock))
        }
        // then
        #expect(outcome.value?.body == "there")
        #expect(codes.all == [Self.open])
        breaker.isolate()
        #expect(await code(chain, isPersonal: true) == Self.open)
    }
}
