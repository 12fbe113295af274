import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Retry of a timeout", .limited)
struct RetryTimeoutTests {
    private let clock = RecordingClock()

    /// What happens to each request for "slow"; everything else is answered.
    enum Fault: Sendable, CaseIterable {
        case refused, dns, lost, status503, asked, noConnection, queued, connecting
        case sending, waiting, unknown, head

        var phase: TransportError.Phase {
            switch self {
            case .queued: .queued
            case .connecting: .connecting
            case .sending: .sending
            case .waiting: .waiting
            case .head: .receiving
            default: .unknown
            }
        }

        /// Whether the service did not get the request, or answered it.
        var isCheap: Bool {
            switch self {
            case .sending, .waiting, .unknown, .head: false
            default: true
            }
        }

        func answer(_ context: CallContext) throws -> Answer {
            switch self {
            case .refused: throw TransportError(.refused)
            case .dns: throw TransportError(.dns)
            case .lost: throw TransportError(.lost)
            case .status503: return Answer(status: 503)
            case .asked: return Answer(status: 429, wait: .seconds(1))
            case .noConnection: throw TimeoutError(.connection, after: .seconds(5))
            case .queued, .connecting, .sending, .waiting, .unknown, .head:
                let response = self == .head ? Answer() : nil
                context.track { TransferProgress(phase, response: response) }
                throw TimeoutError(.attempt, after: .seconds(5))
            }
        }
    }

    private func options() -> CallOptions {
        .with(clock, random: FixedRandom(units: 0))
    }

    /// Makes a call, and perhaps another while each of its attempts runs.
    private func slow(
        _ retry: Retry<Ask, Answer> = Retry(), _ fault: Fault = .waiting, beside other: String? = nil,
        request: Ask = Ask("slow")
    ) async throws -> Failure {
        let chain = Lock<AskChain?>(nil)
        let transport = Script<Ask, Answer>(
            .respond { request, context in
                guard request.text == "slow" else {
                    return Answer(status: request.text == "missing" ? 404 : 200)
                }
                if let other, let chain = chain.withLock({ $0 }) {
                    clock.advance(by: .seconds(1))
                    _ = await chain.result(Ask(other), options: options())
                }
                return try fault.answer(context)
            }.repeated())
        let made = try AskChain(transport: transport, interceptors: [retry, Judge()])
        chain.withLock { $0 = made }
        _ = await made.result(Ask("before"), options: options())
        return try #require(await made.result(request, options: options()).failure)
    }

    @Test(
        "happens at once where nothing arrived, or the service says when", arguments: Fault.allCases.filter(\.isCheap))
    func cheap(fault: Fault) async throws {
        let failure = try await slow(Retry(), fault)
        #expect(failure.attempts.count == 3)
        #expect(failure.stopReason == .attemptsUsed(3))
    }

    @Test(
        "does not happen after the request was sent, where nobody was answered since, and the report says why",
        arguments: [Fault.sending, .waiting, .unknown])
    func unanswered(fault: Fault) async throws {
        let failure = try await slow(Retry(), fault)
        #expect(failure.attempts.count == 1)
        #expect(failure.stopReason == .unanswered)
        #expect(failure.report.contains("RetryPolicy.timeouts"))
    }

    @Test(
        "happens once where another call was answered meanwhile, whatever the answer", arguments: ["good", "missing"],
        [Fault.sending, .waiting, .unknown])
    func answered(other: String, fault: Fault) async throws {
        let failure = try await slow(Retry(), fault, beside: other)
        #expect(failure.attempts.map(\.waitReason) == [nil, "backoff"])
        #expect(failure.stopReason == .timeoutRepeated)
        #expect(failure.report.contains("RetryPolicy.timeouts"))
    }

    @Test("happens once where the attempt itself had the beginning of an answer")
    func head() async throws {
        let failure = try await slow(Retry(), .head)
        #expect(failure.attempts.count == 2)
    }

    @Test("happens once in a call, also where another failure comes between")
    func between() async throws {
        let chain = Lock<AskChain?>(nil)
        let policy = try RetryPolicy(attempts: 5, timeouts: .onceIfAnswered)
        let made = try AskChain(
            transport: Script<Ask, Answer>(
                .respond { request, context in
                    guard request.text == "slow", let chain = chain.withLock({ $0 }) else { return Answer() }
                    clock.advance(by: .seconds(1))
                    _ = await chain.result(Ask("good"), options: options())
                    throw context.attempt == 2 ? TransportError(.lost) : TimeoutError(.attempt) as any Error
                }.repeated()), interceptors: [Retry(policy)])
        chain.withLock { $0 = made }
        let failure = try #require(await made.result(Ask("slow"), options: options()).failure)
        #expect(failure.attempts.count == 3)
        #expect(failure.stopReason == .timeoutRepeated)
    }

    @Test("is like any other where time ran out before anything was sent")
    func unsent() async throws {
        let held = Step { _, _, _ in throw TimeoutError(.attempt, after: .seconds(5)) }
        let chain = try AskChain(transport: Script<Ask, Answer>(), interceptors: [Retry(), held])
        #expect(await chain.result(Ask(), options: options()).failure?.stopReason == .attemptsUsed(3))
    }

    @Test("happens as often as somebody chose")
    func chosen() async throws {
        #expect(try await slow(Retry(attempts: 5)).attempts.count == 5)
        #expect(try await slow(Retry(RetryPolicy())).attempts.count == 3)
        #expect(try await slow(Retry(RetryPolicy(timeouts: .onceIfAnswered))).stopReason == .unanswered)
    }

    @Test(
        "is in the presets as in their originals",
        arguments: [(RetryPolicy.alamofire, 3), (.awsStandard, 3), (.grpc, 1), (.never, 1)])
    func presets(policy: RetryPolicy, attempts: Int) async throws {
        for other in [nil, "good"] {
            #expect(try await slow(Retry(policy), beside: other).attempts.count == attempts)
        }
    }

    @Test("never repeats an order, whoever is answered")
    func order() async throws {
        var order = Ask("slow")
        order.isIdempotent = false
        let failure = try await slow(beside: "good", request: order)
        #expect(failure.stopReason == .notIdempotent)
    }

    @Test("does not happen because of an answer that came before the request was sent, however early the call began")
    func heldUp() async throws {
        // given: a request that waits inside retry, while another is answered
        let gate = Gate()
        let transport = Script<Ask, Answer>(.response(Answer()), .failure(TimeoutError(.attempt)))
        let chain = try AskChain(transport: transport, interceptors: [Retry(), Held(gate: gate)])
        let call = Task { await chain.result(Ask("slow"), options: options()).failure }
        await gate.waitForArrivals(1)
        _ = try await chain.call(Ask("good"), options: options())
        // when
        gate.open()
        // then
        #expect(await call.value?.stopReason == .unanswered)
    }

    private struct Held: Interceptor {
        let gate: Gate
        func intercept(
            _ request: Ask, context: CallContext, next: Next<Ask, Answer>
        ) async throws -> Answer {
            if request.text == "slow" {
                await gate.pass()
            }
            return try await next(request)
        }
    }

    @Test("does not happen because of an answer to a request that was sent before, as a queue gives it")
    func queue() async throws {
        // given
        let (early, slow) = (Gate(), Gate())
        let transport = Script<Ask, Answer>(
            .respond { request, _ in
                guard request.text == "slow" else {
                    await early.pass()
                    return Answer()
                }
                await slow.pass()
                throw TimeoutError(.attempt, after: .seconds(5))
            }.repeated())
        let chain = try AskChain(transport: transport) { Retry() }
        let first = Task { await chain.result(Ask("early"), options: options()) }
        await early.waitForArrivals(1)
        clock.advance(by: .seconds(1))
        let second = Task { await chain.result(Ask("slow"), options: options()).failure }
        await slow.waitForArrivals(1)
        clock.advance(by: .seconds(1))
        // when
        early.open()
        _ = await first.value
        slow.open()
        // then
        #expect(await second.value?.stopReason == .unanswered)
    }

    @Test("does not happen because another call failed meanwhile that nobody answered, even if that has a price")
    func unansweredToo() async throws {
        let policy = try RetryPolicy(budget: .grpc, timeouts: .onceIfAnswered)
        let chain = Lock<AskChain?>(nil)
        let made = try AskChain(
            transport: Script<Ask, Answer>(
                .respond { request, _ in
                    guard request.text == "slow", let chain = chain.withLock({ $0 }) else {
                        throw TransportError(.lost)
                    }
                    clock.advance(by: .seconds(1))
                    _ = await chain.result(Ask("other"), options: options())
                    throw TimeoutError(.attempt, after: .seconds(5))
                }.repeated())
        ) {
            Retry(policy)
        }
        chain.withLock { $0 = made }
        #expect(await made.result(Ask("slow"), options: options()).failure?.stopReason == .unanswered)
    }

    @Test("a screen of six calls of which one hangs has the other five, and repeats the one")
    func screen() async throws {
        // given
        let clock = ManualClock()
        let options = CallOptions.with(clock, random: FixedRandom(units: 0))
        let transport = Script<Ask, Answer>(
            .respond { request, context in
                guard request.text == "slow" else { return Answer() }
                try await context.clock.sleep(for: .seconds(5))
                throw TimeoutError(.attempt, after: .seconds(5))
            }.repeated())
        let chain = try AskChain(transport: transport) { Retry() }
        let slow = Task { await chain.result(Ask("slow"), options: options).failure }
        await transport.waitForRequests(1)
        await clock.waitForSleepers(1)
        // when: the others begin a second later
        await clock.advance(by: .seconds(1))
        for number in 1...5 {
            _ = try await chain.call(Ask("\(number)"), options: options)
        }
        await clock.advance(by: .seconds(4))
        await transport.waitForRequests(7)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(5))
        // then: nobody was answered since the second
        #expect(await slow.value?.stopReason == .timeoutRepeated)
        #expect(transport.requests.count == 7)
        for number in 1...5 {
            _ = try await chain.call(Ask("\(number)"), options: options)
        }
    }
}
