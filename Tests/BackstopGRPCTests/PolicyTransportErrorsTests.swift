#if GRPC
    import BackstopGRPC
    import BackstopTestSupport
    import BackstopTesting
    import GRPCCore
    import Testing

    @Suite("The error of a transport with a policy", .limited)
    struct PolicyTransportErrorsTests {
        let clock = RecordingClock()

        var options: BackstopCore.CallOptions {
            .with(clock, random: FixedRandom(units: 0.5))
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("has what the server sent, details included", arguments: ServerKind.allCases)
        func details(kind: ServerKind) async throws {
            let policy = try Policy(options: options) { Retry() }
            let error = try await withShop(kind, policy) { _ in
                throw RPCError(code: .notFound, message: "no such book", metadata: ["shop-shelf": "7"])
            } call: { caller in
                await #expect(throws: RPCError.self) { try await caller.get() }
            }
            #expect(error?.code == .notFound)
            #expect(error?.message == "no such book")
            #expect(error.map { Array($0.metadata[stringValues: "shop-shelf"]) } == ["7"])
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "keeps the words of a server that gives a call up by itself",
            arguments: [RPCError.Code.cancelled, .deadlineExceeded], ServerKind.allCases)
        func ownStatus(code: RPCError.Code, kind: ServerKind) async throws {
            let policy = try Policy(options: options) {
                Deadline(.seconds(60))
                Retry()
            }
            let (failure, error) = try await withShop(kind, policy) { _ in
                throw RPCError(code: code, message: "no more work today")
            } call: { caller in
                let error = await #expect(throws: RPCError.self) { try await caller.get() }
                return (await caller.failure { try await $0.get() }, error)
            }
            #expect(failure?.code == "service.grpc.\(code)")
            #expect(failure?.explanation == "no more work today")
            #expect(failure?.isTransient == false)
            #expect(failure?.attempts.count == 1)
            #expect(error?.code == code)
            #expect(error?.message == "no more work today")
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "asks to check what a method that is not idempotent may have done",
            arguments: [(RPCError.Code.unavailable, true), (.internalError, true), (.permissionDenied, false)])
        func doubt(code: RPCError.Code, mayHaveWorked: Bool) async throws {
            let policy = try Policy(options: options) { Retry() }
            let failure = try await withShop(.inProcess, policy) { _ in
                throw RPCError(code: code, message: "no")
            } call: { caller in
                await caller.failure { try await $0.buy() }
            }
            #expect(failure?.message.suggestion?.contains("check whether it worked") == mayHaveWorked)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "asks to check what a server may have done that asks for a repeat after its response has begun",
            arguments: [false, true])
        func doubtAfterBeginning(hasBegun: Bool) async throws {
            let policy = try Policy(options: options) { Retry(try RetryPolicy(attempts: 1)) }
            let failure = try await withShop(.inProcess, policy) { _ in
                let error = RPCError(code: .unavailable, message: "no", metadata: ["grpc-retry-pushback-ms": "0"])
                guard hasBegun else {
                    throw error
                }
                return StreamingServerResponse(["bought"], error: error)
            } call: { caller in
                await caller.failure { try await $0.buy() }
            }
            #expect(failure?.code == "service.grpc.unavailable")
            #expect(failure?.message.suggestion?.contains("check whether it worked") == hasBegun)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "advises about what the code means in gRPC, and shows no request that was never made",
            arguments: [
                (RPCError.Code.unavailable, nil, "Check whether a server can be reached"),
                (.unavailable, "600000", "Wait 10 min before the next call"),
                (.unavailable, "-1", "Check whether a server can be reached"),
                (.deadlineExceeded, nil, "Find out why the server is slow"),
            ], [false, true])
        func advice(
            _ status: (code: RPCError.Code, pushback: String?, nextStep: String), hasBegun: Bool
        ) async throws {
            let policy = try Policy(options: options) {
                Deadline(.seconds(60))
                Retry(try RetryPolicy(attempts: 1))
            }
            let failure = try await withShop(.inProcess, policy) { _ in
                var error = RPCError(code: status.code, message: "no")
                status.pushback.map { error.metadata.addString($0, forKey: "grpc-retry-pushback-ms") }
                guard hasBegun else {
                    throw error
                }
                return StreamingServerResponse(["book"], error: error)
            } call: { caller in
                await caller.failure { try await $0.get() }
            }
            let report = try #require(failure?.report)
            #expect(report.contains("next:     \(status.nextStep)"))
            #expect(!report.contains("sent:") && !report.contains("then:") && !report.contains("run:"))
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("says of a call that ran out of time whether there was a connection", arguments: [false, true])
        func place(hasConnection: Bool) async throws {
            let (clock, waiting) = (ManualClock(), Gate())
            let policy = try Policy(options: .with(clock)) { AttemptTimeout(.seconds(5)) }
            let streams = ScriptedStreams { _ in hasConnection ? .silence : .unready(waiting) }
            let failure = try await withClient(of: streams, policy) { caller in
                async let failure = caller.failure { try await $0.buy() }
                await (hasConnection ? streams.silent : waiting).pass()
                await clock.waitForSleeper(remaining: .seconds(5))
                await clock.advance(by: .seconds(5))
                return await failure
            }
            #expect(failure?.code == "timeout.attempt")
            let report = try #require(failure?.report)
            #expect(report.contains(hasConnection ? "while waiting for the response" : "while connecting"))
            #expect(report.contains("run:      never") == !hasConnection)
            #expect(report.contains("next:     Check the network") == !hasConnection)
            #expect(failure?.message.suggestion?.contains("check whether it worked") == hasConnection)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("says of a call that ran out of time while it connected that it never ran, and nothing leaves afterwards")
        func lateConnection() async throws {
            let (clock, opens, ended) = (ManualClock(), Gate(), Gate())
            let policy = try Policy(options: .with(clock)) { AttemptTimeout(.seconds(5)) }
            let streams = ScriptedStreams { _ in .late(opens: opens, ended: ended) }
            let failure = try await withClient(of: streams, policy) { caller in
                async let failure = caller.failure { try await $0.buy() }
                await opens.waitForArrivals(1)
                await clock.waitForSleeper(remaining: .seconds(5))
                await clock.advance(by: .seconds(5))
                let report = await failure
                opens.open()
                await ended.pass()
                return report
            }
            #expect(failure?.report.contains("run:      never") == true)
            #expect(streams.requests.all.isEmpty)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "is that of the request that gRPC could not write, which says nothing about the server",
            arguments: ServerKind.allCases)
        func producer(kind: ServerKind) async throws {
            let breaker = CircuitBreaker<Policy.Operation, Policy.Output>(
                try CircuitBreakerPolicy(window: .calls(1), minimumThroughput: 1), log: nil)
            let policy = try Policy(options: options) {
                Retry(try RetryPolicy { _ in true })
                breaker
            }
            let failure = try await withShop(kind, policy) { request in
                for try await _ in request.messages {}
                return StreamingServerResponse([])
            } call: { caller in
                await caller.failure { caller in
                    let request = StreamingClientRequest<String> { writer in
                        try await writer.write("1")
                        throw ShopError()
                    }
                    return try await caller.stream(request, Shop.get) { response in
                        try await response.messages.reduce(into: []) { $0.append($1) }
                    }.joined()
                }
            }
            #expect(failure?.code == "request.bodyUnreadable")
            #expect(failure?.error(as: ShopError.self) != nil)
            #expect(failure?.attempts.count == 1)
            #expect(breaker.state() == .closed)
        }
    }
#endif
