import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A bulkhead whose limit adapts", .limited)
struct AdaptiveBulkheadTests {
    private typealias Hull = Bulkhead<Ask, Answer>
    private let clock = ManualClock()

    private func ask(_ chain: AskChain, times: Int) async {
        for _ in 0..<times {
            _ = await chain.result(Ask(), options: .with(clock))
        }
    }

    @Test("lets as many calls run as come, while the service answers")
    func free() async throws {
        let gate = Gate()
        let hull = Hull.adaptive()
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                await gate.pass()
                return Answer()
            }.repeated())
        let chain = try AskChain(transport: transport, interceptors: [hull])
        let calls = (0..<500).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
        await gate.waitForArrivals(500)
        #expect(hull.runningCalls(of: "") == 500)
        gate.open()
        for call in calls {
            _ = try await call.value.get()
        }
        #expect(hull.limit(of: "") == 100_000)
    }

    @Test("lets few run once nothing succeeds; others wait, and more run as soon as calls succeed again")
    func cycle() async throws {
        // given: forty calls that fail, and twenty that follow
        let (failing, succeeding) = (Gate(), Gate())
        let count = Lock(0)
        let transport = Script<Ask, Answer>(
            .respond { _, _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number > 40 else {
                    await failing.pass()
                    throw TimeoutError(.attempt, after: .seconds(1))
                }
                await succeeding.pass()
                return Answer()
            }.repeated())
        let hull = Hull.adaptive(minimum: 4)
        let chain = try AskChain(transport: transport, interceptors: [hull])
        let first = (0..<40).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
        await failing.waitForArrivals(40)
        // when
        failing.open()
        for call in first {
            #expect(await call.value.failure?.code == "timeout.attempt")
        }
        // then: ten of forty had failed when it was cut
        #expect(hull.limit(of: "") == 15)
        let second = (0..<50).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
        await succeeding.waitForArrivals(15)
        while hull.waitingCalls(of: "") < 35 {
            await Task.yield()
        }
        #expect(hull.runningCalls(of: "") == 15)
        // afterwards
        succeeding.open()
        for call in second {
            _ = try await call.value.get()
        }
        #expect(hull.limit(of: "") > 15)
        #expect(hull.places.total == (1, 0, 0))
    }

    @Test("lets all that wait run as soon as a limit is gone")
    func renewed() async throws {
        // given: a limit of one, and a call that has its place
        let hull = Hull.adaptive(minimum: 1, queue: try .firstInFirstOut(10, timeout: .seconds(3600)))
        let gate = Gate()
        let failing = Script<Ask, Answer>.Step.failure(TimeoutError(.attempt, after: .seconds(1)))
        let transport = Script<Ask, Answer>(
            Array(repeating: failing, count: 10)
                + [
                    .respond { _, _ in
                        await gate.pass()
                        return Answer()
                    }.repeated()
                ])
        let chain = try AskChain(transport: transport, interceptors: [hull])
        await ask(chain, times: 10)
        let early = (0..<5).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
        await gate.waitForArrivals(1)
        while hull.waitingCalls(of: "") < 4 {
            await Task.yield()
        }
        // when
        await clock.advance(by: .seconds(60))
        let late = Task { await chain.result(Ask(), options: .with(clock)) }
        // then
        await gate.waitForArrivals(6)
        gate.open()
        for call in early + [late] {
            _ = try await call.value.get()
        }
    }

    @Test(
        "counts what was sent and not answered in time, and nothing else",
        arguments: [
            (Script<Ask, Answer>.Step.failure(TimeoutError(.attempt, after: .seconds(1))), true),
            (.failure(TimeoutError(.connection, after: .seconds(1))), false),
            (.failure(TransportError(.lost)), false),
            (.failure(TransportError(.refused)), false),
            (.failure(StatusError(503)), false),
            (.response(Answer(status: 503)), false),
            (.response(Answer(status: 404)), false),
            (.failure(TransportError(.offline)), false),
            (.failure(RejectionError(.breakerOpen, "open")), false),
            (.failure(CancellationError()), false),
        ])
    func counts(step: Script<Ask, Answer>.Step, isSign: Bool) async throws {
        let hull = Hull.adaptive()
        await ask(try AskChain(transport: Script([step.repeated()]), interceptors: [hull]), times: 20)
        #expect((hull.limit(of: "") == 10) == isSign)
    }

    @Test("counts the deadline of a call that had its time for itself")
    func deadline() async throws {
        let hull = Hull.adaptive(log: nil)
        let server = Script<Ask, Answer>(.hang.repeated())
        let chain = try AskChain(transport: server, interceptors: [Deadline(.seconds(3)), hull])
        let calls = (0..<20).map { _ in Task { await chain.result(Ask(), options: .with(clock)) } }
        await server.waitForRequests(20)
        while clock.sleepers.count < 20 {
            await Task.yield()
        }
        await clock.advance(by: .seconds(3))
        for call in calls {
            #expect(await call.value.failure?.code == "timeout.deadline")
        }
        while hull.runningCalls(of: "") > 0 {
            await Task.yield()
        }
        #expect(hull.limit(of: "") == 10)
    }

    @Test("says in the trace of a call that it limits from now on, and why")
    func trace() async throws {
        let hull = Hull.adaptive()
        let late = TimeoutError(.attempt, after: .seconds(1))
        let chain = try AskChain(transport: Script(.failure(late).repeated()), interceptors: [hull])
        await ask(chain, times: 9)
        let failure = try #require(await chain.result(Ask(), options: .with(clock)).failure)
        #expect("\(failure.trace)".contains("lets 10 calls run at once from now on: 10 of 10 attempts failed"))
    }

    @Test("refuses a minimum that it cannot have", arguments: [0, -1, 100_001])
    func range(minimum: Int) throws {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try AskChain(transport: Script<Ask, Answer>(), interceptors: [Hull.adaptive(minimum: minimum)])
        }
        #expect(error?.setting == "Bulkhead.minimum")
    }

    @Test("has a limit for each destination")
    func destinations() async throws {
        let policy = try Policy {
            Bulkhead<Policy.Operation, Policy.Output>.adaptive()
        }
        for _ in 0..<20 {
            _ = try? await policy.run(to: "a") { throw TimeoutError(.attempt, after: .seconds(1)) }
        }
        let hull = try #require(policy.chain.interceptors.first as? Bulkhead<Policy.Operation, Policy.Output>)
        #expect(hull.limit(of: "a") == 10)
        #expect(hull.limit(of: "b") == 100_000)
    }
}
