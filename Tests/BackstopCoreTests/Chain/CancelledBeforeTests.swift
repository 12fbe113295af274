import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Nothing is sent after the task was cancelled", .limited)
struct CancelledBeforeTests {
    /// A transport that neither looks whether it is cancelled nor ends by itself.
    private struct Stubborn: Transport {
        let sent: Notes<String>

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            sent.add(request.text)
            return Answer()
        }
    }

    private static let chains: [(name: String, interceptors: [any Interceptor<Ask, Answer>])] = [
        ("no interceptor", []),
        ("attempt timeout", [AttemptTimeout()]),
        ("retry", [Retry()]),
        ("both", [Retry(), AttemptTimeout()]),
    ]

    @Test("before the call, whatever interceptors there are", arguments: chains.indices)
    func before(index: Int) async throws {
        // given
        let sent = Notes<String>()
        let name = Self.chains[index].name
        let chain = try AskChain(transport: Stubborn(sent: sent), interceptors: Self.chains[index].interceptors)
        var options = CallOptions()
        options.deadline = .seconds(60)
        // when
        for _ in 0..<50 {
            let task = Task { [options] in
                withUnsafeCurrentTask { $0?.cancel() }
                return await chain.result(Ask(), options: options)
            }
            let failure = try #require(await task.value.failure, "\(name)")
            #expect(failure.code == "cancelled", "\(name)")
        }
        // then
        #expect(sent.all.isEmpty, "\(name)")
    }

    @Test("by an interceptor that goes on all the same")
    func inside() async throws {
        // given
        let sent = Notes<String>()
        let chain = try AskChain(transport: Stubborn(sent: sent)) {
            Step { request, _, next in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await next(request)
            }
        }
        // when
        let outcome = await Task { await chain.result(Ask()) }.value
        // then
        #expect(outcome.failure?.code == "cancelled")
        #expect(sent.all.isEmpty)
    }

    @Test("in the wait of retry, though the clock does not look")
    func inWait() async throws {
        // given
        struct Blind: CallClock {
            let waiting: Gate
            var now: Duration { .zero }
            var date: Duration { .zero }
            func sleep(for duration: Duration) async throws { await waiting.pass() }
        }
        let waiting = Gate()
        let transport = Script<Ask, Answer>(.failure(TransportError(.lost)), .response(Answer()))
        let chain = try AskChain(transport: transport) { Retry() }
        let task = Task { await chain.result(Ask(), options: .with(Blind(waiting: waiting))) }
        await waiting.waitForArrivals(1)
        // when
        task.cancel()
        waiting.open()
        // then
        #expect(await task.value.failure?.code == "cancelled")
        #expect(transport.requests.count == 1)
    }

    @Test(
        "at random moments: each call has one outcome, and the server sees nothing that was asked for later",
        arguments: Seed.ofRun)
    func randomMoments(seed: Seed) async throws {
        var numbers = seed.numbers
        for round in 0..<2000 {
            // given
            let transport = Script<Ask, Answer>(
                Stub.respond { _, _ in
                    for _ in 0..<(round % 4) { await Task.yield() }
                    throw TransportError(.lost)
                }.repeated())
            let chain = try AskChain(transport: transport) {
                Retry()
                AttemptTimeout()
                Step { request, _, next in
                    let before = transport.requests.count
                    let wasCancelled = Task.isCancelled
                    defer {
                        if wasCancelled, transport.requests.count != before {
                            Issue.record("sent after cancellation, round \(round)")
                        }
                    }
                    return try await next(request)
                }
            }
            let task = Task { await chain.result(Ask(), options: .with(RecordingClock())) }
            // when
            for _ in 0..<Int.random(in: 0...6, using: &numbers) { await Task.yield() }
            task.cancel()
            // then
            let failure = try #require(await task.value.failure)
            #expect(["cancelled", "transport.lost"].contains(failure.code), "round \(round)")
        }
    }
}
