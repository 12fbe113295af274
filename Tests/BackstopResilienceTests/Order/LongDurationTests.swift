import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

/// Sums of durations near the end of `Duration` trap.
@Suite("A duration near the end of all durations", .limited)
struct LongDurationTests {
    /// 2^127 attoseconds, to the second.
    private static let longest = Duration.seconds(Int64.max) * 18 + .seconds(4_120_486_797_083_267_205 as Int64)
    private static let nearlyLongest = Duration.seconds(Int64.max) * 18 - .seconds(9)
    private static let shortest = Duration.seconds(-Int64.max) * 18

    /// A clock that has run for longer than anything, or started before.
    private struct FarClock: CallClock {
        let now: Duration
        var date: Duration { now }
        func sleep(for duration: Duration) async throws {}
        func waitForLimit(_ duration: Duration) async throws {
            try await untilCancelled()
        }
    }

    private func result(
        _ answers: Stub<Ask, Answer>..., options: CallOptions, by interceptors: [any Interceptor<Ask, Answer>]
    ) async throws -> Result<Answer, Failure> {
        let chain = try AskChain(transport: Script(Array(answers)), interceptors: interceptors + [Judge()])
        return await chain.result(Ask(), options: options)
    }

    @Test("is a deadline that never comes", arguments: [.zero, nearlyLongest, shortest])
    func deadline(now: Duration) async throws {
        for isOption in [true, false] {
            // given
            var options = CallOptions.with(now == .zero ? RecordingClock() : FarClock(now: now))
            options.deadline = isOption ? Self.longest : nil
            let interceptors: [any Interceptor<Ask, Answer>] = [
                isOption ? Deadline() : Deadline(Self.longest), Retry(),
                Hedging(after: Self.longest), AttemptTimeout(Self.longest),
            ]
            // then
            let result = try await result(.response(Answer("yes")), options: options, by: interceptors)
            #expect(try result.get().body == "yes")
        }
    }

    @Test("is a deadline that has passed when it is negative")
    func passed() async throws {
        var options = CallOptions.with(RecordingClock())
        options.deadline = Self.shortest
        let failure = try await result(.response(Answer()), options: options, by: [Deadline()]).failure
        #expect(failure?.code == "timeout.deadline")
        #expect(failure?.sentRequests.isEmpty == true)
    }

    @Test("is a wait that a recording clock records, and that a deadline leaves no time for")
    func wait() async throws {
        // given
        let clock = RecordingClock()
        let backoff = try Backoff(baseDelay: Self.longest, maximumDelay: Self.longest, jitter: .none)
        let retry = Retry<Ask, Answer>(try RetryPolicy(backoff: backoff))
        let lost = Stub<Ask, Answer>.failure(TransportError(.lost))
        // when
        let patient = try await result(lost, .response(Answer("yes")), options: .with(clock), by: [retry])
        let hurried = try await result(
            lost, .response(Answer()), options: .with(RecordingClock()), by: [Deadline(.seconds(9)), retry])
        // then
        #expect(try patient.get().body == "yes")
        #expect(clock.sleeps == [Self.longest])
        #expect(hurried.failure?.stopReason == .deadline(wait: Self.longest))
    }

    @Test("is added to the reset of a rate limit")
    func reset() async throws {
        // given
        let clock = RecordingClock()
        let backoff = try Backoff(baseDelay: Self.longest, maximumDelay: Self.longest, jitter: .none)
        let policy = try RetryPolicy(backoff: backoff, maximumRetryAfter: Self.longest)
        var limited = Answer(status: 429)
        limited.reset = Self.longest
        // when
        let result = try await result(
            .response(limited), .response(Answer("yes")), options: .with(clock), by: [Retry(policy)])
        // then
        #expect(try result.get().body == "yes")
        #expect(clock.sleeps.count == 1)
    }

    @Test("is a moment of a clock from which waits, breaks and limits count", arguments: [nearlyLongest, shortest])
    func moment(now: Duration) async throws {
        // given: a service that fails, behind everything that counts time
        let clock = FarClock(now: now)
        let limiter = RateLimiter<Ask, Answer>(100, per: .seconds(1))
        let breaker = CircuitBreaker<Ask, Answer>(try CircuitBreakerPolicy(window: .calls(2)), log: nil)
        let interceptors: [any Interceptor<Ask, Answer>] = [
            Deadline(.seconds(5)), Retry(), Bulkhead(limit: 1), limiter, breaker,
            Hedging(afterPercentile: 0.5, minimumSamples: 1), AttemptTimeout(.seconds(1)),
        ]
        // then
        for _ in 0..<5 {
            let late = Stub<Ask, Answer>.failure(TimeoutError(.attempt, after: .seconds(1)))
            let result = try await result(late, late, late, options: .with(clock), by: interceptors)
            #expect(result.failure != nil)
        }
        #expect(breaker.state() != .closed)
    }

    @Test("does not move a clock of a test beyond it")
    func clocks() async throws {
        let recording = RecordingClock()
        let manual = ManualClock()
        for _ in 1...3 {
            recording.advance(by: Self.longest)
            try await recording.sleep(for: Self.longest)
            await manual.advance(by: Self.longest)
        }
        let sleeper = Task { try await manual.sleep(for: Self.longest) }
        let limit = Task { try await recording.waitForLimit(Self.longest) }
        await manual.waitForSleepers(1)
        await manual.advance(by: Self.longest)
        sleeper.cancel()
        limit.cancel()
        _ = await (sleeper.result, limit.result)
        #expect(recording.now >= .seconds(Int64.max))
        #expect(manual.now >= .seconds(Int64.max))
    }
}
