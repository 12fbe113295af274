#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopCore
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("ClockScheduler", .limited)
    @MainActor
    struct ClockSchedulerTests {
        @Test("delivers what was sent in its order, on the main actor")
        func order() async {
            var seen: [Int] = []
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let subscription = (0..<100).publisher.receive(on: ClockScheduler())
                .sink(
                    receiveCompletion: { _ in end.yield() },
                    receiveValue: { value in
                        MainActor.assertIsolated()
                        seen.append(value)
                    })
            for await _ in ends { break }
            #expect(seen == Array(0..<100))
            subscription.cancel()
        }

        @Test("lets a debounced value through when its clock has moved, and only the last")
        func debounce() async {
            let clock = ManualClock()
            let typed = PassthroughSubject<String, Never>()
            let (values, value) = AsyncStream.makeStream(of: String.self)
            let subscription = typed.debounce(for: .milliseconds(800), scheduler: ClockScheduler(clock: clock))
                .sink { value.yield($0) }
            typed.send("a")
            await clock.waitForSleeper(remaining: .milliseconds(800))
            await clock.advance(by: .milliseconds(799))
            typed.send("ab")
            await clock.waitForSleeper(remaining: .milliseconds(800))
            await clock.advance(by: .milliseconds(800))
            for await first in values {
                #expect(first == "ab")
                break
            }
            subscription.cancel()
        }

        @Test("delays by its clock")
        func delay() async {
            let clock = ManualClock()
            let (values, value) = AsyncStream.makeStream(of: Duration.self)
            let subscription = Just(1).delay(for: .seconds(3), scheduler: ClockScheduler(clock: clock))
                .sink { _ in value.yield(clock.now) }
            await clock.waitForSleepers(2)
            await clock.advance(by: .seconds(3))
            for await moment in values {
                #expect(moment == .seconds(3))
                break
            }
            subscription.cancel()
        }

        @Test("runs what was scheduled for moments in the order of these, and for one moment in that of scheduling")
        func moments() async {
            let clock = ManualClock()
            let scheduler = ClockScheduler(clock: clock)
            var (seen, expected): ([String], [String]) = ([], [])
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            for number in 0..<100 {
                let moment = number * 7 % 5 + 1
                scheduler.schedule(after: scheduler.now.advanced(by: .seconds(moment))) {
                    seen.append("\(moment) \(number)")
                    if seen.count == 100 { end.yield() }
                }
            }
            for moment in 1...5 {
                expected += (0..<100).filter { $0 * 7 % 5 + 1 == moment }.map { "\(moment) \($0)" }
            }
            await clock.waitForSleepers(100)
            await clock.advance(by: .seconds(5))
            for await _ in ends { break }
            #expect(seen == expected)
        }

        @Test("loses no delayed value to the end behind it")
        func delayedEnd() async {
            let clock = ManualClock()
            let scheduler = ClockScheduler(clock: clock)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            var (values, finished) = (0, 0)
            let subscriptions = (0..<50).map { number in
                Just(number).delay(for: .seconds(1), scheduler: scheduler).sink(
                    receiveCompletion: { _ in
                        finished += 1
                        if finished == 50 { end.yield() }
                    }, receiveValue: { _ in values += 1 })
            }
            await clock.waitForSleepers(100)
            await clock.advance(by: .seconds(1))
            for await _ in ends { break }
            #expect(values == 50)
            withExtendedLifetime(subscriptions) {}
        }

        @Test("repeats at each interval until it is cancelled")
        func interval() async {
            let clock = ManualClock()
            let (ticks, tick) = AsyncStream.makeStream(of: Duration.self)
            let scheduler = ClockScheduler(clock: clock)
            let ticking = scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1)), interval: .seconds(2)) {
                tick.yield(clock.now)
            }
            var seen: [Duration] = []
            var next = Duration.seconds(1)
            for _ in 1...3 {
                await clock.waitForSleepers(1)
                await clock.advance(by: next)
                for await moment in ticks {
                    seen.append(moment)
                    break
                }
                next = .seconds(2)
            }
            #expect(seen == [.seconds(1), .seconds(3), .seconds(5)])
            await clock.waitForSleepers(1)
            ticking.cancel()
            while !clock.sleepers.isEmpty {
                await Task.yield()
            }
        }

        /// A clock whose sleeps do nothing but tell what was asked for, each half a second late.
        private final class LateClock: CallClock {
            private struct State {
                var now = Duration.seconds(100)
                var asked: [Duration] = []
            }

            private let limit: Int
            /// Guarded by the lock.
            private let state = Lock(State())

            init(limit: Int) {
                self.limit = limit
            }

            var now: Duration { state.withLock { $0.now } }
            var date: Duration { now }
            var asked: [Duration] { state.withLock { $0.asked } }

            func sleep(for duration: Duration) async throws {
                let count = state.withLock { state in
                    state.asked.append(duration)
                    state.now += duration + .milliseconds(500)
                    return state.asked.count
                }
                if count > limit {
                    throw CancellationError()
                }
            }
        }

        @Test("keeps to its intervals, however late it was woken")
        func drift() async {
            let clock = LateClock(limit: 3)
            let scheduler = ClockScheduler(clock: clock)
            let ticking = scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1)), interval: .seconds(2)) {}
            while clock.asked.count < 4 { await Task.yield() }
            #expect(clock.asked == [.seconds(1), .seconds(1.5), .seconds(1.5), .seconds(1.5)])
            ticking.cancel()
        }

        @Test("does not run a repeating action that is cancelled on the main actor when its time has come")
        func cancelled() async {
            let clock = LateClock(limit: 1)
            let scheduler = ClockScheduler(clock: clock)
            var runs = 0
            let ticking = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { runs += 1 }
            // The main actor stays busy, so the action waits for it.
            while clock.asked.isEmpty {}
            ticking.cancel()
            await settle()
            #expect(runs == 0)
        }

        @Test("calculates with lengths of time")
        func strides() {
            typealias Stride = ClockScheduler.SchedulerTimeType.Stride
            #expect(Stride.seconds(2) + .milliseconds(500) == .seconds(2.5))
            #expect(Stride.seconds(2) - .milliseconds(500) == .microseconds(1_500_000))
            #expect(Stride.milliseconds(-3).magnitude == .milliseconds(3))
            #expect(Stride.milliseconds(3).magnitude == .nanoseconds(3_000_000))
            #expect(Stride.milliseconds(3) < .seconds(1))
            #expect(Stride.nanoseconds(3) * 4 == 12)
            var length: Stride = 5
            length *= 3
            length += 2
            length -= 1
            #expect(length.duration == .nanoseconds(16))
            #expect(Stride(exactly: UInt64.max) == nil)
            #expect(Stride(exactly: 7)?.duration == .nanoseconds(7))
            let start = ClockScheduler(clock: ManualClock()).now
            #expect(start.advanced(by: .seconds(2)).distance(to: start) == .seconds(-2))
        }
    }
#endif
