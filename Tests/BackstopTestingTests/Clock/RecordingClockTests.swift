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

    @Test("ends a call whose sleep passes a limit, at the limit, each time", arguments: [4, 3000])
    func passedLimit(seconds: Int) async throws {
        for _ in 1...50 {
            // given
            let clock = RecordingClock()
            let chain = try HTTP.Chain(
                transport: ScriptedTransport(.delay(.seconds(seconds), then: .status(200)))
            ) {
                Deadline(.seconds(3))
                AttemptTimeout(.seconds(2))
            }
            // when
            let failure = await #expect(throws: Failure.self) {
                try await chain.call(Sample.request(), options: Sample.options(clock))
            }
            // then
            #expect(failure?.code == "timeout.attempt")
            #expect(clock.now == .seconds(2))
            #expect(clock.sleeps == [.seconds(seconds)])
        }
    }

    @Test("reaches limits in their order, asks one again that was given more time, and leaves out a cancelled one")
    func order() async throws {
        // given
        let clock = RecordingClock()
        let reached = Notes<String>()
        func limit(_ name: String, after seconds: Int, again: Int? = nil) -> LimitTimer {
            .repeating(after: .seconds(seconds), clock: clock) {
                reached.add("\(name) at \(clock.now.text)")
                return reached.all.count < 4 ? again.map { .seconds($0) } : nil
            }
        }
        let timers = [limit("a", after: 5), limit("b", after: 3, again: 4), limit("c", after: 4)]
        timers[2].cancel()
        // when
        try await clock.sleep(for: .seconds(4))
        clock.advance(by: .seconds(60))
        // then
        #expect(reached.all == ["b at 3 s", "a at 5 s", "b at 7 s", "b at 11 s"])
        #expect(clock.now == .seconds(64))
    }
}
