import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Dispatch
import Testing

@Suite("A policy", .limited)
struct PolicyTests {
    let clock = RecordingClock()

    var options: CallOptions {
        .with(clock, random: FixedRandom(units: 0.5))
    }

    /// Runs an operation that throws these errors, one after the other, and then returns a text.
    private func run(
        _ policy: Policy, failing errors: [any Error], isIdempotent: Bool = true
    ) async -> (result: Result<String, Failure>, runs: Int) {
        let left = Lock(errors)
        let runs = Counter()
        let result = await policy.result(isIdempotent: isIdempotent) {
            runs.increment()
            if let error = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                throw error
            }
            return "rows"
        }
        return (result, runs.value)
    }

    @Test("does not retry in a run whose options say so")
    func overrideOfRun() async throws {
        let policy = try Policy(options: options) { Retry() }
        let runs = Counter()
        let failure = await policy.withOptions { $0.retry = .never }.result { () async throws -> Int in
            runs.increment()
            throw ShopError()
        }.failure
        #expect(runs.value == 1)
        #expect(failure?.stopReason == .attemptsUsed(1))
    }

    @Test("runs an operation and returns its value, with its own type")
    func value() async throws {
        // given
        let policy = try Policy {
            Deadline(.seconds(5))
            Retry()
            AttemptTimeout(.seconds(1))
        }
        // when
        let rows: [Int] = try await policy.run("load") { [1, 2, 3] }
        let none: Int? = try await policy.run { nil }
        let nested: Int?? = try await policy.run { .some(nil) }
        try await policy.run {}
        let pair = try await policy.run { (name: "lamp", price: 3) }
        // then
        #expect(rows == [1, 2, 3])
        #expect(none == nil)
        #expect(nested == .some(nil))
        #expect(pair.price == 3)
    }

    @Test("without interceptors only runs the operation")
    func empty() async throws {
        #expect(try await Policy {}.run { 7 } == 7)
        #expect(try Policy {}.chain.interceptors.isEmpty)
    }

    @Test("repeats an operation that fails with an error of its own, and keeps all attempts")
    func repeats() async throws {
        // given
        let policy = try Policy(options: options) { Retry() }
        // when
        let (result, runs) = await run(policy, failing: [ShopError(), ShopError()])
        // then
        #expect(try result.get() == "rows")
        #expect(runs == 3)
        #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
    }

    @Test("gives up with one failure: the operation's own error, every attempt, and why there was no other")
    func failure() async throws {
        // given
        let policy = try Policy(options: options) { Retry() }
        // when
        let (result, runs) = await run(policy, failing: Array(repeating: ShopError(article: "desk"), count: 9))
        let failure = try #require(result.failure)
        // then
        #expect(runs == 3)
        #expect(failure.code == "other")
        #expect(failure.underlying as? ShopError == ShopError(article: "desk"))
        #expect(failure.error(as: ShopError.self)?.article == "desk")
        #expect(failure.attempts.map(\.result) == Array(repeating: .failed(code: "other"), count: 3))
        #expect(failure.stopReason == .attemptsUsed(3))
        #expect(failure.isTransient)
        #expect(failure.isRetryable)
    }

    @Test("throws failures as such: there is nothing else to catch")
    func typedThrows() async throws {
        let policy = try Policy {}
        do throws(Failure) {
            _ = try await policy.run { () async throws -> Int in throw ShopError() }
            Issue.record("It was to throw.")
        } catch {
            #expect(error.stopReason == .noRetry)
        }
    }

    @Test("runs an operation only once, unless the run says that it is idempotent")
    func once() async throws {
        // given
        let policy = try Policy(options: options) { Retry() }
        let runs = Counter()
        // when
        let failures = await [
            #expect(throws: Failure.self) {
                try await policy.run("order") {
                    runs.increment(); throw TransportError(.lost)
                }
            },
            #expect(throws: Failure.self) {
                try await policy.run("order") { _ in
                    runs.increment(); throw TransportError(.lost)
                }
            },
        ]
        // then
        #expect(runs.value == 2)
        for failure in failures {
            #expect(failure?.stopReason == .notIdempotent)
            #expect(failure?.isRetryable == false)
            #expect(failure?.message.suggestion?.hasPrefix("Please try again") == false)
        }
    }

    @Test("sends no copy of an operation, unless the run says that it is idempotent", arguments: [false, true])
    func hedged(isIdempotent: Bool) async throws {
        // given
        let clock = ManualClock()
        let policy = try Policy(options: .with(clock)) { Hedging(after: .milliseconds(100)) }
        let (runs, gate) = (Counter(), Gate())
        let run = Task {
            let operation: @Sendable () async throws -> Void = {
                runs.increment()
                await gate.pass()
            }
            // The default is what is tested.
            return isIdempotent
                ? try await policy.run("order", isIdempotent: true, operation: operation)
                : try await policy.run("order", operation: operation)
        }
        await gate.waitForArrivals(1)
        // when
        await clock.advance(by: .seconds(1))
        if isIdempotent { await gate.waitForArrivals(2) }
        gate.open()
        try await run.value
        // then
        #expect(runs.value == (isIdempotent ? 2 : 1))
    }

    @Test("opens a breaker only with errors of which its policy says that they pass", arguments: [true, false])
    func breaker(passes: Bool) async throws {
        let policy = try Policy(isTransient: { _ in passes }) { CircuitBreaker(log: nil) }
        for _ in 0..<20 {
            _ = try? await policy.run("insert") { throw ShopError() }
        }
        let after = try? await policy.run("select") { 1 }
        #expect(after == (passes ? nil : 1))
    }

    @Test(
        "decides about errors that Backstop does not know as the app says",
        arguments: [("desk", 1), ("lamp", 2)])
    func transient(article: String, count: Int) async throws {
        // given
        let policy = try Policy(options: options, isTransient: { ($0 as? ShopError)?.article == "lamp" }) { Retry() }
        // when
        let (result, runs) = await run(policy, failing: [ShopError(article: article)])
        // then
        #expect(runs == count)
        #expect(result.failure?.stopReason == (count == 1 ? .notRetryable : nil))
        #expect(result.failure?.isTransient == (count == 1 ? false : nil))
    }

    @Test("decides about errors that Backstop knows as everywhere")
    func known() async throws {
        // given
        let policy = try Policy(options: options) { Retry() }
        // then
        #expect(await run(policy, failing: [TransportError(.lost)]).runs == 2)
        #expect(await run(policy, failing: [RejectionError("quota", "No more.")]).runs == 1)
        #expect(await run(policy, failing: [StatusError(503)]).runs == 2)
        #expect(await run(policy, failing: [StatusError(404)]).runs == 1)
        #expect(await run(policy, failing: [ErrorSample.decodingFailure]).runs == 1)
        #expect(await run(policy, failing: [CancellationError()]).runs == 1)
    }

    @Test("tells the operation which attempt it is, when it must be over, and what it is called")
    func context() async throws {
        // given
        let seen = Notes<String>()
        let policy = try Policy(options: options) {
            Deadline(.seconds(9))
            Retry()
        }
        // when
        let number = try await policy.run("load", isIdempotent: true) { context in
            seen.add("\(context.name) \(context.attempt) \(context.deadline?.text ?? "")")
            guard context.attempt == 3 else {
                throw ShopError()
            }
            return context.attempt
        }
        // then
        #expect(number == 3)
        #expect(seen.all == ["load 1 9 s", "load 2 9 s", "load 3 9 s"])
    }

    @Test("names the run in its failure, and shows nothing of the values")
    func report() async throws {
        // given
        let policy = try Policy(options: options) {}
        // when
        let failure = try #require(
            await policy.result("load books token=s3cr3t-value") { () async throws -> Int in throw ShopError() }.failure
        )
        // then
        #expect(failure.name == "load books token=s3cr3t-value")
        #expect(failure.report.contains("request:  operation \"load books"))
        #expect(!failure.report.contains("s3cr3t-value"))
        #expect(!String(describing: failure.sentRequest).contains("s3cr3t-value"))
        #expect(Policy.Output("s3cr3t-value").description == "output of type String")
        #expect(
            "\(Mirror(reflecting: Policy.Output("s3cr3t-value")).children.map(\.value))"
                == "[\"output of type String\"]")
    }

    @Test("is shown as its chain, and with what its options say of themselves")
    func shown() throws {
        struct Token: CallKey { static let defaultValue = "none" }
        var options = options
        options.values[Token.self] = "s3cr3t-value"
        let policy = try Policy(options: options) { Retry() }
        var dumped = ""
        dump(policy, to: &dumped)
        #expect("\(policy)" == "\(policy.chain)" && "\(policy)".contains("Retry"))
        #expect(dumped.contains("Retry") && !dumped.contains("s3cr3t-value"))
    }

    @Test("ends an attempt that takes too long, and cancels it")
    func attemptTimeout() async throws {
        // given
        let clock = ManualClock()
        let cancelled = Gate()
        let policy = try Policy(options: .with(clock, random: FixedRandom(units: 0.5))) {
            // Without a budget, which waits longer after a timeout.
            Retry(try RetryPolicy(budget: .unlimited))
            AttemptTimeout(.seconds(1))
        }
        let task = Task {
            try await policy.run(isIdempotent: true) { context in
                guard context.attempt == 1 else {
                    return "rows"
                }
                do {
                    try await clock.sleep(for: .seconds(100))
                } catch {
                    cancelled.open()
                    throw error
                }
                return "late"
            }
        }
        await clock.waitForSleepers(2)
        // when
        await clock.advance(by: .seconds(1))
        await clock.waitForSleeper(remaining: .milliseconds(250))
        await cancelled.pass()
        await clock.advance(by: .milliseconds(250))
        // then
        #expect(try await task.value == "rows")
        #expect(clock.sleepers.isEmpty)
    }

    @Test("has one deadline for all attempts, the earlier one of the policy's and the run's")
    func deadline() async throws {
        // given
        let policy = try Policy(options: options) {
            Deadline(.seconds(60))
            Retry()
        }
        // when
        let (result, runs) = await run(
            policy.withOptions { $0.deadline = .milliseconds(300) }, failing: Array(repeating: ShopError(), count: 5))
        // then
        #expect(runs == 2)
        #expect(result.failure?.stopReason == .deadline(wait: .milliseconds(500)))
    }

    @Test("ends as cancelled when its task is, whatever the operation throws then")
    func cancelled() async throws {
        // given
        let entered = Gate()
        let policy = try Policy(options: options) { Retry() }
        let runs = Counter()
        let task = Task {
            await policy.result { () async throws -> Int in
                runs.increment()
                try? await entered.passUnlessCancelled()
                throw ShopError()
            }
        }
        await entered.waitForArrivals(1)
        // when
        task.cancel()
        let failure = await task.value.failure
        // then
        #expect(failure?.code == "cancelled")
        #expect(runs.value == 1)
    }

    @Test("does not begin an operation in a cancelled task")
    func cancelledBefore() async throws {
        let runs = Counter()
        let failure = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Policy { Retry() }.result { runs.increment() }
        }.value.failure
        #expect(failure?.code == "cancelled")
        #expect(runs.value == 0)
    }

    /// An actor that runs on a queue of its own, so that a thread can be asked whether it is the actor's.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    private actor Caller {
        private final class Executor: SerialExecutor {
            static let isOwn = DispatchSpecificKey<Bool>()
            private let queue = DispatchQueue(label: "caller")

            init() {
                queue.setSpecific(key: Self.isOwn, value: true)
            }

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }

        private let executor = Executor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        nonisolated static func isOnQueue() -> Bool {
            DispatchQueue.getSpecific(key: Executor.isOwn) == true
        }

        func run() async throws -> (caller: Bool, operation: Bool, after: Bool) {
            let caller = Self.isOnQueue()
            let operation = try await Policy {}.run { Self.isOnQueue() }
            return (caller, operation, Self.isOnQueue())
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("never runs the operation on the caller's actor, and returns to it")
    func isolation() async throws {
        #expect(try await Caller().run() == (true, false, true))
    }
}

extension Policy {
    /// One run as a value.
    ///
    /// - Parameter isIdempotent: Unlike that of a policy, true unless a test says otherwise.
    func result<Value: Sendable>(
        _ name: String = "", to destination: String = "", isIdempotent: Bool = true,
        operation: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, Failure> {
        do {
            return .success(try await run(name, to: destination, isIdempotent: isIdempotent, operation: operation))
        } catch {
            return .failure(error)
        }
    }
}
