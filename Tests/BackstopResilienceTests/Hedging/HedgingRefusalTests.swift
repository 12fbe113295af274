import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A first request that is held up inside hedging", .limited)
struct HedgingRefusalTests {
    private typealias Server = Script<Ask, Answer>
    private let clock = ManualClock()
    private let gate = Gate()

    /// Holds up the first request until the gate is open, and does something with it then; the copies pass.
    private func late(_ then: @escaping @Sendable (Ask) throws -> Ask) -> Step {
        let gate = gate
        return Step { ask, context, next in
            var ask = ask
            if context.attempt == 1 {
                await gate.pass()
                try Task.checkCancellation()
                ask = try then(ask)
            }
            return try await next(ask)
        }
    }

    private func call(
        _ server: Server, _ ask: Ask = Ask(), inside: [any Interceptor<Ask, Answer>],
        outside: [any Interceptor<Ask, Answer>] = [Retry()], attempts: Int = 2
    ) throws -> Task<Result<Answer, Failure>, Never> {
        let hedging = Hedging<Ask, Answer>(after: .milliseconds(300), attempts: attempts)
        let chain = try AskChain(transport: server, interceptors: outside + [hedging] + inside + [Judge()])
        return Task { [clock] in await chain.result(ask, options: .with(clock)) }
    }

    private func passDelay() async {
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
    }

    /// The server's answer comes 80 ms after the copy.
    private func server(_ answer: Stub<Ask, Answer>) -> Server {
        Server(.delay(.milliseconds(80), then: answer))
    }

    private func passAnswer() async {
        await clock.waitForSleeper(remaining: .milliseconds(80))
        // The first request is refused meanwhile.
        gate.open()
        for _ in 0..<1000 { await Task.yield() }
        await clock.advance(by: .milliseconds(80))
    }

    @Test("never sends a copy that it would leave its place in a bulkhead to", arguments: [false, true])
    func place(retries: Bool) async throws {
        // given
        let server = Server(.delay(.milliseconds(400), then: .response(Answer("first"))).repeated())
        let refused = Notes<String>()
        let watch = Step { ask, context, next in
            do {
                return try await next(ask, context: context)
            } catch {
                refused.add(Failure(error).code)
                throw error
            }
        }
        let bulkhead = Bulkhead<Ask, Answer>(limit: 1, log: nil)
        let inside: [any Interceptor<Ask, Answer>] = retries ? [Retry(), watch, bulkhead] : [watch, bulkhead]
        let call = try call(server, inside: inside, outside: [])
        await clock.waitForSleeper(remaining: .milliseconds(400))
        await passDelay()
        // when: the copy is refused at once, and the first request is answered
        while refused.all.isEmpty { await Task.yield() }
        await clock.waitForSleeper(remaining: .milliseconds(100))
        await clock.advance(by: .milliseconds(100))
        // then
        #expect(try await call.value.get().body == "first")
        #expect(server.requests.count == 1)
        #expect(refused.all.first == "rejected.limit")
    }

    @Test("waits for a place if no other attempt runs any more: nobody else asks in its place")
    func alone() {
        let context = CallContext()
        let first = context.firstAttempt()
        let copy = context.parallelAttempt(because: "hedging")
        #expect(copy.isBesideAnother && !first.isBesideAnother)
        let again = copy.nextAttempt(after: ShopError(), waited: .zero, because: "retry")
        #expect(again.isBesideAnother)
        first.closeAttempt(failing: ShopError())
        #expect(!again.isBesideAnother)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refuse: @Sendable (Ask) throws -> Ask

        static let all = [
            Refusal(testDescription: "for good") { _ in throw RejectionError("full", "x", isTransient: false) },
            Refusal(testDescription: "for now") { _ in throw RejectionError(.limit, "x") },
            Refusal(testDescription: "with an error of the app") { _ in throw ShopError() },
        ]
    }

    @Test("does not end the call when it is refused, because its copy is on its way", arguments: Refusal.all)
    func refusedLate(refusal: Refusal) async throws {
        // given
        let server = server(.response(Answer("copy")))
        let call = try call(server, inside: [late(refusal.refuse)])
        await passDelay()
        await server.waitForRequests(1)
        // when
        await passAnswer()
        // then
        #expect(try await call.value.get().body == "copy")
        #expect(server.requests.count == 1)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("sends one order when each copy has a key of its own, and the call has the copy's answer")
    func newKeys() async throws {
        // given: the copy sends first
        let keys = Step { ask, context, next in
            var ask = ask
            ask.idempotencyKey = "key \(context.attempt)"
            return try await next(ask)
        }
        let server = server(.response(Answer("copy")))
        let call = try call(server, inside: [late { $0 }, keys])
        await passDelay()
        await server.waitForRequests(1)
        // when
        await passAnswer()
        // then
        #expect(try await call.value.get().body == "copy")
        #expect(server.requests.map(\.idempotencyKey) == ["key 2"])
    }

    @Test("leaves it to the copy to say what was sent and why it stopped", arguments: Refusal.all)
    func copyFails(refusal: Refusal) async throws {
        // given
        let server = server(.response(Answer("none", status: 404)))
        let call = try call(server, inside: [late(refusal.refuse)])
        await passDelay()
        await server.waitForRequests(1)
        // when
        await passAnswer()
        // then
        let failure = try #require(await call.value.failure)
        #expect(failure.code == "status.404")
        #expect(failure.sentRequests.count == 1)
        #expect(failure.receivedResponse?.statusCode == 404)
        #expect(failure.stopReason == .notRetryable)
    }

    @Test("fails with its own error when nothing was sent at all")
    func allRefused() async throws {
        // given
        let copies = Counter()
        let refuse = Step { ask, context, next in
            guard context.attempt > 1 else {
                return try await next(ask)
            }
            copies.increment()
            throw RejectionError("copy", "a copy", isTransient: false)
        }
        let server = Server()
        let call = try call(
            server, inside: [late { _ in throw RejectionError("first", "the first", isTransient: false) }, refuse])
        await passDelay()
        while copies.value < 1 { await Task.yield() }
        // when
        gate.open()
        // then
        let failure = try #require(await call.value.failure)
        #expect(failure.code == "rejected.first")
        #expect(failure.sentRequests.isEmpty)
        #expect(failure.stopReason == .notRetryable)
    }

    @Test("does not hide what its copy sent from a failure of the whole", arguments: [true, false])
    func cutOff(isAttempt: Bool) async throws {
        // given
        let outside: [any Interceptor<Ask, Answer>] =
            isAttempt ? [AttemptTimeout(.milliseconds(340))] : [Deadline(.milliseconds(340))]
        let server = server(.response(Answer()))
        let seen = Notes<Int>()
        let look = Step { ask, context, next in
            do {
                return try await next(ask)
            } catch {
                seen.add(context.sentRequests.count)
                throw error
            }
        }
        let call = try call(server, Ask("order"), inside: [late { $0 }], outside: [look] + outside)
        await passDelay()
        await server.waitForRequests(1)
        // when
        await clock.advance(by: .milliseconds(40))
        // then
        let failure = try #require(await call.value.failure)
        #expect(failure.code == (isAttempt ? "timeout.attempt" : "timeout.deadline"))
        #expect(failure.sentRequests.map { ($0 as? Ask)?.text } == ["order"])
        #expect(seen.all == [1])
        gate.open()
    }

    @Test("keeps the token of a rate limiter outside, because its copy was sent")
    func token() async throws {
        // given
        let limiter = RateLimiter<Ask, Answer>(2, per: .seconds(60), maximumWait: .zero)
        let outside: [any Interceptor<Ask, Answer>] = [limiter, AttemptTimeout(.milliseconds(340))]
        let server = server(.response(Answer()))
        let call = try call(server, inside: [late { $0 }], outside: outside)
        await passDelay()
        await server.waitForRequests(1)
        await clock.advance(by: .milliseconds(40))
        #expect(await call.value.failure?.code == "timeout.attempt")
        gate.open()
        // when: two further calls
        let quick = try AskChain(transport: Server(.response(Answer()).repeated()), interceptors: [limiter])
        let first = await quick.result(Ask(), options: .with(clock))
        let second = await quick.result(Ask(), options: .with(clock))
        // then: one token was left
        #expect(first.failure == nil)
        #expect(second.failure?.code == "rejected.rateLimit")
    }
}
