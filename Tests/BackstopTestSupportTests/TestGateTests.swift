import BackstopCore
import BackstopTestSupport
import Testing

@Suite("A gate for tests", .limited) struct TestGateTests {
    @Test("lets no more run at a time than it is wide") func width() async throws {
        let gate = TestGate(width: 3, limit: .seconds(180))
        let crowd = Crowd()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    _ = try await gate.run("one of many") {
                        await crowd.enter()
                        for _ in 0..<20 { await Task.yield() }
                        await crowd.leave()
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(await crowd.most == 3)
    }

    @Test("cancels what goes over its limit, and gives the turn to the next") func limit() async throws {
        let timers = Timers()
        let gate = TestGate(width: 1, limit: .seconds(180), longest: 100, timer: timers.start)

        let outcome = try await gate.run("endless") {
            timers.fire(.seconds(180))
            try? await untilCancelled()
            #expect(Task.isCancelled)
        }
        let next = try await gate.run("next") {}

        #expect(outcome == .limitReached)
        #expect(next == .ended)
    }

    @Test("lets a test end that yields, while others keep the pool busy") func yielding() async throws {
        let timers = Timers()
        let gate = TestGate(width: 1, limit: .seconds(180), timer: timers.start)

        let outcome = try await gate.run("slow") {
            timers.fire(.seconds(180))
            for _ in 0..<10 { await Task.yield() }
        }

        #expect(outcome == .ended)
    }

    @Test("begins the limit with the turn, and ends it with the test") func limitBeginsWithTurn() async throws {
        let timers = Timers()
        let gate = TestGate(width: 1, limit: .seconds(180), timer: timers.start)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try await gate.run("one after another") {
                        // Its own limit, and the time until a test that hangs ends the run.
                        #expect(timers.running == [.seconds(180), .seconds(780)])
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(timers.running.isEmpty)
    }

    @Test("passes an error on, and gives the turn back") func error() async throws {
        let gate = TestGate(width: 1, limit: .seconds(180))

        await #expect(throws: Refusal.self) {
            _ = try await gate.run("failing") { throw Refusal() }
        }
        let next = try await gate.run("next") {}
        #expect(next == .ended)
    }

    @Test("has no turn before the gates are at rest that go first") func order() async throws {
        let first = TestGate(width: 1, limit: .seconds(180))
        let second = TestGate(width: 2, limit: .seconds(180), after: first)
        let third = TestGate(width: 2, limit: .seconds(180), after: first, second)
        let notes = Notes<Int>()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    _ = try await [third, second, first][number % 3].run("one of three kinds") {
                        for _ in 0..<20 { await Task.yield() }
                        notes.add(number % 3)
                    }
                }
            }
            try await group.waitForAll()
        }
        let inside = try await first.run("suite") { _ = try await second.run("test") { notes.add(3) } }

        #expect(notes.all == [2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 3])
        #expect(inside == .ended)
    }

    @Test("is passed once, by a suite and its tests together") func nested() async throws {
        let gate = TestGate(width: 1, limit: .seconds(180))

        let outcome = try await gate.run("suite") {
            let inner = try await gate.run("test") {}
            #expect(inner == .ended)
        }

        #expect(outcome == .ended)
    }

    @Test("a wait for a turn ends when it is cancelled, and loses no turn") func cancelledWait() async throws {
        let turns = Turns(width: 1)
        try await turns.take()
        let waiter = Task { try await turns.take() }
        while await turns.waiting == 0 { await Task.yield() }

        waiter.cancel()

        await #expect(throws: CancellationError.self) { try await waiter.value }
        await turns.giveBack()
        try await turns.take()
        #expect(await turns.waiting == 0)
    }

    /// Timers that run until they are called off, and fire when they are told to.
    private final class Timers: Sendable {
        private typealias Entry = (duration: Duration, action: @Sendable () -> Void)

        /// Guards the list itself.
        private let entries = Lock([Int: Entry]())

        var running: [Duration] { entries.withLock { $0.values.map(\.duration).sorted() } }

        @Sendable func start(_ duration: Duration, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            let id = entries.withLock { entries in
                let id = (entries.keys.max() ?? 0) + 1
                entries[id] = (duration, action)
                return id
            }
            return { [entries] in entries.withLock { _ = $0.removeValue(forKey: id) } }
        }

        func fire(_ duration: Duration) {
            for action in entries.withLock({ $0.values.filter { $0.duration == duration }.map(\.action) }) {
                action()
            }
        }
    }

    private struct Refusal: Error {}

    private actor Crowd {
        private var inside = 0
        private(set) var most = 0

        func enter() {
            inside += 1
            most = max(most, inside)
        }

        func leave() { inside -= 1 }
    }
}
