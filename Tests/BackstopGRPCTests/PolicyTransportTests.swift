#if GRPC
    import BackstopGRPC
    import BackstopTestSupport
    import BackstopTesting
    import GRPCCore
    import GRPCNIOTransportHTTP2
    import Testing

    @Suite("A transport with a policy", .limited)
    struct PolicyTransportTests {
        let clock = RecordingClock()

        var options: BackstopCore.CallOptions {
            .with(clock, random: FixedRandom(units: 0.5))
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("repeats an idempotent call, and says how many attempts there were", arguments: ServerKind.allCases)
        func retry(kind: ServerKind) async throws {
            let seen = Notes<[String]>()
            let policy = try Policy(options: options) { Retry() }
            let text = try await withShop(kind, policy) { request in
                seen.add(Array(request.metadata[stringValues: "grpc-previous-rpc-attempts"]))
                guard seen.all.count == 3 else { throw RPCError(code: .unavailable, message: "") }
                return StreamingServerResponse(["book"])
            } call: {
                try await $0.get()
            }
            #expect(text == "book")
            #expect(seen.all == [[], ["1"], ["2"]])
            #expect(clock.sleeps.count == 2)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("sends what is not idempotent once, whatever the status is", arguments: ServerKind.allCases)
        func once(kind: ServerKind) async throws {
            for code in RPCError.Code.everyCode {
                let runs = Counter()
                let policy = try Policy(options: options) { Retry() }
                let failure = try await withShop(kind, policy) { _ in
                    runs.increment()
                    throw RPCError(code: code, message: "refused")
                } call: {
                    await $0.failure { try await $0.buy() }
                }
                #expect(runs.value == 1, "\(code)")
                #expect(failure?.error(as: RPCError.self)?.code == code)
                #expect(failure?.attempts.count == 1)
            }
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("repeats an idempotent call only after UNAVAILABLE")
        func codes() async throws {
            for code in RPCError.Code.everyCode {
                let runs = Counter()
                let policy = try Policy(options: options) { Retry() }
                _ = try await withShop(.inProcess, policy) { _ in
                    runs.increment()
                    throw RPCError(code: code, message: "")
                } call: {
                    await $0.failure { try await $0.get() }
                }
                #expect(runs.value == (code == .unavailable ? 3 : 1), "\(code)")
            }
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("sends what is not idempotent once, however its stream fails")
        func streamsThatFail() async throws {
            let head = RPCResponsePart<[UInt8]>.metadata([:])
            let lost = RPCResponsePart<[UInt8]>.status(Status(code: .unavailable, message: "lost"), [:])
            let answers: [ScriptedStreams.Answer] = [
                .parts([]), .parts([head]), .parts([head, lost]), .parts([head, .message([1]), lost]),
                .parts([head, .message([1])]), .parts([], throwing: ShopError()),
                .parts([head], throwing: ShopError()),
                .parts([], throwing: RPCError(code: .unavailable, message: "")),
                .parts([], throwing: CancellationError()),
            ]
            for answer in answers {
                let streams = ScriptedStreams { _ in answer }
                let policy = try Policy(options: options) { Retry() }
                let failure = try await withClient(of: streams, policy) { await $0.failure { try await $0.buy() } }
                #expect(streams.attempts.value == 1, "\(answer)")
                #expect(failure != nil)
            }
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("sends what is not idempotent once if the attempt runs out of time")
        func attemptTimeout() async throws {
            let manual = ManualClock()
            let streams = ScriptedStreams { _ in .silence }
            let policy = try Policy(options: .with(manual)) {
                Retry()
                AttemptTimeout(.seconds(5))
            }
            let failure = try await withClient(of: streams, policy) { caller in
                async let failure = caller.failure { try await $0.buy() }
                await streams.silent.pass()
                await manual.waitForSleeper(remaining: .seconds(5))
                await manual.advance(by: .seconds(5))
                return await failure
            }
            #expect(streams.attempts.value == 1)
            #expect(failure?.code == "timeout.attempt")
            #expect(failure?.stopReason == .notIdempotent)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("repeats any call for which no stream could be opened: nothing was sent")
        func unsent() async throws {
            let streams = ScriptedStreams { attempt in
                attempt < 3 ? .closed(RPCError(code: .unavailable, message: "")) : .success
            }
            let policy = try Policy(options: options) { Retry() }
            #expect(try await withClient(of: streams, policy) { try await $0.buy() } == "book")
            #expect(streams.requests.all.count == 1)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("repeats any call that finds no server")
        func refused() async throws {
            let policy = try Policy(options: options) { Retry() }
            // Nothing listens there.
            let transport = try HTTP2ClientTransport.Posix(
                target: .ipv4(address: "127.0.0.1", port: 1), transportSecurity: .plaintext)
            let failure = try await withClient(of: transport, policy) { await $0.failure { try await $0.buy() } }
            #expect(failure?.code == "service.grpc.unavailable")
            #expect(failure?.attempts.count == 3)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("throws the last error if no stream could be opened")
        func closed() async throws {
            let streams = ScriptedStreams { _ in .closed(RPCError(code: .unavailable, message: "down")) }
            let policy = try Policy(options: options) { Retry() }
            let error = try await withClient(of: streams, policy) { caller in
                await #expect(throws: RPCError.self) { try await caller.get() }
            }
            #expect(error?.code == .unavailable)
            #expect(error.map { Failure($0).attempts.count } == 3)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("repeats any call when the server says after which time", arguments: ServerKind.allCases)
        func pushback(kind: ServerKind) async throws {
            let runs = Counter()
            let policy = try Policy(options: options) { Retry() }
            let text = try await withShop(kind, policy) { _ in
                guard runs.increment() == 2 else {
                    throw RPCError(
                        code: .resourceExhausted, message: "", metadata: ["grpc-retry-pushback-ms": "4000"])
                }
                return StreamingServerResponse(["book"])
            } call: {
                try await $0.buy()
            }
            #expect(text == "book")
            #expect(clock.sleeps == [.seconds(4)])
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("repeats nothing when the server asks for that, whatever the policy says", arguments: ["-1", "later"])
        func stop(value: String) async throws {
            let runs = Counter()
            let policy = try Policy(options: options) { Retry(try RetryPolicy { _ in true }) }
            let failure = try await withShop(.inProcess, policy) { _ in
                runs.increment()
                throw RPCError(
                    code: .unavailable, message: "", metadata: ["grpc-retry-pushback-ms": .string(value)])
            } call: {
                await $0.failure { try await $0.get() }
            }
            #expect(runs.value == 1)
            #expect(failure?.stopReason.code == "custom")
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("stops when the server asks for a longer wait than the policy accepts")
        func longPushback() async throws {
            let policy = try Policy(options: options) { Retry() }
            let failure = try await withShop(.inProcess, policy) { _ in
                throw RPCError(code: .unavailable, message: "", metadata: ["grpc-retry-pushback-ms": "86400000"])
            } call: {
                await $0.failure { try await $0.get() }
            }
            #expect(failure?.stopReason.code == "retryAfterTooLong")
            #expect(failure?.retryAfter == .seconds(86_400))
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("repeats no call whose response has begun: no message comes twice", arguments: ServerKind.allCases)
        func begun(kind: ServerKind) async throws {
            let (runs, read) = (Counter(), Notes<String>())
            let policy = try Policy(options: options) { Retry() }
            let failure = try await withShop(kind, policy) { _ in
                runs.increment()
                return StreamingServerResponse(["a", "b"], error: RPCError(code: .unavailable, message: "lost"))
            } call: { caller in
                await caller.failure { caller in
                    try await caller.stream(StreamingClientRequest { try await $0.write("1") }, Shop.get) { response in
                        for try await message in response.messages { read.add(message) }
                        return []
                    }.joined()
                }
            }
            #expect(runs.value == 1)
            #expect(read.all == ["a", "b"])
            #expect(failure?.code == "service.grpc.unavailable")
            #expect(failure?.stopReason == .begun)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("repeats no call whose second message was sent", arguments: ServerKind.allCases)
        func streamedRequest(kind: ServerKind) async throws {
            let runs = Counter()
            let policy = try Policy(options: options) { Retry() }
            let failure = try await withShop(kind, policy) { request in
                runs.increment()
                for try await _ in request.messages {}
                throw RPCError(code: .unavailable, message: "")
            } call: { caller in
                await caller.failure { caller in
                    let request = StreamingClientRequest<String> { try await $0.write(contentsOf: ["1", "2", "3"]) }
                    return try await caller.stream(request, Shop.get) { response in
                        try await response.messages.reduce(into: []) { $0.append($1) }
                    }.joined()
                }
            }
            #expect(runs.value == 1)
            #expect(failure?.stopReason == .notReplayable)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("passes on both streams, message by message", arguments: ServerKind.allCases)
        func echo(kind: ServerKind) async throws {
            let policy = try Policy(options: options) { Retry() }
            let sent = (0..<200).map { "\($0)" }
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            let read = try await withShop(kind, policy) { request in
                StreamingServerResponse { writer in
                    for try await message in request.messages { try await writer.write(message) }
                    return [:]
                }
            } call: { caller in
                let request = StreamingClientRequest<String> { writer in
                    var turns = answers.makeAsyncIterator()
                    for message in sent {
                        try await writer.write(message)
                        // Only once the last one came back.
                        await turns.next()
                    }
                }
                return try await caller.stream(request, Shop.buy) { response in
                    var read: [String] = []
                    for try await message in response.messages {
                        read.append(message)
                        answered.yield()
                    }
                    return read
                }
            }
            #expect(read == sent)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("reads no more from the server than its caller does, but for one message")
        func readsAhead() async throws {
            let read = Counter()
            let streams = ScriptedStreams { _ in .endless(read) }
            let policy = try Policy(options: options) { Retry() }
            let counts = try await withClient(of: streams, policy) { caller in
                try await caller.stream(StreamingClientRequest { try await $0.write("1") }, Shop.get) { response in
                    for try await _ in response.messages {
                        for _ in 0..<200 { await Task.yield() }
                        break
                    }
                    return ["\(read.value)"]
                }
            }
            #expect([["2"], ["3"]].contains(counts))
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("delivers the response of one attempt only, where hedging makes two")
        func hedging() async throws {
            let manual = ManualClock()
            let streams = ScriptedStreams { attempt in attempt == 1 ? .silence : .success }
            let policy = try Policy(options: .with(manual)) { Hedging(after: .seconds(1)) }
            let text = try await withClient(of: streams, policy) { caller in
                async let text = caller.get()
                await streams.silent.pass()
                await manual.waitForSleeper(remaining: .seconds(1))
                await manual.advance(by: .seconds(1))
                return try await text
            }
            #expect(text == "book")
            #expect(streams.attempts.value == 2)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("goes on with the attempt that begins its response first, whatever becomes of the other")
        func race() async throws {
            let manual = ManualClock()
            let (entered, both, first, release) = (Gate(), Gate(), Gate(), Gate())
            let policy = try Policy(options: .with(manual)) { Hedging(after: .seconds(1)) }
            let text = try await withShop(.inProcess, policy) { request in
                guard request.metadata[stringValues: "grpc-previous-rpc-attempts"].first(where: { _ in true }) == nil
                else {
                    both.open()
                    await first.pass()
                    return StreamingServerResponse { writer in
                        try await writer.write("copy")
                        for _ in 0..<200 { await Task.yield() }
                        release.open()
                        return [:]
                    }
                }
                entered.open()
                await both.pass()
                return StreamingServerResponse { writer in
                    try await writer.write("bo")
                    first.open()
                    await release.pass()
                    try await writer.write("ok")
                    return [:]
                }
            } call: { caller in
                async let text = caller.stream(StreamingClientRequest { try await $0.write("1") }, Shop.get) {
                    response in
                    try await response.messages.reduce(into: []) { $0.append($1) }
                }
                await entered.pass()
                await manual.waitForSleeper(remaining: .seconds(1))
                await manual.advance(by: .seconds(1))
                return try await text.joined()
            }
            #expect(text == "book")
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("leaves repeating to gRPC where a call asks for that, and never multiplies attempts")
        func executionPolicy() async throws {
            let retry = try #require(
                GRPCCore.RetryPolicy(
                    maxAttempts: 2, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(1),
                    backoffMultiplier: 1, retryableStatusCodes: [.unavailable]) as GRPCCore.RetryPolicy?)
            let config = ServiceConfig(methodConfig: [
                MethodConfig(names: [.init(service: "shop.Books")], executionPolicy: .retry(retry))
            ])
            let runs = Counter()
            let policy = try Policy(options: options) { Retry(try RetryPolicy(budget: .unlimited)) }
            let (own, grpc) = try await withShop(.inProcess, policy, serviceConfig: config) { _ in
                runs.increment()
                throw RPCError(code: .unavailable, message: "")
            } call: { caller in
                _ = await caller.failure { try await $0.get() }
                let own = runs.value
                var options = GRPCCore.CallOptions.defaults
                options.executionPolicy = .retry(retry)
                _ = try? await caller.get(options: options)
                return (own, runs.value - own)
            }
            #expect(own == 3)
            #expect(grpc == 2)
        }
    }
#endif
