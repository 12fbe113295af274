import BackstopCore
import BackstopTestSupport
import Testing

@Suite("The settings of a chain's interceptors", .limited)
struct SettingRulesTests {
    private func issues(_ interceptors: any Interceptor<Ask, Answer>..., rules: [OrderRule] = []) throws -> [String] {
        try AskChain(transport: Echo(), interceptors: interceptors, orderRules: rules).orderIssues.map {
            "\($0.rule.severity): \($0)"
        }
    }

    private var fixed: RetryPolicy {
        get throws {
            try RetryPolicy(attempts: 4, backoff: Backoff(baseDelay: .seconds(2), growth: .constant, jitter: .none))
        }
    }

    @Test("are declared by the core's interceptors, with no retry when there is but one attempt")
    func declared() throws {
        let profiles = try AskChain(
            transport: Echo(),
            interceptors: [
                Deadline(.seconds(60)), Deadline(), Retry(), Retry(.never), AttemptTimeout(.seconds(10)),
                Stand(.cache),
            ]
        ).profiles
        #expect(
            profiles.map(\.description) == [
                "deadline(timeLimit: 60 s)", "deadline",
                "retry(attempts: 3, longestWait: 1.5 s, hasJitter: true, hasCap: true, retries: by a closure)",
                "retry(attempts: 1)", "attemptTimeout(timeLimit: 10 s)", "cache",
            ])
    }

    @Test("an attempt that may take as long as the call is an error", arguments: [5, 6])
    func attemptTimeout(seconds: Int) throws {
        #expect(
            try issues(Deadline(.seconds(5)), Retry(), AttemptTimeout(.seconds(seconds))) == [
                "error: One attempt may take \(seconds) s, and the call 5 s: a server that hangs uses up the whole "
                    + "call, and nothing is retried. Give AttemptTimeout a part of the time of Deadline."
            ])
        #expect(try issues(Deadline(.seconds(5)), Retry(), AttemptTimeout(.milliseconds(4999))).isEmpty)
        #expect(try issues(Deadline(), Retry(), AttemptTimeout(.seconds(seconds))).isEmpty)
    }

    @Test("two retries say how many attempts they make together")
    func twoRetries() throws {
        #expect(
            try issues(Retry(), Retry(attempts: 4)) == [
                "warning: Retry occurs more than once, for up to 3 × 4 = 12 attempts: the attempts of one multiply with "
                    + "those of the other. Keep one Retry and remove the rest."
            ])
        #expect(try issues(Retry(), Stand(.retry)).map { $0.contains("more than once: the") } == [true])
        #expect(
            try issues(Stand(.retry, .attempts(.max)), Retry()).map { $0.contains("more than once: the") } == [true])
    }

    @Test("waits that add up to the deadline are a warning, and those inside retry count once for each attempt")
    func longestWaits() throws {
        // 2 s before each of three further attempts
        #expect(
            try issues(
                Deadline(.seconds(6)),
                Retry(RetryPolicy(attempts: 4, backoff: Backoff(baseDelay: .seconds(2), growth: .constant))))
                == [
                    "warning: The waits of Retry may add up to 6 s, and the call may take 6 s: the last attempts "
                        + "never start. Allow fewer attempts or shorter waits, or a later deadline."
                ])
        #expect(
            try issues(
                Deadline(.milliseconds(6001)),
                Retry(RetryPolicy(attempts: 4, backoff: Backoff(baseDelay: .seconds(2), growth: .constant)))
            ).isEmpty)
        // 1.5 s of backoff, and 3 s in each of three attempts
        let queue = Stand(.custom("queue"), .longestWait(.seconds(3)))
        #expect(try issues(Deadline(.milliseconds(10_501)), Retry(), queue).isEmpty)
        #expect(
            try issues(Deadline(.milliseconds(10_500)), Retry(), queue).map { $0.contains("add up to 10.5 s") } == [
                true
            ])
        #expect(try issues(Deadline(.milliseconds(4501)), queue, Retry()).isEmpty)
        #expect(try issues(Retry(), Deadline(.seconds(1)), queue).count == 2)
    }

    @Test("of any size are no danger")
    func extremes() throws {
        let long = Duration.seconds(Int64.max)
        let patient = try Retry<Ask, Answer>(
            RetryPolicy(attempts: 100, backoff: Backoff(baseDelay: long, maximumDelay: long)))
        #expect(
            try issues(
                Deadline(long), Stand(.retry, .attempts(.max), .longestWait(long)), patient, AttemptTimeout(long)
            ).count == 3)
    }

    @Test("a retry that waits without jitter or cap is a warning")
    func jitterAndCap() throws {
        #expect(
            try issues(Retry(fixed)) == [
                "warning: Retry waits without jitter: clients that failed together come back together. "
                    + "Use a Backoff with jitter."
            ])
        #expect(
            try issues(Stand(.retry, .hasCap(false))) == [
                "warning: Retry waits without a cap: each wait is longer than the one before, until nobody waits for it "
                    + "any more. Give the Backoff a maximum delay."
            ])
        #expect(try issues(Retry(), Stand(.custom("cap"), .hasCap(false), .hasJitter(false))).isEmpty)
        // Whoever does not wait needs no jitter.
        #expect(try issues(Retry(RetryPolicy(backoff: .none))).isEmpty)
    }

    @Test("may be an app's own, with rules of its own about one interceptor or two")
    func own() throws {
        // given
        let heavy = OrderRule.settings(
            of: .custom("batch"), severity: .warning, when: "it holds more than 100", reason: "the server takes 100",
            fix: "Lower the size."
        ) { batch in
            batch.count("size").flatMap { $0 > 100 ? "A batch has \($0)" : nil }
        }
        let slow = OrderRule.settings(
            of: .custom("batch"), inside: .deadline, when: "it collects for longer", reason: "it is never sent",
            fix: "Collect for a shorter time."
        ) { batch, call in
            guard let time = batch.duration("collects"), let limit = call.timeLimit, time > limit else {
                return nil
            }
            return "A batch collects for \(time.text), and the call may take \(limit.text)"
        }
        func batch(_ size: Int, _ seconds: Int) -> Stand {
            Stand(
                .custom("batch"), InterceptorSetting("size", .count(size)),
                InterceptorSetting("collects", .duration(.seconds(seconds))))
        }
        let limit = Stand(.deadline, .timeLimit(.seconds(2)))
        // then
        #expect(try issues(limit, batch(100, 2), rules: [heavy, slow]).isEmpty)
        #expect(
            try issues(limit, batch(101, 3), batch(1, 1), rules: [heavy, slow]) == [
                "error: A batch collects for 3 s, and the call may take 2 s: it is never sent. "
                    + "Collect for a shorter time.",
                "warning: A batch has 101: the server takes 100. Lower the size.",
            ])
        #expect(try issues(batch(100, 9), limit, rules: [heavy, slow]).isEmpty)
    }

    @Test("are read by name and kind, the first of a name")
    func names() {
        let profile = InterceptorProfile(
            role: .retry, settings: [.attempts(3), .attempts(4), .window(.seconds(1)), .repeatsUnsafeRequests(true)])
        #expect(profile.attempts == 3)
        #expect(profile.count("window") == nil)
        #expect(profile.window == .seconds(1))
        #expect(profile.repeatsUnsafeRequests == true)
        #expect(profile.flag("attempts") == nil)
        #expect(profile.duration("attempts") == nil)
        #expect(profile["none"] == nil)
        #expect(profile.rejection == nil)
        #expect(profile.retries(RejectionError(.limit, "full")) == nil)
    }

    @Test("say which refusals a retry would try again")
    func refusals() throws {
        func retries(_ policy: RetryPolicy, _ error: RejectionError) throws -> Bool? {
            try AskChain(transport: Echo(), interceptors: [Retry(policy)]).profiles.first?.retries(error)
        }
        #expect(try retries(.standard, RejectionError("full", "", isTransient: true)) == false)
        #expect(try retries(.standard, RejectionError("full", "", isTransient: false)) == false)
        #expect(try retries(RetryPolicy { $0.isTransient }, RejectionError("full", "", isTransient: true)) == true)
        #expect(try retries(.never, RejectionError("full", "", isTransient: true)) == nil)
        #expect(try retries(RetryPolicy { _ in true }, RejectionError("full", "", isTransient: false)) == true)
    }

    @Test("are not read in a call")
    func onlyWhenChecked() async throws {
        // given
        struct Watched: Interceptor {
            let reads: Counter
            var settings: [InterceptorSetting] {
                reads.increment()
                return []
            }
            func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
                try await next(request)
            }
        }
        let reads = Counter()
        let chain = try AskChain(transport: Echo(), interceptors: [Watched(reads: reads)])
        #expect(reads.value == 1)
        // when
        _ = try await chain.call(Ask())
        // then
        #expect(reads.value == 1)
        #expect(chain.orderIssues.isEmpty)
        #expect(reads.value == 2)
    }
}
