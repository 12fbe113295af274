import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The budget of hedging", .limited)
struct HedgingBudgetTests {
    private typealias Server = Script<Ask, Answer>
    private let clock = ManualClock()

    private func hedging(attempts: Int = 2) throws -> Hedging<Ask, Answer> {
        Hedging(after: .milliseconds(300), attempts: attempts)
    }

    private func call(
        _ server: Server, _ retry: Retry<Ask, Answer>, _ hedging: Hedging<Ask, Answer>,
        watched: RecordingObserver? = nil
    ) throws -> Task<Result<Answer, Failure>, Never> {
        var options = CallOptions.with(clock)
        options.observers = watched.map { [$0] } ?? []
        let chain = try AskChain(transport: server, interceptors: [retry, hedging, Judge()])
        return Task { [options] in await chain.result(Ask(), options: options) }
    }

    /// Waits until the delay runs, and ends it.
    private func passDelay() async {
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
    }

    /// Answers once a gate is open.
    private func answer(_ answer: Answer, after gate: Gate) -> Stub<Ask, Answer> {
        .respond { _, _ in
            await gate.pass()
            return answer
        }
    }

    /// One attempt each, with a budget of so many retries. No success adds to it: a call whose delay is over may have
    /// its turn after others have succeeded.
    private func retry(_ capacity: Double) throws -> Retry<Ask, Answer> {
        Retry(try RetryPolicy(attempts: 1, budget: RetryBudget(capacity: capacity, refill: 0, interval: nil)))
    }

    @Test(
        "takes a retry for each copy; when none is left, none is sent, and the trace says why",
        arguments: [0, 1, 2, 3])
    func budget(capacity: Int) async throws {
        // given: a service where every request takes long
        let gate = Gate()
        let server = Server(answer(Answer(), after: gate).repeated())
        let observer = RecordingObserver()
        let retry = try retry(Double(capacity))
        // when
        let call = try call(server, retry, hedging(attempts: 4), watched: observer)
        await server.waitForRequests(1)
        for copy in 1...min(capacity + 1, 3) {
            await passDelay()
            await server.waitForRequests(1 + min(copy, capacity))
        }
        gate.open()
        // then
        #expect(try await call.value.get().status == 200)
        #expect(server.requests.count == 1 + capacity)
        let notes = try #require(observer.calls.first).trace.events.map(\.text)
        #expect(notes.filter { $0.hasPrefix("no copy") } == (capacity < 3 ? [Self.isEmpty] : []))
    }

    @Test("takes it from the innermost of several retries")
    func innermost() async throws {
        // given: only the outer one has any
        let gate = Gate()
        let server = Server(answer(Answer(), after: gate).repeated())
        let chain = try AskChain(transport: server, interceptors: [retry(5), retry(0), hedging()])
        let call = Task { [options = CallOptions.with(clock)] in await chain.result(Ask(), options: options) }
        // when
        await passDelay()
        await server.waitForRequests(1)
        gate.open()
        // then
        #expect(try await call.value.get().status == 200)
        #expect(server.requests.count == 1)
    }

    private static let isEmpty = "no copy sent: the retry budget is used up"

    @Test("sends a slow service at most the requests that the budget has, or ten more than without copies")
    func slowService() async throws {
        for (isPaid, requests) in [(true, 22), (false, 30)] {
            // given: twenty calls at once, all of them slow
            let clock = ManualClock()
            let server = Server(.delay(.seconds(1), then: .response(Answer())).repeated())
            let hedging = try hedging()
            let chain = try AskChain(
                transport: server, interceptors: (isPaid ? [retry(2)] : []) + [hedging, Judge()])
            // when
            let calls = (0..<20).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
            await clock.waitForSleepers(40)
            await clock.advance(by: .milliseconds(300))
            await server.waitForRequests(requests)
            await clock.waitForSleepers(requests)
            await clock.advance(by: .milliseconds(700))
            for call in calls {
                _ = try await call.value.get()
            }
            // then
            #expect(server.requests.count == requests)
        }
    }

    @Test(
        "lets no copy go where all requests are slow, and one for ten that are quick, unless they fail for now",
        arguments: [(200, 2), (404, 2), (503, 0)])
    func overload(status: Int, copies: Int) async throws {
        // given: twenty slow requests with ten copies, twenty that are quick, and slow ones again
        let slow = Server.Step.delay(.seconds(1), then: .response(Answer()))
        let server = Server(slow.repeated(30), .response(Answer(status: status)).repeated(20), slow.repeated())
        let observer = RecordingObserver()
        var options = CallOptions.with(clock)
        options.observers = [observer]
        let chain = try AskChain(transport: server, interceptors: [hedging(), Judge()])
        func run(_ calls: Int, sending requests: Int, isSlow: Bool = true) async {
            let tasks = (0..<calls).map { _ in Task { [options] in await chain.result(Ask(), options: options) } }
            if isSlow {
                await clock.waitForSleepers(2 * calls)
                await clock.advance(by: .milliseconds(300))
                await clock.waitForSleepers(requests)
                await clock.advance(by: .milliseconds(700))
            }
            for task in tasks {
                _ = await task.value
            }
        }
        // when
        await run(20, sending: 30)
        let sentFirst = server.requests.count
        await run(20, sending: 20, isSlow: false)
        await run(5, sending: 5 + copies)
        // then
        #expect(sentFirst == 30)
        #expect(server.requests.count == 30 + 20 + 5 + copies)
        let notes = observer.calls.flatMap(\.trace.events).map(\.text).filter { $0.hasPrefix("no copy") }
        #expect(notes == Array(repeating: "no copy sent: too few requests are answered sooner", count: 10 + 5 - copies))
    }

    @Test("is charged to the budget of retry: what a copy took, a retry has not")
    func shared() async throws {
        // given
        let server = Server(.hang, .response(Answer("copy")), .failure(TransportError(.lost)).repeated())
        let budget = try RetryBudget(capacity: 1, refill: 0)
        let retry = Retry<Ask, Answer>(try RetryPolicy(attempts: 3, budget: budget))
        let hedging = try hedging()
        let first = try call(server, retry, hedging)
        await server.waitForRequests(1)
        await passDelay()
        #expect(try await first.value.get().body == "copy")
        // when
        let failure = try #require(await call(server, retry, hedging).value.failure)
        // then
        #expect(failure.stopReason == .budget)
        #expect(failure.attempts.count == 1)
    }

    @Test("takes the budget of the call's own retry policy")
    func ownPolicy() async throws {
        // given
        let gate = Gate()
        let server = Server(answer(Answer(), after: gate).repeated())
        let observer = RecordingObserver()
        var options = CallOptions.with(clock)
        options.observers = [observer]
        options.retry = try RetryPolicy(budget: RetryBudget(capacity: 0))
        let hedging = try hedging()
        let chain = try AskChain(transport: server, interceptors: [Retry(.standard), hedging])
        // when
        let call = Task { [options] in await chain.result(Ask(), options: options) }
        await server.waitForRequests(1)
        await passDelay()
        gate.open()
        _ = try await call.value.get()
        // then
        #expect(server.requests.count == 1)
        #expect(observer.calls.first?.trace.events.map(\.text) == [Self.isEmpty])
    }
}
