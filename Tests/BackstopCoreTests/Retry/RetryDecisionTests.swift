import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The decision to retry", .limited)
struct RetryDecisionTests {
    private let clock = RecordingClock()

    private func options(units: Double = 0.5) -> CallOptions {
        .with(clock, random: FixedRandom(units: units))
    }

    @Test("sees the error, the request, the response and every attempt so far")
    func candidate() async throws {
        // given
        let seen = Notes<RetryCandidate>()
        let policy = try RetryPolicy { candidate in
            seen.add(candidate)
            return true
        }
        let answer = Answer("busy", status: 503, wait: .seconds(4))
        let transport = Script<Ask, Answer>(
            .delay(.seconds(2), then: .failure(TransportError(.lost))),
            .delay(.seconds(3), then: .failure(StatusError(503, response: answer))),
            .delay(.seconds(1), then: .failure(ShopError(article: "desk"))))
        let chain = try AskChain(transport: transport) { Retry(policy) }
        // when
        _ = await chain.result(Ask("x"), options: options())
        // then
        let last = try #require(seen.all.last)
        #expect(seen.all.map(\.attempts.count) == [1, 2, 3])
        #expect(last.underlying as? ShopError == ShopError(article: "desk"))
        #expect((last.sentRequest as? Ask)?.text == "x")
        #expect(last.attempts.map(\.number) == [1, 2, 3])
        #expect(last.attempts.map(\.duration) == [.seconds(2), .seconds(3), .seconds(1)])
        #expect(last.attempts.map(\.wait) == [.zero, .milliseconds(250), .seconds(4)])
        #expect(last.attempts.map(\.waitReason) == [nil, "backoff", "Retry-After"])
        #expect(
            last.attempts.map(\.result)
                == [.failed(code: "transport.lost"), .failed(code: "status.503"), .failed(code: "other")])
        #expect((seen.all[1].receivedResponse as? Answer)?.body == "busy")
    }

    @Test("may depend on how long the attempts have taken", arguments: [(1, 3), (20, 1)])
    func slow(seconds: Int, count: Int) async throws {
        // given
        let clock = clock
        let policy = try RetryPolicy { candidate in
            candidate.attempts.allSatisfy { $0.duration < .seconds(10) } && candidate.isTransient
        }
        let transport = Script<Ask, Answer>(
            Stub.respond { _, _ in
                clock.advance(by: .seconds(seconds))
                throw TransportError(.lost)
            }.repeated())
        // when
        let failure = try await AskChain(transport: transport) { Retry(policy) }.result(Ask(), options: options())
            .failure
        // then
        #expect(transport.requests.count == count)
        #expect(failure?.stopReason == (count == 1 ? .notRetryable : .attemptsUsed(3)))
    }

    @Test("follows the policy of the call where it has one", arguments: [(1, true), (2, true), (5, true), (3, false)])
    func override(attempts: Int, isOwn: Bool) async throws {
        // given
        var options = options()
        options.retry = isOwn ? try RetryPolicy(attempts: attempts, backoff: .none) : nil
        let transport = Script<Ask, Answer>(Stub.failure(TransportError(.lost)).repeated())
        let chain = try AskChain(transport: transport) { Retry() }
        // when
        let failure = await chain.result(Ask(), options: options).failure
        // then
        #expect(transport.requests.count == attempts)
        #expect(failure?.stopReason == .attemptsUsed(attempts))
        #expect(clock.sleeps.allSatisfy { ($0 == .zero) == isOwn })
    }

    @Test("of a call does not reach a chain without Retry, or another call")
    func overrideAlone() async throws {
        // given
        var options = options()
        options.retry = try RetryPolicy(attempts: 5)
        let transport = Script<Ask, Answer>(Stub.failure(TransportError(.lost)).repeated())
        // when
        let failure = try await AskChain(transport: transport) {}.result(Ask(), options: options).failure
        _ = try await AskChain(transport: transport) { Retry() }.result(Ask(), options: self.options())
        // then
        #expect(failure?.stopReason == .noRetry)
        #expect(transport.requests.count == 1 + 3)
    }

    @Test("keeps the wait before for the next one, where the backoff is decorrelated")
    func decorrelated() async throws {
        // given: half of the range each time, in milliseconds
        let backoff = try Backoff(baseDelay: .milliseconds(100), maximumDelay: .seconds(1), growth: .decorrelated)
        let transport = Script<Ask, Answer>(
            .failure(TransportError(.lost)), .failure(TransportError(.lost)),
            .response(Answer(status: 503, wait: .seconds(9))), Stub.failure(TransportError(.lost)).repeated())
        let chain = try AskChain(transport: transport) {
            Retry(try RetryPolicy(attempts: 5, backoff: backoff))
            Judge()
        }
        // when
        _ = await chain.result(Ask(), options: options())
        // then: from 100 to 300, from 100 to 600, as the server asks, and from 100 to the maximum
        #expect(
            clock.sleeps == [.milliseconds(200), .milliseconds(350), .seconds(9), .milliseconds(550)])
    }

    /// Calls once; the service answers with a status and these hints, and then well.
    private func call(
        _ policy: RetryPolicy, status: Int = 429, wait: Duration? = nil, reset: Duration?
    ) async throws -> Result<Answer, Failure> {
        var answer = Answer(status: status, wait: wait)
        answer.reset = reset
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(answer), .response(Answer("there")))) {
            Retry(policy)
            Judge()
        }
        return await chain.result(Ask(), options: options())
    }

    @Test("waits until a rate limit is renewed, and then a little longer", arguments: [429, 503, 500])
    func rateLimit(status: Int) async throws {
        #expect(try await call(.standard, status: status, reset: .seconds(30)).get().body == "there")
        // The 250 ms of the backoff come on top.
        #expect(clock.sleeps == [.milliseconds(30_250)])
    }

    @Test("does not wait for a rate limit that is renewed now")
    func rateLimitNow() async throws {
        var answer = Answer(status: 429)
        answer.reset = .zero
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(answer).repeated())) {
            Retry(attempts: 2)
            Judge()
        }
        let failure = try #require(await chain.result(Ask(), options: options()).failure)
        #expect(failure.attempts.map(\.waitReason) == [nil, "backoff"])
        #expect(clock.sleeps == [.milliseconds(250)])
    }

    @Test("goes by Retry-After where there is a rate limit as well", arguments: [1, 3600])
    func retryAfterFirst(reset: Int) async throws {
        #expect(try await call(.standard, wait: .seconds(5), reset: .seconds(reset)).get().body == "there")
        #expect(clock.sleeps == [.seconds(5)])
    }

    @Test("is against it where the rate limit is renewed later than is accepted")
    func rateLimitTooLong() async throws {
        // given
        let policy = try RetryPolicy(maximumRetryAfter: .seconds(60))
        // then
        #expect(try await call(policy, reset: .seconds(60)).get().body == "there")
        let failure = try #require(await call(policy, reset: .milliseconds(60_001)).failure)
        #expect(failure.stopReason == .rateLimit(reset: .milliseconds(60_001), accepted: .seconds(60)))
        #expect(failure.attempts.count == 1)
        #expect(failure.report.contains("stopped:  the server's rate limit is used up for"))
    }

    @Test("does not heed a rate limit where the policy heeds no server")
    func rateLimitIgnored() async throws {
        let policy = try RetryPolicy(honorsRetryAfter: false)
        #expect(try await call(policy, reset: .seconds(3600)).get().body == "there")
        #expect(clock.sleeps == [.milliseconds(250)])
    }

    @Test("is against it where the rate limit is renewed after the deadline")
    func rateLimitBeyondDeadline() async throws {
        // given
        var options = options()
        options.deadline = .seconds(30)
        var answer = Answer(status: 429)
        answer.reset = .seconds(30)
        let chain = try AskChain(transport: Script<Ask, Answer>(.response(answer))) {
            Retry()
            Judge()
        }
        // when
        let failure = await chain.result(Ask(), options: options).failure
        // then
        #expect(failure?.stopReason == .deadline(wait: .milliseconds(30_250)))
        #expect(clock.sleeps.isEmpty)
    }

    @Test("is in the trace: the reason of each wait, and why there was no further attempt")
    func trace() async throws {
        // given
        var limited = Answer(status: 429)
        limited.reset = .seconds(10)
        let recorder = RecordingObserver()
        var options = options()
        options.observers = [recorder]
        let chain = try AskChain(
            transport: Script<Ask, Answer>(
                .failure(TransportError(.lost)), .response(limited), .response(Answer(status: 503, wait: .seconds(9))),
                .response(Answer(status: 503, wait: .seconds(300))))
        ) {
            Retry(try RetryPolicy(attempts: 9))
            Judge()
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: options).failure)
        // then
        #expect(failure.attempts.map(\.waitReason) == [nil, "backoff", "RateLimit", "Retry-After"])
        let wanted = StopReason.retryAfterTooLong(asked: .seconds(300), accepted: .seconds(60))
        #expect(failure.stopReason == wanted)
        #expect(failure.trace.stopReason == wanted)
        let finished = try #require(recorder.calls.first)
        #expect(finished.trace.stopReason == wanted)
        #expect(finished.trace.json.contains(#""stopReason":"retryAfterTooLong""#))
        #expect(
            finished.trace.json.contains(
                #""stopped":"the server asked to wait 5 min, and at most 60 s is accepted""#))
    }

    @Test("has no reason in the trace of a call that succeeded, or that is running")
    func traceOfSuccess() async throws {
        // given
        let recorder = RecordingObserver()
        let running = Notes<Trace>()
        var options = options()
        options.observers = [recorder]
        let chain = try AskChain(transport: Echo()) {
            Retry()
            Step { request, context, next in
                running.add(context.trace)
                return try await next(request)
            }
        }
        // when
        _ = try await chain.call(Ask(), options: options)
        // then
        #expect(recorder.calls.first?.trace.stopReason == nil)
        #expect(recorder.calls.first?.trace.json.contains(#""stopReason":null"#) == true)
        #expect(running.all.first?.stopReason == nil)
    }
}
