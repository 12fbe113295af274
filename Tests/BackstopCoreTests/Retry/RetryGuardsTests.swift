import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Retry stops", .limited)
struct RetryGuardsTests {
    private let clock = RecordingClock()

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
        let chain = AskChain(transport: transport) {
            Retry(policy)
            Judge()
        }
        return try #require(await chain.result(ask, options: options).failure)
    }

    private var lost: Stub<Ask, Answer> { Stub.failure(TransportError(.lost)).repeated() }

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
        let chain = AskChain(transport: transport) {
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
        let chain = AskChain(transport: transport) {
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
        let chain = AskChain(transport: transport) {
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
        let chain = AskChain(transport: transport) { Retry(.standard) }
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
        let chain = AskChain(transport: transport) { Retry(policy) }
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
        let chain = AskChain(transport: transport) {
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

    // MARK: What went out before

    /// A transport that follows one redirect by itself: an order, and the page that shows it.
    private struct Redirecting: Transport {
        let hop: Ask

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            context.recordHop(hop)
            throw TransportError(.lost)
        }
    }

    @Test("after an order, though a redirect had turned it into a question")
    func redirectedOrder() async throws {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let chain = AskChain(transport: Redirecting(hop: Ask("order/1"))) { Retry(.standard) }
        // when
        let failure = try #require(await chain.result(order, options: .with(clock)).failure)
        // then
        #expect(failure.stopReason == .notIdempotent)
        #expect(!failure.isRetryable)
        #expect(failure.attempts.count == 1)
        #expect(failure.sentRequests.compactMap { ($0 as? Ask)?.text } == ["order", "order/1"])
    }

    @Test("before a body that a redirect wants again and that can be read only once")
    func redirectedStream() async throws {
        // given
        var hop = Ask("elsewhere")
        hop.isReplayable = false
        let chain = AskChain(transport: Redirecting(hop: hop)) { Retry(.standard) }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.stopReason == .notReplayable)
    }

    /// Calls with an interceptor inside retry that gives each attempt one of these keys.
    private func send(own: String?, keys: [String]) async throws -> (failure: Failure, sent: [String?]) {
        var order = Ask("order")
        order.isIdempotent = own != nil
        order.idempotencyKey = own
        let transport = Script<Ask, Answer>(lost)
        let chain = AskChain(transport: transport) {
            Retry(.standard)
            Step { request, context, next in
                var request = request
                if !keys.isEmpty {
                    request.isIdempotent = true
                    request.idempotencyKey = keys[context.attempt - 1]
                }
                return try await next(request)
            }
        }
        let failure = try #require(await chain.result(order, options: .with(clock)).failure)
        return (failure, transport.requests.map(\.idempotencyKey))
    }

    @Test(
        "unless every attempt has the same key",
        arguments: [
            (own: "k", keys: [], sent: ["k", "k", "k"]),  // set by the caller
            (own: nil, keys: ["k", "k", "k"], sent: ["k", "k", "k"]),  // the same in each
            (own: nil, keys: ["k", "l", "m"], sent: ["k"]),  // anew in each
            (own: "k", keys: ["l", "m", "n"], sent: ["l"]),  // replaced in each
            (own: "k", keys: ["k", "k", "l"], sent: ["k", "k"]),  // replaced in the last
        ] as [(own: String?, keys: [String], sent: [String])])
    func keys(own: String?, keys: [String], sent: [String]) async throws {
        // when
        let (failure, seen) = try await send(own: own, keys: keys)
        // then
        #expect(seen == sent)
        #expect(failure.code == "transport.lost")
        #expect(failure.stopReason == (sent.count == 3 ? .attemptsUsed(3) : .idempotencyKeyChanged))
        #expect((failure.sentRequest as? Ask)?.idempotencyKey == sent.last)
    }

    @Test("for a person who tries again only where the key is the caller's own")
    func tryAgain() async throws {
        #expect(try await send(own: "k", keys: []).failure.isRetryable)
        #expect(try await !send(own: nil, keys: ["k", "k", "k"]).failure.isRetryable)
    }

    @Test("where a client behind this one has sent something that may be done only once")
    func innerClient() async throws {
        // given: an interceptor that renews its token by a call of its own, which is lost
        var renewal = Ask("renew")
        renewal.isIdempotent = false
        let tokens = Script<Ask, Answer>(lost)
        let inner = AskChain(transport: tokens) { Retry(.standard) }
        let transport = Script<Ask, Answer>(.response(Answer()))
        let chain = AskChain(transport: transport) {
            Retry(.standard)
            Step { [renewal] request, _, next in
                _ = try await inner.call(renewal)
                return try await next(request)
            }
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(tokens.requests.count == 1)
        #expect(failure.stopReason == .notIdempotent)
        #expect(!failure.isRetryable)
        #expect(failure.sentRequests.compactMap { ($0 as? Ask)?.text } == ["renew"])
    }

    @Test(
        "as what a client behind this one has sent allows it",
        arguments: [
            (nil, false, true, .notIdempotent), ("key", true, true, .notIdempotent), (nil, true, false, .notReplayable),
            (nil, true, true, .attemptsUsed(3)),
        ] as [(String?, Bool, Bool, StopReason)])
    func innerRequest(key: String?, isIdempotent: Bool, isReplayable: Bool, expected: StopReason) async throws {
        // given
        var renewal = Ask("renew")
        renewal.idempotencyKey = key
        renewal.isIdempotent = isIdempotent
        renewal.isReplayable = isReplayable
        let inner = AskChain(transport: Script<Ask, Answer>(lost)) {}
        let chain = AskChain(transport: Script<Ask, Answer>()) {
            Retry(.standard)
            Step { [renewal] _, _, _ in try await inner.call(renewal) }
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.stopReason == expected)
    }

    @Test("before a body that can be read only once, though an interceptor inside sends another one")
    func ownBody() async throws {
        // given
        var ask = Ask()
        ask.isReplayable = false
        let transport = Script<Ask, Answer>(lost)
        let chain = AskChain(transport: transport) {
            Retry(.standard)
            Step { _, _, next in try await next(Ask("other")) }
        }
        // when
        let failure = try #require(await chain.result(ask, options: .with(clock)).failure)
        // then
        #expect(failure.stopReason == .notReplayable)
        #expect(transport.requests.count == 1)
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
        let chain = AskChain(transport: transport) { Retry(.standard) }
        // when
        let failure = try #require(await Task { await chain.result(Ask(), options: .with(Deaf())) }.value.failure)
        // then
        #expect(failure.isCancelled)
        #expect(failure.attempts.count == 1)
    }

    @Test("not before an order that never left, because no connection was free for it")
    func neverLeft() async throws {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let transport = Script<Ask, Answer>(
            .failure(TimeoutError(.connection, after: .seconds(60))), .response(Answer("there")))
        let chain = AskChain(transport: transport) { Retry(.standard) }
        // then
        #expect(try await chain.result(order, options: .with(clock)).get().body == "there")
    }

    @Test("but not where a redirect had answered the order, and no connection was free for what it leads to")
    func redirected() async throws {
        // given
        struct Redirecting: Transport {
            func send(_ request: Ask, context: CallContext) async throws -> Answer {
                context.track { TransferProgress(.queued, response: Answer(status: 307)) }
                throw TimeoutError(.connection)
            }
        }
        var order = Ask("order")
        order.isIdempotent = false
        let chain = AskChain(transport: Redirecting()) { Retry(.standard) }
        // when
        let failure = try #require(await chain.result(order, options: .with(clock)).failure)
        // then
        #expect(failure.stopReason == .notIdempotent)
        #expect(failure.sentRequests.count == 1)
        #expect(failure.attempts.count == 1)
        #expect(!failure.isRetryable)
    }

    /// An error of a system that redirects by itself, about where a redirect leads.
    private struct BadLocation: Error, FailureReasonConvertible {
        var classifiedReason: Failure.Reason { .request(RequestError(.invalidURL, "unsupported URL")) }
    }

    @Test("but not where a system's error may be about where a redirect leads")
    func badLocation() async throws {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let always = try RetryPolicy(attempts: 3) { _ in true }
        let transport = Script<Ask, Answer>(Stub.failure(BadLocation()).repeated())
        let chain = AskChain(transport: transport) { Retry(always) }
        // when
        let failure = try #require(await chain.result(order, options: .with(clock)).failure)
        // then
        #expect(transport.requests.count == 1)
        #expect(failure.code == "request.invalidURL")
        #expect(failure.sentRequests.count == 1)
    }

    @Test("and says that nothing was sent where the transport refused the request")
    func refused() async throws {
        // given
        let chain = AskChain(transport: Script<Ask, Answer>(.failure(RequestError(.invalidURL, "no host")))) {}
        // when
        let failure = try #require(await chain.result(Ask("x")).failure)
        // then
        #expect(failure.sentRequests.isEmpty)
        #expect(failure.report.contains("  sent:     nothing"))
    }
}
