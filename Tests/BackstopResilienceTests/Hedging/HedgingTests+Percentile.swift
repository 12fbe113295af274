import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

/// The delay that is learned.
extension HedgingTests {
    @Test("learns when to send from the time that answers took, were they 404", arguments: [200, 404])
    func percentile(status: Int) async throws {
        // given: 10, 20, ... 200 ms
        let hedging = Hedging<Ask, Answer>(afterPercentile: 0.95)
        for time in (1...20).map({ $0 * 10 }) {
            let answer = Stub<Ask, Answer>.response(Answer(status: status))
            let call = try call(Server(.delay(.milliseconds(time), then: answer)), by: hedging)
            await clock.waitForSleeper(remaining: .milliseconds(time))
            // While fewer than 20 are known, only the server's delay sleeps.
            #expect(clock.sleepers.count == 1)
            await clock.advance(by: .milliseconds(time))
            #expect(await call.value.failure?.statusCode == (status == 200 ? nil : status))
        }
        // when
        let server = Server(.hang, .response(Answer("copy", status: status)))
        let slow = try call(server, by: hedging)
        await server.waitForRequests(1)
        await clock.waitForSleeper(remaining: .milliseconds(190))
        await clock.advance(by: .milliseconds(190))
        // then
        #expect(await slow.value.failure?.statusCode == (status == 200 ? nil : status))
        // The loser counts with 190 ms, the copy with none: of 22 times, the 21st is 190 ms.
        let next = try call(Server(.hang), by: hedging)
        await clock.waitForSleeper(remaining: .milliseconds(190))
        next.cancel()
        _ = await next.value
    }

    @Test("sends copies after a first delay while it knows too few times, by key")
    func initially() async throws {
        // given
        let hedging = Hedging<Ask, Answer>(
            afterPercentile: 0.5, minimumSamples: 1, initially: .seconds(2), grouping: .by(\.text))
        let fast = try call(
            Server(.delay(.milliseconds(40), then: .response(Answer()))), asking: Ask("fast"), by: hedging)
        await clock.waitForSleeper(remaining: .seconds(2))
        await clock.waitForSleeper(remaining: .milliseconds(40))
        await clock.advance(by: .milliseconds(40))
        _ = try await fast.value.get()
        // when
        let known = try call(Server(.hang), asking: Ask("fast"), by: hedging)
        await clock.waitForSleeper(remaining: .milliseconds(40))
        let unknown = try call(Server(.hang), asking: Ask("other"), by: hedging)
        // then
        await clock.waitForSleeper(remaining: .seconds(2))
        for call in [known, unknown] {
            call.cancel()
            _ = await call.value
        }
    }
}
