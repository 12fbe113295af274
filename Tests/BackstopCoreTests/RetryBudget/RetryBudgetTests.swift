import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Retry budget", .limited)
struct RetryBudgetTests {
    private let clock = RecordingClock()
    private static let lost = Stub<Ask, Answer>.failure(TransportError(.lost))
    private static let late = Stub<Ask, Answer>.failure(TimeoutError(.attempt, after: .seconds(4)))

    private func chain(_ transport: Script<Ask, Answer>, _ budget: RetryBudget? = nil) throws -> AskChain {
        let policy = try RetryPolicy(budget: budget)
        return AskChain(transport: transport) {
            Retry(policy)
            Judge()
        }
    }

    private func call(_ chain: AskChain, unit: Double = 0.5) async -> Result<Answer, Failure> {
        await chain.result(Ask(), options: .with(clock, random: FixedRandom(units: unit)))
    }

    // MARK: The bucket

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

    @Test("gives back a retry for ten successes", arguments: [(9, 1), (10, 2)])
    func refill(successes: Int, attempts: Int) async throws {
        // given
        let answers = (0..<successes).map { _ in Stub<Ask, Answer>.response(Answer("there")) }
        let transport = Script([Self.lost, Self.lost, Self.lost] + answers + [Self.lost.repeated()])
        let chain = try chain(transport)
        // when
        for _ in 0...successes {
            _ = await call(chain)
        }
        let failure = try #require(await call(chain).failure)
        // then
        #expect(failure.attempts.count == attempts)
        #expect(failure.stopReason == .budget)
    }

    @Test("is full again after ten minutes without a call")
    func forgets() async throws {
        // given
        let transport = Script(Self.lost.repeated())
        let chain = try chain(transport)
        _ = await call(chain)
        // when
        clock.advance(by: .seconds(601))
        let failure = try #require(await call(chain).failure)
        // then
        #expect(failure.attempts.count == 3)
    }

    @Test("has room for all retries that one call may make", arguments: [2, 5, 20])
    func oneCall(attempts: Int) async throws {
        let policy = try RetryPolicy(attempts: attempts)
        #expect(policy.budget.capacity == Double(max(2, attempts - 1)))
        #expect(policy.budget.silence == RetryBudget.standard.silence)
    }

    @Test("without a limit retries every call, and never is silent")
    func unlimited() async throws {
        // given
        let transport = Script(Self.late.repeated())
        let chain = try chain(transport, RetryBudget.unlimited)
        // when
        for _ in 0..<10 {
            _ = await call(chain)
        }
        // then: no room after a timeout either, but the waits of the backoff
        #expect(transport.requests.count == 30)
        #expect(Set(clock.sleeps) == [.milliseconds(250), .milliseconds(500)])
    }

    @Test("takes nothing for what is not retried anyway")
    func takesNothing() async throws {
        // given
        var order = Ask()
        order.isIdempotent = false
        let transport = Script(Self.lost.repeated())
        let chain = try chain(transport)
        for _ in 0..<5 {
            _ = await chain.result(order, options: .with(clock))
        }
        // when
        let failure = try #require(await call(chain).failure)
        // then
        #expect(failure.attempts.count == 3)
    }

    // MARK: Silence

    @Test("after two timeouts in a row refuses calls, unsent, and says until when")
    func silence() async throws {
        // given
        let transport = Script(Self.late.repeated())
        let chain = try chain(transport)
        let first = try #require(await call(chain).failure)
        // when
        clock.advance(by: .seconds(18))
        let second = try #require(await call(chain).failure)
        // then: half way between 40 and 70 s
        #expect(first.stopReason == .silence(.seconds(55)))
        #expect(first.retryAfter == .seconds(55))
        #expect(first.attempts.count == 2)
        #expect(second.code == "rejected.silence")
        #expect(second.isTransient)
        #expect(second.retryAfter == .seconds(37))
        #expect(second.stopReason == .silence(.seconds(37)))
        #expect(second.sentRequests.isEmpty)
        #expect(second.report.contains("none is made for another 37 s"))
        #expect(second.message.suggestion == "Please try again in a minute.")
        #expect(transport.requests.count == 2)
    }

    @Test("then sends one call as a probe, and everything again when that succeeds")
    func probe() async throws {
        // given
        let transport = Script(Self.late, Self.late, .response(Answer("there")), Self.lost, Self.lost)
        let chain = try chain(transport)
        _ = await call(chain)
        // when
        clock.advance(by: .seconds(61))
        let probe = await call(chain)
        let next = try #require(await call(chain).failure)
        // then
        #expect(try probe.get().body == "there")
        #expect(next.attempts.count == 2)
        #expect(next.stopReason == .budget)
    }

    @Test("is silent again at once when the probe times out, from the fourth time on for twice as long")
    func growth() async throws {
        // given
        let transport = Script(Self.late.repeated())
        let chain = try chain(transport)
        // when
        var stops = [await call(chain).failure?.stopReason]
        for _ in 0..<4 {
            clock.advance(by: .seconds(121))
            stops.append(await call(chain).failure?.stopReason)
        }
        // then
        #expect(stops == [55, 55, 55, 110, 110].map { .silence(.seconds($0)) })
        #expect(transport.requests.count == 6)
    }

    @Test("is not silent after timeouts that other answers separate, whether good or bad")
    func separated() async throws {
        for answer in [Answer("there"), Answer(status: 404), Answer(status: 500)] {
            // given
            let transport = Script(Self.late, .response(answer), Self.late, .response(answer).repeated())
            let chain = try chain(transport, try RetryBudget(capacity: 100))
            // when
            for _ in 0..<4 {
                _ = await call(chain)
            }
            // then
            #expect(await call(chain).failure?.code != "rejected.silence")
        }
    }

    @Test("takes errors of a gateway and of the network for no sign of life, nor for a timeout")
    func neutral() async throws {
        // given
        let neutral: [Stub<Ask, Answer>] = [
            .response(Answer(status: 503)), .response(Answer(status: 504)), Self.lost,
            .failure(TransportError(.offline)), .failure(TimeoutError(.connection, after: .seconds(4))),
            .failure(RejectionError(.limit, "Full.")),
        ]
        let transport = Script(neutral + [Self.late] + neutral + [Self.late, Self.lost.repeated()])
        let chain = try chain(transport, try RetryBudget(capacity: 0))
        // when: the timeouts are in a row, whatever is between them
        var codes: [String?] = []
        for _ in 0..<15 {
            codes.append(await call(chain).failure?.code)
        }
        // then
        #expect(codes.dropLast().allSatisfy { $0 != "rejected.silence" })
        #expect(codes.last == "rejected.silence")
    }

    @Test("is not silent after several timeouts at once: they are one observation")
    func atOnce() async throws {
        // given
        let clock = ManualClock()
        let transport = Script<Ask, Answer>(Stub.delay(.seconds(5), then: .failure(TimeoutError(.attempt))).repeated())
        let chain = try chain(transport, try RetryBudget(capacity: 0))
        // when
        let codes = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<5 {
                group.addTask { await chain.result(Ask(), options: .with(clock)).failure?.stopReason.code }
            }
            await clock.waitForSleepers(5)
            await clock.advance(by: .seconds(5))
            return await group.reduce(into: []) { $0.append($1) }
        }
        // then
        #expect(codes == Array(repeating: "budget", count: 5))
    }

    @Test(
        "leaves room after a timeout: half to all of the limit, and at most 5 s",
        arguments: [
            (limit: 4, unit: 0.0, wait: 2000), (limit: 4, unit: 0.5, wait: 3000), (limit: 30, unit: 0.0, wait: 2500),
            (limit: 30, unit: 0.5, wait: 3750),
        ])
    func room(limit: Int, unit: Double, wait: Int) async throws {
        // given
        let transport = Script<Ask, Answer>(
            .failure(TimeoutError(.attempt, after: .seconds(limit))), .response(Answer("there")))
        // when
        _ = await call(try chain(transport), unit: unit)
        // then
        #expect(clock.sleeps == [.milliseconds(wait)])
    }

    @Test("leaves no room where the call's deadline has none")
    func deadline() async throws {
        // given
        let transport = Script(Self.late, .response(Answer("there")))
        var options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        options.deadline = .seconds(2)
        // when
        let result = await (try chain(transport)).result(Ask(), options: options)
        // then
        #expect(try result.get().body == "there")
        #expect(clock.sleeps == [.milliseconds(250)])
    }

    @Test("does not send a retry into a silence that began during its wait, and takes nothing for it")
    func silenceDuringWait() async throws {
        // given: one call waits for its retry while the other runs into the second timeout
        let clock = ManualClock()
        let transport = Script<Ask, Answer>(
            Stub.failure(TimeoutError(.attempt, after: .seconds(1))),
            Stub.response(Answer(status: 503, wait: .seconds(20))),
            Stub.failure(TimeoutError(.attempt, after: .seconds(1))))
        let chain = try chain(transport)
        let options = CallOptions.with(clock, random: FixedRandom(units: 0))
        let first = Task { await chain.result(Ask("first"), options: options).failure }
        await clock.waitForSleepers(1)
        let second = Task { await chain.result(Ask("second"), options: options).failure }
        await clock.waitForSleepers(2)
        // when
        await clock.advance(by: .milliseconds(500))
        let silent = try #require(await first.value)
        await clock.advance(by: .seconds(20))
        let stopped = try #require(await second.value)
        // then
        #expect(silent.stopReason == .silence(.seconds(40)))
        #expect(stopped.code == "status.503")
        #expect(stopped.stopReason == .silence(.seconds(20)))
        #expect(transport.requests.count == 3)
    }

    @Test("gives the place of a cancelled probe to the next call")
    func cancelledProbe() async throws {
        // given
        let clock = ManualClock()
        let transport = Script<Ask, Answer>(
            Stub.failure(TimeoutError(.attempt, after: .seconds(1))),
            Stub.failure(TimeoutError(.attempt, after: .seconds(1))), Stub.hang, Stub.response(Answer("there")))
        let chain = try chain(transport)
        let options = CallOptions.with(clock, random: FixedRandom(units: 0))
        let silent = Task { await chain.result(Ask(), options: options) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(500))
        _ = await silent.value
        await clock.advance(by: .seconds(41))
        // when
        let probe = Task { await chain.result(Ask(), options: options).failure }
        await transport.waitForRequests(3)
        let beside = await chain.result(Ask(), options: options).failure
        probe.cancel()
        let cancelled = await probe.value
        let next = await chain.result(Ask(), options: options)
        // then
        #expect(beside?.code == "rejected.silence")
        #expect(cancelled?.isCancelled == true)
        #expect(try next.get().body == "there")
    }

    @Test("lets a call that a handler repeats go out once, although it is silent")
    func personal() async throws {
        // given
        let transport = Script(Self.late, Self.late, Self.late, .response(Answer("there")))
        let chain = try chain(transport)
        _ = await call(chain)
        let failures = Notes<String>()
        // when: the first call is refused, the person taps, the probe times out, the person taps again
        let outcome = await FailureHandling().perform(clock: clock) { failure in
            failures.add(failure.code + " " + failure.stopReason.code)
            return Resolution<Answer>.retry(after: .seconds(1))
        } call: { () async throws(Failure) in
            try await call(chain).get()
        }
        // then
        #expect(outcome.value?.body == "there")
        #expect(failures.all == ["rejected.silence silence", "timeout.attempt silence"])
        #expect(transport.requests.count == 4)
    }

    @Test("is shared by nobody: two chains made alike know nothing of each other")
    func separateChains() async throws {
        // given
        let transport = Script(Self.late, Self.late, .response(Answer("there")))
        _ = await call(try chain(transport))
        // when
        let other = await call(try chain(transport))
        // then
        #expect(try other.get().body == "there")
    }

    // MARK: Settings

    @Test(
        "refuses settings out of their range when it is made",
        arguments: [
            (-1.0, 0.1, 30, 90), (.nan, 0.1, 30, 90), (2, -0.1, 30, 90), (2, 1.1, 30, 90), (2, 0.1, 0, 90),
            (2, 0.1, 30, 3601),
        ])
    func ranges(capacity: Double, refill: Double, shortest: Int, longest: Int) {
        #expect(throws: ConfigurationError.self) {
            try RetryBudget(capacity: capacity, refill: refill, silence: .seconds(shortest) ... .seconds(longest))
        }
    }
}
