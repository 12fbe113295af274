import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Retry and its waits", .limited)
struct RetryWaitsTests {
    private let clock = RecordingClock()
    private static let lost = Stub<Ask, Answer>.failure(TransportError(.lost))

    init() {
        // No clock of a real call begins at zero.
        clock.advance(by: .seconds(1_000_000))
    }

    private func policy(
        _ growth: Backoff.Growth = .constant, maximum: Duration? = nil
    ) throws -> RetryPolicy {
        let backoff = try Backoff(baseDelay: .seconds(1), maximumDelay: maximum, growth: growth, jitter: .none)
        return try RetryPolicy(attempts: 10, backoff: backoff, budget: .unlimited)
    }

    @Test(
        "begin no wait that ends exactly at the deadline",
        arguments: [(Duration.seconds(1), 1), (.seconds(1) + .nanoseconds(1), 2), (.seconds(2), 2)])
    func deadline(limit: Duration, attempts: Int) async throws {
        let policy = try policy()
        let chain = try AskChain(transport: Script(Self.lost.repeated())) { Retry(policy) }
        var options = CallOptions.with(clock)
        options.deadline = limit
        let failure = try #require(await chain.result(Ask(), options: options).failure)
        #expect(failure.attempts.count == attempts)
        #expect(failure.stopReason == .deadline(wait: .seconds(1)))
    }

    private struct Hurry: Interceptor {
        let limit: Duration
        func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
            try await next(request, context: context.withDeadline(context.clock.now + limit))
        }
    }

    @Test("obey the deadline that an interceptor outside has set, not only that of the call")
    func outerDeadline() async throws {
        let retry = Retry<Ask, Answer>(try policy())
        let chain = try AskChain(
            transport: Script(Self.lost.repeated()), interceptors: [Hurry(limit: .seconds(3)), retry])
        var options = CallOptions.with(clock)
        options.deadline = .seconds(60)
        let failure = try #require(await chain.result(Ask(), options: options).failure)
        #expect(failure.attempts.count == 3)
        #expect(clock.sleeps == [.seconds(1), .seconds(1)])
    }

    /// A clock whose sleeps take nine seconds longer, as when the app is suspended, and whose limits come too late.
    private struct Suspended: CallClock {
        let base = RecordingClock()
        var now: Duration { base.now }
        var date: Duration { base.date }
        func sleep(for duration: Duration) async throws { try await base.sleep(for: duration + .seconds(9)) }
        func waitForLimit(_ duration: Duration) async throws { try await Gate().passUnlessCancelled() }
    }

    @Test("send nothing when they end past the deadline after all")
    func suspended() async throws {
        let policy = try policy()
        let transport = Script<Ask, Answer>(Self.lost, .response(Answer()))
        let chain = try AskChain(transport: transport) {
            Deadline(.seconds(2))
            Retry(policy)
        }
        let failure = await chain.result(Ask(), options: .with(Suspended())).failure
        #expect(failure?.code == "timeout.deadline")
        #expect(failure?.stopReason == .deadline(wait: nil))
        #expect(failure?.explanation.contains("2 s") == true)
        #expect(transport.requests.count == 1)
    }

    @Test("grow from the last wait where they are decorrelated, also from one that the server asked for")
    func decorrelated() async throws {
        let policy = try policy(.decorrelated, maximum: .seconds(1000))
        let transport = Script<Ask, Answer>(
            .response(Answer(status: 503, wait: .seconds(10))), Self.lost, Self.lost, .response(Answer()))
        let chain = try AskChain(transport: transport) {
            Retry(policy)
            Judge()
        }
        _ = try await chain.call(Ask(), options: .with(clock))
        #expect(clock.sleeps == [.seconds(10), .seconds(30), .seconds(90)])
    }

    @Test("may be longer than 20 s where the first is", arguments: [(30, 30), (20, 20), (1, 20)])
    func maximum(base: Int, longest: Int) throws {
        #expect(try Backoff(baseDelay: .seconds(base)).maximumDelay == .seconds(longest))
        let retry = Retry<Ask, Answer>(attempts: 3, baseDelay: .seconds(base))
        #expect(retry.policy.backoff == (try Backoff(baseDelay: .seconds(base))))
    }

    @Test("follow the statuses that pass by themselves, and no others")
    func statuses() async throws {
        for status in 400...599 {
            let chain = try AskChain(transport: Script(.response(Answer(status: status)).repeated())) {
                Retry()
                Judge()
            }
            let failure = await chain.result(Ask(), options: .with(clock)).failure
            let isRetried = [408, 425, 429, 500, 502, 503, 504].contains(status)
            #expect(failure?.attempts.count == (isRetried ? 3 : 1), "\(status)")
        }
    }
}
