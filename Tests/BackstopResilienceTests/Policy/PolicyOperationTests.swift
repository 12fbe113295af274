import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The operation of a policy", .limited)
struct PolicyOperationTests {
    @Test("is not begun when its task is cancelled just before")
    func cancelled() async throws {
        // given
        let runs = Counter()
        let operation = Policy.Operation(
            name: "", destination: "", isIdempotent: false, transient: { _ in false },
            run: { _ in Policy.Output(runs.increment()) })
        // when
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) {
                _ = try await OperationRunner().send(operation, context: CallContext(options: CallOptions()))
            }
        }.value
        // then
        #expect(runs.value == 0)
    }

    @Test("is among those abandoned from when a limit gave it up until it ends, whether or not the run goes on")
    func pastLimit() async throws {
        // given: the first attempt ignores that it is cancelled
        let clock = ManualClock()
        let (gate, runs) = (Gate(), Counter())
        let policy = try Policy(options: .with(clock)) {
            Retry(attempts: 2, baseDelay: .zero)
            AttemptTimeout(.seconds(1))
        }
        let run = Task {
            await policy.result("load", to: "shard 2", isIdempotent: true) {
                if runs.increment() == 1 {
                    await gate.pass()
                }
            }
        }
        await gate.waitForArrivals(1)
        #expect(policy.abandonedOperations.isEmpty)
        // when
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.advance(by: .seconds(1))
        try await run.value.get()
        // then
        let derived = try policy.withOptions { $0.deadline = .seconds(9) }.withChain { ChainRecorder().recording($0) }
        for policy in [policy, derived] {
            #expect(policy.abandonedOperations.map(\.name) == ["load"])
            #expect(policy.abandonedOperations.map(\.destination) == ["shard 2"])
        }
        gate.open()
        while !policy.abandonedOperations.isEmpty {
            await Task.yield()
        }
    }

    @Test("is among those abandoned when its caller is cancelled, and not once it has ended", arguments: [true, false])
    func callerCancelled(isThrowing: Bool) async throws {
        let gate = Gate()
        let policy = try Policy { Retry() }
        let run = Task {
            await policy.result("sleep") {
                await gate.pass()
                if isThrowing {
                    throw ShopError()
                }
            }
        }
        await gate.waitForArrivals(1)
        run.cancel()
        #expect(policy.abandonedOperations.map(\.name) == ["sleep"])
        gate.open()
        _ = await run.value
        #expect(policy.abandonedOperations.isEmpty)
        // a cancellation afterwards is about nothing
        run.cancel()
        #expect(policy.abandonedOperations.isEmpty)
    }

    @Test("is forgotten whenever it ends, at the moment of its cancellation too", arguments: Seed.ofRun)
    func random(seed: Seed) async throws {
        let policy = try Policy { Deadline() }
        var random = seed.numbers
        let yields = (0..<2000).map { _ in (random.below(4), random.below(4)) }
        await withTaskGroup(of: Void.self) { group in
            for (mine, others) in yields {
                group.addTask {
                    let run = Task {
                        await policy.result {
                            for _ in 0..<mine {
                                await Task.yield()
                            }
                        }
                    }
                    for _ in 0..<others {
                        await Task.yield()
                    }
                    run.cancel()
                    _ = await run.value
                }
            }
        }
        #expect(policy.abandonedOperations.isEmpty)
    }
}
