import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A deadline of a call", .limited)
struct DeadlineTests {
    private let clock = ManualClock()

    init() async {
        // No clock of a real call begins at zero.
        await clock.advance(by: .seconds(1000))
    }

    private func options(deadline: Duration? = nil) -> CallOptions {
        var options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        options.deadline = deadline
        return options
    }

    private func start(_ chain: AskChain, deadline: Duration? = nil) -> Task<Result<Answer, Failure>, Never> {
        let options = options(deadline: deadline)
        return Task { await chain.result(Ask(), options: options) }
    }

    @Test("ends a call that hangs")
    func hanging() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.hang)) { Deadline(.seconds(60)) }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(60))
        // when
        await clock.advance(by: .seconds(60))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "timeout.deadline")
        #expect(failure.error(as: TimeoutError.self) == TimeoutError(.deadline, after: .seconds(60)))
        #expect(!failure.isTransient)
    }

    @Test("that passed before the call began is what the failure blames", arguments: [Duration.zero, .seconds(-3)])
    func passed(deadline: Duration) async throws {
        // given
        let transport = Script<Ask, Answer>()
        let chain = try AskChain(transport: transport) { Deadline() }
        // when
        let failure = try #require(await start(chain, deadline: deadline).value.failure)
        // then
        #expect(failure.error(as: TimeoutError.self) == TimeoutError(.deadline, after: deadline))
        #expect(failure.nextStep == "Give the call more time: its deadline had passed before it began.")
        #expect(transport.requests.isEmpty)
    }

    @Test("ends a call also while an interceptor waits")
    func waiting() async throws {
        // given: an interceptor that waits longer than there is time
        let transport = Script<Ask, Answer>()
        let chain = try AskChain(transport: transport) {
            Deadline(.seconds(1))
            Step { request, context, next in
                try await context.clock.sleep(for: .seconds(5))
                return try await next(request)
            }
        }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(5))
        await clock.waitForSleeper(remaining: .seconds(1))
        // when
        await clock.advance(by: .seconds(1))
        // then
        #expect(await task.value.failure?.code == "timeout.deadline")
        #expect(transport.requests.isEmpty)
    }

    @Test("ends a call whose operation ignores cancellation")
    func deafOperation() async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                return Answer("late")
            })
        let chain = try AskChain(transport: transport) {
            Deadline(.seconds(60))
            Retry(.standard)
        }
        let task = start(chain)
        await gate.waitForArrivals(1)
        await clock.waitForSleeper(remaining: .seconds(60))
        // when
        await clock.advance(by: .seconds(60))
        // then
        #expect(await task.value.failure?.code == "timeout.deadline")
        // afterwards
        gate.open()
    }

    @Test("keeps retry from a wait that would end too late, and the failure says so")
    func noFurtherWait() async throws {
        // given
        let transport = Script<Ask, Answer>(Stub.failure(TransportError(.lost)).repeated())
        let chain = try AskChain(transport: transport) {
            Deadline(.milliseconds(300))
            Retry(.standard)
        }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .milliseconds(250))
        // when
        await clock.advance(by: .milliseconds(250))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "transport.lost")
        #expect(failure.stopReason == .deadline(wait: .milliseconds(500)))
        #expect(failure.attempts.count == 2)
    }

    @Test(
        "is the earlier one of the interceptor's and the call's own", arguments: [(5, 60, 5), (60, 5, 5), (nil, 5, 5)])
    func earlier(interceptor: Int?, call: Int, expected: Int) async throws {
        // given
        let deadline: Deadline<Ask, Answer> = interceptor.map { Deadline(.seconds($0)) } ?? Deadline()
        let seen = Notes<Duration?>()
        let chain = try AskChain(transport: Script<Ask, Answer>(.hang)) {
            deadline
            Step { request, context, next in
                seen.add(context.deadline)
                return try await next(request)
            }
        }
        let task = start(chain, deadline: .seconds(call))
        await clock.waitForSleeper(remaining: .seconds(expected))
        // when
        await clock.advance(by: .seconds(expected))
        // then
        #expect(await task.value.failure?.code == "timeout.deadline")
        #expect(seen.all == [.seconds(1000 + expected)])
    }

    @Test("is none where neither the interceptor nor the call has one")
    func none() async throws {
        // given
        let seen = Notes<Duration?>()
        let chain = try AskChain(transport: Echo()) {
            Deadline()
            Step { request, context, next in
                seen.add(context.deadline)
                return try await next(request)
            }
        }
        // then
        #expect(try await chain.call(Ask("x"), options: options()).body == "x")
        #expect(seen.all == [nil])
    }

    @Test("that has passed already ends the call before anything is sent")
    func passed() async throws {
        // given
        let clock = clock
        let transport = Script<Ask, Answer>(.response(Answer("late")))
        let chain = try AskChain(transport: transport) {
            Step { request, context, next in
                await clock.advance(by: .seconds(10))
                return try await next(request)
            }
            Deadline()
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: options(deadline: .seconds(5))).failure)
        // then
        #expect(failure.code == "timeout.deadline")
        #expect(transport.requests.isEmpty)
    }

    @Test("decides in place of the attempt's limit where it comes first or at once", arguments: [5, 10])
    func beforeAttempt(deadline: Int) async throws {
        // given
        let transport = Script<Ask, Answer>(.hang)
        let chain = try AskChain(transport: transport) {
            Deadline(.seconds(deadline))
            Retry(.standard)
            AttemptTimeout(.seconds(10))
        }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(deadline))
        await transport.waitForRequests(1)
        #expect(clock.sleepers.count == 1, "the attempt has no limit of its own")
        // when
        await clock.advance(by: .seconds(deadline))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "timeout.deadline")
        #expect(failure.attempts.count == 1)
    }

    @Test("leaves the decision to the attempt's limit where that comes first")
    func afterAttempt() async throws {
        // given
        let transport = Script<Ask, Answer>(.hang, .response(Answer("there")))
        let chain = try AskChain(transport: transport) {
            Deadline(.seconds(60))
            // Without a budget, which waits longer after a timeout.
            Retry(try RetryPolicy(budget: .unlimited))
            AttemptTimeout(.seconds(10))
        }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(10))
        await transport.waitForRequests(1)
        // when
        await clock.advance(by: .seconds(10))
        await clock.waitForSleeper(remaining: .milliseconds(250))
        await clock.advance(by: .milliseconds(250))
        // then
        #expect(try await task.value.get().body == "there")
    }

    @Test("that no interceptor enforces leaves the attempt its own limit")
    func notEnforced() async throws {
        // given
        let limit = Step { ask, context, next in
            try await next(ask, context: context.withDeadline(.seconds(5)))
        }
        let chain = try AskChain(
            transport: Script<Ask, Answer>(.hang), interceptors: [limit, AttemptTimeout(.seconds(10))])
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(10))
        // when
        await clock.advance(by: .seconds(10))
        // then
        #expect(await task.value.failure?.code == "timeout.attempt")
    }

    @Test("inside retry ends only the attempt that it stands around, and is not tried again")
    func insideRetry() async throws {
        // given
        let transport = Script<Ask, Answer>(Stub.hang.repeated())
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Deadline(.seconds(5))
        }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(5))
        await transport.waitForRequests(1)
        // when
        await clock.advance(by: .seconds(5))
        let failure = try #require(await task.value.failure)
        // then
        #expect(failure.code == "timeout.deadline")
        #expect(failure.stopReason == .deadline(wait: nil))
        #expect(transport.requests.count == 1)
    }

    @Test("lets a cancelled call end at once as cancelled")
    func cancelled() async throws {
        // given
        let gate = Gate()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                return Answer("late")
            })
        let chain = try AskChain(transport: transport) { Deadline(.seconds(60)) }
        let task = start(chain)
        await gate.waitForArrivals(1)
        // when
        task.cancel()
        // then
        #expect(await task.value.failure?.code == "cancelled")
        // afterwards
        gate.open()
    }

    @Test("must be more than zero", arguments: [0, -1, Int64.min / 4])
    func invalid(seconds: Int64) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try requireValid(Deadline<Ask, Answer>(.seconds(seconds)))
        }
        #expect(error.setting == "Deadline.limit")
    }

    @Test("says nothing of itself where another limit ended the call")
    func otherLimit() async throws {
        // given
        let transport = Script<Ask, Answer>(.failure(TimeoutError(.attempt, after: .seconds(1))))
        let chain = try AskChain(transport: transport) { Deadline(.seconds(60)) }
        // when
        let failure = try #require(await chain.result(Ask(), options: options()).failure)
        // then
        #expect(failure.code == "timeout.attempt")
        #expect(failure.stopReason == .noRetry)
    }

    @Test("tells the whole time that the call had, also where it stands behind a wait")
    func behindWait() async throws {
        // given
        let clock = clock
        let chain = try AskChain(transport: Script<Ask, Answer>(.hang)) {
            Step { request, context, next in
                await clock.advance(by: .seconds(3))
                return try await next(request)
            }
            Deadline(.seconds(5))
        }
        let task = start(chain)
        await clock.waitForSleeper(remaining: .seconds(5))
        // when
        await clock.advance(by: .seconds(5))
        // then
        #expect(
            await task.value.failure?.error(as: TimeoutError.self) == TimeoutError(.deadline, after: .seconds(8)))
    }

    @Test("that has passed already asks its clock for no limit, and begins nothing")
    func passedBegins() async throws {
        // given
        struct Noting: CallClock {
            let base: ManualClock
            let limits = Notes<Duration>()
            var now: Duration { base.now }
            var date: Duration { base.date }
            func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }
            func waitForLimit(_ duration: Duration) async throws {
                limits.add(duration)
                try await base.waitForLimit(duration)
            }
        }
        let noting = Noting(base: clock)
        let begun = Counter()
        let chain = try AskChain(transport: Echo()) {
            Step { request, _, next in
                await noting.base.advance(by: .seconds(10))
                return try await next(request)
            }
            Deadline()
            Step { request, _, next in
                begun.increment()
                return try await next(request)
            }
        }
        var options = CallOptions.with(noting)
        options.deadline = .seconds(5)
        // when
        let failure = await chain.result(Ask(), options: options).failure
        // then
        #expect(failure?.code == "timeout.deadline")
        #expect(noting.limits.all.isEmpty)
        #expect(begun.value == 0)
    }

    /// A clock whose limits are never reached, and which tells when it need not wait any more.
    private struct Endless: CallClock {
        let never = Gate()
        let ended = Gate()
        let waiting = Lock(0)
        var now: Duration { .zero }
        var date: Duration { .zero }
        func sleep(for duration: Duration) async throws {}
        func waitForLimit(_ duration: Duration) async throws {
            waiting.withLock { $0 += 1 }
            defer {
                waiting.withLock { $0 -= 1 }
                ended.open()
            }
            try await never.passUnlessCancelled()
        }
    }

    @Test("keeps no timer, whether the call is done or was cancelled before it began", arguments: [false, true])
    func noTimer(isCancelled: Bool) async throws {
        // given
        let endless = Endless()
        let chain = try AskChain(transport: Echo()) { Deadline(.seconds(60)) }
        // when
        _ = await Task {
            if isCancelled {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return await chain.result(Ask(), options: .with(endless))
        }.value
        // then
        if !isCancelled {
            await endless.ended.pass()
        }
        #expect(endless.waiting.withLock { $0 } == 0)
    }
}
