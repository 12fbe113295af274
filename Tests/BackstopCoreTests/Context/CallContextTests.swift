import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The context of a call", .limited)
struct CallContextTests {
    @Test("has what the call's options say")
    func options() {
        // given
        let clock = RecordingClock()
        clock.advance(by: .seconds(7))
        var options = CallOptions.with(clock, random: FixedRandom(units: 0.25))
        options.name = "books"
        options.deadline = .seconds(10)
        options.redaction = .off
        // when
        let context = CallContext(options: options)
        clock.advance(by: .seconds(2))
        // then
        #expect(context.name == "books")
        #expect(context.attempt == 1)
        #expect(context.deadline == .seconds(17))
        #expect(context.elapsed == .seconds(2))
        #expect(context.random.unit() == 0.25)
        #expect(!context.redaction.isSensitive("password"))
        #expect(!context.tracesInterceptors)
    }

    @Test("has no deadline unless the call has one")
    func noDeadline() {
        #expect(CallContext().deadline == nil)
    }

    @Test("takes the earlier of two deadlines", arguments: [(5, 5), (20, 10), (10, 10)])
    func earlier(given: Int, expected: Int) {
        // given
        var options = CallOptions.with(RecordingClock())
        options.deadline = .seconds(10)
        let context = CallContext(options: options)
        // when
        let derived = context.withDeadline(.seconds(given))
        // then
        #expect(derived.deadline == .seconds(expected))
        #expect(context.deadline == .seconds(10))
        #expect(derived.id == context.id)
    }

    @Test("keeps what each attempt sent and got apart")
    func nextAttempt() {
        // given
        let context = CallContext()
        #expect(context.sentRequest == nil)
        context.recordHop(Ask("x"))
        context.recordReceived(Answer("y"))
        #expect((context.receivedResponse as? Answer)?.body == "y")
        // when
        let next = context.nextAttempt(after: ShopError(), waited: .zero, because: "test")
        // then
        #expect(next.attempt == 2)
        #expect(next.receivedResponse == nil)
        #expect(next.sentRequests.isEmpty)
    }

    @Test("shows an interceptor outside retry the last attempt")
    func outerInterceptor() {
        // given
        let context = CallContext()
        context.recordHop(Ask("x"))
        let next = context.nextAttempt(after: ShopError(), waited: .zero, because: "test")
        // when
        next.recordHop(Ask("z"))
        next.recordReceived(Answer("w"))
        // then
        #expect((context.sentRequest as? Ask)?.text == "z")
        #expect((context.receivedResponse as? Answer)?.body == "w")
    }

    @Test("forgets the response of one request when the attempt sends another")
    func nextRequest() {
        // given
        let context = CallContext()
        context.recordHop(Ask("x"))
        context.recordReceived(Answer("y"))
        // when
        context.recordHop(Ask("z"))
        // then
        #expect(context.receivedResponse == nil)
        #expect(context.sentRequests.compactMap { ($0 as? Ask)?.text } == ["x", "z"])
    }

    @Test("numbers calls upwards")
    func numbers() {
        let first = CallContext()
        let second = CallContext()
        #expect(first.id > 0)
        #expect(second.id > first.id)
    }

    @Test("has the response that a transport tells of while it still comes in")
    func incomingResponse() {
        // given
        let context = CallContext()
        context.recordHop(Ask("x"))
        // when
        context.track { TransferProgress(.receiving, bytesReceived: 1, response: Answer("y")) }
        // then
        #expect((context.receivedResponse as? Answer)?.body == "y")
    }

    @Test("is not decided by an attempt of another call")
    func foreignDecision() {
        // given
        let (context, other) = (CallContext(), CallContext())
        context.recordHop(Ask("x"))
        // when
        context.decide(by: other.parallelAttempt(because: "test"))
        // then
        #expect((context.sentRequest as? Ask)?.text == "x")
        #expect(context.finish(failing: ShopError()).attempts.count == 1)
    }

    @Test("keeps notes short and without secrets")
    func notes() throws {
        // given
        let context = CallContext()
        // when
        context.note("test", "token=hunter2 \(String(repeating: "x", count: 5000))")
        // then
        let text = try #require(context.trace.events.first).text
        #expect(text.hasPrefix("token=<redacted> xxx"))
        #expect(text.unicodeScalars.count < 1100)
    }

    @Test("forgets why it stopped when another attempt follows all the same")
    func staleStop() {
        // given
        let context = CallContext()
        context.stop(.budget)
        // when
        _ = context.nextAttempt(after: ShopError(), waited: .zero, because: "test")
        // then
        #expect(context.stopReason == nil)
        #expect(context.finish(failing: ShopError()).stopReason == .noRetry)
    }

    @Test("keeps the first word on why it stopped, which came from further inside")
    func firstStop() {
        // given
        let context = CallContext()
        context.stop(.notRetryable)
        // when
        context.stop(.budget)
        // then
        #expect(context.finish(failing: ShopError()).stopReason == .notRetryable)
    }

    @Test("counts its times from the beginning of the call, whatever the clock says")
    func times() {
        // given
        let clock = RecordingClock()
        clock.advance(by: .seconds(1000))
        let context = CallContext(options: .with(clock))
        clock.advance(by: .seconds(2))
        // when
        let failure = context.finish(failing: ShopError())
        // then
        #expect(failure.attempts.map(\.start) == [.zero])
        #expect(failure.attempts.map(\.duration) == [.seconds(2)])
        #expect(failure.trace.duration == .seconds(2))
    }

    @Test("keeps the first requests of an attempt and the last one, however many there are")
    func manyHops() {
        // given
        let context = CallContext()
        // when
        for number in 1...70 {
            context.recordHop(Ask("\(number)"))
        }
        // then
        let texts = context.sentRequests.compactMap { ($0 as? Ask)?.text }
        #expect(texts == (1...63).map(String.init) + ["70"])
    }

    @Test("continues in the attempt that replaced it, where an interceptor outside asks again")
    func continued() async throws {
        // given
        let transport = Script<Ask, Answer>(
            .failure(ShopError()), .response(Answer("renewed")), .failure(TransportError(.lost)))
        let chain = try AskChain(transport: transport) {
            Step { _, _, next in
                _ = try await next(Ask("first"))
                return try await next(Ask("second"))
            }
            Step { request, context, next in
                do {
                    return try await next(request)
                } catch let error as ShopError {
                    let again = context.nextAttempt(after: error, waited: .zero, because: "renewed")
                    return try await next(request, context: again)
                }
            }
        }
        // when
        let failure = try #require(await chain.result(Ask()).failure)
        // then
        #expect(failure.code == "transport.lost")
        #expect(failure.sentRequests.compactMap { ($0 as? Ask)?.text } == ["first", "second"])
        #expect(failure.receivedResponse == nil)
    }
}
