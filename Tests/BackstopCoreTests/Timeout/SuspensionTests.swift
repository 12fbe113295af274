import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

/// The system's clock runs while an app is suspended; its timers fire when the app runs again. On the manual clock, that
/// is one step.
@Suite("A call that slept for an hour", .limited)
struct SuspensionTests {
    private let clock = ManualClock()

    private func start(
        _ transport: Script<Ask, Answer>, deadline: Duration? = nil
    ) throws -> Task<Result<Answer, Failure>, Never> {
        let chain = try AskChain(transport: transport) {
            if deadline != nil {
                Deadline(.seconds(60))
            }
            Retry(.standard)
            AttemptTimeout(.seconds(30))
        }
        let options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        return Task { await chain.result(Ask(), options: options) }
    }

    @Test("fails with its deadline when it wakes, and sends nothing again")
    func deadline() async throws {
        // given
        let transport = Script<Ask, Answer>(.hang, .hang)
        let task = try start(transport, deadline: .seconds(60))
        await clock.waitForSleepers(2)
        // when
        await clock.advance(by: .seconds(3600))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code.hasPrefix("timeout."))
        #expect(failure.attempts.count == 1)
        #expect(transport.requests.count == 1)
    }

    @Test("without a deadline gives its attempt up, and retry decides as after any other timeout")
    func noDeadline() async throws {
        // given
        let transport = Script<Ask, Answer>(.hang, .response(Answer("fresh")))
        let task = try start(transport)
        await clock.waitForSleeper(remaining: .seconds(30))
        // when
        await clock.advance(by: .seconds(3600))
        let failure = try #require(await task.value.failure)
        // then: a service that has answered nothing is not asked again
        #expect(failure.code == "timeout.attempt")
        #expect(failure.stopReason == .unanswered)
        #expect(transport.requests.count == 1)
    }
}
