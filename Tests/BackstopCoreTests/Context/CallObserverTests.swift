import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("An observer of finished calls", .limited)
struct CallObserverTests {
    private let clock = RecordingClock()
    private let observer = RecordingObserver()

    private func options(observers: Int = 1) -> CallOptions {
        var options = CallOptions.with(clock)
        options.name = "books"
        options.observers = Array(repeating: observer, count: observers)
        return options
    }

    @Test("sees a call that gave a value, with its attempts, request and response")
    func success() async throws {
        // given
        let transport = Script<Ask, Answer>(.failure(TransportError(.lost)), .response(Answer("there")))
        let chain = try AskChain(transport: transport) { Retry(.standard) }
        // when
        _ = try await chain.call(Ask("x"), options: options())
        // then
        let call = try #require(observer.calls.first)
        #expect(observer.calls.count == 1)
        #expect(call.failure == nil)
        #expect(call.name == "books")
        #expect(call.id == call.trace.id)
        #expect(call.trace.outcome == "ok")
        #expect(call.trace.attempts.map(\.result) == [.failed(code: "transport.lost"), .ok])
        #expect((call.request as? Ask)?.text == "x")
        #expect((call.response as? Answer)?.body == "there")
    }

    @Test("sees a call that failed, with its failure")
    func failure() async throws {
        // given
        enum Tenant: CallKey { static let defaultValue = "none" }
        let large = Answer(String(repeating: "x", count: 100_000), status: 404)
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(large))) {
            Judge()
            Step { request, context, next in
                context.values[Tenant.self] = "first"
                return try await next(request)
            }
        }
        // when
        let failure = try #require(await chain.result(Ask("x"), options: options()).failure)
        // then
        let call = try #require(observer.calls.first)
        #expect(observer.calls.count == 1)
        #expect(call.failure?.id == failure.id)
        #expect(call.trace.outcome == "status.404")
        #expect(call.trace.attempts == failure.attempts)
        #expect((call.request as? Ask)?.text == "x")
        #expect((call.response as? Answer)?.body.count == 65_536)
        #expect(call.values[Tenant.self] == "first")
    }

    @Test("sees a call for which nothing was sent")
    func nothingSent() async throws {
        // given
        let chain = try AskChain(transport: Echo()) {
            Step { _, _, _ in Answer("stored") }
        }
        // when
        _ = try await chain.call(Ask("x"), options: options())
        // then
        let call = try #require(observer.calls.first)
        #expect(call.request == nil)
        #expect(call.response == nil)
        #expect(call.trace.outcome == "ok")
    }

    @Test("sees a call that was cancelled")
    func cancelled() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.hang)) {}
        let options = options()
        let task = Task { await chain.result(Ask(), options: options) }
        // when
        task.cancel()
        _ = await task.value
        // then
        #expect(observer.calls.map(\.trace.outcome) == ["cancelled"])
    }

    @Test("is told before the caller has the result, and each of several is told")
    func several() async throws {
        // given
        let chain = try AskChain(transport: Echo(), interceptors: [])
        // when
        _ = try await chain.call(Ask(), options: options(observers: 3))
        // then
        #expect(observer.calls.count == 3)
        #expect(Set(observer.calls.map(\.id)).count == 1)
    }
}
