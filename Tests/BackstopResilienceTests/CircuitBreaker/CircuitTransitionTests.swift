import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The changes of a circuit breaker", .limited)
struct CircuitTransitionTests {
    private typealias Breaker = CircuitBreaker<Ask, Answer>
    private let clock = RecordingClock()

    private func breaker(
        grouping: CallGrouping<Ask> = .all, log: (any LogSink)? = nil, limit: Int = 1000,
        lifetime: Duration = .seconds(600)
    ) throws -> Breaker {
        Breaker(
            try CircuitBreakerPolicy(window: .calls(2), jitter: false), grouping: grouping, log: log, limit: limit,
            lifetime: lifetime)
    }

    private func chain(_ breaker: Breaker, _ steps: Script<Ask, Answer>.Step...) throws -> AskChain {
        try AskChain(transport: Script(steps)) {
            breaker
            Judge()
        }
    }

    private func call(_ chain: AskChain, _ text: String = "hello") async -> Result<Answer, Failure> {
        await chain.result(Ask(text), options: .with(clock))
    }

    @Test("come in order, with key, cause and number")
    func stream() async throws {
        // given
        let breaker = try breaker(grouping: .by { $0.text })
        let chain = try chain(breaker, .response(Answer(status: 503)).repeated(3), .response(Answer()).repeated())
        var changes = breaker.transitions().makeAsyncIterator()
        // when
        _ = await (call(chain, "a"), call(chain, "a"))
        clock.advance(by: .seconds(5))
        _ = await call(chain, "a")
        clock.advance(by: .seconds(10))
        _ = await call(chain, "a")
        breaker.isolate("a")
        breaker.reset("a")
        // then
        var seen: [CircuitTransition] = []
        for _ in 0..<7 {
            seen.append(try #require(await changes.next()))
        }
        #expect(
            seen.map(\.description) == [
                "opened for 5 s: 2 of 2 attempts failed", "half-open: the break is over",
                "opened for 10 s: a probe failed", "half-open: the break is over", "closed: the probe succeeded",
                "isolated: by hand", "closed: reset by hand",
            ])
        #expect(seen.map(\.generation) == [1, 2, 3, 4, 5, 6, 7])
        #expect(Set(seen.map(\.key)) == ["a"])
        for (one, next) in zip(seen, seen.dropFirst()) {
            #expect(one.to == next.from)
        }
    }

    @Test("go to every watcher, and to none that has left")
    func watchers() async throws {
        // given
        let breaker = try breaker()
        let (first, second) = (breaker.transitions(), breaker.transitions())
        #expect(breaker.circuits.watcherCount == 2)
        // when
        breaker.isolate()
        // then
        for stream in [first, second] {
            var changes = stream.makeAsyncIterator()
            #expect(await changes.next()?.to == .isolated)
        }
        // and when a watcher is cancelled
        let watching = Task { for await _ in breaker.transitions() {} }
        watching.cancel()
        await watching.value
        #expect(breaker.circuits.watcherCount <= 2)
    }

    @Test("are in the trace of the call that caused them, and in the log, without secrets")
    func traceAndLog() async throws {
        // given
        let log = RecordingLog()
        let breaker = try breaker(grouping: .by { $0.text }, log: log)
        let chain = try chain(breaker, .response(Answer(status: 503)).repeated(2), .response(Answer()).repeated())
        let key = "https://user:hunter22@api.example.com"
        // when
        _ = await call(chain, key)
        let failure = try #require(await call(chain, key).failure)
        clock.advance(by: .seconds(5))
        _ = await call(chain, key)
        // then
        #expect(failure.trace.events.map(\.name) == ["circuitBreaker"])
        #expect(failure.trace.events.map(\.text) == ["opened for 5 s: 2 of 2 attempts failed"])
        #expect(log.entries.map(\.level) == [.warning, .info, .info])
        #expect(log.messages[0].hasSuffix("opened for 5 s: 2 of 2 attempts failed"))
        #expect(log.messages[0].contains("api.example.com"))
        #expect(!log.messages.joined().contains("hunter22"))
    }

    @Test("by hand reject every call until the reset, and such a rejection is transient, as others of a breaker are")
    func isolation() async throws {
        // given
        let breaker = try breaker(grouping: .by { $0.text })
        let chain = try chain(breaker, .response(Answer()).repeated())
        // when
        breaker.isolate("a")
        let failure = try #require(await call(chain, "a").failure)
        // then
        #expect(failure.code == "rejected.breakerOpen")
        #expect(failure.isTransient)
        #expect(failure.retryAfter == nil)
        #expect(failure.explanation.hasSuffix("sent: The circuit breaker is isolated by hand, until reset(_:)"))
        #expect(await call(chain, "b").failure == nil)
        // and when all are isolated
        breaker.isolate()
        #expect(await call(chain, "b").failure?.code == "rejected.breakerOpen")
        #expect(await call(chain, "new").failure?.code == "rejected.breakerOpen")
        #expect(breaker.state(of: "b") == .isolated)
        // then a reset of all opens all
        breaker.reset()
        for key in ["a", "b", "new"] {
            #expect(await call(chain, key).failure == nil)
        }
        #expect(breaker.circuits.running == 0)
    }

    @Test("by hand make the results of calls that run count for nothing")
    func resetWhileRunning() async throws {
        // given
        let gate = Gate()
        let breaker = try breaker()
        let chain = try chain(
            breaker,
            .respond { _, _ in
                await gate.pass()
                return Answer(status: 503)
            }.repeated())
        let calls = (0..<5).map { _ in Task { await call(chain) } }
        await gate.waitForArrivals(5)
        // when
        breaker.reset()
        gate.open()
        for task in calls {
            _ = await task.value
        }
        // then
        #expect(breaker.state() == .closed)
        #expect(breaker.circuits.running == 0)
    }

    @Test("are kept for a bounded number of keys: open circuits longer than others, isolated ones forever")
    func bounded() async throws {
        // given: an open and an isolated circuit among 10
        let breaker = try breaker(grouping: .by { $0.text }, limit: 10)
        let chain = try chain(breaker, .response(Answer(status: 503)).repeated(2), .response(Answer()).repeated())
        _ = await (call(chain, "open"), call(chain, "open"))
        breaker.isolate("isolated")
        // when
        for number in 0..<100 {
            _ = await call(chain, "\(number)")
        }
        // then
        #expect(breaker.states.count == 10)
        #expect(breaker.states["open"] == .open(until: .seconds(5)))
        #expect(breaker.states["isolated"] == .isolated)
        #expect(breaker.states["99"] == .closed)
        #expect(breaker.states["0"] == nil)
    }

    @Test("are forgotten with keys that were not used for long")
    func expiry() async throws {
        // given
        let breaker = try breaker(grouping: .by { $0.text }, lifetime: .seconds(60))
        let chain = try chain(breaker, .response(Answer()).repeated())
        for key in ["a", "b", "c"] {
            _ = await call(chain, key)
        }
        // when
        clock.advance(by: .seconds(61))
        for _ in 0..<3 {
            _ = await call(chain, "d")
        }
        // then
        #expect(Array(breaker.states.keys) == ["d"])
    }
}
