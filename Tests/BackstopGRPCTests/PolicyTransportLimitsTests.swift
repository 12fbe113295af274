#if GRPC
    import BackstopGRPC
    import BackstopTestSupport
    import BackstopTesting
    import GRPCCore
    import Testing

    @Suite("The limits of a transport with a policy", .limited)
    struct PolicyTransportLimitsTests {
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("The deadline ends the call, and the server knows it", arguments: ServerKind.allCases)
        func deadline(kind: ServerKind) async throws {
            let (clock, entered, release, timeouts) = (ManualClock(), Gate(), Gate(), Notes<String>())
            let policy = try Policy(options: .with(clock)) {
                Deadline(.seconds(20))
                Retry()
            }
            let error = try await withShop(kind, policy) { request in
                request.metadata[stringValues: "grpc-timeout"].forEach(timeouts.add)
                entered.open()
                try await release.passUnlessCancelled()
                return StreamingServerResponse([])
            } call: { caller in
                defer { release.open() }
                async let result = #expect(throws: RPCError.self) { try await caller.get() }
                await entered.pass()
                await clock.waitForSleeper(remaining: .seconds(20))
                await clock.advance(by: .seconds(20))
                return await result
            }
            #expect(error?.code == .deadlineExceeded)
            #expect(error.map { Failure($0).code } == "timeout.deadline")
            #expect(timeouts.all == ["20000m"])
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("The timeout of a call is its deadline too: no wait goes beyond it")
        func timeout() async throws {
            let clock = RecordingClock()
            let policy = try Policy(options: .with(clock, random: FixedRandom(units: 0.5))) { Retry() }
            let failure = try await withShop(.inProcess, policy) { _ in
                throw RPCError(code: .unavailable, message: "", metadata: ["grpc-retry-pushback-ms": "50000"])
            } call: { caller in
                await caller.failure { caller in
                    var options = GRPCCore.CallOptions.defaults
                    options.timeout = .seconds(40)
                    return try await caller.get(options: options)
                }
            }
            #expect(failure?.stopReason.code == "deadline")
            #expect(clock.sleeps.isEmpty)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("A cancelled call is cancelled at the server, and is not repeated", arguments: ServerKind.allCases)
        func cancellation(kind: ServerKind) async throws {
            let (entered, release, ended, runs) = (Gate(), Gate(), Gate(), Counter())
            let policy = try Policy { Retry() }
            let failure = try await withShop(kind, policy) { _ in
                runs.increment()
                try await withRPCCancellationHandler {
                    entered.open()
                    try await release.passUnlessCancelled()
                } onCancelRPC: {
                    ended.open()
                    release.open()
                }
                return StreamingServerResponse([])
            } call: { caller in
                defer { release.open() }
                let call = Task { await caller.failure { try await $0.get() } }
                await entered.pass()
                call.cancel()
                let failure = await call.value
                // The transport within the process tells its server nothing.
                if kind == .http2 { await ended.pass() }
                return failure
            }
            #expect(failure?.isCancelled == true)
            #expect(runs.value == 1)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("A breaker opens for a service that is ill, and its rejection is UNAVAILABLE")
        func breaker() async throws {
            let runs = Counter()
            let breaker = CircuitBreaker<Policy.Operation, Policy.Output>(
                try CircuitBreakerPolicy(window: .calls(2), minimumThroughput: 2), log: nil)
            let policy = try Policy { breaker }
            let error = try await withShop(.inProcess, policy) { _ in
                runs.increment()
                throw RPCError(code: .internalError, message: "")
            } call: { caller in
                for _ in 0..<2 { _ = await caller.failure { try await $0.get() } }
                return await #expect(throws: RPCError.self) { try await caller.get() }
            }
            #expect(runs.value == 2)
            #expect(error?.code == .unavailable)
            #expect(error.map { Failure($0).code } == "rejected.breakerOpen")
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "A breaker stays closed for a service that refuses what it is asked",
            arguments: [RPCError.Code.invalidArgument, .resourceExhausted])
        func closedBreaker(code: RPCError.Code) async throws {
            let runs = Counter()
            let breaker = CircuitBreaker<Policy.Operation, Policy.Output>(
                try CircuitBreakerPolicy(window: .calls(2), minimumThroughput: 2), log: nil)
            let policy = try Policy { breaker }
            try await withShop(.inProcess, policy) { _ in
                runs.increment()
                throw RPCError(code: code, message: "")
            } call: { caller in
                for _ in 0..<5 { _ = await caller.failure { try await $0.get() } }
            }
            #expect(runs.value == 5)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("A budget is shared by all calls")
        func budget() async throws {
            let clock = RecordingClock()
            let runs = Counter()
            let policy = try Policy(options: .with(clock)) {
                Retry(try RetryPolicy(budget: RetryBudget(capacity: 1, refill: 0, interval: nil)))
            }
            let failure = try await withShop(.inProcess, policy) { _ in
                runs.increment()
                throw RPCError(code: .unavailable, message: "")
            } call: { caller in
                _ = await caller.failure { try await $0.get() }
                return await caller.failure { try await $0.get() }
            }
            #expect(runs.value == 3)
            #expect(failure?.stopReason == .budget)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("Reports hide what metadata carried, also where the server repeats it")
        func secrets() async throws {
            let log = RecordingLog()
            let policy = try Policy { Retry(attempts: 1) }
            let failure = try await withShop(.inProcess, policy, log: log) { request in
                let token = Array(request.metadata[stringValues: "authorization"]).joined()
                throw RPCError(code: .unauthenticated, message: "unknown: \(token.dropFirst(7))")
            } call: { caller in
                await caller.failure { try await $0.get(metadata: ["authorization": "Bearer quiet7Lantern"]) }
            }
            let texts = [failure?.report, failure?.description] + log.entries.map(\.message)
            #expect(texts.allSatisfy { $0?.contains("quiet7Lantern") == false })
            #expect(failure?.report.contains("unknown: ") == true)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("Reports hide binary metadata, and what a server says in its trailers and its message")
        func trailers() async throws {
            let failure = try await withShop(.inProcess, try Policy {}) { _ in
                throw RPCError(
                    code: .notFound, message: "see bright9Harbor and silver4Meadow",
                    metadata: ["x-api-key": "bright9Harbor"])
            } call: { caller in
                await caller.failure {
                    try await $0.get(metadata: ["x-token-bin": .binary(Array("silver4Meadow".utf8))])
                }
            }
            #expect(failure?.report.contains("see ") == true)
            #expect(failure?.report.contains("bright9Harbor") == false)
            #expect(failure?.report.contains("silver4Meadow") == false)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("Each call has a line in the log")
        func lines() async throws {
            let log = RecordingLog()
            let clock = RecordingClock()
            let runs = Counter()
            let policy = try Policy(options: .with(clock)) { Retry() }
            try await withShop(.inProcess, policy, log: log) { _ in
                guard runs.increment() > 1 else { throw RPCError(code: .unavailable, message: "") }
                guard runs.value < 3 else { throw RPCError(code: .notFound, message: "") }
                return StreamingServerResponse(["book"])
            } call: { caller in
                _ = try await caller.get()
                _ = await caller.failure { try await $0.buy() }
            }
            let lines = log.entries.map {
                "\($0.level) " + $0.message.split(separator: " ").dropFirst().prefix(5).joined(separator: " ")
            }
            #expect(
                lines == [
                    "debug shop.Books/Get (2 attempts) -> ok", "warning shop.Books/Buy -> service.grpc.notFound in 0",
                ])
        }
    }
#endif
