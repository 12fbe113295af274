import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore

@Suite("The decision to repeat a whole call", .limited)
struct RetryRepeatedCallTests {
    private func pause(
        _ policy: RetryPolicy, after failure: Failure, failed: Int = 1, waits: [Duration] = [.zero]
    ) -> String {
        let attempts = waits.enumerated().map { Attempt(number: $0.offset + 1, wait: $0.element, result: .ok) }
        let pause = policy.pause(
            after: failure, failed: failed, attempts: attempts, keepsKey: { _ in true }, clock: RecordingClock(),
            random: FixedRandom(units: 0.5))
        return switch pause {
        case .wait(let wait, let reason): "\(wait.chosen.text), \(reason)"
        case .stop(let reason): reason.description
        }
    }

    @Test("is against a call that was cancelled, whatever the policy says")
    func cancelled() throws {
        let always = try RetryPolicy { _ in true }
        #expect(pause(always, after: Failure(CancellationError())) == StopReason.cancelled.description)
    }

    @Test("is against a body that can be read only once, and an order without a key")
    func unsafe() {
        var (stream, order) = (Ask(), Ask())
        stream.isReplayable = false
        order.isIdempotent = false
        let lost = TransportError(.lost)
        #expect(pause(.standard, after: Failure(lost, request: stream)) == StopReason.notReplayable.description)
        #expect(pause(.standard, after: Failure(lost, request: order)) == StopReason.notIdempotent.description)
        #expect(pause(.standard, after: Failure(lost, request: Ask())) == "250 ms, backoff")
    }

    @Test("lets a first wait begin anew, whatever the call itself waited, and a later one grow from the last")
    func growth() throws {
        let backoff = try Backoff(
            baseDelay: .seconds(1), maximumDelay: .seconds(100), growth: .decorrelated, jitter: .none)
        let policy = try RetryPolicy(attempts: 5, backoff: backoff)
        let failure = Failure(TransportError(.lost), request: Ask())
        #expect(pause(policy, after: failure, failed: 1, waits: [.zero, .seconds(7)]) == "3 s, backoff")
        #expect(pause(policy, after: failure, failed: 2, waits: [.zero, .seconds(7)]) == "21 s, backoff")
    }

    @Test("counts the attempts of all calls where none is left")
    func used() {
        let failure = Failure(TransportError(.lost), request: Ask())
        let stop = pause(.standard, after: failure, failed: 3, waits: Array(repeating: .zero, count: 6))
        #expect(stop == StopReason.attemptsUsed(6).description)
    }

    @Test(
        "says of a timeout whether the call has repeated it already", arguments: [StopReason.timeoutRepeated, .noRetry])
    func timeouts(stopReason: StopReason) {
        let failure = Failure(TimeoutError(.attempt), request: Ask(), stopReason: stopReason)
        let expected = stopReason == .timeoutRepeated ? StopReason.timeoutRepeated : .unanswered
        #expect(pause(.standard, after: failure) == expected.description)
    }
}
