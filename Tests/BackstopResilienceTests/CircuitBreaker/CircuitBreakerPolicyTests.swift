import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The policy of a circuit breaker", .limited)
struct CircuitBreakerPolicyTests {
    @Test("refuses settings that make no sense, and names them")
    func invalid() {
        let cases: [(String, () throws -> Void)] = [
            ("CircuitBreakerPolicy.failureRatio", { _ = try CircuitBreakerPolicy(failureRatio: 0) }),
            ("CircuitBreakerPolicy.failureRatio", { _ = try CircuitBreakerPolicy(failureRatio: 1.01) }),
            ("CircuitBreakerPolicy.failureRatio", { _ = try CircuitBreakerPolicy(failureRatio: .nan) }),
            ("CircuitBreakerPolicy.slowCallRatio", { _ = try CircuitBreakerPolicy(slowCallRatio: -1) }),
            ("CircuitBreakerPolicy.slowCallDuration", { _ = try CircuitBreakerPolicy(slowCallDuration: .zero) }),
            ("CircuitBreakerPolicy.minimumThroughput", { _ = try CircuitBreakerPolicy(minimumThroughput: 0) }),
            (
                "CircuitBreakerPolicy.minimumThroughput",
                { _ = try CircuitBreakerPolicy(window: .calls(5), minimumThroughput: 6) }
            ),
            ("CircuitBreakerPolicy.breakDuration", { _ = try CircuitBreakerPolicy(breakDuration: .zero) }),
            ("CircuitBreakerPolicy.breakDuration", { _ = try CircuitBreakerPolicy(breakDuration: .seconds(86_401)) }),
            (
                "CircuitBreakerPolicy.maximumBreakDuration",
                { _ = try CircuitBreakerPolicy(breakDuration: .seconds(5), maximumBreakDuration: .seconds(4)) }
            ),
            ("CircuitBreakerPolicy.growth", { _ = try CircuitBreakerPolicy(growth: .exponential(factor: 11)) }),
            ("CircuitBreakerPolicy.growth", { _ = try CircuitBreakerPolicy(growth: .decorrelated) }),
            ("CircuitBreakerPolicy.probes", { _ = try CircuitBreakerPolicy(probes: 0) }),
            ("CircuitBreakerPolicy.probes", { _ = try CircuitBreakerPolicy(probes: 101) }),
            ("CircuitBreakerPolicy.probeLease", { _ = try CircuitBreakerPolicy(probeLease: .zero) }),
            ("CircuitWindow.calls", { _ = try CircuitBreakerPolicy(window: .calls(0)) }),
            ("CircuitWindow.calls", { _ = try CircuitBreakerPolicy(window: .calls(10_001)) }),
            ("CircuitWindow.time", { _ = try CircuitBreakerPolicy(window: .time(.milliseconds(9))) }),
            ("CircuitWindow.time", { _ = try CircuitBreakerPolicy(window: .time(.seconds(Int64.max))) }),
        ]
        for (setting, make) in cases {
            let error = #expect(throws: ConfigurationError.self, performing: make)
            #expect(error?.setting == setting)
        }
    }

    @Test("has a minimum that fits a short window, unless one is given")
    func shortWindow() throws {
        #expect(try CircuitBreakerPolicy(window: .calls(5)).minimumThroughput == 5)
        #expect(try CircuitBreakerPolicy(window: .calls(50)).minimumThroughput == 10)
        #expect(try CircuitBreakerPolicy(window: .time(.seconds(1))).minimumThroughput == 10)
    }

    @Test("makes each repeated break twice as long, up to the maximum")
    func growth() throws {
        let policy = try CircuitBreakerPolicy(jitter: false)
        let lengths = (1...6).map { policy.breakDuration(openings: $0, unit: 0, asked: nil) }
        #expect(lengths == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
        #expect(policy.breakDuration(openings: .max, unit: 0, asked: nil) == .seconds(60))
        #expect(try CircuitBreakerPolicy(breakDuration: .seconds(90)).maximumBreakDuration == .seconds(90))
    }

    @Test(
        "lets repeated breaks grow as it says, up to the maximum",
        arguments: [
            (Backoff.Growth.constant, [5, 5, 5, 5]), (.linear, [5, 10, 15, 20]),
            (.exponential(factor: 3), [5, 15, 45, 60]),
        ])
    func growths(growth: Backoff.Growth, seconds: [Int]) throws {
        let policy = try CircuitBreakerPolicy(growth: growth, jitter: false)
        let lengths = (1...4).map { policy.breakDuration(openings: $0, unit: 0, asked: nil) }
        #expect(lengths == seconds.map { .seconds($0) })
    }

    @Test("draws the length of a break after the cap: from half of it up to all of it")
    func jitter() throws {
        let policy = CircuitBreakerPolicy.standard
        #expect(policy.breakDuration(openings: 1, unit: 0, asked: nil) == .milliseconds(2500))
        #expect(policy.breakDuration(openings: 1, unit: 0.5, asked: nil) == .milliseconds(3750))
        #expect(policy.breakDuration(openings: 50, unit: 0, asked: nil) == .seconds(30))
        #expect(policy.breakDuration(openings: 50, unit: 0.5, asked: nil) == .seconds(45))
    }

    @Test("takes the server's wait as the least, up to the maximum", arguments: [(1, 5), (20, 20), (3600, 60)])
    func retryAfter(asked: Int, expected: Int) throws {
        let policy = try CircuitBreakerPolicy(jitter: false)
        #expect(policy.breakDuration(openings: 1, unit: 0, asked: .seconds(asked)) == .seconds(expected))
    }

    @Test(
        "does not judge a call that ran out of time while the process was asleep",
        arguments: [(TimeoutError(.attempt), true), (TransportError(.lost), false)] as [(any Error, Bool)])
    func asleep(error: any Error, isIgnored: Bool) async {
        // given
        let clock = ManualClock()
        let limits = LimitScheduler(clock: clock)
        _ = limits.schedule(after: .seconds(1)) { nil }
        await clock.waitForSleeper(remaining: .seconds(1))
        func judged(since start: Duration, on context: CallContext = CallContext()) -> Bool {
            CircuitCandidate(failing: error, since: start, cancelledAt: nil, context, limits: limits) != nil
        }
        #expect(judged(since: .zero))
        // when: it wakes two seconds late
        await clock.advance(by: .seconds(3))
        await clock.waitForSleeper(remaining: .milliseconds(500))
        // then
        #expect(judged(since: .zero) != isIgnored)
        #expect(judged(since: .seconds(4)))
        // and a clock of tests moves as it likes
        #expect(judged(since: .zero, on: CallContext(options: .with(clock))))
        // when: it has been awake for a while, and the limit of a long call is in time
        await clock.advance(by: .seconds(6))
        // then
        #expect(judged(since: .zero))
    }

    @Test("judges failures by what they say about the service")
    func outcomes() {
        func judge(_ error: any Error, status: Int? = nil, wasSent: Bool = true) -> CircuitOutcome {
            CircuitCandidate(
                reason: Failure.Reason(classifying: error, isCancelled: false),
                receivedResponse: status.map { Answer(status: $0) }, wasSent: wasSent, duration: .zero, phase: nil
            ).standardOutcome
        }
        let rows: [(any Error, Int?, Bool, CircuitOutcome)] = [
            (TransportError(.refused), nil, false, .failure), (TransportError(.lost), nil, true, .failure),
            (TransportError(.dns), nil, false, .failure), (TransportError(.truncated), 200, true, .failure),
            (TransportError(.offline), nil, false, .ignored), (TransportError(.certificate), nil, true, .ignored),
            (TransportError(.tooLarge), 200, true, .ignored),
            (TimeoutError(.attempt), nil, true, .failure), (TimeoutError(.deadline), nil, true, .failure),
            (TimeoutError(.connection), nil, false, .ignored),
            (StatusError(400), 400, true, .success), (StatusError(401), 401, true, .success),
            (StatusError(404), 404, true, .success), (StatusError(408), 408, true, .failure),
            (StatusError(425), 425, true, .success), (StatusError(429), 429, true, .failure),
            (StatusError(500), 500, true, .failure), (StatusError(501), 501, true, .success),
            (StatusError(502), 502, true, .failure), (StatusError(504), 504, true, .failure),
            (StatusError(503), 503, true, .failure), (StatusError(505), 505, true, .success),
            (StatusError(511), 511, true, .ignored), (StatusError(599), 599, true, .failure),
            (StatusError(503), nil, true, .failure),
            (SoldOut(), 409, true, .success), (SoldOut(), 500, true, .failure),
            (SoldOut(isTransient: true), 200, true, .failure), (SoldOut(), nil, true, .ignored),
            (ErrorSample.decodingFailure, 200, true, .success),
            (RequestError(.encoding, ""), nil, false, .ignored), (RejectionError(.limit, ""), nil, false, .ignored),
            (ShopError(), nil, true, .failure), (ShopError(), nil, false, .ignored), (ShopError(), 200, true, .success),
            (CancellationError(), nil, true, .ignored),
        ]
        for (error, status, wasSent, expected) in rows {
            #expect(judge(error, status: status, wasSent: wasSent) == expected, "\(error), \(status ?? 0), \(wasSent)")
        }
    }
}
