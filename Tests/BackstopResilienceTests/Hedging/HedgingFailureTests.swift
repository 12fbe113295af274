import Backstop
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

    /// A call of a change that takes 600 ms, after its copy has been answered or is on its way.
    private func change(
        _ method: String, _ first: Stub<HTTP.Request, HTTP.Response>, copy: Stub<HTTP.Request, HTTP.Response>
    ) async throws -> Task<HTTP.Response, any Error> {
        let transport = ScriptedTransport(.delay(.milliseconds(600), then: first), copy)
        let chain = try HTTP.Chain(transport: transport) {
            HTTP.Hedging(after: .milliseconds(300))
            StatusValidation()
        }
        var request = try HTTP.Request(HTTP.Method(method), "https://api.example.com/books/1")
        request.headers[.idempotencyKey] = "k"
        let task = Task { [clock, request] in try await chain.call(request, options: .with(clock)) }
        await transport.waitForRequests(1)
        await clock.waitForSleeper(remaining: .milliseconds(600))
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
        await transport.waitForRequests(2)
        for _ in 0..<1000 {
            await Task.yield()
        }
        await clock.advance(by: .milliseconds(300))
        return task
    }

    @Test(
        "are not those of the copy of a change, which the server refuses because of the first request",
        arguments: [("POST", 409), ("DELETE", 404), ("PUT", 412)])
    func refusedCopy(method: String, status: Int) async throws {
        let call = try await change(method, .status(204), copy: .status(status))
        #expect(try await call.value.status == 204)
    }

    @Test("are final where no other copy has sent anything: 404 to a change", arguments: [1, 2])
    func onlySent(held: Int) async throws {
        let transport = ScriptedTransport(.delay(.milliseconds(600), then: .status(404)))
        let chain = try HTTP.Chain(transport: transport) {
            HTTP.Hedging(after: .milliseconds(300))
            ClosureInterceptor { [clock] request, context, next in
                if context.attempt == held {
                    try await clock.sleep(for: .seconds(3600))
                }
                return try await next(request)
            }
            StatusValidation()
        }
        let request = try HTTP.Request(.delete, "https://api.example.com/books/1")
        let call = Task { [clock] in try await chain.call(request, options: .with(clock)) }
        await clock.waitForSleeper(remaining: .milliseconds(300))
        if held == 2 {
            await transport.waitForRequests(1)
            await clock.waitForSleeper(remaining: .milliseconds(600))
        }
        await clock.advance(by: .milliseconds(300))
        await transport.waitForRequests(1)
        await clock.waitForSleeper(remaining: .milliseconds(held == 2 ? 300 : 600))
        await clock.advance(by: .milliseconds(600))
        let failure = await #expect(throws: Failure.self) { try await call.value }
        #expect(failure?.code == "status.404")
        #expect(transport.requests.count == 1)
    }

    @Test(
        "are those of the first request of a change, when all have failed",
        arguments: [Stub<HTTP.Request, HTTP.Response>.status(412), .delay(.seconds(600), then: .status(412))])
    func refusedChange(copy: Stub<HTTP.Request, HTTP.Response>) async throws {
        let call = try await change("PUT", .status(503), copy: copy)
        for _ in 0..<1000 {
            await Task.yield()
        }
        await clock.advance(by: .seconds(600))
        let failure = await #expect(throws: Failure.self) { try await call.value }
        #expect(failure?.code == "status.503")
    }

    @Test("are those of the copy, at once, of a request that only reads or where no other copy can be the cause")
    func refusedRead() async throws {
        for (method, status) in [("GET", 404), ("PUT", 422)] {
            let call = try await change(method, .hang, copy: .status(status))
            let failure = await #expect(throws: Failure.self) { try await call.value }
            #expect(failure?.code == "status.\(status)")
        }
    }
}
