import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A circuit breaker", .limited)
struct CircuitBreakerTests {
    private typealias Breaker = CircuitBreaker<Ask, Answer>
    private let clock = ManualClock()
    private let log = RecordingLog()

    init() async {
        // No clock of a real call begins at zero.
        await clock.advance(by: .seconds(1000))
    }

    /// Opens at the fourth call, when half have failed; a break of exactly 5 s.
    private func policy(
        window: Int = 4, slow: Duration? = nil, probes: Int = 1,
        outcome: @escaping @Sendable (CircuitCandidate) -> CircuitOutcome = { $0.standardOutcome }
    ) throws -> CircuitBreakerPolicy {
        try CircuitBreakerPolicy(
            failureRatio: 0.5, window: .calls(window), slowCallDuration: slow, jitter: false, probes: probes,
            probeLease: .seconds(30),
            outcome: outcome)
    }

    private func chain(_ breaker: Breaker, _ steps: Script<Ask, Answer>.Step...) throws -> AskChain {
        try chain(breaker, Script(steps))
    }

    private func chain(_ breaker: Breaker, _ transport: Script<Ask, Answer>) throws -> AskChain {
        try AskChain(transport: transport) {
            breaker
            Judge()
        }
    }

    private func codes(_ count: Int, _ chain: AskChain, _ text: String = "hello") async -> [String] {
        var codes: [String] = []
        for _ in 0..<count {
            codes.append(await chain.result(Ask(text), options: .with(clock)).failure?.code ?? "ok")
        }
        return codes
    }

    private static let open = "rejected.breakerOpen"

    @Test("opens when too many calls failed, and then sends nothing")
    func opens() async throws {
        // given
        let transport = Script<Ask, Answer>(.response(Answer(status: 503)).repeated())
        let chain = try chain(Breaker(try policy(), log: nil), transport)
        // when
        let codes = await codes(6, chain)
        // then
        #expect(codes == Array(repeating: "status.503", count: 4) + [Self.open, Self.open])
        #expect(transport.requests.count == 4)
    }

    @Test("says until when, as a value and in the texts")
    func untilWhen() async throws {
        // given
        let chain = try chain(Breaker(try policy(), log: nil), .response(Answer(status: 503)).repeated())
        _ = await codes(4, chain)
        await clock.advance(by: .milliseconds(1500))
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.error(as: RejectionError.self)?.code == .breakerOpen)
        #expect(failure.retryAfter == .milliseconds(3500))
        #expect(
            failure.explanation == "The request was not sent: The circuit breaker is open for another 3.5 s")
        #expect(failure.nextStep == "Nothing was sent, so the call can be repeated in 3.5 s.")
        #expect(failure.isTransient)
    }

    @Test("needs the minimum of calls, and counts only the last ones")
    func window() async throws {
        // given: half of the first calls would be enough, but they are too few; later one failure at a time is in the window
        let failing = Script<Ask, Answer>.Step.response(Answer(status: 500))
        let good = Script<Ask, Answer>.Step.response(Answer())
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(
            breaker, failing, good, good, good, good, good, failing, good, failing, good.repeated())
        // when
        _ = await codes(8, chain)
        #expect(breaker.state() == .closed)
        _ = await codes(1, chain)
        // then: of the last 4, two failed
        #expect(breaker.state() == .open(until: .seconds(1005)))
    }

    @Test("forgets calls after ten minutes without any", arguments: [(600, false), (601, true)])
    func yesterday(seconds: Int, isForgotten: Bool) async throws {
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(breaker, .response(Answer(status: 503)).repeated())
        _ = await codes(3, chain)
        await clock.advance(by: .seconds(seconds))
        _ = await codes(1, chain)
        #expect((breaker.state() == .closed) == isForgotten)
    }

    @Test("by default lets what fails by chance through at any rate, and opens for what is down", arguments: [1, 2, 3])
    func chance(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed: seed)
        for (share, isOpened) in [(0.3, false), (0.5, false), (1, true)] {
            let breaker = Breaker(log: nil)
            let steps = (0..<3000).map { _ in
                Script<Ask, Answer>.Step.response(
                    Answer(status: Double(numbers.below(1000)) < share * 1000 ? 503 : 200))
            }
            let chain = try self.chain(breaker, Script(steps))
            let codes = await codes(3000, chain)
            let refused = codes.filter { $0 == "rejected.breakerOpen" }.count
            #expect(isOpened ? refused == 2990 : refused == 0, "of \(share)")
        }
    }

    @Test("sends a probe after the break, and closes when it succeeds")
    func probeSucceeds() async throws {
        // given
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(breaker, .response(Answer(status: 503)).repeated(4), .response(Answer()).repeated())
        _ = await codes(4, chain)
        // when
        await clock.advance(by: .milliseconds(4999))
        #expect(await codes(1, chain) == [Self.open])
        await clock.advance(by: .milliseconds(1))
        // then
        #expect(await codes(2, chain) == ["ok", "ok"])
        #expect(breaker.state() == .closed)
    }

    @Test(
        "is closed for whoever comes back long after the break, perhaps asleep until then", arguments: [600, 601],
        [false, true])
    func longAgo(seconds: Int, isProbed: Bool) async throws {
        let breaker = Breaker(try policy(), log: nil)
        let bad = Script<Ask, Answer>.Step.response(Answer(status: 503)).repeated(4)
        let held = Script<Ask, Answer>.Step.delay(.milliseconds(30), then: .response(Answer())).repeated()
        let script = Script([bad] + (isProbed ? [.hang] : []) + [held])
        let chain = try self.chain(breaker, script)
        _ = await codes(4, chain)
        await clock.advance(by: .seconds(5))
        if isProbed {
            let probe = Task { await codes(1, chain) }
            await script.waitForRequests(5)
            probe.cancel()
            _ = await probe.value
        }
        await clock.advance(by: .seconds(seconds))
        async let first = codes(1, chain)
        await clock.waitForSleepers(1)
        async let second = codes(1, chain)
        if seconds > 600 {
            await clock.waitForSleepers(2)
        } else {
            #expect(await second == [Self.open])
        }
        await clock.advance(by: .milliseconds(30))
        #expect(await first == ["ok"])
        #expect(await second == [seconds > 600 ? "ok" : Self.open])
        #expect(breaker.state() == .closed)
    }

    @Test("opens for twice as long when the probe fails, and starts over when it was closed for long")
    func longerBreaks() async throws {
        // given
        let breaker = Breaker(try policy(), log: nil)
        let bad = Script<Ask, Answer>.Step.response(Answer(status: 503))
        let chain = try chain(
            breaker, bad.repeated(5), .response(Answer()), bad.repeated(4), .response(Answer()), bad.repeated())
        _ = await codes(4, chain)
        await clock.advance(by: .seconds(5))
        // when
        #expect(await codes(1, chain) == ["status.503"])
        // then
        #expect(breaker.state() == .open(until: clock.now + .seconds(10)))
        // when it closes, and soon opens again
        await clock.advance(by: .seconds(10))
        _ = await codes(5, chain)
        #expect(breaker.state() == .open(until: clock.now + .seconds(20)))
        // when it closes, and opens again after the longest break
        await clock.advance(by: .seconds(20))
        _ = await codes(1, chain)
        await clock.advance(by: .seconds(60))
        _ = await codes(4, chain)
        #expect(breaker.state() == .open(until: clock.now + .seconds(5)))
    }

    @Test("waits as long as the server asks, up to the maximum", arguments: [(2, 5), (30, 30), (7200, 60)])
    func retryAfter(asked: Int, expected: Int) async throws {
        // given
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(breaker, .response(Answer(status: 503, wait: .seconds(asked))).repeated())
        // when
        _ = await codes(4, chain)
        // then
        #expect(breaker.state() == .open(until: clock.now + .seconds(expected)))
    }

    @Test("rejects other calls while probes run, and does not say how long, which nobody knows")
    func whileProbing() async throws {
        // given
        let transport = Script<Ask, Answer>(.response(Answer(status: 503)).repeated(4), .hang)
        let chain = try chain(Breaker(try policy(), log: nil), transport)
        _ = await codes(4, chain)
        await clock.advance(by: .seconds(5))
        let probe = Task { await codes(1, chain) }
        await transport.waitForRequests(5)
        await clock.advance(by: .seconds(10))
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.code == Self.open)
        #expect(failure.retryAfter == nil)
        #expect(
            failure.explanation.hasSuffix("The circuit breaker is half-open: it waits for the result of a probe"))
        // afterwards
        probe.cancel()
        #expect(await probe.value == ["cancelled"])
    }

    @Test("closes after as many good probes as asked for, which may run at once")
    func severalProbes() async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .response(Answer(status: 503)).repeated(4),
            .respond { _, _ in
                await gate.pass()
                return Answer()
            }.repeated())
        let breaker = Breaker(try policy(probes: 3), log: nil)
        let chain = try chain(breaker, transport)
        _ = await codes(4, chain)
        await clock.advance(by: .seconds(5))
        // when
        let probes = (0..<3).map { _ in Task { await codes(1, chain) } }
        await gate.waitForArrivals(3)
        #expect(await codes(1, chain) == [Self.open])
        #expect(breaker.state() == .halfOpen)
        gate.open()
        for probe in probes {
            #expect(await probe.value == ["ok"])
        }
        // then
        #expect(breaker.state() == .closed)
    }

    @Test("gives the place of a cancelled probe to the next call")
    func cancelledProbe() async throws {
        // given
        let transport = Script<Ask, Answer>(.response(Answer(status: 503)).repeated(4), .hang, .response(Answer()))
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(breaker, transport)
        _ = await codes(4, chain)
        await clock.advance(by: .seconds(5))
        let probe = Task { await codes(1, chain) }
        await transport.waitForRequests(5)
        // when
        probe.cancel()
        #expect(await probe.value == ["cancelled"])
        // then
        #expect(await codes(1, chain) == ["ok"])
        #expect(breaker.state() == .closed)
    }

    @Test("gives the place of a probe that hangs to another call, and counts its late success", arguments: [200, 503])
    func lease(status: Int) async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .response(Answer(status: 503)).repeated(4),
            .respond { _, _ in
                await gate.pass()
                return Answer(status: status)
            }, .hang)
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(breaker, transport)
        _ = await codes(4, chain)
        await clock.advance(by: .seconds(5))
        let hung = Task { await codes(1, chain) }
        await gate.waitForArrivals(1)
        await clock.advance(by: .seconds(29))
        #expect(await codes(1, chain) == [Self.open])
        // when
        await clock.advance(by: .seconds(1))
        let second = Task { await codes(1, chain) }
        await transport.waitForRequests(6)
        gate.open()
        _ = await hung.value
        // then: the second probe decides about anything else
        #expect(breaker.state() == (status == 200 ? .closed : .halfOpen))
        if status == 503 {
            #expect(await codes(1, chain) == [Self.open])
        }
        // afterwards
        second.cancel()
        _ = await second.value
        #expect(breaker.circuits.running == 0)
    }

    @Test("ignores the result of a call that began before the last change", arguments: [200, 503])
    func late(status: Int) async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                return Answer(status: status)
            }, .response(Answer(status: 503)).repeated(4), .hang)
        let breaker = Breaker(try policy(), log: nil)
        let chain = try chain(breaker, transport)
        let slow = Task { await codes(1, chain) }
        await gate.waitForArrivals(1)
        _ = await codes(4, chain)
        let opened = breaker.state()
        // when
        gate.open()
        _ = await slow.value
        // then
        #expect(breaker.state() == opened)
        #expect(opened == .open(until: .seconds(1005)))
    }

    @Test("does not count refusals, cancelled calls, and what an app's own rule ignores")
    func neutral() async throws {
        // given
        let breaker = Breaker(
            try policy { $0.statusCode == 503 ? .ignored : $0.standardOutcome }, log: nil)
        let chain = try chain(
            breaker, .response(Answer(status: 404)).repeated(5), .failure(TransportError(.offline)).repeated(5),
            .response(Answer(status: 503)).repeated(5), .response(Answer(status: 500)).repeated())
        // when
        _ = await codes(15, chain)
        #expect(breaker.state() == .closed)
        // then: the refusals count as successes, so four of them stand against the first failures
        _ = await codes(2, chain)
        #expect(breaker.state() == .open(until: clock.now + .seconds(5)))
    }

    @Test("opens when too many calls were slow, though they succeeded")
    func slow() async throws {
        // given
        let breaker = Breaker(try policy(slow: .seconds(2)), log: nil)
        let clock = RecordingClock()
        let chain = try chain(
            breaker, .delay(.milliseconds(1999), then: .response(Answer())).repeated(4),
            .delay(.seconds(2), then: .response(Answer())).repeated())
        // when
        for _ in 0..<5 {
            _ = await chain.result(Ask(), options: .with(clock))
        }
        #expect(breaker.state() == .closed)
        _ = await chain.result(Ask(), options: .with(clock))
        // then
        #expect(breaker.state() == .open(until: clock.now + .seconds(5)))
    }

    @Test("keeps a circuit for each key")
    func keys() async throws {
        // given
        let breaker = Breaker(try policy(), grouping: .by { $0.text }, log: nil)
        let chain = try chain(
            breaker, .on("a", where: { $0.text == "a" }, .response(Answer(status: 503))),
            .response(Answer()).repeated())
        // when
        _ = await codes(4, chain, "a")
        // then
        #expect(await codes(1, chain, "a") == [Self.open])
        #expect(await codes(1, chain, "b") == ["ok"])
        #expect(breaker.states == ["a": .open(until: .seconds(1005)), "b": .closed])
        #expect(breaker.state(of: "a") == .open(until: .seconds(1005)))
        #expect(breaker.state(of: "unknown") == .closed)
    }

    @Test("leaves no call, probe or watcher behind, whatever happened")
    func atRest() async throws {
        // given
        let breaker = Breaker(try policy(), grouping: .by { $0.text }, log: nil)
        let chain = try chain(
            breaker, .response(Answer(status: 503)).repeated(9), .failure(ShopError()).repeated(9), .hang.repeated())
        // when
        for text in ["a", "b", "c", "d"] {
            _ = await codes(5, chain, text)
        }
        let hanging = (0..<5).map { number in Task { await codes(1, chain, "e\(number)") } }
        hanging.forEach { $0.cancel() }
        for task in hanging {
            _ = await task.value
        }
        // then
        #expect(breaker.circuits.running == 0)
        #expect(breaker.circuits.watcherCount == 0)
    }
}
