import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Failures of hedged calls", .limited)
struct HedgingFailureTests {
    private typealias Server = Script<Ask, Answer>
    private let clock = ManualClock()
    private let observer = RecordingObserver()
    private let hedging = Hedging<Ask, Answer>(after: .milliseconds(300))

    /// A call whose copy has been sent.
    private func call(
        _ server: Server, _ interceptors: [any Interceptor<Ask, Answer>]
    ) async throws -> Task<Result<Answer, Failure>, Never> {
        var options = CallOptions.with(clock)
        options.observers = [observer]
        let chain = try AskChain(transport: server, interceptors: interceptors)
        let task = Task { [options] in await chain.result(Ask(), options: options) }
        await server.waitForRequests(1)
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
        await server.waitForRequests(2)
        return task
    }

    @Test("have the response of the copy that decided, also where the error has none")
    func response() async throws {
        // given: the first request is lost; an interceptor does not like the answer to the copy
        let gate = Gate()
        let server = Server(
            .respond { _, _ in
                await gate.pass()
                throw TransportError(.lost)
            },
            .respond { _, _ in
                await gate.pass()
                return Answer("odd")
            })
        let critic = Step { request, _, next in
            _ = try await next(request)
            throw ShopError()
        }
        let call = try await call(server, [hedging, critic])
        // when
        gate.open()
        // then
        let failure = try #require(await call.value.failure)
        #expect(failure.error(as: ShopError.self) != nil)
        #expect((failure.receivedResponse as? Answer)?.body == "odd")
    }

    @Test("end the other requests at once, even if the call goes on")
    func others() async throws {
        // given: a retry of everything, after a second
        let backoff = try Backoff(baseDelay: .seconds(1), growth: .constant, jitter: .none)
        let retry = Retry<Ask, Answer>(try RetryPolicy(attempts: 2, backoff: backoff) { _ in true })
        let server = Server(.hang, .response(Answer(status: 404)), .response(Answer()))
        let call = try await call(server, [retry, hedging, Judge()])
        // when
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.advance(by: .seconds(1))
        // then
        #expect(try await call.value.get().status == 200)
        let attempts = try #require(observer.calls.first).trace.attempts
        #expect(attempts.map(\.result.description) == ["cancelled", "status.404", "ok"])
        #expect(attempts.map(\.duration) == [.milliseconds(300), .zero, .zero])
    }
}
