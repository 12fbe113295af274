import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The races of a circuit breaker", .limited)
struct CircuitRaceTests {
    /// Waits, fails, or is cancelled, as a number says.
    private struct Chance: Transport {
        let sent: Counter

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            sent.increment()
            let number = Int(request.text) ?? 0
            for _ in 0..<(number % 7) {
                await Task.yield()
            }
            try Task.checkCancellation()
            return Answer(status: number % 3 == 0 ? 503 : 200)
        }
    }

    @Test(
        "lose no permit and no probe when calls end, are cancelled and are rejected at once", arguments: Seed.ofRun)
    func storm(seed: Seed) async throws {
        var random = seed.numbers
        for round in 0..<40 {
            let clock = RecordingClock()
            let breaker = CircuitBreaker<Ask, Answer>(
                try CircuitBreakerPolicy(
                    failureRatio: 0.3, window: .calls(3), breakDuration: .milliseconds(2),
                    maximumBreakDuration: .milliseconds(4), probes: 1 + round % 3, probeLease: .milliseconds(3)),
                grouping: round % 2 == 0 ? .all : .by { String($0.text.suffix(1)) }, log: nil, limit: 4,
                lifetime: .seconds(1))
            let sent = Counter()
            let chain = try AskChain(transport: Chance(sent: sent)) {
                breaker
                Judge()
            }
            let numbers = (0..<100).map { _ in random.below(1_000_000) }
            let cancels = Set((0..<30).map { _ in random.below(100) })
            let seen = Notes<CircuitTransition>()
            let watch = breaker.transitions()
            let watching = Task { for await change in watch { seen.add(change) } }
            let passed = Counter()
            await withTaskGroup(of: Void.self) { group in
                for (index, number) in numbers.enumerated() {
                    group.addTask {
                        clock.advance(by: .microseconds(number % 300))
                        let call = Task { await chain.result(Ask("\(number)"), options: .with(clock)) }
                        if cancels.contains(index) {
                            call.cancel()
                        }
                        if await call.value.failure?.code != "rejected.breakerOpen" {
                            passed.increment()
                        }
                    }
                }
            }
            watching.cancel()
            await watching.value
            #expect(breaker.circuits.running == 0, "round \(round)")
            #expect(sent.value <= passed.value, "round \(round)")
            // Each circuit's changes come in order.
            if round % 2 == 0 {
                let generations = seen.all.map(\.generation)
                #expect(generations == generations.sorted(), "round \(round)")
            }
        }
    }

    @Test("let exactly one of many callers probe, thousands of times", arguments: Seed.ofRun)
    func oneProbe(seed: Seed) async throws {
        var random = seed.numbers
        let clock = RecordingClock()
        let breaker = CircuitBreaker<Ask, Answer>(
            try CircuitBreakerPolicy(
                window: .calls(1), breakDuration: .seconds(1), maximumBreakDuration: .seconds(1), jitter: false),
            log: nil)
        let running = Lock((now: 0, most: 0))
        let chain = try AskChain(transport: Echo()) {
            breaker
            Step { request, _, _ in
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                await Task.yield()
                running.withLock { $0.now -= 1 }
                throw StatusError(503)
            }
        }
        _ = await chain.result(Ask(), options: .with(clock))
        for round in 0..<1000 {
            clock.advance(by: .seconds(1))
            let callers = 2 + random.below(4)
            let rejected = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<callers {
                    group.addTask {
                        await chain.result(Ask(), options: .with(clock)).failure?.code == "rejected.breakerOpen"
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try #require(rejected == callers - 1, "round \(round)")
        }
        #expect(running.withLock { $0.most } == 1)
        #expect(breaker.circuits.running == 0)
    }

    /// What comes of a probe.
    private enum Fate: CaseIterable {
        case success, failure, cancellation
    }

    @Test(
        "open again when a probe fails as another one returns or is cancelled, thousands of times",
        arguments: Seed.ofRun)
    func openingAsAProbeReturns(seed: Seed) async throws {
        var random = seed.numbers
        for round in 0..<3000 {
            // given: a breaker whose break is over, and two probes
            let clock = RecordingClock()
            let breaker = CircuitBreaker<Ask, Answer>(
                try CircuitBreakerPolicy(
                    window: .calls(1), breakDuration: .seconds(1), maximumBreakDuration: .seconds(1), jitter: false,
                    probes: 2),
                log: nil)
            let turns = [random.below(4), random.below(4)]
            let fates = (0..<2).map { _ in Fate.allCases[random.below(3)] }
            let chain = try AskChain(transport: Echo()) {
                breaker
                Step { request, _, next in
                    guard let number = Int(request.text) else { throw StatusError(503) }
                    for _ in 0..<turns[number] { await Task.yield() }
                    try Task.checkCancellation()
                    guard fates[number] != .failure else { throw StatusError(503) }
                    return try await next(request)
                }
            }
            _ = await chain.result(Ask("opens it"), options: .with(clock))
            clock.advance(by: .seconds(1))
            // when
            let probes = (0..<2).map { number in
                Task { await chain.result(Ask("\(number)"), options: .with(clock)).failure?.code }
            }
            for (number, probe) in probes.enumerated() where fates[number] == .cancellation {
                for _ in 0..<random.below(4) { await Task.yield() }
                probe.cancel()
            }
            let codes = [await probes[0].value, await probes[1].value]
            // then: one failure opens it, and only two successes close it
            let state = breaker.state()
            let text: Comment = "round \(round): \(fates), \(codes), \(state)"
            if codes.contains("status.503") {
                guard case .open = state else {
                    Issue.record(text)
                    return
                }
            } else {
                try #require(state == (codes == [nil, nil] ? .closed : .halfOpen), text)
            }
            try #require(breaker.circuits.running == 0, text)
            // and the places of the probes can be taken again
            clock.advance(by: .seconds(1))
            let next = await chain.result(Ask("opens it"), options: .with(clock)).failure?.code
            try #require(next == "status.503", text)
        }
    }
}
