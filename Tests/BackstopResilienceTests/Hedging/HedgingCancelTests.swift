import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("Hedging and the times of calls that were given up", .limited)
struct HedgingCancelTests {
    @Test("does not count a call that was cancelled, with or without a delay", arguments: [nil, Duration.seconds(1)])
    func cancelled(delay: Duration?) async throws {
        // given
        let clock = ManualClock()
        let hedging = Hedging<Ask, Answer>(afterPercentile: 0.5, minimumSamples: 1, initially: delay)
        let server = Script<Ask, Answer>(.hang.repeated(delay == nil ? 1 : 2), .response(Answer()))
        let chain = try AskChain(transport: server, interceptors: [hedging])
        let call = Task { await chain.result(Ask(), options: .with(clock)) }
        await server.waitForRequests(1)
        if let delay { await clock.waitForSleeper(remaining: delay) }
        await clock.advance(by: .seconds(5))
        if delay != nil { await server.waitForRequests(2) }
        // when
        call.cancel()
        // then
        #expect(await call.value.failure?.code == "cancelled")
        #expect(hedging.latencies?.time(of: 0.5, minimumSamples: 1, key: "", at: clock.now) == nil)
        // but one that succeeded
        _ = await chain.result(Ask(), options: .with(clock))
        #expect(hedging.latencies?.time(of: 0.5, minimumSamples: 1, key: "", at: clock.now) == .zero)
    }

    @Test("sends nothing for a call that is cancelled already, and leaves no timer")
    func cancelledBefore() async throws {
        let clock = ManualClock()
        let server = Script<Ask, Answer>(.response(Answer()).repeated())
        let chain = try AskChain(transport: server, interceptors: [Hedging<Ask, Answer>(after: .seconds(1))])
        for _ in 0..<300 {
            let call = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await chain.result(Ask(), options: .with(clock))
            }
            #expect(await call.value.failure?.code == "cancelled")
        }
        #expect(server.requests.isEmpty)
        while !clock.sleepers.isEmpty {
            await Task.yield()
        }
    }
}
