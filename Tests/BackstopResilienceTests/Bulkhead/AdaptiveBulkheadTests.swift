import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A bulkhead whose limit adapts", .limited)
struct AdaptiveBulkheadTests {
    private typealias Hull = Bulkhead<Ask, Answer>
    private let clock = ManualClock()
    private static let late = TimeoutError(.attempt, after: .seconds(1))

    private func call(_ chain: AskChain, _ count: Int) -> [Task<Result<Answer, Failure>, Never>] {
        (0..<count).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
    }

    /// Answers so many calls at once, and then others.
    private func server(
        _ count: Int, _ first: @escaping @Sendable () throws -> Answer, then gate: Gate
    ) -> Script<Ask, Answer> {
        let (all, number) = (Gate(), Lock(0))
        return Script(
            .respond { _, _ in
                let number = number.withLock { number in
                    number += 1
                    return number
                }
                guard number > count else {
                    if number == count {
                        all.open()
                    }
                    await all.pass()
                    return try first()
                }
                await gate.pass()
                return Answer()
            }.repeated())
    }

    @Test("lets as many calls run as come, while the service answers")
    func free() async throws {
        let gate = Gate()
        let hull = Hull.adaptive()
        let chain = try AskChain(transport: server(0, { Answer() }, then: gate), interceptors: [hull])
        let calls = call(chain, 500)
        await gate.waitForArrivals(500)
        #expect(hull.runningCalls(of: "") == 500)
        gate.open()
        for call in calls {
            _ = try await call.value.get()
        }
        #expect(hull.limit(of: "") == 100_000)
    }

    @Test("lets few run once nothing is answered; others wait, and more run as soon as calls are answered again")
    func cycle() async throws {
        let gate = Gate()
        let hull = Hull.adaptive(minimum: 4)
        let chain = try AskChain(transport: server(100, { throw Self.late }, then: gate), interceptors: [hull])
        for call in call(chain, 100) {
            #expect(await call.value.failure?.code == "timeout.attempt")
        }
        #expect(hull.limit(of: "") == 50)
        // when
        let calls = call(chain, 80)
        await gate.waitForArrivals(50)
        while hull.waitingCalls(of: "") < 30 {
            await Task.yield()
        }
        // then
        #expect(hull.runningCalls(of: "") == 50)
        gate.open()
        for call in calls {
            _ = try await call.value.get()
        }
        #expect(hull.limit(of: "") > 50)
        #expect(hull.places.total == (1, 0, 0))
    }

    @Test("lets those that wait run before others as soon as a limit is gone, also where the queue is full")
    func renewed() async throws {
        let gate = Gate()
        let hull = Hull.adaptive(minimum: 1, queue: try .firstInFirstOut(20, timeout: .seconds(3600)))
        let chain = try AskChain(transport: server(100, { throw Self.late }, then: gate), interceptors: [hull])
        for call in call(chain, 100) {
            _ = await call.value
        }
        let early = call(chain, 70)
        await gate.waitForArrivals(50)
        while hull.waitingCalls(of: "") < 20 {
            await Task.yield()
        }
        // when
        await clock.advance(by: .seconds(60))
        let late = call(chain, 1)
        // then
        await gate.waitForArrivals(71)
        gate.open()
        for call in early + late {
            _ = try await call.value.get()
        }
    }

    @Test(
        "counts what was sent and not answered in time, and nothing else",
        arguments: [
            (Self.late as any Error, true), (TimeoutError(.connection, after: .seconds(1)), false),
            (TransportError(.lost), false), (TransportError(.refused), false), (TransportError(.offline), false),
            (StatusError(503), false), (RejectionError(.breakerOpen, "open"), false), (CancellationError(), false),
        ])
    func counts(error: any Error, isSign: Bool) async throws {
        let hull = Hull.adaptive()
        let chain = try AskChain(transport: server(100, { throw error }, then: Gate()), interceptors: [hull])
        for call in call(chain, 100) {
            _ = await call.value
        }
        #expect((hull.limit(of: "") == 50) == isSign)
        #expect(hull.runningCalls(of: "") == 0)
    }

    @Test("limits nothing where most calls fail quickly, and others run out of time")
    func quick() async throws {
        let hull = Hull.adaptive(minimum: 1)
        let number = Lock(0)
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                let number = number.withLock { number in
                    number += 1
                    return number
                }
                throw number % 10 == 0 ? Self.late as any Error : ShopError()
            }.repeated())
        let chain = try AskChain(transport: transport, interceptors: [hull])
        for call in call(chain, 2000) {
            _ = await call.value
        }
        #expect(hull.limit(of: "") == 100_000)
    }

    @Test("counts the deadline of a call that had its time for itself")
    func deadline() async throws {
        let hull = Hull.adaptive(log: nil)
        let server = Script<Ask, Answer>(.hang.repeated())
        let chain = try AskChain(transport: server, interceptors: [Deadline(.seconds(3)), hull])
        let calls = call(chain, 100)
        await server.waitForRequests(100)
        await clock.waitForSleepers(100)
        await clock.advance(by: .seconds(3))
        for call in calls {
            #expect(await call.value.failure?.code == "timeout.deadline")
        }
        while hull.runningCalls(of: "") > 0 {
            await Task.yield()
        }
        #expect(hull.limit(of: "") == 50)
    }

    @Test("says in the trace of a call that it limits from now on, and why")
    func trace() async throws {
        let chain = try AskChain(
            transport: server(100, { throw Self.late }, then: Gate()), interceptors: [Hull.adaptive()])
        var traces: [String] = []
        for call in call(chain, 100) {
            traces.append("\(try #require(await call.value.failure).trace)")
        }
        let words = "lets 50 calls run at once from now on: 100 in a row have run out of time"
        #expect(traces.count { $0.contains(words) } == 1)
    }

    @Test("refuses a minimum that it cannot have", arguments: [0, -1, 100_001])
    func range(minimum: Int) throws {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try AskChain(transport: Script<Ask, Answer>(), interceptors: [Hull.adaptive(minimum: minimum)])
        }
        #expect(error?.setting == "Bulkhead.minimum")
    }

    @Test("has a limit for each destination, also in a policy")
    func destinations() async throws {
        let hull = Bulkhead<Policy.Operation, Policy.Output>.adaptive()
        let policy = try Policy(interceptors: { hull })
        let gate = Gate()
        let calls = (0..<100).map { _ in
            Task {
                try? await policy.run(to: "a") { () -> Int in
                    await gate.pass()
                    throw Self.late
                }
            }
        }
        await gate.waitForArrivals(100)
        gate.open()
        for call in calls {
            _ = await call.value
        }
        #expect(hull.limit(of: "a") == 50)
        #expect(hull.limit(of: "b") == 100_000)
    }
}
