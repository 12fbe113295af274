import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("Settings that are out of their ranges", .limited)
struct InvalidSettingsTests {
    @Test("are thrown by the chain made with them, all at once and in its order")
    func all() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try AskChain(transport: Echo()) {
                Deadline(.seconds(-1))
                Retry(attempts: 0)
                RateLimiter(0, per: .zero, burst: 0, maximumWait: .seconds(-1))
                Bulkhead(limit: 0)
                Hedging(afterPercentile: 2, minimumSamples: 0, attempts: 1)
                AttemptTimeout(.zero)
            }
        }
        #expect(
            error.all.map(\.setting) == [
                "Deadline.limit", "RetryPolicy.attempts", "RateLimiter.count", "RateLimiter.period",
                "RateLimiter.burst", "RateLimiter.maximumWait", "Bulkhead.limit", "Hedging.percentile",
                "Hedging.minimumSamples", "Hedging.attempts", "AttemptTimeout.limit",
            ])
        #expect(error.setting == "Deadline.limit")
        let lines = error.description.split(separator: "\n").map(String.init)
        #expect(lines.count == 11)
        #expect(lines.first?.hasPrefix("Deadline.limit must be more than 0, but is -1.0 seconds. ") == true)
        #expect(lines.last?.hasPrefix("AttemptTimeout.limit must be more than 0, but is 0.0 seconds. ") == true)
    }

    @Test("are thrown by a policy, and by a policy derived from another")
    func policy() throws {
        #expect(throws: ConfigurationError.self) { try Policy { AttemptTimeout(.zero) } }
        let policy = try Policy { Retry() }
        #expect(throws: ConfigurationError.self) { try policy.withChain { $0.prepending(Deadline(.zero)) } }
    }

    @Test("fail the call of a chain derived with them, and nothing is sent")
    func derived() async throws {
        let transport = Script<Ask, Answer>(.response(Answer("fine")))
        let chain = try AskChain(transport: transport) { Retry() }
        let changes: [(AskChain) throws -> AskChain] = [
            { $0.prepending(Deadline(.zero)) },
            { $0.appending(AttemptTimeout(.zero)) },
            { try $0.inserting(Bulkhead(limit: 0), inside: .retry) },
            { try $0.inserting(Bulkhead(limit: 0), outside: .retry) },
            { try $0.replacing(.retry, with: Retry(attempts: 0)) },
        ]
        for change in changes {
            let failure = await #expect(throws: Failure.self) { try await change(chain).call(Ask("ask")) }
            #expect(failure?.underlying is ConfigurationError)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("are forgotten with their interceptor")
    func replaced() async throws {
        let chain = try AskChain(transport: Echo()) { Retry() }.appending(AttemptTimeout(.zero))
        #expect(chain.invalid != nil)
        #expect(chain.removing(.attemptTimeout).invalid == nil)
        #expect(try chain.replacing(.attemptTimeout, with: AttemptTimeout()).invalid == nil)
    }

    @Test("of an interceptor of one's own are found by the setting that it declares")
    func own() throws {
        struct Sampling: Interceptor {
            let share: Double
            var settings: [InterceptorSetting] {
                (0...1).contains(share)
                    ? [] : [.invalid(ConfigurationError(setting: "Sampling.share", problem: "is wrong", fix: "Fix it"))]
            }
            func intercept(_ request: Ask, context: CallContext, next: Next<Ask, Answer>) async throws -> Answer {
                try await next(request)
            }
        }
        #expect(throws: Never.self) { try requireValid(Sampling(share: 0.5)) }
        let error = try #require(throws: ConfigurationError.self) { try requireValid(Sampling(share: 2)) }
        #expect("\(error)" == "Sampling.share is wrong. Fix it")
    }
}
