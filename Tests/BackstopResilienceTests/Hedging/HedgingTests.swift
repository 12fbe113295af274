import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Hedging", .limited)
struct HedgingTests {
    typealias Server = Script<Ask, Answer>
    let clock = ManualClock()

    func hedging(attempts: Int = 2, unsafe: Bool = false) throws -> Hedging<Ask, Answer> {
        Hedging(after: .milliseconds(300), attempts: attempts, repeatsUnsafeRequests: unsafe)
    }

    func call(
        _ server: Server, asking ask: Ask = Ask(), inside: [any Interceptor<Ask, Answer>] = [],
        outside: [any Interceptor<Ask, Answer>] = [], by hedging: Hedging<Ask, Answer>,
        watched: RecordingObserver? = nil
    ) throws -> Task<Result<Answer, Failure>, Never> {
        var options = CallOptions.with(clock)
        options.observers = watched.map { [$0] } ?? []
        let chain = try AskChain(transport: server, interceptors: outside + [hedging] + inside + [Judge()])
        return Task { [options] in await chain.result(ask, options: options) }
    }

    /// Waits until the delay runs, and ends it.
    func passDelay() async {
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
    }

    /// Answers once a gate is open.
    private func answer(_ answer: Answer, after gate: Gate) -> Stub<Ask, Answer> {
        .respond { _, _ in
            await gate.pass()
            return answer
        }
    }

    @Test("sends a copy after the delay; the first success wins, and the loser is cancelled")
    func copyWins() async throws {
        // given
        let server = Server(.hang, .response(Answer("second")))
        let observer = RecordingObserver()
        // when
        let call = try call(server, by: hedging(), watched: observer)
        await server.waitForRequests(1)
        await passDelay()
        // then
        #expect(try await call.value.get().body == "second")
        await server.waitForCancellations(1)
        #expect(clock.sleepers.isEmpty)
        let trace = try #require(observer.calls.first).trace
        #expect(trace.attempts.map(\.result.description) == ["cancelled", "ok"])
        #expect(trace.attempts.map(\.start) == [.zero, .milliseconds(300)])
        #expect(
            trace.events.map { "\($0.attempt) \($0.name): \($0.text)" } == [
                "2 hedging: started because attempt 1 took 300 ms", "2 hedging: won",
            ])
    }

    @Test("takes the answer to the first request when that comes first after all")
    func firstWins() async throws {
        // given
        let gate = Gate()
        let server = Server(answer(Answer("first"), after: gate), .hang)
        let observer = RecordingObserver()
        // when
        let call = try call(server, by: hedging(), watched: observer)
        await passDelay()
        await server.waitForRequests(2)
        gate.open()
        // then
        #expect(try await call.value.get().body == "first")
        await server.waitForCancellations(1)
        #expect(observer.calls.first?.trace.attempts.map(\.result.description) == ["ok", "cancelled"])
        #expect(observer.calls.first?.response?.summary(.standard) == "answer 200, 5 bytes")
    }

    @Test("sends nothing more for a request that is answered in time, and leaves no timer")
    func inTime() async throws {
        let server = Server(.delay(.milliseconds(299), then: .response(Answer())))
        let call = try call(server, by: hedging())
        await clock.waitForSleepers(2)
        await clock.advance(by: .milliseconds(299))
        #expect(try await call.value.get().status == 200)
        await clock.advance(by: .seconds(10))
        #expect(server.requests.count == 1)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("sends as many as it may, each a delay after the one before")
    func severalCopies() async throws {
        // given
        let server = Server(.hang.repeated(3), .response(Answer("fourth")))
        // when
        let call = try call(server, by: hedging(attempts: 4))
        for sent in 1...3 {
            await server.waitForRequests(sent)
            await passDelay()
        }
        // then
        #expect(try await call.value.get().body == "fourth")
        await server.waitForCancellations(3)
        #expect(clock.now == .milliseconds(900))
    }

    @Test(
        "sends no copy of a request that may be sent only once, unless the app allows it",
        arguments: [(false, true, false, 0), (true, false, true, 0), (false, true, true, 1), (true, true, false, 1)])
    func unsafe(isIdempotent: Bool, isReplayable: Bool, isAllowed: Bool, copies: Int) async throws {
        // given
        var ask = Ask()
        ask.isIdempotent = isIdempotent
        ask.isReplayable = isReplayable
        let gate = Gate()
        let server = Server(answer(Answer(), after: gate).repeated())
        // when
        let call = try call(server, asking: ask, by: hedging(unsafe: isAllowed))
        await server.waitForRequests(1)
        if copies > 0 {
            await passDelay()
            await server.waitForRequests(2)
        }
        await clock.advance(by: .seconds(10))
        gate.open()
        // then
        #expect(try await call.value.get().status == 200)
        #expect(server.requests.count == 1 + copies)
    }

    @Test(
        "sends no copy when an interceptor further in has made of the request what may be sent only once",
        arguments: [true, false])
    func changedInside(isBody: Bool) async throws {
        // given
        let post = Step { ask, context, next in
            var ask = ask
            ask.isIdempotent = isBody
            ask.isReplayable = !isBody
            return try await next(ask)
        }
        let gate = Gate()
        let server = Server(answer(Answer(), after: gate).repeated())
        // when
        let call = try call(server, inside: [post], by: hedging(attempts: 3))
        await server.waitForRequests(1)
        await passDelay()
        gate.open()
        // then
        #expect(try await call.value.get().status == 200)
        #expect(server.requests.count == 1)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("sends no second order when an interceptor further in makes a key for each copy")
    func newKeys() async throws {
        // given
        let numbers = Counter()
        let keys = Step { ask, context, next in
            var ask = ask
            ask.idempotencyKey = "key \(numbers.increment())"
            return try await next(ask)
        }
        let gate = Gate()
        let server = Server(answer(Answer(), after: gate).repeated())
        // when
        let call = try call(server, inside: [keys], by: hedging())
        await server.waitForRequests(1)
        await passDelay()
        while numbers.value < 2 { await Task.yield() }
        gate.open()
        // then
        #expect(try await call.value.get().status == 200)
        #expect(server.requests.map(\.idempotencyKey) == ["key 1"])
    }

    @Test("lets the others go on after a transient failure, but starts no further copy")
    func transient() async throws {
        // given
        let failing = Gate()
        let gate = Gate()
        let server = Server(
            answer(Answer("first"), after: gate),
            .respond { _, _ in
                await failing.pass()
                throw TransportError(.lost)
            })
        let observer = RecordingObserver()
        // when
        let call = try call(server, by: hedging(attempts: 3), watched: observer)
        await passDelay()
        await server.waitForRequests(2)
        await clock.waitForSleepers(1)
        failing.open()
        await clock.advance(by: .milliseconds(299))
        // The failure has been seen once the trace has it.
        await server.waitForRequests(2)
        gate.open()
        // then
        #expect(try await call.value.get().body == "first")
        #expect(server.requests.count == 2)
    }

    @Test("ends all after a failure that is not transient, whose record the failure has", arguments: [1, 2])
    func permanent(failing: Int) async throws {
        // given: the copy with this number gets a 404
        let gate = Gate()
        let refusal = answer(Answer("none", status: 404), after: gate)
        let server = failing == 1 ? Server(refusal, .hang) : Server(.hang, refusal)
        // when
        let call = try call(server, outside: [Retry()], by: hedging())
        await server.waitForRequests(1)
        await passDelay()
        await server.waitForRequests(2)
        gate.open()
        // then
        let failure = try #require(await call.value.failure)
        #expect(failure.code == "status.404")
        #expect(failure.receivedResponse?.statusCode == 404)
        let results = failing == 1 ? ["status.404", "cancelled"] : ["cancelled", "status.404"]
        #expect(failure.attempts.map(\.result.description) == results)
        #expect(failure.stopReason == .notRetryable)
        await server.waitForCancellations(1)
        #expect(server.requests.count == 2)
    }

    @Test("fails with the last failure when all have failed, and retry sends one more")
    func allFailed() async throws {
        // given
        let server = Server(
            .delay(.milliseconds(400), then: .response(Answer(status: 503))),
            .delay(.milliseconds(200), then: .response(Answer(status: 503, wait: .seconds(7)))),
            .response(Answer("third")))
        let observer = RecordingObserver()
        // when
        let call = try call(server, outside: [Retry()], by: hedging(), watched: observer)
        // Its delay begins after its request.
        await clock.waitForSleeper(remaining: .milliseconds(400))
        await passDelay()
        await clock.waitForSleeper(remaining: .milliseconds(200))
        await clock.advance(by: .milliseconds(100))
        await clock.advance(by: .milliseconds(100))
        await clock.waitForSleeper(remaining: .seconds(7))
        await clock.advance(by: .seconds(7))
        // then
        #expect(try await call.value.get().body == "third")
        let attempts = try #require(observer.calls.first).trace.attempts
        #expect(attempts.map(\.result.description) == ["status.503", "status.503", "ok"])
        #expect(attempts.map(\.waitReason) == [nil, "hedging", "Retry-After"])
    }

    @Test("fails at once when the only request fails, and leaves it to retry to send another")
    func failsEarly() async throws {
        let server = Server(.failure(TransportError(.lost)).repeated())
        let failure = try #require(await call(server, by: try hedging(attempts: 4)).value.failure)
        #expect(failure.code == "transport.lost")
        #expect(failure.attempts.count == 1)
        #expect(server.requests.count == 1)
        while !clock.sleepers.isEmpty { await Task.yield() }
    }

    @Test("ignores a copy that was refused before it was sent", arguments: [true, false])
    func refused(firstSucceeds: Bool) async throws {
        // given: one place, which the first request has
        let places = Counter()
        let limit = Step { ask, context, next in
            guard places.increment() == 1 else {
                throw RejectionError("full", "one is running", isTransient: false)
            }
            return try await next(ask)
        }
        let gate = Gate()
        let server = Server(answer(Answer("first", status: firstSucceeds ? 200 : 503), after: gate))
        // when
        let call = try call(server, inside: [limit], by: hedging())
        await server.waitForRequests(1)
        await passDelay()
        while places.value < 2 { await Task.yield() }
        gate.open()
        // then
        let result = await call.value
        #expect(result.failure?.code == (firstSucceeds ? nil : "status.503"))
        #expect(result.failure?.attempts.count == (firstSucceeds ? nil : 2))
        #expect(server.requests.count == 1)
    }

    @Test("says which request is late when a copy is started: none that was refused unsent")
    func reasons() async throws {
        let requests = Counter()
        let limit = Step { ask, _, next in
            guard requests.increment() != 2 else {
                throw RejectionError("full", "one is running", isTransient: false)
            }
            return try await next(ask)
        }
        let server = Server(.hang, .hang, .response(Answer("fourth")))
        let watched = RecordingObserver()
        let call = try call(server, inside: [limit], by: hedging(attempts: 4), watched: watched)
        for count in 1...3 {
            while requests.value < count { await Task.yield() }
            await passDelay()
        }
        #expect(try await call.value.get().body == "fourth")
        let notes = try #require(watched.calls.first).trace.events.map(\.text)
        #expect(
            notes.filter { $0.hasPrefix("started") } == [
                "started because attempt 1 took 300 ms", "started because attempt 1 took 600 ms",
                "started because attempt 3 took 300 ms",
            ])
    }

    @Test("sends nothing after the call was cancelled, and cancels all that runs")
    func cancelled() async throws {
        // given
        let server = Server(.hang.repeated())
        let call = try call(server, by: hedging(attempts: 3))
        await passDelay()
        await server.waitForRequests(2)
        // when
        call.cancel()
        // then
        #expect(await call.value.failure?.code == "cancelled")
        await server.waitForCancellations(2)
        while !clock.sleepers.isEmpty { await Task.yield() }
        await clock.advance(by: .seconds(1))
        #expect(server.requests.count == 2)
        #expect(server.lateRequests.isEmpty)
    }

    @Test("begins no delay that the call's deadline leaves no time for")
    func deadline() async throws {
        let server = Server(.hang)
        let call = try call(server, outside: [Deadline(.milliseconds(300))], by: hedging())
        await server.waitForRequests(1)
        await clock.waitForSleeper(remaining: .milliseconds(300))
        #expect(clock.sleepers == [.milliseconds(300)])
        await clock.advance(by: .milliseconds(300))
        #expect(await call.value.failure?.code == "timeout.deadline")
        #expect(server.requests.count == 1)
    }

    @TaskLocal private static var account = ""

    @Test("runs its copies with the values of the task that makes the call")
    func taskLocals() async throws {
        // given
        let seen = Notes<String>()
        let note = Step { ask, context, next in
            seen.add(HedgingTests.account)
            return try await next(ask)
        }
        let server = Server(.hang, .response(Answer()))
        // when
        let hedging = try hedging()
        let call = try HedgingTests.$account.withValue("anna") { try self.call(server, inside: [note], by: hedging) }
        await server.waitForRequests(1)
        await passDelay()
        _ = try await call.value.get()
        // then
        #expect(seen.all == ["anna", "anna"])
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let setting: String
        let make: @Sendable () throws -> Hedging<Ask, Answer>
        var testDescription: String { setting }

        init(_ setting: String, _ make: @escaping @Sendable () throws -> Hedging<Ask, Answer>) {
            self.setting = setting
            self.make = make
        }
    }

    @Test(
        "refuses settings that make no sense, when it is made",
        arguments: [
            Wrong("Hedging.delay") { Hedging(after: .zero) },
            Wrong("Hedging.delay") { Hedging(afterPercentile: 0.9, initially: .zero) },
            Wrong("Hedging.attempts") { Hedging(after: .seconds(1), attempts: 1) },
            Wrong("Hedging.attempts") { Hedging(after: .seconds(1), attempts: 11) },
            Wrong("Hedging.percentile") { Hedging(afterPercentile: 0.49) },
            Wrong("Hedging.percentile") { Hedging(afterPercentile: 1) },
            Wrong("Hedging.percentile") { Hedging(afterPercentile: .nan) },
            Wrong("Hedging.minimumSamples") { Hedging(afterPercentile: 0.9, minimumSamples: 0) },
            Wrong("Hedging.minimumSamples") { Hedging(afterPercentile: 0.9, minimumSamples: 101) },
        ])
    func settings(wrong: Wrong) {
        let error = #expect(throws: ConfigurationError.self) { try requireValid(wrong.make()) }
        #expect(error?.setting == wrong.setting)
    }
}
