import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Dispatch
import Testing

@Suite("A time limit of an attempt", .limited)
struct AttemptTimeoutTests {
    private let clock = ManualClock()

    init() async {
        // No clock of a real call begins at zero.
        await clock.advance(by: .seconds(1000))
    }

    private func options() -> CallOptions {
        .with(clock, random: FixedRandom(units: 0.5))
    }

    private func chain(_ transport: any Transport<Ask, Answer>, limit: Duration = .seconds(10)) throws -> AskChain {
        try AskChain(transport: transport) {
            // Without a budget, which waits longer after a timeout and stops after two.
            Retry(try RetryPolicy(budget: .unlimited))
            AttemptTimeout(limit)
        }
    }

    @Test("ends an attempt that hangs, and not a moment earlier")
    func ends() async throws {
        // given
        let transport = Script<Ask, Answer>(.hang)
        let chain = try AskChain(transport: transport) { AttemptTimeout(.seconds(10)) }
        let options = options()
        let task = Task { await chain.result(Ask(), options: options) }
        await clock.waitForSleeper(remaining: .seconds(10))
        // when
        await clock.advance(by: .milliseconds(9999))
        // then
        #expect(clock.sleepers == [.milliseconds(1)])
        // when
        await clock.advance(by: .milliseconds(1))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "timeout.attempt")
        #expect(failure.error(as: TimeoutError.self) == TimeoutError(.attempt, after: .seconds(10)))
        #expect(failure.attempts.map(\.duration) == [.seconds(10)])
    }

    @Test("costs an attempt and not the call: retry goes on")
    func retried() async throws {
        // given
        let transport = Script<Ask, Answer>(.hang, .response(Answer("there")))
        let chain = try chain(transport)
        let options = options()
        let task = Task { await chain.result(Ask(), options: options) }
        await clock.waitForSleeper(remaining: .seconds(10))
        await transport.waitForRequests(1)
        // when
        await clock.advance(by: .seconds(10))
        await clock.waitForSleeper(remaining: .milliseconds(250))
        await clock.advance(by: .milliseconds(250))
        // then
        #expect(try await task.value.get().body == "there")
        #expect(transport.requests.count == 2)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("begins anew with each attempt")
    func anew() async throws {
        // given
        let chain = try chain(Script<Ask, Answer>(Stub.hang.repeated()))
        let options = options()
        let task = Task { await chain.result(Ask(), options: options) }
        for wait in [250, 500] {
            await clock.waitForSleeper(remaining: .seconds(10))
            await clock.advance(by: .seconds(10))
            await clock.waitForSleeper(remaining: .milliseconds(wait))
            await clock.advance(by: .milliseconds(wait))
        }
        await clock.waitForSleeper(remaining: .seconds(10))
        // when
        await clock.advance(by: .seconds(10))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.stopReason == .attemptsUsed(3))
        #expect(failure.attempts.map(\.duration) == [.seconds(10), .seconds(10), .seconds(10)])
        #expect(failure.attempts.map(\.result) == Array(repeating: .failed(code: "timeout.attempt"), count: 3))
    }

    @Test("leaves an attempt alone that is done in time, and no sleep behind")
    func inTime() async throws {
        // given
        let transport = Script<Ask, Answer>(.response(Answer("there")), .failure(ShopError()))
        let chain = try chain(transport)
        // then
        #expect(try await chain.call(Ask(), options: options()).body == "there")
        #expect(clock.sleepers.isEmpty)
        #expect(await chain.result(Ask(), options: options()).failure?.code == "other")
        #expect(clock.sleepers.isEmpty)
    }

    @Test("does not wait for an operation that ignores cancellation, and ignores its late result")
    func deafOperation() async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                return Answer("late")
            }, .response(Answer("second")))
        let chain = try chain(transport)
        let options = options()
        let task = Task { await chain.result(Ask(), options: options) }
        await gate.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(10))
        // when
        await clock.advance(by: .seconds(10))
        await clock.waitForSleeper(remaining: .milliseconds(250))
        gate.open()
        await clock.advance(by: .milliseconds(250))
        // then
        #expect(try await task.value.get().body == "second")
    }

    @Test("keeps what a given up attempt still receives out of the next one")
    func lateResponse() async throws {
        // given: the first attempt's response comes while the second is under way
        let first = Gate()
        let second = Gate()
        let isRecorded = Gate()
        struct Late: Transport {
            let first: Gate
            let second: Gate
            let isRecorded: Gate

            func send(_ request: Ask, context: CallContext) async throws -> Answer {
                guard context.attempt == 1 else {
                    await second.pass()
                    throw TransportError(.lost)
                }
                await first.pass()
                context.recordHop(Ask("late"))
                context.recordReceived(Answer("late", status: 503, wait: .seconds(3600)))
                await isRecorded.pass()
                throw CancellationError()
            }
        }
        let transport = Late(first: first, second: second, isRecorded: isRecorded)
        let chain = try AskChain(transport: transport) {
            // Without a budget, which waits longer after a timeout.
            Retry(try RetryPolicy(attempts: 2, budget: .unlimited))
            AttemptTimeout(.seconds(10))
        }
        let options = options()
        let task = Task { await chain.result(Ask("x"), options: options) }
        await first.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(10))
        await clock.waitForSleeper(remaining: .milliseconds(250))
        await clock.advance(by: .milliseconds(250))
        await second.waitForArrivals(1)
        // when
        first.open()
        await isRecorded.waitForArrivals(1)
        second.open()
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "transport.lost")
        #expect(failure.stopReason == .attemptsUsed(2))
        #expect(failure.receivedResponse == nil)
        #expect((failure.sentRequest as? Ask)?.text == "x")
        // afterwards
        isRecorded.open()
    }

    @Test("lets a cancelled call end at once, though the operation ignores it")
    func cancelled() async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                return Answer("late")
            })
        let chain = try chain(transport)
        let options = options()
        let task = Task { await chain.result(Ask(), options: options) }
        await gate.waitForArrivals(1)
        // when
        task.cancel()
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "cancelled")
        #expect(failure.stopReason == .cancelled)
        // afterwards
        gate.open()
    }

    @Test("cancels the operation that it gives up")
    func cancelsOperation() async throws {
        // given
        let cancelled = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, context in
                do {
                    try await context.clock.sleep(for: .seconds(100))
                } catch {
                    cancelled.open()
                    throw error
                }
                return Answer("late")
            })
        let chain = try AskChain(transport: transport) { AttemptTimeout(.seconds(10)) }
        let options = options()
        let task = Task { await chain.result(Ask(), options: options) }
        await clock.waitForSleepers(2)
        // when
        await clock.advance(by: .seconds(10))
        // then
        #expect(await task.value.failure?.code == "timeout.attempt")
        await cancelled.pass()
        #expect(clock.sleepers.isEmpty)
    }

    @Test("must be more than zero", arguments: [0, -1, Int64.min / 4])
    func invalid(seconds: Int64) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try requireValid(AttemptTimeout<Ask, Answer>(.seconds(seconds)))
        }
        #expect(error.setting == "AttemptTimeout.limit")
    }

    @Test("grows by a rate that moves at least a byte in a second", arguments: [0, -1, Int(Int32.max) + 1, Int.min])
    func invalidRate(rate: Int) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try requireValid(AttemptTimeout<Ask, Answer>(minimumRate: rate))
        }
        #expect(error.setting == "AttemptTimeout.minimumRate")
        for valid in [1, Int(Int32.max)] {
            try requireValid(AttemptTimeout<Ask, Answer>(minimumRate: valid))
        }
    }

    @Test("is 30 s unless another is given")
    func standard() throws {
        #expect(AttemptTimeout<Ask, Answer>().limit == .seconds(30))
        #expect(AttemptTimeout<Ask, Answer>(.nanoseconds(1)).limit == .nanoseconds(1))
    }

    @Test("is not reached by a clock that never waits")
    func recordingClock() async throws {
        // given
        let clock = RecordingClock()
        let transport = Script<Ask, Answer>(.failure(TransportError(.lost)), .response(Answer("there")))
        // then
        #expect(try await chain(transport).call(Ask(), options: .with(clock)).body == "there")
        #expect(clock.sleeps.count == 1)
    }

    @Test("may be as long as a duration can be", arguments: [Duration.seconds(Int64.max), .seconds(1_000_000_000_000)])
    func longest(limit: Duration) async throws {
        // given: the clock of the machine
        let chain = try AskChain(transport: Echo()) {
            Deadline(limit)
            AttemptTimeout(limit)
        }
        var options = CallOptions()
        options.deadline = limit
        // then
        #expect(try await chain.call(Ask("x"), options: options).body == "x")
    }

    @Test("ends an attempt whose interceptor blocks its thread before it first suspends")
    func blocking() async throws {
        // given: an interceptor that holds its thread until the test lets it go
        let (isHeld, entered) = (DispatchSemaphore(value: 0), Gate())
        let chain = try AskChain(transport: Echo()) {
            AttemptTimeout(.seconds(10))
            Step { request, context, next in
                Task { await entered.pass() }
                Self.block(isHeld)
                return try await next(request)
            }
        }
        let options = options()
        let task = Task { await chain.result(Ask(), options: options) }
        await entered.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(10))
        // when
        await clock.advance(by: .seconds(10))
        let failure = await task.value.failure
        // then
        #expect(failure?.code == "timeout.attempt")
        isHeld.signal()
    }

    private static func block(_ semaphore: DispatchSemaphore) {
        semaphore.wait()
    }
}
