import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A retry policy", .limited)
struct RetryPolicyTests {
    @Test("cannot be made of settings without sense", arguments: [0, -1, 101, Int.max, Int.min])
    func attempts(attempts: Int) throws {
        let error = try #require(throws: ConfigurationError.self) { try RetryPolicy(attempts: attempts) }
        #expect(error.setting == "RetryPolicy.attempts")
        #expect(error.problem.contains("\(attempts)"))
        #expect(throws: ConfigurationError.self) { try requireValid(Retry<Ask, Answer>(attempts: attempts)) }
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

    @Test("of the interceptor's short form has the delays that are given")
    func shortForm() throws {
        let plain = Retry<Ask, Answer>(attempts: 5).policy
        #expect(plain.attempts == 5)
        #expect(plain.backoff == .standard)
        let given = Retry<Ask, Answer>(attempts: 2, baseDelay: .seconds(1), maximumDelay: .seconds(4)).policy
        #expect(given.backoff == (try Backoff(baseDelay: .seconds(1), maximumDelay: .seconds(4))))
        let long = Retry<Ask, Answer>(attempts: 2, baseDelay: .seconds(60)).policy
        #expect(long.backoff.maximumDelay == .seconds(60))
    }

    @Test("of the interceptor's short form refuses delays without sense")
    func shortFormInvalid() {
        #expect(throws: ConfigurationError.self) {
            try requireValid(Retry<Ask, Answer>(attempts: 2, baseDelay: .seconds(-1)))
        }
        #expect(throws: ConfigurationError.self) {
            try requireValid(Retry<Ask, Answer>(attempts: 2, baseDelay: .seconds(2), maximumDelay: .seconds(1)))
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

    /// Calls once with a policy; the service answers 500, with or without a wait, and then well.
    private func calls(_ policy: RetryPolicy, wait: Duration?, body: String = "") async throws -> (
        count: Int, sleeps: [Duration]
    ) {
        let clock = RecordingClock()
        let transport = Script<Ask, Answer>(
            .response(Answer(body, status: 500, wait: wait)), .response(Answer("there")))
        let chain = try AskChain(transport: transport) {
            Retry(policy)
            Judge()
        }
        _ = await chain.result(Ask("x"), options: .with(clock, random: FixedRandom(units: 0.5)))
        return (transport.requests.count, clock.sleeps)
    }

    @Test("can look at the response: a 500 only with Retry-After", arguments: [(Duration.seconds(2), 2), (nil, 1)])
    func response(wait: Duration?, count: Int) async throws {
        let policy = try RetryPolicy { $0.receivedResponse?.retryAfter(now: .zero) != nil }
        #expect(try await calls(policy, wait: wait).count == count)
    }

    @Test("can look at the body and at the request", arguments: [("busy", 2), ("broken", 1)])
    func body(body: String, count: Int) async throws {
        let policy = try RetryPolicy { candidate in
            (candidate.receivedResponse as? Answer)?.body == "busy" && (candidate.sentRequest as? Ask)?.text == "x"
        }
        #expect(try await calls(policy, wait: nil, body: body).count == count)
    }

    @Test("may ignore the wait that the server asks for")
    func ignoringRetryAfter() async throws {
        // given: more than is accepted, so that it would end the call
        let policy = try RetryPolicy(honorsRetryAfter: false)
        // when
        let (count, sleeps) = try await calls(policy, wait: .seconds(3600))
        // then
        #expect(count == 2)
        #expect(sleeps == [.milliseconds(250)])
    }
}
