import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("One interceptor in two places of a chain", .limited)
struct SameInstanceTests {
    private static let bulkhead: @Sendable () throws -> any Interceptor<Ask, Answer> = {
        Bulkhead<Ask, Answer>(limit: 1, queue: .none)
    }
    private static let limiter: @Sendable () throws -> any Interceptor<Ask, Answer> = {
        RateLimiter<Ask, Answer>(2, per: .seconds(60), maximumWait: .zero)
    }
    private static let breaker: @Sendable () throws -> any Interceptor<Ask, Answer> = {
        CircuitBreaker<Ask, Answer>(try CircuitBreakerPolicy(window: .calls(20)), log: nil)
    }

    private func chain(_ interceptors: [any Interceptor<Ask, Answer>]) throws -> AskChain {
        try AskChain(transport: Script(.response(Answer()).repeated()), interceptors: interceptors)
    }

    private func texts(_ chain: AskChain) -> [String] {
        chain.orderIssues.map { "\($0.outerPosition) \($0.innerPosition) \($0.rule.severity) \($0)" }
    }

    @Test(
        "is warned of, because it counts each call twice",
        arguments: [
            (
                bulkhead, "Bulkhead",
                "each call needs two of its places, and calls that have one each wait for each other"
            ),
            (limiter, "RateLimiter", "each call takes two tokens, so half as many calls are sent as it allows"),
            (
                breaker, "CircuitBreaker",
                "it counts each call twice, so half as many failures open it, and a probe refuses itself"
            ),
        ])
    func same(make: @Sendable () throws -> any Interceptor<Ask, Answer>, name: String, reason: String) throws {
        let one = try make()
        let warning =
            "The same \(name) is in the chain twice: \(reason). "
            + "Keep one of them, or make a \(name) of its own for each place."
        #expect(try texts(chain([one, Mark("between"), one])) == ["0 2 warning \(warning)"])
        #expect(try texts(chain([one])) == [])
        // Two of one kind may be in a chain: one for all calls, and one for each host.
        #expect(try texts(chain([one, try make()])) == [])
    }

    @Test("refuses its own calls, or lets half as many through")
    func reason() async throws {
        let bulkhead = try Self.bulkhead()
        let limiter = try Self.limiter()
        let full = try await chain([bulkhead, bulkhead]).result(Ask(), options: .with(ManualClock()))
        #expect(full.failure?.code == "rejected.limit")
        let limited = try chain([limiter, limiter])
        let options = CallOptions.with(ManualClock())
        #expect(await limited.result(Ask(), options: options).failure == nil)
        #expect(await limited.result(Ask(), options: options).failure?.code == "rejected.rateLimit")
    }

    @Test("is found in a policy that contains another")
    func policies() throws {
        let bulkhead = Bulkhead<Policy.Operation, Policy.Output>(limit: 2)
        let database = try Policy { bulkhead }
        let policy = try Policy {
            bulkhead
            database
        }
        #expect(policy.chain.orderIssues.map(\.finding) == ["The same Bulkhead is in the chain twice"])
    }

    private final class Shelf {}

    @Test("is told by the state that an interceptor of an app declares")
    func declared() {
        let shelf = Shelf()
        let profile = InterceptorProfile(role: .cache, settings: [.state(shelf)])
        #expect(profile.state == ObjectIdentifier(shelf))
        #expect(InterceptorProfile(role: .cache).state == nil)
        let issues = OrderIssue.issues(
            in: [Role.bulkhead, .rateLimiter, .circuitBreaker].flatMap { role in
                [InterceptorProfile(role: role, settings: [.state(shelf)]), InterceptorProfile(role: role)]
            })
        #expect(!issues.contains { $0.finding.hasPrefix("The same") })
    }
}
