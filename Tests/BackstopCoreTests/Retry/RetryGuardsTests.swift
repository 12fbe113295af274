import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Retry stops", .limited)
struct RetryGuardsTests {
    let clock = RecordingClock()

    init() {
        // No clock of a real call begins at zero.
        clock.advance(by: .seconds(1000))
    }

    private func failure(
        _ ask: Ask = Ask(), _ transport: Script<Ask, Answer>, policy: RetryPolicy = .standard,
        deadline: Duration? = nil,
        random: any RandomSource = FixedRandom(units: 0.5)
    ) async throws -> Failure {
        var options = CallOptions.with(clock, random: random)
        options.deadline = deadline
        let chain = try AskChain(transport: transport) {
            Retry(policy)
            Judge()
        }
        return try #require(await chain.result(ask, options: options).failure)
    }

    var lost: Stub<Ask, Answer> { Stub.failure(TransportError(.lost)).repeated() }

    private func busy(_ wait: Duration) -> Stub<Ask, Answer> {
        Stub.response(Answer(status: 503, wait: wait)).repeated()
    }

    @Test("before a request is sent twice that may do its work twice")
    func notIdempotent() async throws {
        // given
        var ask = Ask()
        ask.isIdempotent = false
        let transport = Script<Ask, Answer>(lost)
        // when
        let failure = try await failure(ask, transport)
        // then
        #expect(failure.stopReason == .notIdempotent)
        #expect(transport.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("not, where an inner interceptor has made the request safe to send twice")
    func madeIdempotent() async throws {
        // given
        var ask = Ask()
        ask.isIdempotent = false
        let transport = Script<Ask, Answer>(lost)
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Step { request, _, next in
                var request = request
                request.isIdempotent = true
                return try await next(request)
            }
        }
        // when
        _ = await chain.result(ask, options: .with(clock))
        // then
        #expect(transport.requests.count == 3)
    }

    @Test("before a body is sent again that can be read only once")
    func notReplayable() async throws {
        // given
        var ask = Ask()
        ask.isReplayable = false
        let transport = Script<Ask, Answer>(lost)
        // then
        #expect(try await failure(ask, transport).stopReason == .notReplayable)
        #expect(transport.requests.count == 1)
    }

    @Test("also when an inner interceptor has put in a body that can be read only once")
    func madeNotReplayable() async throws {
        // given
        let transport = Script<Ask, Answer>(lost)
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Step { request, _, next in
                var request = request
                request.isReplayable = false
                return try await next(request)
            }
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.stopReason == .notReplayable)
        #expect(transport.requests.count == 1)
    }

    @Test("says that the kind of failure does not pass, before it says anything else")
    func precedence() async throws {
        // given
        var ask = Ask()
        ask.isIdempotent = false
        // then
        #expect(try await failure(ask, Script<Ask, Answer>(.response(Answer(status: 404)))).stopReason == .notRetryable)
    }

    @Test("says that one attempt is all there is, where the policy allows no more")
    func oneAttempt() async throws {
        #expect(try await failure(Ask(), Script<Ask, Answer>(lost), policy: .never).stopReason == .attemptsUsed(1))
    }

    @Test("waits at least as long as Retry-After says", arguments: [(2, 2000), (60, 60_000)])
    func retryAfter(seconds: Int, milliseconds: Int) async throws {
        // when
        let failure = try await failure(Ask(), Script<Ask, Answer>(busy(.seconds(seconds))))
        // then
        #expect(clock.sleeps == [.milliseconds(milliseconds), .milliseconds(milliseconds)])
        #expect(failure.attempts.map(\.waitReason) == [nil, "Retry-After", "Retry-After"])
        #expect(failure.attempts.last?.wait == .milliseconds(milliseconds))
    }

    @Test("waits for the backoff where Retry-After asks for less", arguments: [0, 249, 250])
    func shortRetryAfter(milliseconds: Int) async throws {
        // when
        let policy = try RetryPolicy(attempts: 2)
        let failure = try await failure(Script<Ask, Answer>(busy(.milliseconds(milliseconds))), policy)
        // then
        #expect(clock.sleeps == [.milliseconds(250)])
        #expect(failure.attempts.last?.waitReason == "backoff")
    }

    private func failure(_ transport: Script<Ask, Answer>, _ policy: RetryPolicy) async throws -> Failure {
        try await failure(Ask(), transport, policy: policy)
    }

    @Test("when the server asks for a longer wait than is accepted", arguments: [61, 3600, 2_147_483_648])
    func retryAfterTooLong(seconds: Int64) async throws {
        // given
        let transport = Script<Ask, Answer>(busy(.seconds(seconds)))
        // when
        let failure = try await failure(transport, .standard)
        // then
        #expect(failure.stopReason == .retryAfterTooLong(asked: .seconds(seconds), accepted: .seconds(60)))
        #expect(transport.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("does not heed the Retry-After of an earlier attempt")
    func staleRetryAfter() async throws {
        // given
        let transport = Script<Ask, Answer>(
            .response(Answer(status: 503, wait: .seconds(5))), .failure(TransportError(.lost)),
            .response(Answer("there")))
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Judge()
        }
        // when
        _ = try await chain.call(Ask(), options: .with(clock, random: FixedRandom(units: 0.5)))
        // then
        #expect(clock.sleeps == [.seconds(5), .milliseconds(500)])
    }

    @Test("when the wait would end after the deadline", arguments: [(250, true), (251, false), (100, true)])
    func deadline(milliseconds: Int, stops: Bool) async throws {
        // given: a wait of 250 ms
        let transport = Script<Ask, Answer>(lost)
        // when
        let policy = try RetryPolicy(attempts: 2)
        let failure = try await failure(Ask(), transport, policy: policy, deadline: .milliseconds(milliseconds))
        // then
        #expect(failure.stopReason == (stops ? .deadline(wait: .milliseconds(250)) : .attemptsUsed(2)))
        #expect(transport.requests.count == (stops ? 1 : 2))
        #expect(failure.code == "transport.lost")
    }

    @Test("when the call is cancelled in the wait, and that is no failure of the transport")
    func cancelledWaiting() async throws {
        // given
        let clock = ManualClock()
        let transport = Script<Ask, Answer>(lost)
        let chain = try AskChain(transport: transport) { Retry(.standard) }
        let options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        let task = Task { await chain.result(Ask(), options: options) }
        await clock.waitForSleeper(remaining: .milliseconds(250))
        // when
        task.cancel()
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "cancelled")
        #expect(failure.stopReason == .cancelled)
        #expect(failure.attempts.map(\.result) == [.failed(code: "transport.lost")])
        #expect(transport.requests.count == 1)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("when the call is cancelled in an attempt, whatever the transport throws then")
    func cancelledInAttempt() async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            Stub.respond { _, _ in
                await gate.pass()
                throw TransportError(.lost)
            }.repeated())
        let policy = try RetryPolicy { candidate in
            Issue.record("asked about \(candidate.reason.code)")
            return true
        }
        let chain = try AskChain(transport: transport) { Retry(policy) }
        let options = CallOptions.with(clock)
        let task = Task { await chain.result(Ask(), options: options) }
        await gate.waitForArrivals(1)
        // when
        task.cancel()
        gate.open()
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "cancelled")
        #expect(transport.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("at a CancellationError that is not of this call's task, and says that it is a failure")
    func innerCancellation() async throws {
        // given
        let transport = Script<Ask, Answer>(.failure(CancellationError()), .response(Answer("there")))
        // when
        let failure = try await failure(transport, .standard)
        // then
        #expect(failure.code == "other")
        #expect(!failure.isCancelled)
        #expect(failure.underlying is CancellationError)
        #expect(failure.stopReason == .notRetryable)
        #expect(transport.requests.count == 1)
    }

    @Test("where an inner interceptor has said why, and leaves that word")
    func innerStop() async throws {
        // given
        let transport = Script<Ask, Answer>(lost)
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Step { request, context, next in
                do {
                    return try await next(request)
                } catch {
                    context.stop(.budget)
                    throw ShopError()
                }
            }
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.stopReason == .budget)
    }

    @Test("when the call is cancelled in a wait, also on a clock that does not look")
    func deafClock() async throws {
        // given
        struct Deaf: CallClock {
            var now: Duration { .zero }
            var date: Duration { .zero }
            func sleep(for duration: Duration) async throws {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let transport = Script<Ask, Answer>(lost)
        let chain = try AskChain(transport: transport) { Retry(.standard) }
        // when
        let failure = try #require(await Task { await chain.result(Ask(), options: .with(Deaf())) }.value.failure)
        // then
        #expect(failure.isCancelled)
        #expect(failure.attempts.count == 1)
    }
}
