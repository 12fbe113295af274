import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A bulkhead", .limited)
struct BulkheadTests {
    private typealias Hull = Bulkhead<Ask, Answer>
    private let clock = ManualClock()

    /// Answers when the gate opens.
    private func slow(_ gate: Gate, _ order: Notes<String> = Notes()) -> Script<Ask, Answer> {
        Script(
            .respond { request, _ in
                order.add(request.text)
                await gate.pass()
                return Answer(request.text)
            }.repeated())
    }

    private func call(_ chain: AskChain, _ text: String = "hello") -> Task<Result<Answer, Failure>, Never> {
        let options = CallOptions.with(clock)
        return Task { await chain.result(Ask(text), options: options) }
    }

    private func waitFor(_ count: Int, in bulkhead: Hull, key: String? = nil) async {
        while bulkhead.waitingCalls(of: key) != count {
            await Task.yield()
        }
    }

    @Test("lets as many calls run as it may; others wait, and run in turn", arguments: [true, false])
    func order(isFair: Bool) async throws {
        // given: one place, taken
        let (gate, seen) = (Gate(), Notes<String>())
        let bulkhead = try Hull(limit: 1, queue: isFair ? .firstInFirstOut(5) : .lastInFirstOut(5))
        let chain = try AskChain(transport: slow(gate, seen)) { bulkhead }
        let first = call(chain, "0")
        await gate.waitForArrivals(1)
        var others: [Task<Result<Answer, Failure>, Never>] = []
        for number in 1...4 {
            others.append(call(chain, "\(number)"))
            await waitFor(number, in: bulkhead)
        }
        #expect(bulkhead.runningCalls() == 1)
        // Without keys, there is one count for all.
        #expect(bulkhead.runningCalls(of: "any") == 1)
        #expect(bulkhead.waitingCalls(of: "any") == 4)
        // when
        gate.open()
        for task in [first] + others {
            _ = try await task.value.get()
        }
        // then
        #expect(seen.all == ["0"] + (isFair ? ["1", "2", "3", "4"] : ["4", "3", "2", "1"]))
        #expect(bulkhead.places.total == (0, 0, 0))
        #expect(clock.sleepers.isEmpty)
    }

    @Test("rejects a call when place and queue are taken, and says how many run and wait")
    func full() async throws {
        // given
        let gate = Gate()
        let bulkhead = try Hull(limit: 2, queue: .firstInFirstOut(1))
        let chain = try AskChain(transport: slow(gate)) { bulkhead }
        let calls = (0..<3).map { _ in call(chain) }
        await gate.waitForArrivals(2)
        await waitFor(1, in: bulkhead)
        // when
        let failure = try #require(await call(chain).value.failure)
        // then
        #expect(failure.code == "rejected.limit")
        #expect(failure.explanation == "The request was not sent: 2 calls are running and 1 is waiting")
        #expect(failure.isTransient)
        // afterwards
        gate.open()
        for task in calls {
            _ = try await task.value.get()
        }
        #expect(bulkhead.places.total == (0, 0, 0))
    }

    @Test("without a queue, rejects at once")
    func noQueue() async throws {
        // given
        let gate = Gate()
        let bulkhead = Hull(limit: 1, queue: .none)
        let chain = try AskChain(transport: slow(gate)) { bulkhead }
        let first = call(chain)
        await gate.waitForArrivals(1)
        // when
        let failure = try #require(await call(chain).value.failure)
        // then
        #expect(failure.explanation == "The request was not sent: 1 call is running")
        gate.open()
        _ = try await first.value.get()
    }

    @Test("when the newest come first and the queue is full, the call that has waited longest is rejected")
    func displaced() async throws {
        // given
        let gate = Gate()
        let bulkhead = try Hull(limit: 1, queue: .lastInFirstOut(1))
        let chain = try AskChain(transport: slow(gate)) { bulkhead }
        let first = call(chain)
        await gate.waitForArrivals(1)
        let oldest = call(chain)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(3))
        // when
        let newest = call(chain)
        let failure = try #require(await oldest.value.failure)
        // then
        #expect(failure.code == "rejected.limit")
        #expect(
            failure.explanation == "The request was not sent: a newer call took its place in the queue after 3 s: "
                + "1 call is running and 1 is waiting")
        gate.open()
        _ = try await first.value.get()
        _ = try await newest.value.get()
        #expect(bulkhead.places.total == (0, 0, 0))
    }

    @Test("rejects a call that has waited too long")
    func timeout() async throws {
        // given
        let gate = Gate()
        let bulkhead = try Hull(limit: 1, queue: .firstInFirstOut(5, timeout: .seconds(4)))
        let chain = try AskChain(transport: slow(gate)) { bulkhead }
        let first = call(chain)
        await gate.waitForArrivals(1)
        let late = call(chain)
        await clock.waitForSleeper(remaining: .seconds(4))
        // when
        await clock.advance(by: .seconds(4))
        let failure = try #require(await late.value.failure)
        // then
        #expect(failure.code == "rejected.limit")
        #expect(
            failure.explanation == "The request was not sent: no place became free within 4 s: 1 call is running")
        gate.open()
        _ = try await first.value.get()
        #expect(bulkhead.places.total == (0, 0, 0))
    }

    @Test("puts a wait into the trace, with its reason")
    func trace() async throws {
        // given
        let gate = Gate()
        let chain = try AskChain(transport: slow(gate)) {
            Hull(limit: 1)
            Step { request, context, next in
                _ = try await next(request)
                guard request.text == "second" else {
                    return Answer()
                }
                throw ShopError()
            }
        }
        let first = call(chain, "first")
        await gate.waitForArrivals(1)
        let second = call(chain, "second")
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(1200))
        // when
        gate.open()
        _ = try await first.value.get()
        let failure = try #require(await second.value.failure)
        // then
        #expect(failure.trace.events.map(\.name) == ["bulkhead", "bulkhead"])
        #expect(
            failure.trace.events.map(\.text) == [
                "waits for a place: 1 call is running", "waited 1.2 s for a place: 1 call is running",
            ])
    }

    @Test("ends the wait of a cancelled call at once, and its place goes to nobody")
    func cancelled() async throws {
        // given
        let gate = Gate()
        let bulkhead = Hull(limit: 1)
        let transport = slow(gate)
        let chain = try AskChain(transport: transport) { bulkhead }
        let first = call(chain)
        await gate.waitForArrivals(1)
        let waiting = call(chain)
        await waitFor(1, in: bulkhead)
        // when
        waiting.cancel()
        // then
        #expect(await waiting.value.failure?.code == "cancelled")
        #expect(bulkhead.waitingCalls() == 0)
        gate.open()
        _ = try await first.value.get()
        #expect(transport.requests.count == 1)
        #expect(bulkhead.places.total == (0, 0, 0))
        #expect(clock.sleepers.isEmpty)
    }

    @Test("does not queue a call that is cancelled already")
    func cancelledBefore() async throws {
        // given
        let gate = Gate()
        let bulkhead = Hull(limit: 1)
        let chain = try AskChain(transport: slow(gate)) { bulkhead }
        let first = call(chain)
        await gate.waitForArrivals(1)
        // when
        let late = Task { [options = CallOptions.with(clock)] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await chain.result(Ask(), options: options)
        }
        // then
        #expect(await late.value.failure?.code == "cancelled")
        #expect(bulkhead.waitingCalls() == 0)
        gate.open()
        _ = try await first.value.get()
    }

    @Test("forgets keys that were not used for long")
    func lifetime() async throws {
        // given
        let bulkhead = Hull(
            limit: 1, queue: .none, grouping: .by { $0.text }, keys: 100, lifetime: .seconds(600), log: nil)
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(Answer()).repeated())) { bulkhead }
        for key in ["a", "b", "c"] {
            _ = await call(chain, key).value
        }
        // when
        await clock.advance(by: .seconds(601))
        for _ in 0..<3 {
            _ = await call(chain, "new").value
        }
        // then
        #expect(bulkhead.places.total.keys == 1)
    }

    @Test("gives the places back of calls that fail and that are cancelled while they run")
    func givenBack() async throws {
        // given
        let bulkhead = Hull(limit: 2, queue: .none)
        let chain = try AskChain(
            transport: Script<Ask, Answer>(
                .failure(TransportError(.lost)).repeated(5), .hang.repeated(2), .response(Answer()))
        ) { bulkhead }
        // when
        for _ in 0..<5 {
            #expect(await call(chain).value.failure?.code == "transport.lost")
        }
        let hanging = (0..<2).map { _ in call(chain) }
        while bulkhead.runningCalls() < 2 {
            await Task.yield()
        }
        hanging.forEach { $0.cancel() }
        for task in hanging {
            #expect(await task.value.failure?.code == "cancelled")
        }
        // then
        _ = try await call(chain).value.get()
        #expect(bulkhead.places.total == (0, 0, 0))
    }

    @Test("has places for each key, and never forgets a key in use")
    func keys() async throws {
        // given: room for one key
        let gate = Gate()
        let bulkhead = try Hull(
            limit: 1, queue: .firstInFirstOut(5), grouping: .by { $0.text }, keys: 1, lifetime: .seconds(1))
        let chain = try AskChain(transport: slow(gate)) { bulkhead }
        let running = ["a", "b", "c"].map { call(chain, $0) }
        await gate.waitForArrivals(3)
        await clock.advance(by: .seconds(100))
        // when
        let waiting = ["a", "b", "c"].map { call(chain, $0) }
        for key in ["a", "b", "c"] {
            await waitFor(1, in: bulkhead, key: key)
        }
        // then
        #expect(bulkhead.places.total == (3, 3, 3))
        #expect(bulkhead.runningCalls(of: "a") == 1)
        #expect(bulkhead.runningCalls(of: "unknown") == 0)
        gate.open()
        for task in running + waiting {
            _ = try await task.value.get()
        }
        #expect(bulkhead.places.total.running == 0)
        for number in 0..<20 {
            _ = try await call(chain, "\(number)").value.get()
        }
        #expect(bulkhead.places.total == (1, 0, 0))
    }

    @Test("refuses settings that make no sense, and names them")
    func invalid() {
        let cases: [(String, () throws -> Void)] = [
            ("Bulkhead.limit", { try requireValid(Hull(limit: 0)) }),
            ("Bulkhead.limit", { try requireValid(Hull(limit: 100_001)) }),
            ("BulkheadQueue.limit", { _ = try BulkheadQueue.firstInFirstOut(-1) }),
            ("BulkheadQueue.limit", { _ = try BulkheadQueue.lastInFirstOut(100_001) }),
            ("BulkheadQueue.timeout", { _ = try BulkheadQueue.firstInFirstOut(1, timeout: .zero) }),
            ("BulkheadQueue.timeout", { _ = try BulkheadQueue.lastInFirstOut(1, timeout: .seconds(Int64.max)) }),
        ]
        for (setting, make) in cases {
            let error = #expect(throws: ConfigurationError.self, performing: make)
            #expect(error?.setting == setting)
        }
    }
}
