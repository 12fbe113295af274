import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The retry budgets of a policy", .limited)
struct PolicyBudgetTests {
    private let clock = RecordingClock()
    private let retry = Retry<Policy.Operation, Policy.Output>()

    private func policy(@Policy.Builder _ interceptors: () -> [any Policy.Interceptor]) throws -> Policy {
        try Policy(options: .with(clock, random: FixedRandom(units: 0.5)), interceptors: interceptors)
    }

    /// Uses up the two retries of a destination.
    private func exhaust(_ policy: Policy, _ destination: String = "") async {
        #expect(await attempts(policy, destination) == 3)
    }

    /// How many attempts a run makes that always fails: as many as there are retries, and one.
    private func attempts(_ policy: Policy, _ destination: String = "") async -> Int? {
        await policy.result(to: destination) { throw TransportError(.lost) }.failure?.attempts.count
    }

    @Test("are its own, even if it shares a retry with another: what one dependency costs, the other has")
    func separate() async throws {
        // given
        let one = try policy { retry }
        let other = try policy { retry }
        // when
        await exhaust(one)
        // then
        #expect(await attempts(one) == 1)
        #expect(await attempts(other) == 3)
    }

    @Test("are shared with the policies derived from it, whatever retry they have")
    func derived() async throws {
        // given
        let policy = try policy { retry }
        let patient = try policy.withChain { chain in
            chain.removing(.retry).prepending(Retry(.standard))
        }
        let brief = policy.withOptions { $0.deadline = .seconds(60) }
        // when
        await exhaust(policy)
        // then
        #expect(await attempts(patient) == 1)
        #expect(await attempts(brief) == 1)
    }

    @Test("stay with it inside others, so that what one of them learns of the dependency, all know")
    func nested() async throws {
        // given
        let database = try policy { retry }
        let deadline = Deadline<Policy.Operation, Policy.Output>(.seconds(60))
        let one = try policy {
            deadline
            database
        }
        let other = try policy { database }
        // when
        await exhaust(one)
        // then
        #expect(await attempts(other) == 1)
        #expect(await attempts(database) == 1)
        #expect(try await attempts(policy { retry }) == 3)
    }

    @Test("are its own when it runs inside the operation of another")
    func insideOperation() async throws {
        // given
        let inner = try policy { retry }
        let outer = try policy { retry }
        await exhaust(inner)
        // when
        let failure = await outer.result {
            #expect(await attempts(inner) == 1)
        }.failure
        // then
        #expect(failure == nil)
        #expect(await attempts(outer) == 3)
    }

    @Test("are one for each destination, which interceptors see")
    func destinations() async throws {
        // given
        let limit = Bulkhead<Policy.Operation, Policy.Output>(limit: 1, grouping: .by(\.destination))
        let policy = try policy {
            retry
            limit
        }
        // when
        await exhaust(policy, "first")
        let running = await policy.result(to: "second") { limit.runningCalls(of: "second") }
        // then
        #expect(try running.get() == 1)
        #expect(await attempts(policy, "first") == 1)
        #expect(await attempts(policy, "third") == 3)
        #expect(await attempts(policy) == 3)
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
        let policy = try policy {
            Look(seen: seen)
            Look(seen: seen)
        }
        #expect(try await policy.run("load", to: "here") { 1 } == 2)
        #expect(seen.all == ["here", "here"])
    }
}
