// `.sockets` belongs on each suite that opens real sockets, runs commands or starts many threads, and `.limited` on
// each other suite. Those with sockets come later: beside thousands of others, a task waits for 17 s until it goes
// on, and then real limits strike. Exit tests that use sockets have a suite of their own, `.exits`, and come last.
// Each stands where `.timeLimit` would stand:
//
//     import BackstopTestSupport
//
//     @Suite("Retry over sockets", .sockets) struct RetrySocketTests { ... }

internal import BackstopCore
internal import Dispatch
internal import Foundation
public import Testing

/// Lets only some test cases run at a time, and fails one that takes too long.
///
/// Swift Testing starts all test cases of a run at once, and its `.timeLimit` begins at that moment: on a busy machine
/// the limit is over before a test has done anything. Here a test case waits for its turn, and its limit begins with
/// the turn. Nor is it a hang when a test that yields often waits behind thousands of others each time: after the limit,
/// the pool's threads have to get through as many yields as the longest test has. A test case that goes over its limit
/// fails, is cancelled, and the next one gets its turn. If it does not end even then, the run ends with an error ten
/// minutes later instead of hanging.
public struct TestGate: TestTrait, SuiteTrait, TestScoping {
    /// How a turn went.
    package enum Outcome: Sendable {
        /// The test case ended by itself.
        case ended
        /// It was cancelled after its limit, and has ended then.
        case limitReached
    }

    /// Does something after a time; the closure that it returns calls that off.
    package typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// The gates that the current task has passed: a trait on a suite and on one of its tests counts once.
    @TaskLocal private static var passed: Set<ObjectIdentifier> = []

    /// How long a test case may take to end after its limit.
    private static let grace: Duration = .seconds(600)

    private let turns: Turns
    private let others: [Turns]
    private let limit: Duration
    private let longest: Int
    private let timer: Timer

    /// Makes a gate.
    ///
    /// - Parameters:
    ///   - width: How many test cases run at a time, 1 or more.
    ///   - limit: How long the turn of each may take.
    ///   - others: The gates that go first: no turn begins while somebody has one there, or waits for one.
    ///   - longest: How often the longest test yields; less than a second where nothing else runs.
    ///   - timer: Does something later. Default: by the clock.
    package init(
        width: Int, limit: Duration, after others: TestGate..., longest: Int = 100_000,
        timer: @escaping Timer = TestGate.byTheClock
    ) {
        // Swift Testing makes the traits of all suites before it runs the first test, so the first gate silences the whole
        // run, for suites without a gate as well. The child process of an exit test makes none, and writes.
        SystemLog.silence()
        turns = Turns(width: width)
        self.others = others.map(\.turns)
        self.limit = limit
        self.longest = longest
        self.timer = timer
    }

    /// The trait of a suite holds for its tests.
    public var isRecursive: Bool { true }

    /// Runs a test case in its turn.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if try await run(test.displayName ?? test.name, function) == .limitReached {
            Issue.record("The test did not end within \(limit) of its turn.", sourceLocation: test.sourceLocation)
        }
    }

    /// Runs a function in its turn.
    ///
    /// - Throws: What the function throws within its limit, and `CancellationError` when the wait for the turn is
    ///   cancelled.
    package func run(_ name: String, _ function: @concurrent @Sendable () async throws -> Void) async throws -> Outcome
    {
        let passed = Self.passed
        guard !passed.contains(ObjectIdentifier(turns)) else {
            try await function()
            return .ended
        }
        try await turns.take()
        for others in others where !passed.contains(ObjectIdentifier(others)) {
            // All tests of a run begin at once, and are where they wait after a few rounds of the pool.
            for _ in 0..<10 {
                await Task.yield()
            }
            await others.rest()
        }
        let (ends, source) = AsyncStream<Outcome>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let callOffLimit = timer(limit) { [longest] in
            Task {
                for _ in 0..<longest {
                    await Task.yield()
                }
                source.yield(.limitReached)
            }
        }
        let callOffEnd = timer(limit + Self.grace) {
            FileHandle.standardError.write(Data("The test \"\(name)\" hangs, although it was cancelled.\n".utf8))
            exit(EXIT_FAILURE)
        }
        let callOff = {
            callOffLimit()
            callOffEnd()
        }
        // Where the limit is reached, once the function has ended too.
        defer { callOff() }
        async let body: Void = {
            defer { source.yield(.ended) }
            try await Self.$passed.withValue(passed.union([ObjectIdentifier(turns)])) {
                try await function()
            }
        }()
        // Nil when this task is cancelled, and the function with it.
        let outcome = await ends.first { _ in true } ?? .ended
        if outcome == .limitReached {
            // The next one has its turn now. This one is cancelled by leaving the scope of `body`, which waits for it.
            await turns.giveBack()
            return outcome
        }
        do {
            try await body
        } catch {
            callOff()
            await turns.giveBack()
            throw error
        }
        callOff()
        await turns.giveBack()
        return outcome
    }

    /// Waits on a thread of its own: the tests may have blocked all those of tasks.
    package static let byTheClock: Timer = { duration, action in
        let (seconds, attoseconds) = duration.components
        let pause = DispatchTimeInterval.nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        let queue = DispatchQueue(label: "dev.backstop.tests.limit")
        // In a lock, as Dispatch says only on Apple platforms that a source is Sendable.
        let timer = Lock(DispatchSource.makeTimerSource(queue: queue))
        timer.withLock { timer in
            timer.setEventHandler(handler: action)
            timer.schedule(deadline: .now() + pause)
            timer.resume()
        }
        return { timer.withLock { $0.cancel() } }
    }
}

extension Trait where Self == TestGate {
    /// For suites that use real sockets, commands or many threads: a few test cases at a time, ten minutes each, when
    /// all limited ones have ended.
    public static var sockets: TestGate { .sockets }

    /// For suites with real limits over URLSession: one test case at a time, when all of those with sockets have ended.
    ///
    /// On Linux, the queue that all sessions share waits for the next chunk of a body. While it waits for another test's,
    /// a limit of a second strikes before anything has happened.
    public static var realLimits: TestGate { .realLimits }

    /// For suites of exit tests that use sockets: a few test cases at a time, ten minutes each, when all of the
    /// other gates have ended. Never inside a suite with sockets.
    ///
    /// The child process of an exit test keeps open the sockets that libcurl has when it starts. If the call of one is
    /// cancelled while it connects, libcurl 7.88 to 8.2 closes it before Dispatch is told. The kernel goes on watching
    /// what the child holds, and its events go to whatever has the memory by then: another call of this process hears
    /// nothing any more, or the process crashes.
    public static var exits: TestGate { .exits }

    /// For all other suites: ten minutes for each test case, from its turn on.
    public static var limited: TestGate { .limited }
}

extension TestGate {
    // One gate of each kind for the whole run, whatever the modules of the suites.
    fileprivate static let exits = TestGate(width: 2 * processors, limit: .seconds(600), after: sockets, realLimits)
    fileprivate static let realLimits = TestGate(width: 1, limit: .seconds(600), after: sockets)
    fileprivate static let sockets = TestGate(width: 2 * processors, limit: .seconds(600), after: limited)
    fileprivate static let limited = TestGate(width: 4 * processors, limit: .seconds(600))

    private static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }
}
