import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A circuit breaker that a person", .limited)
struct CircuitBreakerByHandTests {
    private typealias Breaker = CircuitBreaker<Ask, Answer>
    private let clock = ManualClock()
    private let log = RecordingLog()

    private func policy(refusesCalls: Bool = true) throws -> CircuitBreakerPolicy {
        try CircuitBreakerPolicy(window: .calls(4), jitter: false, refusesCalls: refusesCalls)
    }

    private func codes(_ count: Int, _ chain: AskChain, _ text: String = "hello") async -> [String] {
        var codes: [String] = []
        for _ in 0..<count {
            codes.append(await chain.result(Ask(text), options: .with(clock)).failure?.code ?? "ok")
        }
        return codes
    }

    private func chain(_ breaker: Breaker) throws -> AskChain {
        try AskChain(transport: Script(.failure(TransportError(.lost)).repeated()), interceptors: [breaker])
    }

    @Test(
        "disables lets every call through, also where it was open, and counts none until it is reset",
        arguments: [true, false])
    func disabled(isOpen: Bool) async throws {
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(breaker)
        _ = await codes(isOpen ? 4 : 3, chain)
        // when
        breaker.disable()
        // then
        #expect(await codes(20, chain) == Array(repeating: "transport.lost", count: 20))
        #expect(breaker.state() == .disabled)
        // afterwards it counts anew
        breaker.reset()
        #expect(breaker.state() == .closed)
        #expect(await codes(5, chain) == Array(repeating: "transport.lost", count: 4) + ["rejected.breakerOpen"])
    }

    @Test("disables for a key goes on for the others, and tells the change")
    func key() async throws {
        let breaker = Breaker(try policy(), grouping: .by(\.text), log: log)
        let chain = try chain(breaker)
        var changes = breaker.transitions().makeAsyncIterator()
        // when
        breaker.disable("a")
        // then
        #expect(await codes(6, chain, "a").allSatisfy { $0 == "transport.lost" })
        #expect(await codes(5, chain, "b").last == "rejected.breakerOpen")
        #expect(breaker.states == ["a": .disabled, "b": .open(until: .seconds(5))])
        let change = await changes.next()
        #expect(change?.key == "a" && change?.to == .disabled && change?.cause == .disabled)
        #expect(change?.description == "disabled: by hand")
        #expect(log.entries.first?.message == "The circuit breaker for a: disabled: by hand")
    }

    @Test("disables after it was isolated lets calls through, and isolates after that lets none")
    func both() async throws {
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(breaker)
        breaker.isolate()
        #expect(await codes(1, chain) == ["rejected.breakerOpen"])
        breaker.disable()
        #expect(await codes(1, chain) == ["transport.lost"])
        breaker.isolate()
        #expect(await codes(1, chain) == ["rejected.breakerOpen"])
    }

    @Test("isolates or disables for all tells nothing of calls that run, and nothing twice", arguments: [true, false])
    func running(isIsolated: Bool) async throws {
        let gate = Gate()
        let breaker = Breaker(try policy(), grouping: .by(\.text), log: log)
        let server = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                throw TransportError(.lost)
            }.repeated())
        let chain = try AskChain(transport: server, interceptors: [breaker])
        let calls = (0..<4).map { _ in Task { await chain.result(Ask("a"), options: .with(clock)) } }
        await gate.waitForArrivals(4)
        for _ in 1...2 {
            isIsolated ? breaker.isolate() : breaker.disable()
        }
        gate.open()
        for call in calls {
            #expect(await call.value.failure?.code == "transport.lost")
        }
        #expect(log.entries.map(\.message) == ["The circuit breaker: \(isIsolated ? "isolated" : "disabled"): by hand"])
        breaker.reset()
        #expect(breaker.state() == .closed)
    }

    @Test(
        "isolates an origin as people write it",
        arguments: [
            "https://api.example.com", "https://api.example.com/v1", "api.example.com", "https://API.example.com:443",
            "https://api.example.com:443/", "https://api.example.com:443",
        ])
    func origin(text: String) async throws {
        let breaker = HTTP.CircuitBreaker(log: nil)
        let transport = ScriptedTransport(.status(200).repeated())
        let chain = try HTTP.Chain(transport: transport, interceptors: [breaker])
        let request = try HTTP.Request(.get, "https://api.example.com/v1/books")
        _ = try await chain.call(request)
        breaker.isolate(text)
        #expect(breaker.state(of: text) == .isolated)
        let failure = await #expect(throws: Failure.self) { try await chain.call(request) }
        #expect(failure?.code == "rejected.breakerOpen")
        breaker.reset(text)
        #expect(try await chain.call(request).status == 200)
    }

    @Test("isolates for a key that no call has had says so")
    func unknownKey() async throws {
        let breaker = Breaker(try policy(), grouping: .by(\.text), log: log)
        _ = await codes(1, try chain(breaker), "a")
        breaker.isolate("a")
        #expect(log.entries.count == 1)
        breaker.isolate("b")
        #expect(log.entries.count == 3)
        #expect(log.entries.last?.message.contains("no call has had this key yet") == true)
    }

    @Test("sets for all and for a key does what was said last")
    func lastWord() async throws {
        let breaker = Breaker(try policy(), grouping: .by(\.text), log: nil)
        let chain = try chain(breaker)
        breaker.disable()
        breaker.isolate("a")
        #expect(await codes(1, chain, "a") == ["rejected.breakerOpen"])
        #expect(await codes(1, chain, "b") == ["transport.lost"])
        #expect(breaker.state(of: "a") == .isolated && breaker.state(of: "b") == .disabled)
        #expect(breaker.state() == .isolated)
        breaker.isolate()
        breaker.disable("a")
        #expect(await codes(1, chain, "a") == ["transport.lost"])
        #expect(await codes(1, chain, "b") == ["rejected.breakerOpen"])
        #expect(breaker.states == ["a": .disabled, "b": .isolated])
        breaker.disable()
        #expect(await codes(5, chain, "a") == Array(repeating: "transport.lost", count: 5))
        #expect(breaker.state() == .disabled)
        breaker.reset()
        #expect(breaker.state() == .closed)
    }

    @Test("only lets watch opens and tells so, refuses nothing, and says which calls it would have refused")
    func watches() async throws {
        let breaker = Breaker(try policy(refusesCalls: false), log: log)
        let server = Script<Ask, Answer>(
            .failure(TransportError(.lost)).repeated(6), .response(Answer()).repeated())
        let chain = try AskChain(transport: server, interceptors: [breaker])
        #expect(await codes(4, chain) == Array(repeating: "transport.lost", count: 4))
        #expect(breaker.state() == .open(until: .seconds(5)))
        #expect(log.entries.last?.message.hasSuffix("opened for 5 s: 4 of 4 attempts failed, and only watches") == true)
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.code == "transport.lost")
        #expect("\(failure.trace)".contains("would refuse the call: it is open"), "\(failure.trace)")
        // What it would not have sent changes nothing.
        #expect(await codes(2, chain) == ["transport.lost", "ok"])
        #expect(breaker.state() == .open(until: .seconds(5)))
        // After the break, a probe decides.
        await clock.advance(by: .seconds(5))
        #expect(await codes(1, chain) == ["ok"])
        #expect(breaker.state() == .closed)
        breaker.isolate()
        #expect(await codes(1, chain) == ["rejected.breakerOpen"])
        #expect(log.entries.last?.message.hasSuffix("isolated: by hand") == true)
    }
}
