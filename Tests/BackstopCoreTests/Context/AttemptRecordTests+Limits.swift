import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

/// What time limits leave of it.
extension AttemptRecordTests {
    /// Has got a head and some bytes, and waits for more.
    private struct Stuck: Transport {
        let gate: Gate
        var endsAttemptsInTime = false

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            context.track {
                TransferProgress(.receiving, bytesReceived: 12, response: Answer("twelve bytes", status: 200))
            }
            guard let limit = context.attemptLimit else {
                await gate.pass()
                throw CancellationError()
            }
            throw TimeoutError(.attempt, after: limit)
        }
    }

    @Test("is there as far as it had come when a time limit strikes")
    func progress() async throws {
        // given
        let (gate, clock) = (Gate(), ManualClock())
        let chain = try AskChain(transport: Stuck(gate: gate)) { AttemptTimeout(.seconds(3)) }
        let task = Task { await chain.result(Ask("x"), options: .with(clock)) }
        await gate.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(3))
        // when
        await clock.advance(by: .seconds(3))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "timeout.attempt")
        #expect(failure.progress?.phase == .receiving)
        #expect(failure.progress?.bytesReceived == 12)
        #expect((failure.receivedResponse as? Answer)?.body == "twelve bytes")
        #expect(failure.report.contains("  where:    while receiving the response, after 12 bytes of the body"))
        gate.open()
    }

    @Test("is limited by the transport itself, where it stands next to the limit and can")
    func handedLimit() async throws {
        // given: nothing advances the clock, so that only the transport can end the attempt
        let transport = Stuck(gate: Gate(), endsAttemptsInTime: true)
        let chain = try AskChain(transport: transport) { AttemptTimeout(.seconds(3)) }
        // when
        let failure = try #require(await chain.result(Ask("x"), options: .with(ManualClock())).failure)
        // then
        #expect(failure.code == "timeout.attempt")
        #expect(failure.progress?.phase == .receiving)
    }

    /// Ends in time whatever it answers itself, and leaves all else as it is.
    private struct Ending: Interceptor, AttemptEnding {
        func intercept(_ request: Ask, context: CallContext, next: Next<Ask, Answer>) async throws -> Answer {
            try await next(request)
        }
    }

    @Test(
        "is limited by the interceptor, where another interceptor stands between, even further in than one that ends in time",
        arguments: [false, true])
    func limitNotHanded(isFurtherIn: Bool) async throws {
        // given
        let (gate, clock) = (Gate(), ManualClock())
        let chain = try AskChain(transport: Stuck(gate: gate, endsAttemptsInTime: true)) {
            AttemptTimeout(.seconds(3))
            if isFurtherIn { Ending() }
            Stand(.custom("between"))
        }
        let task = Task { await chain.result(Ask("x"), options: .with(clock)) }
        await gate.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(3))
        // when
        await clock.advance(by: .seconds(3))
        // then
        #expect(await task.value.failure?.code == "timeout.attempt")
        gate.open()
    }

    @Test("says in which wait the deadline came, when no attempt was under way")
    func deadlineInWait() async throws {
        // given
        let clock = ManualClock()
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(TransportError(.lost)))) {
            Deadline(.seconds(3))
            Step { request, context, next in
                do {
                    return try await next(request)
                } catch {
                    context.endAttempt(failing: error)
                    try await context.clock.sleep(for: .seconds(60))
                    throw error
                }
            }
        }
        let task = Task { await chain.result(Ask("x"), options: .with(clock)) }
        await clock.waitForSleeper(remaining: .seconds(60))
        // when
        await clock.advance(by: .seconds(3))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.report.contains("  where:    during the wait before attempt 2"))
        #expect(failure.report.contains("  next:     Allow fewer attempts"))
    }
}
