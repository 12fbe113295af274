import BackstopCore
import Testing

@Suite("A retry policy")
struct RetryPolicyTests {
    @Test("cannot be made of settings without sense", arguments: [0, -1, 101, Int.max, Int.min])
    func attempts(attempts: Int) throws {
        let error = try #require(throws: ConfigurationError.self) { try RetryPolicy(attempts: attempts) }
        #expect(error.setting == "RetryPolicy.attempts")
        #expect(error.problem.contains("\(attempts)"))
        #expect(throws: ConfigurationError.self) { try Retry<Ask, Answer>(attempts: attempts) }
    }

    @Test("can be made with the least and the most attempts", arguments: [1, 100])
    func range(attempts: Int) throws {
        #expect(try RetryPolicy(attempts: attempts).attempts == attempts)
    }

    @Test("cannot accept a negative Retry-After")
    func retryAfter() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try RetryPolicy(maximumRetryAfter: .seconds(-1))
        }
        #expect(error.setting == "RetryPolicy.maximumRetryAfter")
        #expect(try RetryPolicy(maximumRetryAfter: .zero).maximumRetryAfter == .zero)
    }

    @Test("of the link's short form has the delays that are given")
    func shortForm() throws {
        let plain = try Retry<Ask, Answer>(attempts: 5).policy
        #expect(plain.attempts == 5)
        #expect(plain.backoff == .standard)
        let given = try Retry<Ask, Answer>(attempts: 2, baseDelay: .seconds(1), maximumDelay: .seconds(4)).policy
        #expect(given.backoff == (try Backoff(base: .seconds(1), cap: .seconds(4))))
        let long = try Retry<Ask, Answer>(attempts: 2, baseDelay: .seconds(60)).policy
        #expect(long.backoff.cap == .seconds(60))
    }

    @Test("of the link's short form refuses delays without sense")
    func shortFormInvalid() {
        #expect(throws: ConfigurationError.self) { try Retry<Ask, Answer>(attempts: 2, baseDelay: .seconds(-1)) }
        #expect(throws: ConfigurationError.self) {
            try Retry<Ask, Answer>(attempts: 2, baseDelay: .seconds(2), maximumDelay: .seconds(1))
        }
    }

    @Test("has the standard settings that are documented")
    func standard() {
        #expect(RetryPolicy.standard.attempts == 3)
        #expect(RetryPolicy.standard.backoff == .standard)
        #expect(RetryPolicy.standard.maximumRetryAfter == .seconds(60))
        #expect(RetryPolicy.never.attempts == 1)
        #expect(Retry<Ask, Answer>().policy.attempts == 3)
    }
}
