import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A manual clock", .limited)
struct ManualClockTests {
    @Test("stands still until it is moved, and its date goes with it")
    func time() async {
        // given
        let clock = ManualClock(date: .seconds(1000))
        #expect(clock.now == .zero)
        // when
        await clock.advance(by: .seconds(5))
        // then
        #expect(clock.now == .seconds(5))
        #expect(clock.date == .seconds(1005))
        // when
        clock.date = .seconds(10)
        await clock.advance(by: .seconds(1))
        // then
        #expect(clock.date == .seconds(11))
        #expect(clock.now == .seconds(6))
    }

    @Test("never goes back")
    func negative() async {
        // given
        let clock = ManualClock()
        await clock.advance(by: .seconds(5))
        // when
        await clock.advance(by: .seconds(-3))
        // then
        #expect(clock.now == .seconds(5))
    }

    @Test("does not wait for a sleep of zero or less", arguments: [0, -1])
    func zero(seconds: Int) async throws {
        // given
        let clock = ManualClock()
        // when
        try await clock.sleep(for: .seconds(seconds))
        // then
        #expect(clock.now == .zero)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("wakes a sleeper when its time has come, and not before")
    func wakes() async throws {
        // given
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(2)) }
        await clock.waitForSleepers(1)
        // when
        await clock.advance(by: .milliseconds(1999))
        // then
        #expect(clock.sleepers == [.milliseconds(1)])
        // when
        await clock.advance(by: .milliseconds(1))
        // then
        #expect(clock.sleepers.isEmpty)
        try await task.value
    }

    @Test("wakes tasks of one actor in the order of their times, however they were started")
    func order() async throws {
        // given
        let clock = ManualClock()
        let log = WakeLog()
        let tasks = [3, 1, 2, 5].map { seconds in Task { try await log.nap(seconds, on: clock) } }
        await clock.waitForSleepers(4)
        // when
        await clock.advance(by: .seconds(3))
        // then
        #expect(await log.woken == [1, 2, 3])
        #expect(clock.sleepers == [.seconds(2)])
        await clock.advance(by: .seconds(2))
        for task in tasks {
            try await task.value
        }
        #expect(await log.woken == [1, 2, 3, 5])
    }

    @Test("throws a cancellation at once and forgets the sleeper")
    func cancellation() async {
        // given
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(2)) }
        await clock.waitForSleepers(1)
        // when
        task.cancel()
        // then
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers.isEmpty)
    }

    @Test("throws at once in a task that is cancelled already", arguments: [0, 1])
    func cancelledBefore(seconds: Int) async {
        // given
        let clock = ManualClock()
        let task = Task {
            try? await clock.sleep(for: .seconds(9))
            try await clock.sleep(for: .seconds(seconds))
        }
        await clock.waitForSleepers(1)
        // when
        task.cancel()
        // then
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers.isEmpty)
    }

    @Test("runs one sleep after the other, and says how far it moved")
    func nextSleep() async throws {
        // given
        let clock = ManualClock()
        let task = Task {
            try await clock.sleep(for: .seconds(1))
            try await clock.sleep(for: .seconds(2))
            return clock.now
        }
        // when
        let steps = [await clock.runNextSleep(), await clock.runNextSleep()]
        // then
        #expect(steps == [.seconds(1), .seconds(2)])
        #expect(try await task.value == .seconds(3))
    }

    @Test("waits for the next sleep where the first is cancelled at that moment, and says how far it moved")
    func cancelledMeanwhile() async throws {
        for _ in 0..<200 {
            let clock = ManualClock()
            let leaving = Task { try? await clock.sleep(for: .seconds(1)) }
            await clock.waitForSleepers(1)
            async let moved = clock.runNextSleep()
            leaving.cancel()
            await leaving.value
            let staying = Task { try await clock.sleep(for: .seconds(2)) }
            let time = await moved
            #expect(time > .zero)
            // It may have woken the first before that left.
            if time == .seconds(1) {
                await clock.runNextSleep()
            }
            try await staying.value
            #expect(clock.now >= .seconds(2))
        }
    }

    @Test("wakes one of two that sleep equally long, the first to come first")
    func ties() async {
        // given
        let clock = ManualClock()
        let log = WakeLog()
        let first = Task { try await log.nap(1, on: clock, as: 10) }
        await clock.waitForSleepers(1)
        let second = Task { try await log.nap(1, on: clock, as: 20) }
        await clock.waitForSleepers(2)
        // when
        await clock.runNextSleep()
        // then
        #expect(clock.sleepers == [.zero])
        _ = await first.result
        #expect(await log.woken == [10])
        #expect(await clock.runNextSleep() == .zero)
        _ = await second.result
        #expect(await log.woken == [10, 20])
    }

    @Test("waits for a sleep of one length among others")
    func particularSleeper() async throws {
        // given
        let clock = ManualClock()
        let limit = Task { try await clock.sleep(for: .seconds(30)) }
        let pause = Task { try await clock.sleep(for: .seconds(2)) }
        // when
        await clock.waitForSleeper(remaining: .seconds(2))
        await clock.advance(by: .seconds(2))
        // then
        try await pause.value
        limit.cancel()
        _ = await limit.result
        #expect(clock.sleepers.isEmpty)
    }

    @Test("ends the wait for sleepers when the waiting task is cancelled")
    func cancelledWaiters() async {
        // given
        let clock = ManualClock()
        let tasks = [
            Task { await clock.waitForSleepers(1) },
            Task { await clock.waitForSleeper(remaining: .seconds(1)) },
            Task { _ = await clock.runNextSleep() },
        ]
        // when
        for task in tasks {
            task.cancel()
        }
        // then
        for task in tasks {
            await task.value
        }
        #expect(clock.now == .zero)
    }

    @Test("shows a call in its pause between two attempts")
    func retry() async throws {
        // given
        let clock = ManualClock()
        let transport = ScriptedTransport(.failure(TransportError(.lost)), .status(200))
        let chain = try Chain(transport: transport) {
            AttemptTimeout()
            Retry(attempts: 2, baseDelay: .seconds(4))
        }
        let request = try Sample.request()
        let task = Task { try await chain.call(request, options: Sample.options(clock)) }
        // when
        await clock.waitForSleeper(remaining: .seconds(2))
        #expect(transport.requests.count == 1)
        await clock.advance(by: .seconds(2))
        // then
        #expect(try await task.value.status == 200)
        #expect(transport.requests.count == 2)
    }
}

/// Keeps the order in which its tasks were woken.
actor WakeLog {
    private(set) var woken: [Int] = []

    func nap(_ seconds: Int, on clock: ManualClock, as name: Int? = nil) async throws {
        try await nap(.seconds(seconds), on: clock, as: name ?? seconds)
    }

    func nap(_ duration: Duration, on clock: ManualClock, as name: Int) async throws {
        try await clock.sleep(for: duration)
        woken.append(name)
    }
}
