import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A recording clock", .limited)
struct RecordingClockTests {
    @Test("never waits, keeps the sleeps, and moves time and date by them")
    func sleeps() async throws {
        // given
        let clock = RecordingClock(date: .seconds(100))
        // when
        try await clock.sleep(for: .seconds(2))
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        clock.advance(by: .seconds(3))
        // then
        #expect(clock.sleeps == [.seconds(2), .zero, .seconds(-1)])
        #expect(clock.now == .seconds(5))
        #expect(clock.date == .seconds(105))
    }

    @Test("throws in a cancelled task and keeps nothing")
    func cancellation() async {
        // given
        let clock = RecordingClock()
        let gate = ManualClock()
        let task = Task {
            try? await gate.sleep(for: .seconds(1))
            try await clock.sleep(for: .seconds(1))
        }
        await gate.waitForSleepers(1)
        // when
        task.cancel()
        // then
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeps.isEmpty)
    }

    @Test("keeps the pauses of retry, also below a time limit")
    func limits() async throws {
        // given
        let clock = RecordingClock()
        let transport = ScriptedTransport(.failure(TransportError(.lost)).repeated(2), .status(200))
        let chain = try HTTP.Chain(transport: transport) {
            Retry(attempts: 3, baseDelay: .seconds(1))
            AttemptTimeout()
        }
        // when
        let response = try await chain.call(Sample.request(), options: Sample.options(clock))
        // then
        #expect(response.status == 200)
        #expect(clock.sleeps == [.milliseconds(500), .seconds(1)])
    }

    @Test("ends a time limit when the other sleeps have moved the time so far")
    func limitReached() async throws {
        // given
        let clock = RecordingClock()
        // when
        try await withThrowingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    clock.advance(by: .seconds(10))
                    await Task.yield()
                }
            }
            group.addTask { try await clock.waitForLimit(.seconds(30)) }
            try await group.next()
            group.cancelAll()
        }
        // then
        #expect(clock.now >= .seconds(30))
        #expect(clock.sleeps.isEmpty)
    }
}
