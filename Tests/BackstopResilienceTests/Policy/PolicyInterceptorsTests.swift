import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

/// Each interceptor of the core around an operation that is no request.
@Suite("An operation in each interceptor", .limited)
struct PolicyInterceptorsTests {
    typealias Operation = Policy.Operation
    typealias Output = Policy.Output

    /// One interceptor, and whether it holds nothing of any run.
    struct Link: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How often it runs an operation that always fails.
        var runs = 1
        /// What comes of an operation that always fails; nil for its own error.
        var instead: String?
        let make: @Sendable () throws -> (any Policy.Interceptor, isAtRest: @Sendable () -> Bool)
    }

    static let links = [
        Link(testDescription: "AttemptTimeout") { (AttemptTimeout<Operation, Output>(.seconds(10)), { true }) },
        Link(testDescription: "Deadline") { (Deadline<Operation, Output>(.seconds(10)), { true }) },
        Link(testDescription: "Retry", runs: 3) { (Retry<Operation, Output>(), { true }) },
        Link(testDescription: "Hedging") { (Hedging<Operation, Output>(after: .seconds(10)), { true }) },
        Link(testDescription: "Fallback", instead: "stand-in") {
            let value = Output("stand-in")
            return (Fallback<Operation, Output>("stand-in", value: value, when: { $0.isTransient }, log: nil), { true })
        },
        Link(testDescription: "CircuitBreaker") {
            let breaker = CircuitBreaker<Operation, Output>(try CircuitBreakerPolicy(), log: nil)
            return (breaker, { breaker.circuits.running == 0 })
        },
        Link(testDescription: "Bulkhead") {
            let bulkhead = Bulkhead<Operation, Output>(limit: 1)
            return (bulkhead, { bulkhead.places.total == (0, 0, 0) })
        },
        Link(testDescription: "RateLimiter") {
            let limiter = RateLimiter<Operation, Output>(10, per: .seconds(1))
            return (limiter, { limiter.lines.total == (0, 0, 0) })
        },
        Link(testDescription: "ConnectivityCheck") {
            let connectivity = ManualConnectivity()
            let check = ConnectivityCheck<Operation, Output>(connectivity, whenOffline: .wait(upTo: .seconds(10)))
            return (check, { connectivity.isAtRest })
        },
    ]

    @Test("gives its value, and leaves nothing behind", arguments: links)
    func value(link: Link) async throws {
        // given
        let clock = ManualClock()
        let (interceptor, isAtRest) = try link.make()
        let policy = try Policy(options: .with(clock)) { interceptor }
        let runs = Counter()
        // when
        let rows = try await policy.run("load") { [runs.increment()] }
        // then
        #expect(rows == [1])
        #expect(isAtRest())
        while !clock.sleepers.isEmpty { await Task.yield() }
    }

    @Test("fails with its own error, and leaves nothing behind", arguments: links)
    func failure(link: Link) async throws {
        // given
        let clock = RecordingClock()
        let (interceptor, isAtRest) = try link.make()
        let policy = try Policy(options: .with(clock)) { interceptor }
        let runs = Counter()
        // when
        let result = await policy.result("load") { () async throws -> String in
            runs.increment()
            throw ShopError(article: "desk")
        }
        // then
        #expect(result.failure?.error(as: ShopError.self)?.article == (link.instead == nil ? "desk" : nil))
        #expect((try? result.get()) == link.instead)
        #expect(runs.value == link.runs)
        #expect(isAtRest())
    }

    @Test("is cancelled with its run, once, and leaves nothing behind", arguments: links)
    func cancellation(link: Link) async throws {
        // given
        let clock = ManualClock()
        let (interceptor, isAtRest) = try link.make()
        let policy = try Policy(options: .with(clock)) { interceptor }
        let gate = Gate()
        let (runs, cancelled) = (Counter(), Gate())
        let run = Task {
            await policy.result("load") {
                runs.increment()
                do {
                    try await gate.passUnlessCancelled()
                } catch {
                    cancelled.open()
                    throw error
                }
            }
        }
        await gate.waitForArrivals(1)
        // when
        run.cancel()
        // then
        #expect(await run.value.failure?.code == "cancelled")
        await cancelled.pass()
        #expect(runs.value == 1)
        while !isAtRest() || !clock.sleepers.isEmpty { await Task.yield() }
    }

    @Test("is not begun by a run that is cancelled while it waits, and nothing is left behind")
    func cancelledWait() async throws {
        let bulkhead = Bulkhead<Operation, Output>(limit: 1)
        let limiter = RateLimiter<Operation, Output>(1, per: .seconds(10))
        let connectivity = ManualConnectivity()
        let check = ConnectivityCheck<Operation, Output>(connectivity, whenOffline: .wait(upTo: .seconds(10)))
        let waiting: [(any Policy.Interceptor, @Sendable () -> Int)] = [
            (bulkhead, { bulkhead.places.total.waiting }), (limiter, { limiter.lines.total.waiting }),
            (check, { connectivity.isAtRest ? 0 : 1 }),
        ]
        for (interceptor, count) in waiting {
            // given: a run that has the only place and the only token
            let clock = ManualClock()
            let policy = try Policy(options: .with(clock)) { interceptor }
            let gate = Gate()
            let first = Task { await policy.result { await gate.pass() } }
            await gate.waitForArrivals(1)
            connectivity.state = .offline
            let runs = Counter()
            let second = Task { await policy.result { runs.increment() } }
            while count() == 0 { await Task.yield() }
            // when
            second.cancel()
            // then
            #expect(await second.value.failure?.code == "cancelled")
            while count() > 0 { await Task.yield() }
            gate.open()
            #expect(await first.value.failure == nil)
            #expect(runs.value == 0)
            connectivity.state = .online
            while !clock.sleepers.isEmpty { await Task.yield() }
        }
        #expect(bulkhead.places.total == (0, 0, 0))
        #expect(limiter.lines.total == (0, 0, 0))
    }

    /// All interceptors around operations that succeed, fail, and are cancelled as a seed says.
    @Test("returns to rest in all interceptors together, whatever becomes of it", arguments: Seed.ofRun)
    func together(seed: Seed) async throws {
        var random = seed.numbers
        for round in 0..<60 {
            // given
            let clock = RecordingClock()
            let made = try Self.links.map { try $0.make() }
            // Outermost first: from the fallback to the limit of an attempt.
            let order =
                ["Fallback", "Deadline", "ConnectivityCheck", "Retry", "Bulkhead", "RateLimiter"]
                + ["CircuitBreaker", "Hedging", "AttemptTimeout"]
            let policy = try Policy(options: .with(clock)) {
                for name in order {
                    for (link, interceptor) in zip(Self.links, made) where link.testDescription == name {
                        interceptor.0
                    }
                }
            }
            let active = Lock(0)
            let plans = (0..<40).map { _ in (turns: random.below(5), fate: random.below(4), cancel: random.below(12)) }
            // when
            await withTaskGroup(of: Void.self) { group in
                for plan in plans {
                    group.addTask {
                        let run = Task {
                            await policy.result(isIdempotent: plan.turns > 0) {
                                active.withLock { $0 += 1 }
                                defer { active.withLock { $0 -= 1 } }
                                for _ in 0..<plan.turns { await Task.yield() }
                                guard plan.fate > 0 else { throw ShopError() }
                                return "rows"
                            }
                        }
                        for _ in 0..<plan.cancel { await Task.yield() }
                        if plan.cancel % 3 == 0 { run.cancel() }
                        let code = await run.value.failure?.code
                        #expect(code == nil || code == "cancelled" && plan.cancel % 3 == 0, "round \(round)")
                    }
                }
            }
            // then
            while active.withLock({ $0 }) > 0 { await Task.yield() }
            for (link, interceptor) in zip(Self.links, made) {
                #expect(interceptor.isAtRest(), "\(link.testDescription), round \(round)")
            }
        }
    }
}
