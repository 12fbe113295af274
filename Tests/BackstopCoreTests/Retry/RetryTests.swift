import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Retry", .limited)
struct RetryTests {
    private let clock = RecordingClock()

    private func chain(
        _ transport: Script<Ask, Answer>, _ policy: RetryPolicy = .standard
    ) throws -> AskChain {
        try AskChain(transport: transport) {
            Retry(policy)
            Judge()
        }
    }

    @Test("sends again until an attempt succeeds")
    func succeeds() async throws {
        // given
        let transport = Script<Ask, Answer>(
            .failure(TransportError(.lost)), .response(Answer(status: 503)), .response(Answer("there")))
        // when
        let answer = try await chain(transport).call(Ask(), options: .with(clock, random: FixedRandom(units: 0.5)))
        // then
        #expect(answer.body == "there")
        #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
        try transport.checkFinished()
    }

    @Test("does not send again what succeeded")
    func success() async throws {
        // given
        let transport = Script<Ask, Answer>(.response(Answer("there")))
        // when
        _ = try await chain(transport).call(Ask(), options: .with(clock))
        // then
        #expect(transport.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("makes as many attempts as it may, and no more", arguments: [1, 2, 3, 10, 100])
    func attempts(attempts: Int) async throws {
        // given
        let transport = Script<Ask, Answer>(.failure(TransportError(.lost)).repeated())
        // when
        let policy = try RetryPolicy(attempts: attempts)
        let failure = try #require(await chain(transport, policy).result(Ask(), options: .with(clock)).failure)
        // then
        #expect(transport.requests.count == attempts)
        #expect(failure.attempts.count == attempts)
        #expect(failure.stopReason == .attemptsUsed(attempts))
        #expect(clock.sleeps.count == attempts - 1)
    }

    @Test("sends the same request each time, with the number of the attempt in its context")
    func sameRequest() async throws {
        // given
        let numbers = Notes<Int>()
        let transport = Script<Ask, Answer>(
            Stub.respond { _, context in
                numbers.add(context.attempt)
                throw TransportError(.lost)
            }.repeated())
        // when
        _ = try await chain(transport).result(Ask("x"), options: .with(clock))
        // then
        #expect(transport.requests.map(\.text) == ["x", "x", "x"])
        #expect(numbers.all == [1, 2, 3])
    }

    @Test("sends again only what may pass by itself", arguments: ErrorSample.all.filter { $0.code != "cancelled" })
    func transient(sample: ErrorSample) async throws {
        // given
        let transport = Script<Ask, Answer>(.failure(sample.error), .failure(sample.error).repeated())
        let policy = try RetryPolicy(budget: .unlimited)
        // when
        let failure = try #require(await chain(transport, policy).result(Ask(), options: .with(clock)).failure)
        // then
        let isRejected = sample.code.hasPrefix("rejected.")
        #expect(transport.requests.count == (sample.isTransient && !isRejected ? 3 : 1))
        #expect(failure.code == sample.code)
        #expect(
            failure.stopReason == (!sample.isTransient ? .notRetryable : isRejected ? .rejected : .attemptsUsed(3)))
    }

    @Test("sends again after the statuses that may pass, and no others", arguments: 300..<600)
    func statuses(status: Int) async throws {
        // given
        let isRetried = [408, 425, 429, 500, 502, 503, 504].contains(status)
        let transport = Script<Ask, Answer>(.failure(StatusError(status)), .response(Answer("there")))
        // when
        let result = try await chain(transport).result(Ask(), options: .with(clock))
        // then
        #expect((result.failure == nil) == isRetried)
        #expect(transport.requests.count == (isRetried ? 2 : 1))
    }

    @Test(
        "sends again after an error of the service when the error says so, and else when the response's status does",
        arguments: [(nil, 503, 2), (nil, 422, 1), (true, 422, 2), (false, 503, 1)] as [(Bool?, Int, Int)])
    func service(own: Bool?, status: Int, requests: Int) async throws {
        // given
        let transport = Script<Ask, Answer>(.response(Answer("bad", status: status)), .response(Answer("good")))
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Step { request, _, next in
                let answer = try await next(request)
                guard answer.body == "good" else {
                    throw SoldOut(isTransient: own)
                }
                return answer
            }
        }
        // when
        _ = await chain.result(Ask(), options: .with(clock))
        // then
        #expect(transport.requests.count == requests)
    }

    @Test("asks the policy what may pass, and shows it reason, status and number")
    func policy() async throws {
        // given
        let seen = Notes<String>()
        let policy = try RetryPolicy { candidate in
            seen.add(
                "\(candidate.reason.code) \(candidate.statusCode ?? 0) \(candidate.attempt) \(candidate.isTransient)")
            return candidate.attempt < 2
        }
        let transport = Script<Ask, Answer>(.response(Answer(status: 404)).repeated())
        // when
        let failure = try #require(await chain(transport, policy).result(Ask(), options: .with(clock)).failure)
        // then
        #expect(seen.all == ["status.404 404 1 false", "status.404 404 2 false"])
        #expect(failure.stopReason == .notRetryable)
    }

    @Test("keeps every attempt with its times, its wait and what came of it")
    func recorded() async throws {
        // given: attempts that take 1, 2 and 3 s
        let transport = Script<Ask, Answer>(
            .delay(.seconds(1), then: .failure(TransportError(.lost))),
            .delay(.seconds(2), then: .failure(StatusError(503))),
            .delay(.seconds(3), then: .failure(TransportError(.offline))))
        // when
        let options = CallOptions.with(clock, random: FixedRandom(units: 0.5))
        let failure = try #require(await chain(transport).result(Ask(), options: options).failure)
        // then
        #expect(
            failure.attempts == [
                Attempt(number: 1, start: .zero, duration: .seconds(1), result: .failed(code: "transport.lost")),
                Attempt(
                    number: 2, start: .milliseconds(1250), duration: .seconds(2), wait: .milliseconds(250),
                    waitReason: "backoff", result: .failed(code: "status.503")),
                Attempt(
                    number: 3, start: .milliseconds(3750), duration: .seconds(3), wait: .milliseconds(500),
                    waitReason: "backoff", result: .failed(code: "transport.offline")),
            ])
        #expect(failure.code == "transport.offline")
        #expect(failure.trace.duration == .milliseconds(6750))
    }

    @Test("shows in the failure the response of the last attempt only")
    func lastResponse() async throws {
        // given
        let transport = Script<Ask, Answer>(
            .response(Answer("busy", status: 503)), .failure(TransportError(.certificate)))
        // when
        let failure = try #require(await chain(transport).result(Ask(), options: .with(clock)).failure)
        // then
        #expect(failure.code == "transport.certificate")
        #expect(failure.receivedResponse == nil)
        #expect(failure.statusCode == nil)
    }

    @Test(
        "keeps its waits within their bounds and never at the cap, whatever the random numbers", arguments: Seed.ofRun)
    func randomised(seed: Seed) async throws {
        let random = SeededRandom(seed: seed.number)
        let policy = try RetryPolicy(attempts: 10)
        for _ in 0..<50 {
            // given
            let clock = RecordingClock()
            let transport = Script<Ask, Answer>(.failure(TransportError(.lost)).repeated())
            // when
            _ = try await chain(transport, policy).result(Ask(), options: .with(clock, random: random))
            // then
            #expect(clock.sleeps.count == 9)
            for (index, wait) in clock.sleeps.enumerated() {
                let bound = policy.backoff.bound(failedAttempts: index + 1)
                #expect(wait >= .zero && wait < bound && wait != policy.backoff.maximumDelay)
            }
        }
    }
}
