import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Retry budget", .limited)
struct RetryBudgetTests {
    private let clock = RecordingClock()
    private static let lost = Stub<Ask, Answer>.failure(TransportError(.lost))
    private static let late = Stub<Ask, Answer>.failure(TimeoutError(.attempt, after: .seconds(4)))
    private static let there = Stub<Ask, Answer>.response(Answer("there"))

    init() {
        // No clock of a real call begins at zero.
        clock.advance(by: .seconds(1_000_000))
    }

    private func chain(_ transport: Script<Ask, Answer>, _ policy: RetryPolicy = .standard) throws -> AskChain {
        try AskChain(transport: transport) {
            Retry(policy)
            Judge()
        }
    }

    private func call(_ chain: AskChain, policy: RetryPolicy? = nil) async -> Result<Answer, Failure> {
        var options = CallOptions.with(clock, random: FixedRandom(units: 0))
        options.retry = policy
        return await chain.result(Ask(), options: options)
    }

    @Test("of a single retry is enough for one after a timeout")
    func single() async throws {
        let transport = Script(Self.late, Self.there, Self.late.repeated())
        let chain = try chain(transport, try RetryPolicy(budget: RetryBudget(capacity: 1, refill: 0)))
        #expect(await call(chain).failure == nil)
        #expect(try #require(await call(chain).failure).stopReason == .budget)
    }

    @Test("lets a client retry twice while nothing succeeds, and then sends each call once")
    func bucket() async throws {
        // given
        let transport = Script(Self.lost.repeated())
        let chain = try chain(transport)
        // when
        let first = try #require(await call(chain).failure)
        let second = try #require(await call(chain).failure)
        // then
        #expect(first.stopReason == .attemptsUsed(3))
        #expect(second.stopReason == .budget)
        #expect(second.report.contains("stopped:  the retry budget is used up"))
        #expect(transport.requests.count == 4)
    }

    @Test(
        "gives back a retry for five successes, also for those of calls that never retry",
        arguments: [(4, 1), (5, 2)], [RetryPolicy.standard, .never, .alamofire])
    func refill(expected: (successes: Int, attempts: Int), policy: RetryPolicy) async throws {
        // given
        let answers = (0..<expected.successes).map { _ in Self.there }
        let transport = Script([Self.lost, Self.lost, Self.lost] + answers + [Self.lost.repeated()])
        let chain = try chain(transport)
        _ = await call(chain)
        // when
        for _ in 0..<expected.successes {
            _ = await call(chain, policy: policy)
        }
        let failure = try #require(await call(chain).failure)
        // then
        #expect(failure.attempts.count == expected.attempts)
        #expect(failure.stopReason == .budget)
    }

    @Test("is refilled by time, one retry a minute", arguments: [(59, 1), (60, 2), (119, 2), (120, 3), (6000, 3)])
    func time(passed: Int, attempts: Int) async throws {
        // given
        let chain = try chain(Script(Self.lost.repeated()))
        _ = await call(chain)
        // when
        clock.advance(by: .seconds(passed))
        // then
        #expect(await call(chain).failure?.attempts.count == attempts)
        #expect(await call(chain).failure?.attempts.count == 1)
    }

    @Test("lets a widget succeed each time whose connection is dead each time", arguments: [60, 300, 43_200])
    func widget(interval: Int) async throws {
        // given: only a second request of a call is answered
        let transport = Script<Ask, Answer>(
            .respond { _, context in
                guard context.attempt > 1 else { throw TransportError(.lost) }
                return Answer("there")
            }.repeated())
        let chain = try chain(transport)
        // when
        var successes = 0
        for _ in 0..<24 {
            clock.advance(by: .seconds(interval))
            successes += await call(chain).failure == nil ? 1 : 0
        }
        // then
        #expect(successes == 24)
    }

    @Test("retries a burst of failures of a busy client, and not of one that was busy a minute ago")
    func burst() async throws {
        for (pause, failed) in [(0, 0), (60, 18)] {
            // given: a service that loses first requests for what is bad, and answers a hundred for what is good
            let transport = Script<Ask, Answer>(
                .respond { request, context in
                    guard context.attempt > 1 || request.text == "good" else { throw TransportError(.lost) }
                    return Answer("there")
                }.repeated())
            let chain = try chain(transport, try RetryPolicy(budget: RetryBudget(refill: 0.2, interval: nil)))
            let options = CallOptions.with(clock, random: FixedRandom(units: 0))
            for _ in 0..<100 {
                _ = await chain.result(Ask("good"), options: options)
            }
            // when
            clock.advance(by: .seconds(pause))
            var failures = 0
            for _ in 0..<20 {
                failures += await chain.result(Ask("bad"), options: options).failure == nil ? 0 : 1
            }
            // then
            #expect(failures == failed)
        }
    }

    @Test("has room for all retries that one call may make, timeouts or not", arguments: [2, 5, 20])
    func oneCall(attempts: Int) async throws {
        for stub in [Self.lost, Self.late] {
            let chain = try chain(Script(stub.repeated()), try RetryPolicy(attempts: attempts))
            #expect(await call(chain).failure?.stopReason == .attemptsUsed(attempts))
        }
    }

    @Test("takes two for a retry after a timeout")
    func timeouts() async throws {
        let budget = try RetryBudget(capacity: 3, interval: nil)
        let chain = try chain(Script(Self.late, Self.late, Self.lost.repeated()), try RetryPolicy(budget: budget))
        #expect(await call(chain).failure?.attempts.count == 2)
        #expect(await call(chain).failure?.attempts.count == 2)
        #expect(await call(chain).failure?.attempts.count == 1)
    }

    @Test("without a limit retries every call, after the waits of the backoff")
    func unlimited() async throws {
        // given
        let transport = Script(Self.late.repeated())
        let chain = try chain(transport, try RetryPolicy(backoff: Backoff(baseDelay: .seconds(1)), budget: .unlimited))
        // when
        for _ in 0..<10 {
            _ = await chain.result(Ask(), options: .with(clock, random: FixedRandom(units: 0.5)))
        }
        // then
        #expect(transport.requests.count == 30)
        #expect(Set(clock.sleeps) == [.milliseconds(500), .seconds(1)])
    }

    @Test("after gRPC, takes nothing for a failure that is not transient")
    func notTransient() async throws {
        let policy = try RetryPolicy(budget: .grpc)
        let chain = try chain(Script(.response(Answer(status: 404)).repeated(20), Self.lost.repeated()), policy)
        for _ in 0..<20 {
            _ = await call(chain)
        }
        #expect(await call(chain).failure?.attempts.count == 3)
    }

    @Test("takes nothing for what is not retried anyway")
    func takesNothing() async throws {
        // given
        var order = Ask()
        order.isIdempotent = false
        let chain = try chain(Script(Self.lost.repeated()))
        for _ in 0..<5 {
            _ = await chain.result(order, options: .with(clock))
        }
        // when
        let failure = try #require(await call(chain).failure)
        // then
        #expect(failure.attempts.count == 3)
    }

    @Test("gets back the retry of a call that is cancelled while it waits for it")
    func cancelled() async throws {
        // given
        let clock = ManualClock()
        let chain = try chain(
            Script(Self.lost.repeated()), try RetryPolicy(budget: RetryBudget(capacity: 1, interval: nil)))
        let options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        for _ in 0..<5 {
            let call = Task { await chain.result(Ask(), options: options).failure }
            await clock.waitForSleepers(1)
            call.cancel()
            #expect(await call.value?.isCancelled == true)
        }
        // when
        let last = Task { await chain.result(Ask(), options: options).failure }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(250))
        // then
        #expect(await last.value?.attempts.count == 2)
    }

    @Test("gets back the retry that was not made because its request would have been another order")
    func secondOrder() async throws {
        // given
        let numbers = Counter()
        let keys = Step { request, _, next in
            guard request.text == "order" else { return try await next(request) }
            var order = request
            order.idempotencyKey = "\(numbers.increment())"
            return try await next(order)
        }
        let policy = try RetryPolicy(budget: RetryBudget(capacity: 1, interval: nil))
        let chain = try AskChain(transport: Script(Self.lost.repeated()), interceptors: [Retry(policy), keys])
        let options = CallOptions.with(clock, random: FixedRandom(units: 0))
        // when
        let failure = try #require(await chain.result(Ask("order"), options: options).failure)
        // then
        #expect(failure.stopReason == .idempotencyKeyChanged)
        #expect(await chain.result(Ask(), options: options).failure?.attempts.count == 2)
    }

    @Test("refuses no call, whatever has failed")
    func refusesNothing() async throws {
        for stub in [Self.late, Self.lost, .response(Answer(status: 503)), .failure(TransportError(.refused))] {
            // given
            let transport = Script(stub.repeated())
            let chain = try chain(transport)
            // when
            for _ in 0..<50 {
                #expect(await call(chain).failure?.code.hasPrefix("rejected") == false)
            }
            // then
            #expect(transport.requests.count >= 50)
        }
    }

    @Test("is shared by nobody: two chains made alike know nothing of each other")
    func separateChains() async throws {
        // given
        let transport = Script(Self.lost.repeated(4), Self.there)
        _ = try await call(chain(transport))
        // when
        let other = try await call(chain(transport))
        // then
        #expect(try other.get().body == "there")
    }

    @Test(
        "refuses settings out of their range when it is made",
        arguments: [
            (-1.0, 0.1, 30_000), (.nan, 0.1, 30_000), (2, -0.1, 30_000), (2, 1.1, 30_000), (2, 0.1, 0),
            (2, 0.1, 86_400_001),
        ])
    func ranges(capacity: Double, refill: Double, milliseconds: Int) {
        #expect(throws: ConfigurationError.self) {
            try RetryBudget(capacity: capacity, refill: refill, interval: .milliseconds(milliseconds))
        }
    }
}
