import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The retry budgets of a policy", .limited)
struct PolicyBudgetTests {
    private let clock = RecordingClock()
    private let retry = Retry<Policy.Operation, Policy.Output>()

    private func policy(@Policy.Builder _ interceptors: () -> [any Policy.Interceptor]) -> Policy {
        Policy(options: .with(clock, random: FixedRandom(units: 0.5)), interceptors: interceptors)
    }

    /// Two timeouts in a row begin a silence.
    private func silence(_ policy: Policy, _ destination: String = "") async {
        let failure = await policy.result(to: destination) { throw TimeoutError(.attempt, after: .seconds(1)) }.failure
        #expect(failure?.code == "timeout.attempt")
    }

    /// The code of a call; nil when it ran.
    private func code(_ policy: Policy, _ destination: String = "") async -> String? {
        await policy.result(to: destination) {}.failure?.code
    }

    @Test("are its own, even if it shares a retry with another: a silence of one dependency does not stop the other")
    func separate() async {
        // given
        let one = policy { retry }
        let other = policy { retry }
        // when
        await silence(one)
        // then
        #expect(await code(one) == "rejected.silence")
        #expect(await code(other) == nil)
    }

    @Test("are shared with the policies derived from it, whatever retry they have")
    func derived() async {
        // given
        let policy = policy { retry }
        let patient = policy.withChain { chain in
            chain.removing(.retry).prepending(Retry(.standard))
        }
        let brief = policy.withOptions { $0.deadline = .seconds(60) }
        // when
        await silence(policy)
        // then
        #expect(await code(patient) == "rejected.silence")
        #expect(await code(brief) == "rejected.silence")
    }

    @Test("stay with it inside others, so that what one of them learns of the dependency, all know")
    func nested() async throws {
        // given
        let database = policy { retry }
        let deadline = try Deadline<Policy.Operation, Policy.Output>(.seconds(60))
        let one = policy {
            deadline
            database
        }
        let other = policy { database }
        // when
        await silence(one)
        // then
        #expect(await code(other) == "rejected.silence")
        #expect(await code(database) == "rejected.silence")
        #expect(await code(policy { retry }) == nil)
    }

    @Test("are its own when it runs inside the operation of another")
    func insideOperation() async {
        // given
        let inner = policy { retry }
        let outer = policy { retry }
        await silence(inner)
        // when
        let failure = await outer.result { try await inner.run {} }.failure
        // then
        #expect(failure?.code == "rejected.silence")
        #expect(await code(outer) == nil)
    }

    @Test("are one for each destination, which interceptors see")
    func destinations() async throws {
        // given
        let limit = try Bulkhead<Policy.Operation, Policy.Output>(limit: 1, grouping: .by(\.destination))
        let policy = policy {
            retry
            limit
        }
        // when
        await silence(policy, "first")
        let running = await policy.result(to: "second") { limit.runningCalls(of: "second") }
        // then
        #expect(try running.get() == 1)
        #expect(await code(policy, "first") == "rejected.silence")
        #expect(await code(policy, "third") == nil)
        #expect(await code(policy) == nil)
    }

    private struct Look: Policy.Interceptor {
        let seen: Notes<String>
        func intercept(
            _ request: Policy.Operation, context: CallContext, next: Policy.Next
        ) async throws -> Policy.Output {
            seen.add(request.destination)
            return try await next(request.replaced { _ in 2 })
        }
    }

    @Test("stay those of the destination when an interceptor replaces the operation")
    func replaced() async throws {
        let seen = Notes<String>()
        let policy = policy {
            Look(seen: seen)
            Look(seen: seen)
        }
        #expect(try await policy.run("load", to: "here") { 1 } == 2)
        #expect(seen.all == ["here", "here"])
    }
}
