#if canImport(Combine) || OpenCombine
    import BackstopAuthentication
    import BackstopCombine
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("retry with a policy", .limited)
    struct RetryTests {
        private func run<E: Endpoint>(
            _ endpoint: E, _ rig: Rig, _ policy: RetryPolicy = .standard
        ) async throws -> Recorder<E.Content, Failure> {
            let recorder = Recorder<E.Content, Failure>()
            try rig.client().publisher(for: endpoint).retry(policy).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            return recorder
        }

        @Test("makes the call anew after the policy's waits, on the client's clock")
        func waits() async throws {
            let rig = Rig(.status(503), .status(500), .json(200, Book.json))
            let recorder = try await run(BookEndpoint(), rig)
            #expect(recorder.values == [.dune])
            #expect(recorder.kinds == ["value", "finished"])
            // Half of 0.5 s, and half of 1 s.
            #expect(rig.clock.sleeps == [.milliseconds(250), .milliseconds(500)])
            #expect(rig.outcomes == [.retried(by: "retry"), .retried(by: "retry")])
        }

        @Test("waits at least as long as Retry-After says")
        func retryAfter() async throws {
            let rig = Rig(.status(503, headers: ["Retry-After": "7"]), .json(200, Book.json))
            let recorder = try await run(BookEndpoint(), rig)
            #expect(recorder.values == [.dune])
            #expect(rig.clock.sleeps == [.seconds(7)])
        }

        @Test("gives up at a Retry-After beyond what the policy accepts")
        func retryAfterTooLong() async throws {
            let rig = Rig(.status(503, headers: ["Retry-After": "61"]))
            let recorder = try await run(BookEndpoint(), rig)
            #expect(recorder.failure?.statusCode == 503)
            #expect(rig.clock.sleeps.isEmpty)
        }

        @Test("makes as many attempts as the policy says, and fails with the last failure")
        func attempts() async throws {
            let rig = Rig(.status(500), .status(503))
            let recorder = try await run(BookEndpoint(), rig, RetryPolicy(attempts: 2))
            #expect(recorder.failure?.statusCode == 503)
            #expect(rig.transport.requests.count == 2)
            await rig.waitForOutcomes(2)
            #expect(rig.outcomes == [.retried(by: "retry"), .thrown])
        }

        @Test("makes no call anew that timed out after it was sent, because out here nobody knows of other answers")
        func timeout() async throws {
            let rig = Rig(.failure(TimeoutError(.attempt, after: .seconds(5))))
            let recorder = try await run(BookEndpoint(), rig)
            #expect(recorder.failure?.stopReason == .unanswered)
            #expect(rig.transport.requests.count == 1)
        }

        @Test("makes no call anew whose failure would stay", arguments: [400, 404, 501])
        func lasting(status: Int) async throws {
            let rig = Rig(.status(status))
            let recorder = try await run(BookEndpoint(), rig)
            #expect(recorder.failure?.statusCode == status)
            #expect(rig.transport.requests.count == 1)
        }

        @Test("asks the policy's own rule which failures may pass")
        func ownRule() async throws {
            let rig = Rig(.status(404), .json(200, Book.json))
            let recorder = try await run(BookEndpoint(), rig, RetryPolicy { $0.statusCode == 404 })
            #expect(recorder.values == [.dune])
        }

        @Test("makes no call anew as somebody else's: nobody decided it")
        func account() async throws {
            let rig = Rig(.status(503), .json(200, Book.json))
            let failure = try await failureAfterSignIn(rig) { $0.eraseToAnyPublisher() }
            #expect(failure?.code == "rejected.accountChanged")
            #expect(rig.transport.requests.map { $0.headers[.authorization] } == ["Bearer ann's"])
        }

        @Test(
            "nor though another client's call beside it had failed, or the app had",
            arguments: ["first", "last", "app"])
        func accountBeside(who: String) async throws {
            let (rig, other) = (Rig(.json(200, Book.json).repeated(2)), Rig(.status(503), .json(200, Book.json)))
            let theirs = try other.client().publisher(for: BookEndpoint())
            let failure = try await failureAfterSignIn(rig) { mine in
                switch who {
                case "first": mine.beside(theirs).map { $0[0] }.eraseToAnyPublisher()
                case "last": theirs.beside(mine).map { $0[0] }.eraseToAnyPublisher()
                default: mine.flatMap { _ in Fail(error: Failure(TransportError(.lost))) }.eraseToAnyPublisher()
                }
            }
            #expect(failure?.code == "rejected.accountChanged")
            #expect(rig.transport.requests.allSatisfy { $0.headers[.authorization] == "Bearer ann's" })
        }

        @Test(
            "nor though it follows another client's call, in whatever way",
            arguments: ["value", "failure", "result", "delay", "hop", "inner"])
        func accountBehind(way: String) async throws {
            let rig = Rig(.status(503), .json(200, Book.json).repeated())
            let other = Rig(
                (["failure", "result"].contains(way) ? ScriptedTransport.Step.status(503) : .json(200, Book.json))
                    .repeated())
            let theirs = try other.client().publisher(for: BookEndpoint())
            let failure = try await failureAfterSignIn(rig) { mine in
                switch way {
                case "value": theirs.flatMap { _ in mine }.eraseToAnyPublisher()
                case "failure": theirs.catch { _ in mine }.eraseToAnyPublisher()
                case "result":
                    theirs.asResult().setFailureType(to: Failure.self).flatMap { _ in mine }.eraseToAnyPublisher()
                case "delay":
                    theirs.delay(for: .zero, scheduler: ClockScheduler()).flatMap { _ in mine }.eraseToAnyPublisher()
                case "hop": theirs.receiveOnMainActor().flatMap { _ in mine }.eraseToAnyPublisher()
                default: theirs.flatMap { _ in mine.retry(.never) }.eraseToAnyPublisher()
                }
            }
            #expect(failure?.code == "rejected.accountChanged")
            #expect(rig.transport.requests.map { $0.headers[.authorization] } == ["Bearer ann's"])
        }

        @Test("reads no cache as whoever signs in while the pipeline waits")
        func accountOfCache() async throws {
            // given: what is stored for Bob
            let (other, rig) = (Rig(.status(503), .json(200, Book.json)), Rig(.json(200, #"{"data":{}}"#).repeated()))
            let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
            let (account, clock) = (Lock("bob"), ManualClock())
            let cache = ResponseCache(partition: { _ in account.withLock { $0 } })
            var client = try rig.client().withChain { try $0.inserting(cache, outside: .decoding) }
            client.graphQLOptions.cachePolicy = .cacheFirst
            _ = try await client.fetch(Hero())
            account.withLock { $0 = "ann" }
            // when
            let recorder = Recorder<GraphQL.Result<Hero.Data>, Failure>()
            let stored = client.dataTaskPublisher(for: Hero())
            try other.client().publisher(for: BookEndpoint()).flatMap { _ in stored }
                .retry(.standard, clock: clock).subscribe(recorder)
            recorder.request(.unlimited)
            await clock.waitForSleepers(1)
            try await credentials.signIn(TokenSet(access: "bob's", account: "bob"))
            account.withLock { $0 = "bob" }
            await clock.runNextSleep()
            await recorder.waitForEnd()
            // then
            #expect(recorder.kinds == ["value", "finished"])
            #expect(rig.transport.requests.count == 2)
        }

        /// What a publisher with Ann's call ends with, if Bob signs in while it waits to be made anew.
        private func failureAfterSignIn(
            _ rig: Rig, _ pipeline: (CallPublisher<Book>) -> AnyPublisher<Book, Failure>
        ) async throws -> Failure? {
            let clock = ManualClock()
            let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
            let client = try rig.client(clock: clock).withChain {
                try $0.inserting(BearerAuthentication(credentials), outside: .decoding)
            }
            let recorder = Recorder<Book, Failure>()
            pipeline(client.publisher(for: BookEndpoint()))
                .retry(.standard, clock: clock).subscribe(recorder)
            recorder.request(.unlimited)
            await clock.waitForSleepers(1)

            try await credentials.signIn(TokenSet(access: "bob's", account: "bob"))
            await clock.runNextSleep()
            await recorder.waitForEnd()
            return recorder.failure
        }

        @Test("never sends a POST twice")
        func post() async throws {
            let rig = Rig(.status(503))
            let recorder = try await run(HTTP.Call<HTTP.Response>.post("orders"), rig)
            #expect(recorder.failure?.statusCode == 503)
            #expect(rig.transport.requests.count == 1)
        }

        @Test("sends an order anew under the key of its first request, though the endpoint makes another")
        func key() async throws {
            let rig = Rig(.status(503), .status(503), .status(200))
            let recorder = try await run(Order(), rig)
            #expect(recorder.values == [200])
            #expect(rig.transport.requests.map { $0.headers[.idempotencyKey] } == ["key 1", "key 1", "key 1"])
        }

        @Test("sends an order anew under its first key also where a publisher is made for each subscription")
        func deferred() async throws {
            let rig = Rig(.status(503), .status(200))
            let client = try rig.client()
            let order = Order()
            let recorder = Recorder<Int, Failure>()
            Deferred { client.publisher(for: order) }.retry(.standard).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.values == [200])
            #expect(rig.transport.requests.map { $0.headers[.idempotencyKey] } == ["key 1", "key 1"])
        }

        @Test("sends no order anew under another key, where its endpoint is made again", arguments: [false, true])
        func otherKey(isDelayed: Bool) async throws {
            let rig = Rig(.status(503).repeated())
            let client = try rig.client()
            let count = Counter()
            let first = Just(1).setFailureType(to: Failure.self)
            let start =
                isDelayed
                ? first.delay(for: .milliseconds(1), scheduler: ClockScheduler(clock: rig.clock)).eraseToAnyPublisher()
                : first.eraseToAnyPublisher()
            let recorder = Recorder<HTTP.Response, Failure>()
            start.flatMap { _ in
                let key = "key \(count.increment())"
                return client.publisher(for: .post("orders", headers: ["Idempotency-Key": key], body: .text("Dune")))
            }
            .retry(.standard).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.failure?.code == "rejected.idempotencyKey")
            #expect(rig.transport.requests.map { $0.headers[.idempotencyKey] } == ["key 1"])
        }

        @Test("says in the last failure how many attempts there were, and why there was no further one")
        func report() async throws {
            let rig = Rig(.status(503, headers: ["Retry-After": "7"]), .status(500), .status(502))
            let failure = try #require(try await run(BookEndpoint(), rig).failure)
            #expect(failure.attempts.map(\.number) == [1, 2, 3])
            #expect(failure.attempts.map(\.wait) == [.zero, .seconds(7), .milliseconds(500)])
            #expect(failure.attempts.map(\.waitReason) == [nil, "Retry-After", "backoff"])
            #expect(failure.attempts.map(\.start) == [.zero, .seconds(7), .milliseconds(7500)])
            #expect(failure.attempts.map(\.result.description) == ["status.503", "status.500", "status.502"])
            #expect(failure.stopReason.description == "all 3 attempts were used")
        }

        @Test(
            "says why a call was not made again",
            arguments: [
                (HTTP.Call.post("orders"), "503", "notIdempotent"), (.get("books"), "61", "retryAfterTooLong"),
                (.get("books"), "404", "notRetryable"),
            ])
        func stopped(call: HTTP.Call<HTTP.Response>, answer: String, reason: String) async throws {
            let step: ScriptedTransport.Step =
                answer == "61" ? .status(503, headers: ["Retry-After": "61"]) : .status(Int(answer) ?? 0)
            let recorder = try await run(call, Rig(step))
            #expect(recorder.failure?.stopReason.code == reason)
        }

        @Test("leaves the words of the chain to a failure that a policy of one attempt lets through")
        func never() async throws {
            let failure = try await run(BookEndpoint(), Rig(.status(503)), .never).failure
            #expect(failure?.stopReason == .noRetry)
        }

        /// A client whose calls have five seconds, from the options or from the chain.
        private static func client(_ rig: Rig, limitedByChain: Bool) throws -> Client {
            try limitedByChain
                ? rig.client().withChain { try $0.inserting(Deadline(.seconds(5)), outside: .decoding) }
                : rig.client().withOptions { $0.deadline = .seconds(5) }
        }

        @Test("starts no wait that would end after the deadline of the first call", arguments: [true, false])
        func deadline(isInChain: Bool) async throws {
            let rig = Rig(.status(503, headers: ["Retry-After": "3"]).repeated())
            let client = try Self.client(rig, limitedByChain: isInChain)
            let recorder = Recorder<Book, Failure>()
            client.publisher(for: BookEndpoint()).retry(.standard).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(rig.clock.sleeps == [.seconds(3)])
            #expect(recorder.failure?.stopReason == .deadline(wait: .seconds(3)))
        }

        /// Writes down how much time each call has.
        private struct Stopwatch: HTTP.Interceptor {
            let left = RecordingLog()

            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                left.write(LogEntry(.info, context.deadline.map { "\($0 - context.clock.now)" } ?? "all"))
                return try await next(request)
            }
        }

        @Test("gives a call that is made anew only what is left of the time of the first", arguments: [true, false])
        func timeLeft(isInChain: Bool) async throws {
            let rig = Rig(.status(503, headers: ["Retry-After": "3"]), .json(200, Book.json))
            let stopwatch = Stopwatch()
            let client = try Self.client(rig, limitedByChain: isInChain).withChain { $0.appending(stopwatch) }
            let recorder = Recorder<Book, Failure>()
            client.publisher(for: BookEndpoint()).retry(.standard).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.values == [.dune])
            #expect(stopwatch.left.entries.map(\.message) == ["5.0 seconds", "2.0 seconds"])
        }

        @Test(
            "repeats no order without a key, and no body that can be read once, that succeeded upstream of what failed",
            arguments: [HTTP.Method.post, .put])
        func upstream(method: HTTP.Method) async throws {
            let rig = Rig(.status(200), .status(503).repeated())
            let client = try rig.client()
            let recorder = Recorder<HTTP.Response, Failure>()
            let once = HTTP.Body.stream(once: AsyncStream<Data> { $0.finish() })
            client.publisher(for: method == .post ? .post("orders") : .put("orders/1", body: once))
                .flatMap { _ in client.publisher(for: .get("books")) }
                .retry(.standard)
                .subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(rig.transport.requests.map(\.method) == [method, .get])
            #expect(recorder.failure?.stopReason.code == "notIdempotent")
        }

        @Test("sends nothing once it is cancelled in the wait")
        func cancelled() async throws {
            let rig = Rig(.status(503), .json(200, Book.json))
            let clock = ManualClock()
            let recorder = Recorder<Book, Failure>()
            try rig.client(clock: clock).publisher(for: BookEndpoint()).retry(.standard).subscribe(recorder)
            recorder.request(.unlimited)
            await clock.waitForSleepers(1)
            recorder.cancel()
            await clock.advance(by: .seconds(60))
            await rig.waitForOutcomes(1)
            #expect(rig.transport.requests.count == 1)
            #expect(recorder.kinds.isEmpty)
            #expect(rig.outcomes == [.cancelled])
        }

        @Test("waits on the clock that it is given, for failures that are of no client")
        func givenClock() async throws {
            let clock = RecordingClock()
            let recorder = Recorder<Int, Failure>()
            Fail<Int, Failure>(error: Failure(TransportError(.lost)))
                .retry(.standard, clock: clock, random: FixedRandom(units: 0.5))
                .subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.failure?.code == "transport.lost")
            #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
        }
    }
#endif
