import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

/// Every failed call ends in exactly one outcome, whatever its handlers say and whenever it is cancelled.
@Suite("A failed call", .limited)
struct ExactlyOnceTests {
    /// What one call will meet, drawn before it begins, so that a seed brings it back.
    private struct Plan: Sendable {
        let errors: [ErrorSample]
        let own: [Int]
        let inner: [Int]
        let outer: [Int]
        let defaults: [Int]
        let maximumRetries: Int
        let suspends: Set<Int>
        /// After how many steps of the call it is cancelled; nil for never.
        let cancelAt: Int?

        init(_ numbers: inout SeededNumbers) {
            func verdicts(_ numbers: inout SeededNumbers) -> [Int] {
                (0..<Int.random(in: 0...2, using: &numbers)).map { _ in Int.random(in: 0..<10, using: &numbers) }
            }
            errors = (0..<Int.random(in: 0...5, using: &numbers)).map { _ in
                ErrorSample.all[Int.random(in: 0..<ErrorSample.all.count, using: &numbers)]
            }
            own = verdicts(&numbers)
            inner = verdicts(&numbers)
            outer = verdicts(&numbers)
            defaults = verdicts(&numbers)
            maximumRetries = Int.random(in: 0...3, using: &numbers)
            suspends = Set((0..<12).filter { _ in Bool.random(using: &numbers) })
            cancelAt = Bool.random(using: &numbers) ? Int.random(in: 0...8, using: &numbers) : nil
        }
    }

    /// One call with everything that is counted about it.
    private final class Run: Sendable {
        let plan: Plan
        let gate: Gate
        let observer = RecordingObserver()
        let log = RecordingLog()
        let failed = Notes<String>()
        let succeeded = Notes<Int>()
        let shown = Notes<String>()
        let steps = Lock(0)
        let task = Lock<Task<Outcome<Int>, Never>?>(nil)

        init(plan: Plan, gate: Gate) {
            self.plan = plan
            self.gate = gate
        }

        /// Counts a step, suspends in some, and cancels the call in the one that was drawn.
        func step() async {
            let number = steps.withLock { number in
                defer { number += 1 }
                return number
            }
            if plan.suspends.contains(number) {
                await gate.pass()
            }
            if number == plan.cancelAt {
                task.withLock { $0 }?.cancel()
            }
        }

        func verdict(_ number: Int) -> Verdict {
            switch number {
            case 0...4: .unhandled
            case 5...6: .handled
            case 7: .retry(after: .seconds(1))
            default: .retry
            }
        }

        func handler(_ number: Int) -> any FailureHandler {
            Otherwise(name: "handler") { failure -> Verdict in
                self.shown.add(failure.code)
                await self.step()
                return self.verdict(number)
            }
        }

        func own(_ number: Int) -> Own {
            Own("own") { failure in
                self.shown.add(failure.code)
                await self.step()
                return number == 9 ? .value(-1) : self.resolution(number)
            }
        }

        private func resolution(_ number: Int) -> Resolution<Int> {
            switch verdict(number) {
            case .handled: .handled
            case .unhandled: .unhandled
            case .retry(let pause): .retry(after: pause)
            }
        }

        func call() async throws(Failure) -> Int {
            await step()
            let index = failed.all.count
            guard index < plan.errors.count else {
                succeeded.add(1)
                return 1
            }
            let failure = Failure(Task.isCancelled ? CancellationError() : plan.errors[index].error)
            failed.add(failure.code)
            throw failure
        }

        func perform() async -> Outcome<Int> {
            var handling = FailureHandling()
            handling.log = log
            handling.observers = [observer]
            handling.maximumHandlerRetries = plan.maximumRetries
            handling.scopes = [
                HandlerScope("inner") { plan.inner.map(handler) }, HandlerScope("outer") { plan.outer.map(handler) },
            ]
            return await DefaultHandlers.withHandlers {
                plan.defaults.map(handler)
            } operation: {
                await handling.perform(clock: RecordingClock(), own: plan.own.map(own)) { () async throws(Failure) in
                    try await self.call()
                }
            }
        }
    }

    @Test(
        "ends in exactly one outcome, and each failure is observed once, whatever happens when", arguments: Seed.ofRun)
    func exactlyOnce(seed: Seed) async {
        // given
        var numbers = seed.numbers
        let gate = Gate()
        let runs = (0..<600).map { _ in Run(plan: Plan(&numbers), gate: gate) }
        // when
        let tasks = runs.map { run in
            let start = Gate()
            let task = Task {
                await start.pass()
                return await run.perform()
            }
            run.task.withLock { $0 = task }
            start.open()
            return task
        }
        await gate.waitForArrivals(100)
        gate.open()
        // then
        var words: [String: Int] = [:]
        for (run, task) in zip(runs, tasks) {
            let outcome = await task.value
            words[outcome.word, default: 0] += 1
            check(run, outcome)
        }
        #expect(Set(words.keys) == ["value", "handled", "unhandled", "cancelled"], "\(words)")
    }

    private func check(_ run: Run, _ outcome: Outcome<Int>) {
        let observed = run.observer.failures
        // Each failure once, in the order in which they happened.
        #expect(observed.map(\.failure.code) == run.failed.all)
        // All but the last were followed by a repeated call; none after a success.
        let retried = observed.filter { if case .retried = $0.outcome { true } else { false } }.count
        #expect(retried <= run.plan.maximumRetries)
        let isOwnSuccess = !run.succeeded.all.isEmpty
        #expect(retried == (isOwnSuccess ? observed.count : observed.count - 1))
        if isOwnSuccess {
            #expect(outcome.value == 1)
            #expect(run.succeeded.all.count == 1)
        } else {
            #expect(observed.last.map { matches($0.outcome, outcome) } == true)
        }
        // A call that never failed reached no handler.
        if run.failed.all.isEmpty {
            #expect(run.shown.all.isEmpty)
        }
        // No handler saw a cancelled call, or a failure that did not happen.
        #expect(!run.shown.all.contains("cancelled"))
        #expect(Set(run.shown.all).isSubset(of: Set(run.failed.all)))
        // The report is in the log exactly when nobody handled the failure.
        #expect(run.log.entries.count == (outcome.word == "unhandled" ? 1 : 0))
    }

    private func matches(_ observed: ObservedOutcome, _ outcome: Outcome<Int>) -> Bool {
        switch (observed, outcome) {
        case (.replaced, .value(-1)), (.unhandled, .unhandled), (.cancelled, .cancelled): true
        case (.handled(let name), .handled(_, by: let other)): name == other
        default: false
        }
    }
}
