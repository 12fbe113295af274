import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@testable import Backstop

@Suite("The places at an origin", .limited)
struct ConnectionLimiterTests {
    @Test("are as many as the limit says, for each origin")
    func limit() {
        let limiter = ConnectionLimiter(limit: 2)
        #expect((1...3).map { _ in limiter.take("a") } == [true, true, false])
        #expect(limiter.take("b"))
        limiter.giveBack("a")
        #expect(limiter.take("a"))
        #expect(!limiter.take("a"))
    }

    @Test("are forgotten when the last one comes back")
    func forgotten() {
        let limiter = ConnectionLimiter(limit: 2)
        for number in 0..<1000 {
            #expect(limiter.take("\(number)"))
            limiter.giveBack("\(number)")
        }
        #expect(limiter.counts == (0, 0, 0))
    }

    @Test("leave no timer behind when one is given")
    func noTimer() async throws {
        // given
        struct Endless: CallClock {
            let never = Gate()
            let ended = Gate()
            var now: Duration { .zero }
            var date: Duration { .zero }
            func sleep(for duration: Duration) async throws {}
            func waitForLimit(_ duration: Duration) async throws {
                defer { ended.open() }
                try await never.passUnlessCancelled()
            }
        }
        let clock = Endless()
        let limiter = ConnectionLimiter(limit: 1)
        #expect(limiter.take("a"))
        let waiting = Task { try await limiter.wait(for: "a", atMost: .seconds(60), clock: clock) }
        await clock.never.waitForArrivals(1)
        // when
        limiter.giveBack("a")
        // then
        try await waiting.value
        await clock.ended.pass()
    }

    @Test("go to those who wait, in the order in which they came")
    func order() async throws {
        let limiter = ConnectionLimiter(limit: 1)
        #expect(limiter.take("a"))
        let (served, source) = AsyncStream<Int>.makeStream()
        let tasks = await waiters(5, at: limiter) { source.yield($0) }
        limiter.giveBack("a")
        for task in tasks {
            try await task.value
        }
        source.finish()
        #expect(await served.reduce(into: []) { $0.append($1) } == [0, 1, 2, 3, 4])
        #expect(limiter.counts == (0, 0, 0))
    }

    @Test("come too late for who was cancelled, and go to the next")
    func cancelled() async throws {
        let limiter = ConnectionLimiter(limit: 1)
        #expect(limiter.take("a"))
        let tasks = await waiters(3, at: limiter) { _ in }
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        #expect(limiter.counts == (1, 1, 2))
        limiter.giveBack("a")
        try await tasks[1].value
        try await tasks[2].value
        #expect(limiter.counts == (0, 0, 0))
    }

    @Test("are not taken by who is cancelled before the wait")
    func cancelledBefore() async {
        let limiter = ConnectionLimiter(limit: 1)
        #expect(limiter.take("a"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await limiter.wait(for: "a", atMost: .seconds(60), clock: SystemClock())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(limiter.counts == (1, 1, 0))
    }

    @Test("are given up by who has waited too long, with the time that was waited")
    func patience() async {
        let limiter = ConnectionLimiter(limit: 1)
        #expect(limiter.take("a"))
        let error = await #expect(throws: TimeoutError.self) {
            try await limiter.wait(for: "a", atMost: .seconds(7), clock: ImpatientClock())
        }
        #expect(error == TimeoutError(.connection, after: .seconds(7)))
        #expect(limiter.counts == (1, 1, 0))
    }

    @Test("become many as soon as an origin is known to share its connections, and few again when it was idle")
    func many() async throws {
        let limiter = ConnectionLimiter(limit: 1)
        #expect(limiter.take("a"))
        let tasks = await waiters(3, at: limiter, givesBack: false) { _ in }
        limiter.allowMany(at: "a")
        for task in tasks {
            try await task.value
        }
        #expect(limiter.counts == (1, 4, 0))
        #expect((5...101).map { _ in limiter.take("a") }.count { $0 } == 96)
        for _ in 1...100 {
            limiter.giveBack("a")
        }
        #expect(limiter.counts == (0, 0, 0))
        limiter.allowMany(at: "a")
        #expect(limiter.take("a"))
        #expect(!limiter.take("a"))
    }

    @Test("all come back, whoever is cancelled or gives up when", arguments: Seed.ofRun, [false, true])
    func random(seed: Seed, allowsMany: Bool) async {
        let random = SeededRandom(seed: seed.number)
        let limiter = ConnectionLimiter(limit: 3)
        let origins = ["a", "b"]
        let most = Most()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2000 {
                let origin = origins[Int(random.next() % 2)]
                let isCancelled = random.next() % 3 == 0
                let isImpatient = random.next() % 5 == 0
                let turns = random.next() % 4
                let isMany = allowsMany && random.next() % 20 == 0
                group.addTask {
                    let task = Task {
                        if !limiter.take(origin) {
                            try await limiter.wait(
                                for: origin, atMost: isImpatient ? .microseconds(50) : .seconds(60),
                                clock: SystemClock())
                        }
                        most.enter(origin)
                        if isMany {
                            limiter.allowMany(at: origin)
                        }
                        for _ in 0..<turns {
                            await Task.yield()
                        }
                        most.leave(origin)
                        limiter.giveBack(origin)
                    }
                    if isCancelled {
                        for _ in 0..<turns {
                            await Task.yield()
                        }
                        task.cancel()
                    }
                    _ = await task.result
                }
            }
        }
        #expect(limiter.counts == (0, 0, 0), "seed \(seed)")
        #expect(allowsMany || most.value <= 3, "seed \(seed)")
        #expect(most.value > 0, "seed \(seed)")
    }

    /// Tasks that wait in the order of their numbers.
    private func waiters(
        _ count: Int, at limiter: ConnectionLimiter, givesBack: Bool = true, _ served: @escaping @Sendable (Int) -> Void
    ) async -> [Task<Void, any Error>] {
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<count {
            tasks.append(
                Task {
                    try await limiter.wait(for: "a", atMost: .seconds(60), clock: SystemClock())
                    served(number)
                    if givesBack {
                        limiter.giveBack("a")
                    }
                })
            while limiter.counts.waiting < number + 1 {
                await Task.yield()
            }
        }
        return tasks
    }
}

/// A clock on which every limit is reached at once.
private struct ImpatientClock: CallClock {
    private let clock = SystemClock()
    var now: Duration { clock.now }
    var date: Duration { clock.date }
    func sleep(for duration: Duration) async throws {}
}

/// How many were inside at once, at most.
private final class Most: Sendable {
    private struct State {
        var inside: [String: Int] = [:]
        var most = 0
    }

    private let state = Lock(State())

    var value: Int {
        state.withLock { $0.most }
    }

    func enter(_ origin: String) {
        state.withLock { state in
            state.inside[origin, default: 0] += 1
            state.most = max(state.most, state.inside[origin, default: 0])
        }
    }

    func leave(_ origin: String) {
        state.withLock { $0.inside[origin, default: 0] -= 1 }
    }
}
