import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

/// What went out before decides what may go out again.
extension RetryGuardsTests {
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
        let chain = try AskChain(transport: Redirecting(hop: Ask("order/1"))) { Retry(.standard) }
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
        let chain = try AskChain(transport: Redirecting(hop: hop)) { Retry(.standard) }
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
        let chain = try AskChain(transport: transport) {
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
        let inner = try AskChain(transport: tokens) { Retry(.standard) }
        let transport = Script<Ask, Answer>(.response(Answer()))
        let chain = try AskChain(transport: transport) {
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
        let inner = try AskChain(transport: Script<Ask, Answer>(lost)) {}
        let chain = try AskChain(transport: Script<Ask, Answer>()) {
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
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Step { _, _, next in try await next(Ask("other")) }
        }
        // when
        let failure = try #require(await chain.result(ask, options: .with(clock)).failure)
        // then
        #expect(failure.stopReason == .notReplayable)
        #expect(transport.requests.count == 1)
    }

    @Test("not before an order that never left, because no connection was free for it")
    func neverLeft() async throws {
        // given
        var order = Ask("order")
        order.isIdempotent = false
        let transport = Script<Ask, Answer>(
            .failure(TimeoutError(.connection, after: .seconds(60))), .response(Answer("there")))
        let chain = try AskChain(transport: transport) { Retry(.standard) }
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
        let chain = try AskChain(transport: Redirecting()) { Retry(.standard) }
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
        let chain = try AskChain(transport: transport) { Retry(always) }
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
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(RequestError(.invalidURL, "no host")))) {}
        // when
        let failure = try #require(await chain.result(Ask("x")).failure)
        // then
        #expect(failure.sentRequests.isEmpty)
        #expect(failure.report.contains("  sent:     nothing"))
    }
}
