import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("What an attempt sent and what came back", .limited)
struct AttemptRecordTests {
    /// Asks twice at once; the second answer decides, and the first one comes in between.
    private struct Hedge: Interceptor {
        let first: Gate
        let role = Role.custom("hedging")

        func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
            let other = context.parallelAttempt(because: "hedging")
            let own = context.firstAttempt()
            async let slow = next(Ask("\(request.text) slow"), context: own)
            await first.waitForArrivals(1)
            do {
                return try await next(Ask("\(request.text) fast"), context: other)
            } catch {
                context.decide(by: other)
                first.open()
                _ = try? await slow
                throw error
            }
        }
    }

    /// Answers the fast one with 503, and the slow one, late, with 200.
    private struct Server: Transport {
        let first: Gate

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            guard request.text.hasSuffix("slow") else {
                return Answer("fast", status: 503)
            }
            await first.pass()
            context.recordHop(Ask("slow redirect"))
            return Answer("slow", status: 200)
        }
    }

    @Test("is kept apart while attempts overlap, and the failure tells of the one that decided")
    func overlapping() async throws {
        // given
        let gate = Gate()
        let chain = try AskChain(transport: Server(first: gate)) {
            Hedge(first: gate)
            Judge()
        }
        // when
        let failure = try #require(await chain.result(Ask("x")).failure)
        // then
        #expect(failure.code == "status.503")
        #expect((failure.receivedResponse as? Answer)?.body == "fast")
        #expect(failure.sentRequests.compactMap { ($0 as? Ask)?.text } == ["x fast"])
        #expect(failure.attempts.map(\.number) == [1, 2])
        #expect(failure.attempts.map(\.waitReason) == [nil, "hedging"])
    }

    @Test("counts for retry in every overlapping attempt, not only in the one that decided")
    func overlappingOrders() async throws {
        // given: the copy that loses is an order
        let gate = Gate()
        struct Orders: Interceptor {
            func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
                var request = request
                request.isIdempotent = !request.text.hasSuffix("slow")
                return try await next(request)
            }
        }
        let chain = try AskChain(transport: Server(first: gate)) {
            Retry(.standard)
            Hedge(first: gate)
            Orders()
            Judge()
        }
        // when
        let failure = try #require(await chain.result(Ask("x"), options: .with(RecordingClock())).failure)
        // then
        #expect(failure.stopReason == .notIdempotent)
    }

    @Test("is recorded by the chain, though the transport says nothing")
    func silentTransport() async throws {
        // given
        struct Silent: Transport {
            func send(_ request: Ask, context: CallContext) async throws -> Answer {
                Answer("full", status: 503)
            }
        }
        let chain = try AskChain(transport: Silent()) { Judge() }
        // when
        let failure = try #require(await chain.result(Ask("x")).failure)
        // then
        #expect((failure.sentRequest as? Ask)?.text == "x")
        #expect((failure.receivedResponse as? Answer)?.body == "full")
    }

    @Test("is the response that the error carries, where an interceptor inside has changed it")
    func changedResponse() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(Answer("as sent", status: 200)))) {
            Step { request, _, next in
                let answer = try await next(request)
                throw StatusError(409, response: Answer("as judged", status: answer.status.map { $0 + 209 }))
            }
        }
        // when
        let failure = try #require(await chain.result(Ask("x")).failure)
        // then
        #expect((failure.receivedResponse as? Answer)?.body == "as judged")
        #expect(failure.statusCode == 409)
    }

    @Test("stays with the attempt, also when one that was given up goes on and sends again")
    func straggler() async throws {
        // given: the first attempt hangs beyond its limit, and its interceptor then sends once more
        let (gate, isAsked, isLate) = (Gate(), Gate(), Gate())
        struct Renewing: Interceptor {
            let isLate: Gate
            func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
                do {
                    return try await next(request)
                } catch let error as StatusError where error.code == 401 {
                    let next = context.nextAttempt(after: error, waited: .zero, because: "renewed")
                    next.recordHop(Ask("late"))
                    await isLate.pass()
                    throw error
                }
            }
        }
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                return Answer(status: 401)
            },
            .respond { _, context in
                context.recordHop(Ask("second"))
                await isAsked.pass()
                return Answer("second", status: 503)
            })
        let clock = ManualClock()
        let chain = try AskChain(transport: transport) {
            // Without a budget, which waits longer after a timeout.
            Retry(try RetryPolicy(attempts: 2, budget: .unlimited))
            AttemptTimeout(.seconds(10))
            Renewing(isLate: isLate)
            Judge()
        }
        let task = Task { await chain.result(Ask("x"), options: .with(clock, random: FixedRandom(units: 0.5))) }
        await gate.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(10))
        await clock.waitForSleeper(remaining: .milliseconds(250))
        await clock.advance(by: .milliseconds(250))
        await isAsked.waitForArrivals(1)
        // when: the first attempt's answer comes while the second is under way
        gate.open()
        await isLate.waitForArrivals(1)
        isAsked.open()
        let failure = try #require(await task.value.failure)
        isLate.open()
        // then
        #expect(failure.code == "status.503")
        #expect(failure.sentRequests.compactMap { ($0 as? Ask)?.text } == ["x", "second"])
        #expect((failure.receivedResponse as? Answer)?.body == "second")
        #expect(
            failure.attempts.map(\.result).prefix(2) == [.failed(code: "timeout.attempt"), .failed(code: "status.503")])
    }

    @Test("is what an interceptor outside retry records, after several attempts as after one")
    func outerRecord() async throws {
        // given: an interceptor that answers from what it kept, and the answer is no good
        let observer = RecordingObserver()
        var options = CallOptions.with(RecordingClock())
        options.observers = [observer]
        let chain = try AskChain(transport: Script<Ask, Answer>(Stub.response(Answer(status: 503)).repeated())) {
            Step { request, context, next in
                guard (try? await next(request)) == nil else {
                    throw ShopError()
                }
                context.recordReceived(Answer("kept"))
                return Answer("kept")
            }
            Retry()
            Judge()
        }
        // when
        _ = try await chain.call(Ask("x"), options: options)
        // then
        let call = try #require(observer.calls.first)
        #expect((call.response as? Answer)?.body == "kept")
        #expect(call.trace.attempts.map(\.result) == Array(repeating: .failed(code: "status.503"), count: 3))
    }

    @Test("is bounded in every place where a failure keeps the response")
    func bounded() async throws {
        // given
        var options = CallOptions()
        options.failureBodyLimit = 4
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(Answer("a long body", status: 503)))) {
            Judge()
        }
        // when
        let failure = try #require(await chain.result(Ask("x"), options: options).failure)
        // then
        #expect((failure.receivedResponse as? Answer)?.body == "a lo")
        #expect((failure.reason.statusError?.response as? Answer)?.body == "a lo")
        #expect(((failure.underlying as? StatusError)?.response as? Answer)?.body == "a lo")
    }

    @Test("has the response that came with the error, where an earlier one of the attempt is recorded")
    func innerFailure() async throws {
        // given: 401, and the renewal of the token by another client fails with a wait
        let tokens = try AskChain(
            transport: Script<Ask, Answer>(.response(Answer("renewal", status: 503, wait: .seconds(9))))
        ) {
            Judge()
        }
        let clock = RecordingClock()
        let transport = Script<Ask, Answer>(.response(Answer(status: 401)), .response(Answer("there")))
        let chain = try AskChain(transport: transport) {
            Retry()
            Step { request, _, next in
                let answer = try await next(request)
                guard answer.status == 401 else {
                    return answer
                }
                return try await tokens.call(Ask("renew"))
            }
        }
        // when
        let answer = try await chain.call(Ask("x"), options: .with(clock))
        // then: the wait that the renewal was asked for is kept
        #expect(answer.body == "there")
        #expect(clock.sleeps == [.seconds(9)])
    }

    @Test("lets the caller's types be asked and let go without a lock")
    func callersTypes() async throws {
        // given: a request that asks the context whether it is idempotent
        struct Asking: CallRequest {
            let context: CallContext
            var isIdempotent: Bool { context.name.isEmpty && context.sentRequests.isEmpty }
            var isReplayable: Bool { context.attempt == 1 }
            func summary(_ redaction: Redaction) -> String { "asking" }
            func details(_ redaction: Redaction) -> [String] { [] }
        }
        let context = CallContext()
        // when
        context.recordHop(Asking(context: context))
        // then
        #expect(context.sentRequests.count == 1)
    }

    @Test("does not end in a wait for an attempt that was taken back")
    func takenBack() async throws {
        // given: an interceptor inside retry that makes another key for each attempt of what may be done once
        var order = Ask("order")
        order.isIdempotent = false
        let keys = Counter()
        let policy = try RetryPolicy()
        let transport = Script<Ask, Answer>(.failure(TimeoutError(.attempt, after: .seconds(1))))
        let chain = try AskChain(transport: transport) {
            Retry(policy)
            Step { request, _, next in
                var request = request
                request.idempotencyKey = "key \(keys.increment())"
                request.isIdempotent = true
                return try await next(request)
            }
        }
        // when
        let failure = try #require(await chain.result(order, options: .with(RecordingClock())).failure)
        // then
        #expect(failure.stopReason == .idempotencyKeyChanged)
        #expect(failure.code == "timeout.attempt")
        #expect(!failure.report.contains("during the wait before"))
    }

    @Test("is let go when the next attempt sends: an old response does not stay in memory")
    func released() async throws {
        // given
        struct Heavy: CallResponse {
            final class Weight: Sendable {}
            let weight = Weight()
            var statusCode: Int? { 503 }
            func retryAfter(now: Duration) -> Duration? { nil }
            func summary(_ redaction: Redaction) -> String { "heavy" }
            func details(_ redaction: Redaction) -> [String] { [] }
            func bounded(to bytes: Int) -> Heavy { self }
        }
        final class Weak: @unchecked Sendable {
            // Unchecked, because the attempts come one after the other.
            weak var weight: Heavy.Weight?
        }
        let weak = Weak()
        let transport = Script<Ask, Answer>(
            .respond { _, context in
                let heavy = Heavy()
                weak.weight = heavy.weight
                context.recordReceived(heavy)
                throw TransportError(.lost)
            },
            .respond { _, _ in
                #expect(weak.weight == nil)
                return Answer("there")
            })
        let chain = try AskChain(transport: transport) { Retry() }
        // then
        #expect(try await chain.call(Ask(), options: .with(RecordingClock())).body == "there")
    }
}

extension Failure.Reason {
    /// The error of a status failure.
    fileprivate var statusError: StatusError? {
        if case .status(let error) = self {
            return error
        }
        return nil
    }
}
