import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore

@Suite("The words about attempts that run side by side", .limited)
struct SiblingWordsTests {
    private let clock = ManualClock()

    private var order: Ask {
        var ask = Ask("order")
        ask.isIdempotent = false
        return ask
    }

    /// A call whose first attempt is refused, at 50 ms, while a copy of 20 ms has sent something.
    private func refused(_ error: RejectionError, sending copy: Ask) async throws -> Failure {
        let context = CallContext(options: .with(clock))
        let first = context.firstAttempt()
        await clock.advance(by: .milliseconds(20))
        let second = context.parallelAttempt(because: "hedging")
        second.recordHop(copy)
        await clock.advance(by: .milliseconds(30))
        first.closeAttempt(failing: error)
        second.cancelAttempt()
        return context.finish(failing: error, asked: Ask("asked"), retries: true)
    }

    private func lines(_ failure: Failure) -> String {
        failure.report.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "|")
    }

    @Test("say which attempt sent nothing, and never that nothing was sent")
    func refusedFirst() async throws {
        let failure = try await refused(RejectionError(.limit, "1 call is running"), sending: Ask("copy"))
        #expect(failure.explanation == "Attempt 1 was not sent: 1 call is running")
        #expect(lines(failure).contains("|sent:     nothing in attempt 1; in attempt 2: ask copy|"))
        #expect(failure.nextStep == "The call can be repeated later.")
        #expect(
            lines(failure).contains(
                "|attempts: 1. rejected.limit in 50 ms|2. cancelled in 30 ms beside attempt 1, after 20 ms (hedging)|"))
        #expect(!failure.mayHaveWorked)
    }

    @Test("never advise to repeat what the other attempt may have done", arguments: [true, false])
    func order(isOwnCode: Bool) async throws {
        let error = isOwnCode ? RejectionError("quota", "none") : RejectionError(.idempotencyKey, "another key")
        let failure = try await refused(error, sending: order)
        #expect(failure.explanation.hasPrefix("Attempt 1 was not sent: "))
        #expect(failure.mayHaveWorked)
        #expect(failure.nextStep?.hasPrefix("The server may have done its work: check before") == true)
        #expect(failure.message.suggestion != Failure(error).message.suggestion)
        #expect(!failure.isRetryable)
    }

    @Test("call a refusal after attempts that were answered by its number, and nothing after it is in doubt")
    func refusedLater() async throws {
        let context = CallContext(options: .with(clock))
        context.recordHop(Ask("sent"))
        let next = context.nextAttempt(after: ShopError(), waited: .zero, because: "test")
        let failure = context.finish(failing: RejectionError(.breakerOpen, "open"), asked: Ask())
        #expect(next.attempt == 2)
        #expect(failure.explanation == "Attempt 2 was not sent: open")
        #expect(failure.nextStep == "The call can be repeated later.")
        #expect(lines(failure).contains("2. rejected.breakerOpen in 0 ms after a wait of 0 ms (test)"))
    }

    @Test("say that the request was not sent, and can be repeated, when no attempt sent anything")
    func nothing() async throws {
        let context = CallContext(options: .with(clock))
        _ = context.nextAttempt(after: RejectionError(.limit, "full"), waited: .zero, because: "test")
        let failure = context.finish(failing: RejectionError(.breakerOpen, "open"), asked: Ask())
        #expect(failure.explanation == "The request was not sent: open")
        #expect(failure.nextStep == "Nothing was sent, so the call can be repeated later.")
    }

    @Test("count copies apart from the attempts that a policy allows", arguments: [(1, "1 copy"), (3, "3 copies")])
    func copies(count: Int, words: String) {
        let first = Attempt(number: 1, duration: .seconds(1), result: .failed(code: "status.503"))
        let copies = (1...count).map { number in
            Attempt(
                number: number + 1, start: .milliseconds(40 * number), duration: .milliseconds(500),
                waitReason: "hedging",
                result: .failed(code: "cancelled"))
        }
        let failure = Failure(
            TransportError(.lost), request: Ask(), attempts: [first] + copies, stopReason: .attemptsUsed(2))
        #expect(lines(failure).contains("|stopped:  all 2 attempts were used, with \(words)"))
    }

    @Test("say why Retry stopped when the first attempt was refused for a changed key")
    func changedKey() async throws {
        // given: attempt 1 is held up before it sets a key of its own; the copy has sent another
        let keys = Step { ask, context, next in
            var ask = ask
            ask.isIdempotent = false
            ask.idempotencyKey = nil
            if context.attempt == 1 {
                try await context.clock.sleep(for: .milliseconds(50))
            }
            return try await next(ask)
        }
        let sent = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await sent.pass()
                return Answer()
            }.repeated())
        let chain = try AskChain(transport: transport) {
            Retry()
            Step { ask, context, next in
                let first = context.firstAttempt()
                let second = context.parallelAttempt(because: "test")
                async let other = next(ask, context: second)
                await sent.waitForArrivals(1)
                defer { sent.open() }
                let answer = try await next(ask, context: first)
                _ = try await other
                return answer
            }
            keys
        }
        let options = CallOptions.with(clock)
        let task = Task { await chain.result(Ask(), options: options) }
        await clock.waitForSleepers(1)
        // when
        await clock.advance(by: .milliseconds(50))
        // then
        let failure = try #require(await task.value.failure)
        #expect(failure.code == "rejected.idempotencyKey")
        #expect(failure.stopReason == .idempotencyKeyChanged)
        #expect(failure.explanation.hasPrefix("Attempt 1 was not sent: "))
    }
}
