import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Fallback", .limited)
struct FallbackTests {
    private typealias Server = Script<Ask, Answer>
    private let clock = RecordingClock()
    private let log = RecordingLog()
    private let observer = RecordingObserver()

    private var options: CallOptions {
        var options = CallOptions.with(clock)
        options.name = "rates"
        options.observers = [observer]
        return options
    }

    private func result(
        _ server: Server, _ fallback: Fallback<Ask, Answer>, asking ask: Ask = Ask(),
        inside: [any Interceptor<Ask, Answer>] = []
    ) async throws -> Result<Answer, Failure> {
        try await AskChain(transport: server, interceptors: [fallback] + inside + [Judge()]).result(
            ask, options: options)
    }

    /// Asks the spare server.
    private func spare(
        when handles: @escaping @Sendable (RetryCandidate) -> Bool = { $0.mayFallBack }
    ) -> Fallback<Ask, Answer> {
        Fallback("spare", when: handles, log: log) { ask in Ask("spare \(ask.text)") }
    }

    @Test("answers with a value, and the failure stays visible: in the trace, to observers, in the log")
    func value() async throws {
        // given
        let server = Server(.response(Answer(status: 503)).repeated())
        let policy = try RetryPolicy(attempts: 2)
        // when
        let answer = try await result(
            server, Fallback("kept", value: Answer("old"), log: log), inside: [Retry(policy)]
        ).get()
        // then
        #expect(answer.body == "old")
        let call = try #require(observer.calls.first)
        #expect(call.failure == nil)
        #expect(call.values.fallback?.name == "kept")
        #expect(call.values.fallback?.reason.code == "status.503")
        #expect(call.trace.attempts.map(\.result.description) == ["status.503", "status.503"])
        #expect(call.trace.events.map(\.text) == ["kept asked because of status.503", "kept instead of status.503"])
        #expect(log.entries.map(\.level) == [.warning])
        #expect(log.entries.first?.message.hasSuffix("rates: fallback \"kept\" instead of status.503") == true)
    }

    @Test("does nothing for a call that succeeds")
    func success() async throws {
        let answer = try await result(Server(.response(Answer("new"))), Fallback(value: Answer("old"), log: log)).get()
        #expect(answer.body == "new")
        #expect(observer.calls.first?.values.fallback == nil)
        #expect(log.entries.isEmpty)
    }

    @Test(
        "stands in for what is transient, and never for a status from 400 to 499",
        arguments: [
            (Stub<Ask, Answer>.response(Answer(status: 503)), true), (.response(Answer(status: 408)), false),
            (.response(Answer(status: 404)), false), (.response(Answer(status: 429)), false),
            (.response(Answer(status: 501)), false), (.failure(TransportError(.offline)), true),
            (.failure(TransportError(.certificate)), false),
            (.failure(TimeoutError(.attempt, after: .seconds(1))), true),
            (.failure(ShopError()), false),
        ])
    func handled(step: Stub<Ask, Answer>, isHandled: Bool) async throws {
        let result = try await result(Server(step), Fallback(value: Answer("old"), log: nil))
        #expect((result.failure == nil) == isHandled)
    }

    @Test("stands in for the failures that the app names")
    func chosen() async throws {
        let fallback = Fallback<Ask, Answer>(value: Answer("old"), when: { $0.statusCode == 404 }, log: nil)
        #expect(try await result(Server(.response(Answer(status: 404))), fallback).failure == nil)
        #expect(try await result(Server(.response(Answer(status: 503))), fallback).failure?.code == "status.503")
    }

    @Test("leaves a cancellation alone, also one that comes while it looks for an answer")
    func cancelled() async throws {
        // given
        let manual = ManualClock()
        let server = Server(.hang, .failure(TransportError(.lost)))
        let looking = Gate()
        let fallback = Fallback<Ask, Answer>("kept", when: { _ in true }, log: log) { _, _ in
            await looking.pass()
            return Answer("old")
        }
        let chain = try AskChain(transport: server, interceptors: [fallback])
        // when
        let first = Task { await chain.result(Ask(), options: .with(manual)) }
        await server.waitForRequests(1)
        first.cancel()
        #expect(await first.value.failure?.code == "cancelled")
        let second = Task { await chain.result(Ask(), options: .with(manual)) }
        await looking.waitForArrivals(1)
        second.cancel()
        looking.open()
        // then
        #expect(await second.value.failure?.code == "cancelled")
        #expect(log.entries.isEmpty)
    }

    @Test("lets the failure go on when there is no answer, or none can be made", arguments: [true, false])
    func none(fails: Bool) async throws {
        let fallback = Fallback<Ask, Answer>("kept", log: log) { _, _ in
            guard !fails else {
                throw ShopError()
            }
            return nil
        }
        let failure = try #require(await result(Server(.failure(TransportError(.lost))), fallback).failure)
        #expect(failure.code == "transport.lost")
        #expect(
            observer.calls.first?.trace.events.map(\.text) == [
                "kept asked because of transport.lost", fails ? "kept failed: other" : "kept had no response",
            ])
        #expect(log.entries.isEmpty)
    }

    @Test("sends another request, as a further attempt")
    func otherRequest() async throws {
        // given
        let server = Server(.response(Answer(status: 503)), .response(Answer("spare")))
        // when
        let answer = try await result(server, spare()).get()
        // then
        #expect(answer.body == "spare")
        #expect(server.requests.map(\.text) == ["hello", "spare hello"])
        let trace = try #require(observer.calls.first).trace
        #expect(trace.attempts.map(\.result.description) == ["status.503", "ok"])
        #expect(trace.attempts.map(\.waitReason) == [nil, "fallback"])
        #expect(log.entries.count == 1)
    }

    @Test("fails with the failure of the other request, and lists both")
    func bothFail() async throws {
        let server = Server(.response(Answer(status: 503)), .failure(TransportError(.refused)))
        let failure = try #require(await result(server, spare()).failure)
        #expect(failure.code == "transport.refused")
        #expect(failure.attempts.map(\.result.description) == ["status.503", "transport.refused"])
        #expect(failure.sentRequest?.summary(.standard) == "ask spare hello")
        #expect(log.entries.isEmpty)
        #expect(failure.values.fallback == nil)
    }

    @Test(
        "does not send elsewhere what may have been executed, or what only a key makes safe, or a body that is gone",
        arguments: ["POST", "key", "stream"])
    func unsafe(kind: String) async throws {
        // given
        let server = Server(.failure(TransportError(.lost)))
        // then
        let result = try await result(server, spare(when: { $0.isTransient }), asking: Self.ask(kind))
        #expect(result.failure?.code == "transport.lost")
        #expect(server.requests.count == 1)
    }

    /// A request that must not be sent elsewhere, or one that may: "GET".
    private static func ask(_ kind: String) -> Ask {
        var ask = Ask()
        ask.isIdempotent = kind != "POST"
        ask.idempotencyKey = kind == "key" ? "k" : nil
        ask.isReplayable = kind != "stream"
        return ask
    }

    @Test(
        "does not send elsewhere what something inside may have done with the request, though nothing was sent that is known of",
        arguments: ["POST", "key", "stream", "GET"])
    func unknown(kind: String) async throws {
        // given: an interceptor that reads the body, or sends it in its own way, and fails
        let own = Step { ask, _, next in
            guard ask.text.hasPrefix("spare") else {
                throw TransportError(.lost)
            }
            return try await next(ask)
        }
        let server = Server(.response(Answer("spare")))
        // when
        let result = try await result(server, spare(when: { _ in true }), asking: Self.ask(kind), inside: [own])
        // then
        #expect(result.failure?.code == (kind == "GET" ? nil : "transport.lost"))
        #expect(server.requests.count == (kind == "GET" ? 1 : 0))
    }

    @Test(
        "sends nothing elsewhere where a client inside has sent what must not be repeated, whatever the request was",
        arguments: ["POST", "key", "stream", "GET"], [true, false])
    func nested(kind: String, isTransport: Bool) async throws {
        // given: a client in the place of the transport, or in an interceptor
        let inner = try AskChain(transport: Server(.failure(TransportError(.lost))), interceptors: [])
        let call = Self.ask(kind)
        let step = Step { ask, _, next in
            isTransport || ask.text.hasPrefix("spare") ? try await next(ask) : try await inner.call(call)
        }
        let spare = Stub<Ask, Answer>.response(Answer("spare"))
        let server = isTransport ? Server(.respond { _, _ in try await inner.call(call) }, spare) : Server(spare)
        // when
        let result = try await result(server, self.spare(when: { _ in true }), inside: [step])
        // then
        #expect(result.failure?.code == (kind == "GET" ? nil : "transport.lost"))
        #expect(server.requests.filter { $0.text.hasPrefix("spare") }.count == (kind == "GET" ? 1 : 0))
    }

    @Test(
        "does not send elsewhere what a client inside may have sent, or what failed with its body open",
        arguments: ["POST", "key", "stream"], [true, false])
    func unsafeInside(kind: String, isNested: Bool) async throws {
        // given: a client that sent it, or an interceptor that failed before it said what was sent
        var ask = Ask()
        ask.isIdempotent = kind != "POST"
        ask.idempotencyKey = kind == "key" ? "k" : nil
        ask.isReplayable = kind != "stream"
        let inner = try AskChain(transport: Server(.failure(TransportError(.lost)).repeated()), interceptors: [])
        let lost = Step { [ask] _, _, _ in
            guard isNested else { throw TransportError(.lost) }
            return try await inner.call(ask)
        }
        let server = Server()
        // when
        let result = try await result(
            server, spare(when: { $0.isTransient }), asking: isNested ? Ask() : ask, inside: [lost])
        // then
        #expect(result.failure?.code == "transport.lost")
        #expect(result.failure?.attempts.count == 1)
        #expect(server.requests.isEmpty)
    }

    @Test("does not send elsewhere what an interceptor further in has made of the request")
    func changedInside() async throws {
        let server = Server(.failure(TransportError(.lost)))
        let post = Step { ask, context, next in
            var ask = ask
            ask.isIdempotent = false
            return try await next(ask)
        }
        let fallback = spare(when: { $0.isTransient })
        #expect(try await result(server, fallback, inside: [post]).failure?.code == "transport.lost")
        #expect(server.requests.count == 1)
    }

    @Test("sends elsewhere what was refused before it was sent, whatever it is, if the app says so")
    func refused() async throws {
        // given: a breaker that is open for all but the spare server
        var ask = Ask()
        ask.isIdempotent = false
        let breaker = Step { ask, context, next in
            guard ask.text.hasPrefix("spare") else {
                throw RejectionError(.breakerOpen, "open")
            }
            return try await next(ask)
        }
        let server = Server(.response(Answer("spare")))
        // then
        let fallback = spare(when: { $0.isTransient })
        #expect(try await result(server, fallback, asking: ask, inside: [breaker]).get().body == "spare")
        #expect(server.requests.map(\.text) == ["spare hello"])
    }

    @Test("sends nothing once the call's time is over")
    func deadline() async throws {
        let server = Server(
            .respond { [clock] _, _ in
                clock.advance(by: .seconds(5))
                throw TransportError(.lost)
            })
        // A deadline that only the inner interceptors know.
        let limit = Step { ask, context, next in
            try await next(ask, context: context.withDeadline(.seconds(5)))
        }
        let chain = try AskChain(transport: server, interceptors: [limit, spare()])
        let failure = await chain.result(Ask(), options: options).failure
        #expect(failure?.code == "transport.lost")
        #expect(server.requests.count == 1)
    }

    @Test("sends once for each call, whatever is sent, fails and is cancelled", arguments: Seed.ofRun)
    func once(seed: Seed) async throws {
        var random = seed.numbers
        for _ in 0..<2000 {
            // given
            var ask = Ask()
            ask.isIdempotent = random.below(2) == 0
            ask.idempotencyKey = random.below(4) == 0 ? "key" : nil
            let steps = (0..<2).map { _ in
                let (turns, fails) = (random.below(4), random.below(2) == 0)
                return Stub<Ask, Answer>.respond { _, _ in
                    for _ in 0..<turns { await Task.yield() }
                    guard !fails else {
                        throw TransportError(.lost)
                    }
                    return Answer()
                }
            }
            let server = Server(steps)
            let last = Fallback<Ask, Answer>(value: Answer("last"), when: { $0.isTransient }, log: nil)
            let chain = try AskChain(transport: server, interceptors: [last, spare(when: { $0.isTransient })])
            let giveUp = random.below(3) == 0 ? random.below(8) : nil
            // when
            let call = Task { [ask] in await chain.result(ask, options: .with(RecordingClock())) }
            if let giveUp {
                for _ in 0..<giveUp { await Task.yield() }
                call.cancel()
            }
            let result = await call.value
            // then
            let mayRepeat = ask.isIdempotent && ask.idempotencyKey == nil
            #expect(server.requests.count <= (mayRepeat ? 2 : 1))
            #expect(result.failure?.isCancelled != false, "only a cancelled call fails")
            #expect(result.failure == nil || giveUp != nil)
            #expect(server.lateRequests.isEmpty || giveUp != nil)
        }
    }
}
