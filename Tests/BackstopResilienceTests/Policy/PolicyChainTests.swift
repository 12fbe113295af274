import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The chain of a policy", .limited)
struct PolicyChainTests {
    /// Writes its name when it is entered.
    private struct Step: Policy.Interceptor {
        let name: String
        let seen: Notes<String>
        var role: Role { .custom(name) }

        func intercept(
            _ request: Policy.Operation, context: CallContext, next: Policy.Next
        ) async throws -> Policy.Output {
            seen.add(name)
            return try await next(request)
        }
    }

    /// Answers itself.
    private struct Answering: Policy.Interceptor {
        let output: Policy.Output

        func intercept(
            _ request: Policy.Operation, context: CallContext, next: Policy.Next
        ) async throws -> Policy.Output {
            output
        }
    }

    @Test("has the interceptors of a policy in it, in its place and with their state")
    func composed() async throws {
        // given
        let seen = Notes<String>()
        let inner = try Policy {
            Step(name: "b", seen: seen)
            Step(name: "c", seen: seen)
        }
        let isLogged = true
        // when
        let outer = try Policy {
            if isLogged {
                Step(name: "a", seen: seen)
            }
            inner
            for name in ["d", "e"] {
                Step(name: name, seen: seen)
            }
        }
        // then
        #expect(outer.chain.roles.map(\.name) == ["a", "b", "c", "d", "e"])
        #expect(try await outer.run { 1 } == 1)
        #expect(seen.all == ["a", "b", "c", "d", "e"])
    }

    @Test("finds mistakes in its order, also across the policies in it")
    func order() throws {
        // given
        let attempts = try Policy { Retry() }
        // when
        let issues = try Policy {
            AttemptTimeout(.seconds(1))
            attempts
            Deadline()
        }.chain.orderIssues
        // then
        #expect(
            issues.map { "\($0.rule.outer)-\($0.rule.inner)" }
                == ["retry-attemptTimeout", "deadline-retry", "deadline-attemptTimeout"])
        #expect(
            try Policy {
                Deadline(); attempts; AttemptTimeout(.seconds(1))
            }.chain.orderIssues.isEmpty)
    }

    @Test("can be changed for one run")
    func derived() async throws {
        // given
        let policy = try Policy(options: .with(RecordingClock()), isTransient: { _ in true }) { Retry() }
        let runs = Counter()
        // when
        let failure = try await policy.withChain { try $0.replacing(.retry, with: Retry(attempts: 5)) }.result {
            () async throws -> Int in
            runs.increment()
            throw CancellationError()
        }.failure
        // then
        #expect(runs.value == 5)
        #expect(failure?.stopReason == .attemptsUsed(5))
    }

    @Test("may have an interceptor that answers with a value of the operation's type")
    func answer() async throws {
        let policy = try Policy { Answering(output: Policy.Output([1])) }
        #expect(try await policy.run { [2] } == [1])
        // A value serves for an optional one.
        #expect(try await policy.run { () -> [Int]? in nil } == [1])
    }

    @Test("fails a run whose interceptor answers with another type, and names both; it is never repeated")
    func wrongType() async throws {
        // given
        let policy = try Policy {
            Retry()
            Answering(output: Policy.Output("text"))
        }
        // when
        let failure = try #require(await policy.result { [2] }.failure)
        // then
        let error = try #require(failure.error(as: Policy.OutputError.self))
        #expect(error.expected == "[Int]")
        #expect(error.found == "String")
        #expect(failure.stopReason == .outsideRetry)
        #expect(!failure.isTransient)
    }

    @Test("may run another operation in the place of the one that was asked for", arguments: [true, false])
    func replaced(isIdempotent: Bool) async throws {
        // given
        struct Replica: Policy.Interceptor {
            let isIdempotent: Bool?

            func intercept(
                _ request: Policy.Operation, context: CallContext, next: Policy.Next
            ) async throws -> Policy.Output {
                try await next(request.replaced(isIdempotent: isIdempotent) { context in "\(context.name) replica" })
            }
        }
        // then
        #expect(try await Policy { Replica(isIdempotent: nil) }.run("load") { "primary" } == "load replica")
        let recorder = RecordingObserver()
        var options = CallOptions()
        options.observers = [recorder]
        _ = try await Policy(options: options) { Replica(isIdempotent: isIdempotent) }.run("load") { "primary" }
        let sent = try #require(recorder.calls.first?.request as? Policy.Operation)
        #expect(sent.isIdempotent == isIdempotent)
        #expect(sent.name == "load")
    }

    @Test("another operation in the place of one that may run only once may run only once too")
    func replacedOnce() async throws {
        // given
        let runs = Counter()
        struct Replica: Policy.Interceptor {
            let runs: Counter

            func intercept(
                _ request: Policy.Operation, context: CallContext, next: Policy.Next
            ) async throws -> Policy.Output {
                try await next(
                    request.replaced { _ -> Int in
                        runs.increment()
                        throw ShopError()
                    })
            }
        }
        let policy = try Policy(options: .with(RecordingClock())) {
            Retry()
            Replica(runs: runs)
        }
        // when
        let failure = await policy.result(isIdempotent: false) { 1 }.failure
        // then
        #expect(runs.value == 1)
        #expect(failure?.stopReason == .notIdempotent)
    }

    @Test("keeps the policy's options, rules and judgement of errors when it is derived")
    func derivedKeeps() async throws {
        // given: a clock that need not wait, a rule of the app's own, and an error that is not worth a second try
        let rule = OrderRule(outer: .custom("a"), inner: .custom("b"), reason: "a comes first")
        let seen = Notes<String>()
        let clock = RecordingClock()
        let policy = try Policy(options: .with(clock), isTransient: { $0 as? ShopError != ShopError(article: "desk") })
        {
            Retry()
        }
        // when
        let derived = try policy.withChain { chain in
            try Chain(
                transport: chain.transport,
                interceptors: [Step(name: "b", seen: seen), Step(name: "a", seen: seen)] + chain.interceptors,
                orderRules: [rule])
        }
        let again = try derived.withChain { $0 }
        // then
        for policy in [derived, again] {
            #expect(policy.chain.orderIssues.map(\.rule.reason) == ["a comes first"])
            let failure = await policy.result { () async throws -> Int in throw ShopError(article: "desk") }.failure
            #expect(failure?.stopReason == .notRetryable)
        }
        #expect(clock.sleeps.isEmpty)
        #expect(await again.result { () async throws -> Int in throw ShopError() }.failure?.attempts.count == 3)
        #expect(clock.sleeps.count == 2)
    }

    @Test("tells observers of every run once, with its attempts")
    func observers() async throws {
        // given
        let recorder = RecordingObserver()
        var options = CallOptions.with(RecordingClock())
        options.observers = [recorder]
        options.name = "default"
        let policy = try Policy(options: options) { Retry() }
        // when
        _ = try await policy.run(isIdempotent: true) { context in
            guard context.attempt == 2 else {
                throw ShopError()
            }
            return 2
        }
        _ = await policy.result("named") { () async throws -> Int in throw RejectionError("quota", "No more.") }
        // then
        #expect(recorder.calls.map(\.name) == ["default", "named"])
        #expect(recorder.calls.map { $0.trace.outcome } == ["ok", "rejected.quota"])
        #expect(recorder.calls.map { $0.trace.attempts.count } == [2, 1])
    }

    @Test("is described by its interceptors, outermost first")
    func description() throws {
        let policy = try Policy {
            Retry()
            AttemptTimeout(.seconds(1))
        }
        #expect(
            policy.description == """
                1. Retry (retry)
                2. AttemptTimeout (attemptTimeout)
                3. OperationRunner (transport)
                """)
        #expect("\(policy)" == policy.description)
    }
}
