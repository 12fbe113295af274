import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A poll", .limited)
struct PolicyPollTests {
    /// Answers with the steps in turn, and with the last of them from then on.
    private final class Service: Sendable {
        private let steps: Lock<[Result<String, any Error>]>
        let polls = Lock(0)

        init(_ steps: [Result<String, any Error>]) {
            self.steps = Lock(steps)
        }

        func state() throws -> String {
            polls.withLock { $0 += 1 }
            return try steps.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
        }
    }

    /// A clock on which time passes while somebody sleeps.
    private let clock = RecordingClock()
    private let observer = RecordingObserver()

    private func poll(
        _ steps: [Result<String, any Error>], every seconds: Int = 2, growth: Backoff.Growth = .constant,
        upTo limit: Int = 60, _ interceptors: [any Policy.Interceptor] = []
    ) async throws -> (result: Result<String, Failure>, polls: Int, took: Duration) {
        var handling = FailureHandling()
        handling.observers = [observer]
        let policy = try Policy(options: .with(clock), handling: handling) {
            for interceptor in interceptors { interceptor }
        }
        let service = Service(steps)
        let start = clock.now
        do throws(Failure) {
            let value = try await policy.poll(
                "export", every: .seconds(seconds), growth: growth, upTo: .seconds(limit)
            ) { (state: String) in
                state == "pending"
            } operation: {
                try service.state()
            }
            return (.success(value), service.polls.withLock { $0 }, clock.now - start)
        } catch {
            return (.failure(error), service.polls.withLock { $0 }, clock.now - start)
        }
    }

    @Test("ends with the first value that is not pending, without a wait if that is the first")
    func value() async throws {
        let quick = try await poll([.success("done")])
        #expect(try quick.result.get() == "done")
        #expect(quick.took == .zero)
        let slow = try await poll([.success("pending"), .success("pending"), .success("done")])
        #expect(try slow.result.get() == "done")
        #expect(slow.polls == 3)
        #expect(slow.took == .seconds(4))
    }

    @Test(
        "waits as long as it says, growing or not, and ends as soon as the next poll would be too late",
        arguments: [(Backoff.Growth.constant, 30, 58), (.linear, 11, 54), (.exponential, 11, 54)])
    func waits(growth: Backoff.Growth, polls: Int, seconds: Int) async throws {
        let poll = try await poll([.success("pending")], growth: growth)
        let failure = try #require(poll.result.failure)
        #expect(failure.code == "timeout.deadline")
        #expect(failure.name == "export")
        #expect(failure.report.contains("stopped:  the last of \(polls) polls was pending"))
        #expect(failure.report.hasSuffix("next:     Poll for longer, or find out why the value stays pending."))
        #expect(failure.explanation.contains("60 s") || failure.explanation.contains("1 min"), "\(failure.explanation)")
        #expect(poll.polls == polls)
        #expect(poll.took == .seconds(seconds))
    }

    @Test("goes on after a failure that passes, however many come, and says the last when the time is over")
    func transient() async throws {
        let lost = Result<String, any Error>.failure(TransportError(.lost))
        let recovered = try await poll([.success("pending"), lost, lost, .success("done")])
        #expect(try recovered.result.get() == "done")
        #expect(observer.failures.isEmpty)
        let never = try await poll([.success("pending"), lost])
        #expect(never.result.failure?.code == "transport.lost")
        #expect(never.polls == 30)
        #expect(observer.failures.map(\.failure.code) == ["transport.lost"])
    }

    @Test("ends with a failure that does not pass, which observers see once")
    func permanent() async throws {
        let poll = try await poll([.success("pending"), .failure(StatusError(404))])
        #expect(poll.result.failure?.code == "status.404")
        #expect(poll.polls == 2)
        #expect(observer.failures.map(\.failure.code) == ["status.404"])
    }

    @Test("goes on after a limit of the policy's own, and is as long as it says")
    func ownLimit() async throws {
        let own = Result<String, any Error>.failure(TimeoutError(.deadline, after: .seconds(1)))
        let poll = try await poll([own, own, .success("done")])
        #expect(try poll.result.get() == "done")
        #expect(poll.polls == 3)
    }

    @Test("says its last failure when its time is over while an operation goes on")
    func lastFailure() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let count = Lock(0)
        var options = CallOptions.with(clock)
        options.name = "export"
        let policy = try Policy(options: options) {}
        let task = Task {
            try await policy.poll(every: .seconds(2), upTo: .seconds(60)) { (_: Int) in
                true
            } operation: {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number > 1 else {
                    throw TransportError(.lost)
                }
                await gate.pass()
                return 1
            }
        }
        await clock.waitForSleeper(remaining: .seconds(2))
        await clock.advance(by: .seconds(2))
        await gate.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(58))
        await clock.advance(by: .seconds(58))
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.code == "transport.lost")
        #expect(failure?.name == "export")
        gate.open()
    }

    @Test("has the attempts of a retry in each poll, and none of them costs it a poll")
    func retries() async throws {
        let lost = Result<String, any Error>.failure(TransportError(.lost))
        let retry = Retry<Policy.Operation, Policy.Output>(try RetryPolicy(attempts: 3, backoff: .none))
        let poll = try await poll([lost, lost, .success("pending"), lost, .success("done")], [retry])
        #expect(try poll.result.get() == "done")
        #expect(poll.polls == 5)
        #expect(poll.took == .seconds(2))
    }

    @Test("waits as long as a failure asks for")
    func retryAfter() async throws {
        let busy = RejectionError(.breakerOpen, "open", retryAfter: .seconds(20))
        let poll = try await poll([.failure(busy), .success("done")])
        #expect(try poll.result.get() == "done")
        #expect(poll.took == .seconds(20))
    }

    @Test("ends when its time is over, though an operation goes on", arguments: [true, false])
    func hanging(hasDeadline: Bool) async throws {
        let clock = ManualClock()
        let policy = try Policy(options: .with(clock)) {
            if hasDeadline {
                Deadline()
            }
        }
        let gate = Gate()
        let task = Task {
            try await policy.poll(every: .seconds(2), upTo: .seconds(60)) { (_: Int) in
                true
            } operation: {
                await gate.pass()
                return 1
            }
        }
        await gate.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(60))
        await clock.advance(by: .seconds(60))
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.code == "timeout.deadline")
        #expect(hasDeadline || failure?.report.contains("stopped:  the time of all polls is over") == true)
        #expect(failure?.report.contains("server") == false)
        gate.open()
    }

    @Test("ends at once when its task is cancelled, in a poll or between two, and says so", arguments: [false, true])
    func cancelled(isBetween: Bool) async throws {
        let (clock, gate) = (ManualClock(), Gate())
        let policy = try Policy(options: .with(clock)) { Retry() }
        let task = Task {
            try await policy.poll("export", every: .seconds(2), upTo: .seconds(60)) { _ in
                true
            } operation: {
                if !isBetween { await gate.pass() }
                return 1
            }
        }
        if isBetween {
            await clock.waitForSleeper(remaining: .seconds(2))
        } else {
            await gate.waitForArrivals(1)
        }
        task.cancel()
        let failure = await #expect(throws: Failure.self) { try await task.value }
        gate.open()
        #expect(failure?.isCancelled == true)
        #expect(failure?.stopReason == .cancelled)
        #expect(failure?.report.contains("operation \"export\"") == true)
        #expect(failure?.report.contains("unknown") == false)
    }

    @Test(
        "refuses an interval, a growth and a limit that make no sense",
        arguments: [
            (0, Backoff.Growth.constant, 60, "Policy.poll.every"), (86_401, .constant, 60, "Policy.poll.every"),
            (1, .constant, 0, "Policy.poll.upTo"), (1, .constant, -1, "Policy.poll.upTo"),
            (1, .exponential(factor: 0.5), 60, "Policy.poll.growth"),
            (1, .decorrelated, 60, "Policy.poll.growth"),
        ])
    func invalid(seconds: Int, growth: Backoff.Growth, limit: Int, setting: String) async throws {
        let poll = try await poll([.success("done")], every: seconds, growth: growth, upTo: limit)
        #expect(poll.result.failure?.error(as: ConfigurationError.self)?.setting == setting)
        #expect(poll.result.failure?.report.contains("  next:     Set how ") == true)
        #expect(poll.polls == 0)
    }
}
