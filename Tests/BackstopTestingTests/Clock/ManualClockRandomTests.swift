import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A manual clock under random sleeps, advances and cancellations", .limited)
struct ManualClockRandomTests {
    @Test("wakes in order, and never leaks a cancelled sleeper", arguments: Self.seeds)
    func random(seed: Seed) async throws {
        // given
        let random = SeededRandom(seed: seed.number)
        let clock = ManualClock()
        let log = WakeLog()
        var sleeping: [Int: (wake: Duration, task: Task<Void, any Error>)] = [:]
        var expected: [Int] = []
        var finished: [Task<Void, any Error>] = []
        for step in 0..<200 {
            switch random.next() % 4 {
            case 0, 1:
                // when somebody goes to sleep
                let duration = Duration.milliseconds(Int(random.next() % 1000) + 1)
                let task = Task { try await log.nap(duration, on: clock, as: step) }
                sleeping[step] = (clock.now + duration, task)
                await clock.waitForSleepers(sleeping.count)
            case 2:
                // when the clock is moved
                let distance = Duration.milliseconds(Int(random.next() % 400))
                let end = clock.now + distance
                let due = sleeping.filter { $0.value.wake <= end }
                    .sorted { ($0.value.wake, $0.key) < ($1.value.wake, $1.key) }
                for (name, sleeper) in due {
                    expected.append(name)
                    finished.append(sleeper.task)
                    sleeping[name] = nil
                }
                await clock.advance(by: distance)
                #expect(clock.now == end)
            default:
                // when one of them is cancelled
                let names = sleeping.keys.sorted()
                guard !names.isEmpty else {
                    continue
                }
                let name = names[Int(random.next() % UInt64(names.count))]
                guard let sleeper = sleeping.removeValue(forKey: name) else {
                    continue
                }
                sleeper.task.cancel()
                await #expect(throws: CancellationError.self) { try await sleeper.task.value }
            }
            // then
            #expect(clock.sleepers == sleeping.values.map { $0.wake - clock.now }.sorted())
        }
        for sleeper in sleeping.values {
            sleeper.task.cancel()
            _ = await sleeper.task.result
        }
        for task in finished {
            try await task.value
        }
        #expect(clock.sleepers.isEmpty)
        #expect(await log.woken == expected)
    }

    @Test("neither hangs nor leaks when sleepers are cancelled while the clock is moved", arguments: Self.seeds)
    func race(seed: Seed) async {
        // given
        let random = SeededRandom(seed: seed.number)
        let clock = ManualClock()
        let tasks = (0..<100).map { _ in
            let duration = Duration.milliseconds(Int(random.next() % 100) + 1)
            return Task { try await clock.sleep(for: duration) }
        }
        // when
        let canceller = Task.detached {
            for (index, task) in tasks.enumerated() where index % 2 == 0 {
                task.cancel()
            }
        }
        for _ in 0..<10 {
            await clock.advance(by: .milliseconds(10))
        }
        await canceller.value
        // then: whoever came to sleep later than the clock was moved is woken by one more step
        await withTaskGroup { group in
            group.addTask {
                for task in tasks {
                    _ = await task.result
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await clock.runNextSleep()
                }
            }
            await group.next()
            group.cancelAll()
        }
        #expect(clock.sleepers.isEmpty)
    }

    private static let seeds = Seed.ofRun(and: [1, 2, 3, 20, 300, 4_000, 50_000, UInt64.max])
}
