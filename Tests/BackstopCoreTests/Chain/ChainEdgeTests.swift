import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The edge of a chain", .limited)
struct ChainEdgeTests {
    @Test("makes a failure of what was thrown, with request, response and attempt")
    func wraps() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(Answer("no", status: 404)))) { Judge() }
        // when
        let failure = try #require(await chain.result(Ask("x")).failure)
        // then
        #expect(failure.code == "status.404")
        #expect((failure.sentRequest as? Ask)?.text == "x")
        #expect((failure.receivedResponse as? Answer)?.body == "no")
        #expect(failure.attempts.map(\.result) == [.failed(code: "status.404")])
        #expect(failure.stopReason == .noRetry)
        #expect(failure.underlying is StatusError)
    }

    @Test("shows the request as last sent, with what the interceptors did to it")
    func lastSent() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(TransportError(.lost)))) { Mark("a") }
        // when
        let failure = try #require(await chain.result(Ask("x")).failure)
        // then
        #expect((failure.sentRequest as? Ask)?.text == "x>a")
        #expect(failure.receivedResponse == nil)
    }

    @Test("shows the request as it was made when nothing was sent")
    func nothingSent() async throws {
        // given
        let chain = try AskChain(transport: Echo()) {
            Step { _, _, _ in throw RejectionError("limit", "Too many at once.") }
        }
        // when
        let failure = try #require(await chain.result(Ask("x")).failure)
        // then
        #expect((failure.sentRequest as? Ask)?.text == "x")
        #expect(failure.code == "rejected.limit")
    }

    @Test("wraps once: a failure of an inner client keeps its reason and its first error")
    func once() async throws {
        // given
        let inner = try AskChain(transport: Script<Ask, Answer>(.failure(SoldOut(article: "lamp")))) {}
        let outer = try AskChain(
            transport: Script<Ask, Answer>(.respond { request, _ in try await inner.call(request) })
        ) {
        }
        // when
        let failure = try #require(await outer.result(Ask()).failure)
        // then
        #expect(failure.code == "service.SoldOut")
        #expect((failure.underlying as? SoldOut)?.article == "lamp")
        #expect(failure.error(as: SoldOut.self)?.article == "lamp")
        #expect(!(failure.underlying is Failure))
    }

    @Test("takes request and response from the inner client where the outer one has none")
    func innerParts() async throws {
        // given
        let transport = Script<Ask, Answer>(.response(Answer("inner", status: 500)))
        let inner = try AskChain(transport: transport) { Judge() }
        let outer = try AskChain(transport: Echo()) {
            Step { _, _, _ in try await inner.call(Ask("inner request")) }
        }
        // when
        let failure = try #require(await outer.result(Ask("outer request")).failure)
        // then
        #expect((failure.sentRequest as? Ask)?.text == "inner request")
        #expect((failure.receivedResponse as? Answer)?.body == "inner")
    }

    @Test("bounds the body of the response, by 64 KiB unless the call says otherwise")
    func bounded() async throws {
        // given
        let large = Answer(String(repeating: "x", count: 100_000), status: 500)
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(large).repeated())) { Judge() }
        let limits: [(Int?, Int)] = [(nil, 65_536), (10, 10), (0, 0), (-1, 0)]
        for (limit, expected) in limits {
            var options = CallOptions()
            limit.map { options.failureBodyLimit = $0 }
            // when
            let failure = try #require(await chain.result(Ask(), options: options).failure)
            // then
            #expect((failure.receivedResponse as? Answer)?.body.count == expected)
        }
    }

    @Test("keeps name, number and values of the call")
    func identity() async throws {
        // given
        enum Tenant: CallKey { static let defaultValue = "none" }
        var options = CallOptions()
        options.name = "books"
        options.values[Tenant.self] = "first"
        let seen = Notes<UInt64>()
        let chain = try AskChain(transport: Echo()) {
            Step { _, context, _ in
                seen.add(context.id)
                context.values[Tenant.self] += ", second"
                throw ShopError()
            }
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: options).failure)
        // then
        #expect(failure.name == "books")
        #expect(failure.id == seen.all.first)
        #expect(failure.values[Tenant.self] == "first, second")
    }

    @Test("makes every error of a cancelled call a cancellation, whatever the transport made of it")
    func cancelled() async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                throw TransportError(.lost)
            })
        let chain = try AskChain(transport: transport) {}
        let task = Task { await chain.result(Ask()) }
        await gate.waitForArrivals(1)
        // when
        task.cancel()
        gate.open()
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.isCancelled)
        #expect(failure.code == "cancelled")
        #expect(failure.stopReason == .cancelled)
        #expect(failure.underlying is TransportError)
    }

    @Test("gives a response that arrived although the call was cancelled meanwhile")
    func cancelledTooLate() async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                return Answer("there")
            })
        let chain = try AskChain(transport: transport) {}
        let task = Task { await chain.result(Ask()) }
        await gate.waitForArrivals(1)
        // when
        task.cancel()
        gate.open()
        // then
        #expect(try await task.value.get().body == "there")
    }
}
