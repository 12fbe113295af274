import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A deadline that is reached", .limited)
struct DeadlineCancellationTests {
    private let clock = ManualClock()

    init() async {
        // No clock of a real call begins at zero.
        await clock.advance(by: .seconds(1000))
    }

    private func start(_ chain: AskChain) -> Task<Result<Answer, Failure>, Never> {
        let options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        return Task { await chain.result(Ask(), options: options) }
    }

    @Test("cancels the attempt that it cuts off, and says how long call and attempt had taken")
    func cancelsAttempt() async throws {
        // given: a second attempt that is under way when the time is up
        let cancelled = Gate()
        let transport = Script<Ask, Answer>(
            .failure(TransportError(.lost)),
            .respond { _, context in
                do {
                    try await context.clock.sleep(for: .seconds(100))
                } catch {
                    cancelled.open()
                    throw error
                }
                return Answer("late")
            })
        let chain = try AskChain(transport: transport) {
            Deadline(.seconds(5))
            Retry(.standard)
            AttemptTimeout(.seconds(30))
        }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(5))
        await clock.waitForSleeper(remaining: .milliseconds(250))
        await clock.advance(by: .milliseconds(250))
        await clock.waitForSleeper(remaining: .seconds(100))
        // when
        await clock.advance(by: .milliseconds(4750))
        let failure = try #require(await task.value.failure)
        // then
        await cancelled.pass()
        #expect(failure.error(as: TimeoutError.self) == TimeoutError(.deadline, after: .seconds(5)))
        #expect(failure.stopReason == .deadline(wait: nil))
        #expect(failure.trace.duration == .seconds(5))
        #expect(failure.attempts.map(\.duration) == [.zero, .milliseconds(4750)])
        #expect(failure.attempts.map(\.wait) == [.zero, .milliseconds(250)])
        #expect(failure.report.hasPrefix("timeout.deadline: The call did not finish within its deadline of 5 s."))
        #expect(clock.sleepers.isEmpty)
        #expect(transport.requests.count == 2)
    }

    @Test("cancels the wait of an interceptor that it cuts off")
    func cancelsWait() async throws {
        // given
        let chain = try AskChain(transport: Echo()) {
            Deadline(.seconds(1))
            Step { request, context, next in
                try await context.clock.sleep(for: .seconds(5))
                return try await next(request)
            }
        }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(5))
        await clock.waitForSleeper(remaining: .seconds(1))
        // when
        await clock.advance(by: .seconds(1))
        // then
        #expect(await task.value.failure?.error(as: TimeoutError.self)?.duration == .seconds(1))
        while !clock.sleepers.isEmpty {
            await Task.yield()
        }
    }
}
