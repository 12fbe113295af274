import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A circuit", .limited)
struct CircuitTests {
    /// Opens at the second failure, for 5 s.
    private func circuit(calls: Int, failing: Int) throws -> Circuit {
        var circuit = Circuit(try CircuitBreakerPolicy(window: .calls(2), jitter: false))
        let permits = (0..<calls).map { _ in circuit.join() }
        for permit in permits.prefix(failing) {
            _ = circuit.settle(permit, .failure, isSlow: false, now: .zero)
        }
        return circuit
    }

    @Test("is not opened by a quick success that makes the calls enough to judge, but by the failure after it")
    func openingSuccess() throws {
        var circuit = Circuit(try CircuitBreakerPolicy(window: .calls(10), minimumThroughput: 10))
        for outcome in Array(repeating: CircuitOutcome.failure, count: 9) + [.success] {
            _ = circuit.settle(circuit.join(), outcome, isSlow: false, now: .zero)
        }
        #expect(circuit.state == .closed)
        _ = circuit.settle(circuit.join(), .failure, isSlow: false, now: .zero)
        #expect(circuit.state != .closed)
    }

    /// A permit of a call; nil for a refusal.
    private func admit(_ circuit: inout Circuit, at now: Duration) -> Circuit.Permit? {
        let admission = circuit.admit(now: now) { _ in }
        return if case .admitted(let permit) = admission { permit } else { nil }
    }

    @Test(
        "is closed by a probe that succeeds after its lease, since each call may take as long, and by none that was slow",
        arguments: [
            (CircuitOutcome.success, false, true), (.success, true, false), (.failure, false, false),
            (.ignored, false, false),
        ])
    func lateProbe(outcome: CircuitOutcome, isSlow: Bool, closes: Bool) throws {
        var circuit = try circuit(calls: 2, failing: 2)
        let first = try #require(admit(&circuit, at: .seconds(5)))
        // Its place goes to another one.
        let second = try #require(admit(&circuit, at: .seconds(66)))
        _ = circuit.settle(first, outcome, isSlow: isSlow, now: .seconds(125))
        #expect((circuit.state == .closed) == closes && (closes || circuit.state == .halfOpen))
        // The second may still decide.
        _ = circuit.settle(second, .success, isSlow: false, now: .seconds(125))
        #expect(circuit.state == .closed)
    }

    @Test(
        "of the last three calls does not count timeouts while others were answered",
        arguments: [(answered: 0, opens: true), (1, false), (17, false)])
    func inRow(answered: Int, opens: Bool) throws {
        var circuit = Circuit(.timeouts)
        // A screen's calls begin together, and those that run out of time end last.
        for screen in 0..<5 {
            let start = Duration.seconds(30 * screen)
            let calls = (0..<3 + answered).compactMap { _ in admit(&circuit, at: start) }
            for permit in calls.dropFirst(3) {
                _ = circuit.settle(permit, .success, isSlow: false, now: start.adding(.seconds(1)), since: start)
            }
            for permit in calls.prefix(3) {
                _ = circuit.settle(permit, .failure, isSlow: false, now: start.adding(.seconds(10)), since: start)
            }
            #expect(circuit.state == .closed || opens)
        }
        #expect((circuit.state != .closed) == opens)
    }

    @Test("of the last three calls begins anew after a success, and another counts failures whatever was answered")
    func inRowAlone() throws {
        var circuit = Circuit(.timeouts)
        for (index, outcome) in [CircuitOutcome.failure, .failure, .success, .failure].enumerated() {
            let start = Duration.seconds(10 * index)
            _ = circuit.settle(
                circuit.join(), outcome, isSlow: false, now: start.adding(.seconds(10)), since: start)
        }
        #expect(circuit.state == .closed)
        var other = Circuit(try CircuitBreakerPolicy(failureRatio: 0.5, window: .calls(4), minimumThroughput: 4))
        let calls = (0..<4).map { _ in other.join() }
        for (index, permit) in calls.enumerated() {
            _ = other.settle(
                permit, index < 2 ? .success : .failure, isSlow: false, now: .seconds(index + 1), since: .zero)
        }
        #expect(other.state != .closed)
    }

    @Test("that nobody has asked for long begins with short breaks again, however long one may last")
    func shortAgain() throws {
        var circuit = Circuit(
            try CircuitBreakerPolicy(window: .calls(2), maximumBreakDuration: .seconds(7200), jitter: false))
        func fail(at now: Duration) {
            for _ in 0..<2 { _ = circuit.settle(circuit.join(), .failure, isSlow: false, now: now) }
        }
        fail(at: .zero)
        let probe = try #require(admit(&circuit, at: .seconds(5)))
        _ = circuit.settle(probe, .success, isSlow: false, now: .seconds(5))
        fail(at: .seconds(6))
        #expect(circuit.state == .open(until: .seconds(16)))
        _ = admit(&circuit, at: .seconds(617))
        #expect(circuit.state == .closed)
        fail(at: .seconds(617))
        #expect(circuit.state == .open(until: .seconds(622)))
    }

    @Test(
        "of a hundred calls needs two seconds of failures: at hundreds a second, a hundred are a moment",
        arguments: [(milliseconds: 300, opens: false), (1900, false), (2400, true)])
    func moment(milliseconds: Int, opens: Bool) throws {
        var circuit = Circuit(.standard)
        func call(_ outcome: CircuitOutcome, at now: Duration) {
            if let permit = admit(&circuit, at: now) {
                _ = circuit.settle(permit, outcome, isSlow: false, now: now)
            }
        }
        for index in 0..<400 {
            call(.success, at: .microseconds(2500 * index))
        }
        for index in 0..<milliseconds * 2 / 5 {
            call(.failure, at: .seconds(1).adding(.microseconds(2500 * index)))
        }
        #expect((circuit.state != .closed) == opens)
    }

    @Test("of a hundred calls opens with the tenth failure, as before, where it has seen few, or calls are far apart")
    func few() throws {
        for successes in [0, 100] {
            var circuit = Circuit(.standard)
            var now = Duration.zero
            for index in 0..<successes + (successes == 0 ? 10 : 90) {
                #expect(circuit.state == .closed)
                now += .seconds(successes == 0 ? 0 : 2)
                let permit = try #require(admit(&circuit, at: now))
                _ = circuit.settle(permit, index < successes ? .success : .failure, isSlow: false, now: now)
            }
            #expect(circuit.state != .closed)
        }
    }

    @Test("gives a probe's place to a call with time, though one that has hardly any holds it")
    func hastyProbe() throws {
        var circuit = try circuit(calls: 2, failing: 2)
        func admits(isHasty: Bool) -> Circuit.Permit? {
            let admission = circuit.admit(now: .seconds(5), isHasty: isHasty) { _ in }
            return if case .admitted(let permit) = admission { permit } else { nil }
        }
        let hasty = try #require(admits(isHasty: true))
        #expect(admits(isHasty: true) == nil)
        let patient = try #require(admits(isHasty: false))
        #expect(admits(isHasty: false) == nil && admits(isHasty: true) == nil)
        _ = circuit.settle(hasty, .ignored, isSlow: false, now: .seconds(5))
        #expect(admits(isHasty: true) == nil)
        _ = circuit.settle(patient, .success, isSlow: false, now: .seconds(5))
        #expect(circuit.state == .closed)
    }

    @Test(
        "that is open learns nothing from calls that a redirect brings", arguments: [CircuitOutcome.success, .failure])
    func redirected(outcome: CircuitOutcome) throws {
        var circuit = try circuit(calls: 2, failing: 2)
        for _ in 0..<3 {
            let permit = circuit.join()
            let change = circuit.settle(permit, outcome, isSlow: false, now: .seconds(1))
            #expect(change == nil)
        }
        #expect(circuit.state == .open(until: .seconds(5)))
        #expect(circuit.running == 0)
    }

    @Test(
        "that is open is closed by the quick success of a call that a person waits for, and by nothing else",
        arguments: [
            (.success, false, true), (.success, true, false), (.failure, false, false), (.ignored, false, false),
        ]
            as [(CircuitOutcome, Bool, Bool)])
    func person(outcome: CircuitOutcome, isSlow: Bool, closes: Bool) throws {
        var circuit = try circuit(calls: 2, failing: 2)
        let admitted = circuit.admitPerson()
        _ = circuit.settle(try #require(admitted), outcome, isSlow: isSlow, now: .seconds(1))
        #expect(circuit.state == (closes ? .closed : .open(until: .seconds(5))))
    }

    @Test(
        "opens again when a probe whose stream proved nothing fails, unless others have succeeded meanwhile",
        arguments: [true, false])
    func doubtedAlone(isAlone: Bool) throws {
        var circuit = Circuit(try CircuitBreakerPolicy(failureRatio: 1, window: .calls(2), minimumThroughput: 2))
        for _ in 0..<2 { _ = circuit.settle(circuit.join(), .failure, isSlow: false, now: .zero) }
        guard case .admitted(let probe) = circuit.admit(now: .seconds(60), changes: { _ in }) else {
            Issue.record("No probe")
            return
        }
        _ = circuit.settle(probe, .success, isSlow: false, now: .seconds(60))
        let doubted = circuit.doubt(circuit.join())
        if !isAlone {
            _ = circuit.settle(circuit.join(), .success, isSlow: false, now: .seconds(60))
        }
        _ = circuit.settle(doubted, .failure, isSlow: false, now: .seconds(60))
        #expect((circuit.state != .closed) == isAlone)
        #expect(circuit.running == 0)
    }

    @Test(
        "counts a probe of several, whose stream proved nothing, once and as it ends",
        arguments: [(.success, .halfOpen), (.ignored, .halfOpen), (.failure, .open(until: .seconds(15)))]
            as [(CircuitOutcome, CircuitState)])
    func doubted(outcome: CircuitOutcome, state: CircuitState) throws {
        var circuit = Circuit(try CircuitBreakerPolicy(window: .calls(2), jitter: false, probes: 2))
        for _ in 0..<2 { _ = circuit.settle(circuit.join(), .failure, isSlow: false, now: .zero) }
        guard case .admitted(let probe) = circuit.admit(now: .seconds(5), changes: { _ in }) else {
            Issue.record("No probe")
            return
        }
        _ = circuit.settle(probe, .success, isSlow: false, now: .seconds(5))
        let doubted = circuit.doubt(circuit.join())
        _ = circuit.settle(doubted, outcome, isSlow: false, now: .seconds(5))
        #expect(circuit.state == state)
        #expect(circuit.running == 0)
    }

    /// A circuit that two failures have opened for 5 s.
    private func opened(probes: Int, context: CallContext) throws -> Circuits {
        let policy = try CircuitBreakerPolicy(
            failureRatio: 1, window: .calls(2), minimumThroughput: 2, jitter: false, probes: probes,
            probeLease: .seconds(10), admitsPeople: true)
        let circuits = Circuits(policy, limit: 1, lifetime: .seconds(60), log: nil)
        for _ in 0..<2 {
            circuits.settle(try circuits.admit(nil, context: context), .failure, context: context)
        }
        return circuits
    }

    @Test(
        "of the last three calls sees the answers to redirected calls, and streams that have begun",
        arguments: [true, false])
    func inRowElsewhere(isStream: Bool) async throws {
        let clock = ManualClock()
        let context = CallContext(options: .with(clock))
        let circuits = Circuits(.timeouts, limit: 10, lifetime: .seconds(600), log: nil)
        let calls = try (0..<4).map { _ in try circuits.admit("a", context: context) }
        await clock.advance(by: .seconds(1))
        if isStream {
            _ = circuits.begin(calls[3], context: context)
        } else {
            circuits.settle(circuits.redirect(calls[3], to: "b", context: context), .success, context: context)
        }
        await clock.advance(by: .seconds(9))
        for ticket in calls.prefix(3) {
            let last = isStream ? ticket : circuits.redirect(ticket, to: "b", context: context)
            circuits.settle(last, .failure, context: context)
        }
        #expect(circuits.current(isStream ? "a" : "b") == .closed)
    }

    @Test("is not opened by calls that were slow while the process was asleep", arguments: [true, false])
    func asleep(wokeLate: Bool) async throws {
        // given
        let clock = ManualClock()
        let limits = LimitScheduler(clock: clock)
        if wokeLate {
            _ = limits.schedule(after: .seconds(1)) { nil }
            await clock.waitForSleeper(remaining: .seconds(1))
            // Later than any moment of the system's clock.
            await clock.advance(by: .seconds(1_000_000_000))
            await clock.waitForSleeper(remaining: .milliseconds(500))
        }
        let policy = try CircuitBreakerPolicy(
            failureRatio: 1, window: .calls(2), minimumThroughput: 2, slowCallDuration: .nanoseconds(1))
        let circuits = Circuits(policy, limit: 1, lifetime: .seconds(60), log: nil, limits: limits)
        let context = CallContext()
        // when
        for _ in 0..<2 {
            circuits.settle(try circuits.admit(nil, context: context), .success, context: context)
        }
        // then
        #expect((circuits.current(nil) == .closed) == wokeLate)
    }

    @Test("is not opened by a stream that began in an earlier state and proved nothing", arguments: [true, false])
    func late(isReset: Bool) throws {
        var options = CallOptions.with(ManualClock())
        options.isUserRetry = true
        let context = CallContext(options: options)
        let circuits = try opened(probes: 1, context: context)
        let stream = try circuits.admit(nil, context: context)
        if isReset {
            circuits.reset(nil)
        } else {
            circuits.settle(try circuits.admit(nil, context: context), .success, context: context)
        }
        circuits.settle(circuits.undo(circuits.begin(stream, context: context)), .failure, context: context)
        #expect(circuits.current(nil) == .closed)
        #expect(circuits.running == 0)
    }

    @Test("learns as much from a probe whose stream begins after its lease", arguments: [true, false])
    func lease(provesNothing: Bool) async throws {
        let clock = ManualClock()
        let context = CallContext(options: .with(clock))
        let circuits = try opened(probes: 2, context: context)
        await clock.advance(by: .seconds(5))
        let late = try circuits.admit(nil, context: context)
        await clock.advance(by: .seconds(10))
        circuits.settle(try circuits.admit(nil, context: context), .success, context: context)
        let begun = circuits.begin(late, context: context)
        #expect(circuits.current(nil) == .closed)
        circuits.settle(
            provesNothing ? circuits.undo(begun) : begun, provesNothing ? .failure : .success, context: context)
        #expect((circuits.current(nil) == .closed) == !provesNothing)
        #expect(circuits.running == 0)
    }

    @Test("that is isolated lets nobody through, not even a person")
    func isolated() throws {
        var circuit = try circuit(calls: 0, failing: 0)
        _ = circuit.isolate()
        let admitted = circuit.admitPerson()
        #expect(admitted == nil)
    }

    @Test("is not forgotten while a call runs, whose result still counts", arguments: [0, 2])
    func use(failing: Int) throws {
        var circuit = try circuit(calls: failing, failing: failing)
        #expect(circuit.use(at: .seconds(10)) == .atRest)
        let permit = circuit.join()
        #expect(circuit.use(at: .seconds(10)) == .inUse)
        _ = circuit.settle(permit, .ignored, isSlow: false, now: .seconds(10))
        #expect(circuit.use(at: .seconds(10)) == .atRest)
    }
}
