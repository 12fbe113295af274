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

    @Test("learns nothing from a probe whose stream begins after its lease")
    func lease() async throws {
        let clock = ManualClock()
        let context = CallContext(options: .with(clock))
        let circuits = try opened(probes: 2, context: context)
        await clock.advance(by: .seconds(5))
        let late = try circuits.admit(nil, context: context)
        await clock.advance(by: .seconds(10))
        circuits.settle(try circuits.admit(nil, context: context), .success, context: context)
        circuits.settle(circuits.undo(circuits.begin(late, context: context)), .failure, context: context)
        #expect(circuits.current(nil) == .halfOpen)
        circuits.settle(try circuits.admit(nil, context: context), .success, context: context)
        #expect(circuits.current(nil) == .closed)
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
