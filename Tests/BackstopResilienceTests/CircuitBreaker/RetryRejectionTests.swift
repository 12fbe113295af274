import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Retry of what was rejected before it was sent", .limited)
struct RetryRejectionTests {
    private let clock = RecordingClock()

    private static let codes: [RejectionError.Code] = [.rateLimit, .limit, .breakerOpen]

    /// Retries rejections too, half a second later, without jitter.
    private func policy(maximumRetryAfter: Duration = .seconds(60)) throws -> RetryPolicy {
        let backoff = try Backoff(
            baseDelay: .milliseconds(500), maximumDelay: .milliseconds(500), growth: .constant, jitter: .none)
        return try RetryPolicy(
            backoff: backoff, maximumRetryAfter: maximumRetryAfter, isRetryable: { $0.isTransient })
    }

    private func rejecting(_ code: RejectionError.Code, for rest: Duration?) -> Script<Ask, Answer> {
        Script(.failure(RejectionError(code, "Not now.", retryAfter: rest)), .response(Answer("there")))
    }

    @Test("does not happen by default: the caller hears of it at once, and why", arguments: codes)
    func standard(code: RejectionError.Code) async throws {
        // given
        let chain = try AskChain(transport: rejecting(code, for: .milliseconds(1))) { Retry() }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.code == "rejected.\(code)")
        #expect(failure.stopReason == .rejected)
        #expect(failure.isTransient)
        #expect(failure.retryAfter == .milliseconds(1))
        #expect(clock.sleeps.isEmpty)
    }

    private static let waits: [(rest: Duration?, wait: Duration, reason: String)] = [
        (nil, .milliseconds(500), "backoff"), (.milliseconds(100), .milliseconds(500), "backoff"),
        (.seconds(7), .seconds(7), "rejection"), (.seconds(60), .seconds(60), "rejection"),
    ]

    @Test(
        "happens if the policy says so, not before the time that the rejection names", arguments: codes, waits)
    func asked(code: RejectionError.Code, expected: (rest: Duration?, wait: Duration, reason: String)) async throws {
        // given
        let observer = RecordingObserver()
        var options = CallOptions.with(clock)
        options.observers = [observer]
        let policy = try policy()
        let chain = try AskChain(transport: rejecting(code, for: expected.rest)) { Retry(policy) }
        // when
        let answer = try await chain.call(Ask(), options: options)
        // then
        #expect(answer.body == "there")
        #expect(clock.sleeps == [expected.wait])
        #expect(observer.calls.first?.trace.attempts.last?.waitReason == expected.reason)
    }

    @Test("obeys the rejection also where the policy does not obey servers")
    func withoutServers() async throws {
        let policy = try RetryPolicy(honorsRetryAfter: false, isRetryable: { $0.isTransient })
        let chain = try AskChain(transport: rejecting(.breakerOpen, for: .seconds(30))) { Retry(policy) }
        _ = try await chain.call(Ask(), options: .with(clock))
        #expect(clock.sleeps == [.seconds(30)])
    }

    @Test("begins no wait that is longer than the policy accepts, and says so")
    func tooLong() async throws {
        // given
        let policy = try policy(maximumRetryAfter: .seconds(5))
        let chain = try AskChain(transport: rejecting(.rateLimit, for: .seconds(6))) { Retry(policy) }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.stopReason.code == "retryAfterTooLong")
        #expect(
            failure.stopReason.description
                == "the request will be rejected for another 6 s, and a wait of at most 5 s is accepted")
        #expect(clock.sleeps.isEmpty)
    }

    @Test("begins no wait that the deadline has no time for", arguments: [(7, true), (8, false)])
    func deadline(limit: Int, stops: Bool) async throws {
        // given
        let policy = try policy()
        let chain = try AskChain(transport: rejecting(.breakerOpen, for: .seconds(7))) {
            Retry(policy)
        }
        var options = CallOptions.with(clock)
        options.deadline = .seconds(limit)
        // when
        let failure = await chain.result(Ask(), options: options).failure
        // then
        #expect(failure?.stopReason == (stops ? .deadline(wait: .seconds(7)) : nil))
        #expect(clock.sleeps == (stops ? [] : [.seconds(7)]))
    }

    @Test("does not happen where a breaker opens between two attempts, and the failure has both")
    func between() async throws {
        // given
        let breaker = CircuitBreaker<Ask, Answer>(
            try CircuitBreakerPolicy(window: .calls(1), breakDuration: .seconds(30), jitter: false), log: nil)
        let transport = Script<Ask, Answer>(.response(Answer(status: 503)).repeated())
        let chain = try AskChain(transport: transport) {
            Retry()
            breaker
            Judge()
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.attempts.map(\.result.description) == ["status.503", "rejected.breakerOpen"])
        #expect(failure.stopReason == .rejected)
        #expect(transport.requests.count == 1)
    }

    @Test("takes nothing from a budget that failures are charged to")
    func budget() async throws {
        // given
        let policy = try RetryPolicy(budget: .grpc)
        let rejections = (0..<10).map { _ in Stub<Ask, Answer>.failure(RejectionError(.limit, "Full.")) }
        let transport = Script(rejections + [.failure(TransportError(.lost)), .response(Answer("there"))])
        let chain = try AskChain(transport: transport) { Retry(policy) }
        for _ in 0..<10 {
            _ = await chain.result(Ask(), options: .with(clock))
        }
        // then
        #expect(try await chain.call(Ask(), options: .with(clock)).body == "there")
    }
}
