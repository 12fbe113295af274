#if GRPC
    @testable import BackstopGRPC
    import BackstopTestSupport
    import BackstopTesting
    import GRPCCore
    import Testing

    @Suite("The streams of a call with a policy", .limited)
    struct StreamsOfPolicyCallTests {
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("A call goes on with the attempt that began the response, and others fail as that does")
        func owner() async throws {
            let request = ReplayedRequest<[UInt8]>()
            #expect(request.isTaken(by: 2))
            #expect(!request.isTaken(by: 1))
            await #expect(throws: CancellationError.self) { try await request.part(0, for: 1) }
            let other = Task { try await request.failure(of: 1, throwing: CancellationError()) }
            let lost = RPCError(code: .unavailable, message: "lost")
            _ = try await request.failure(of: 2, throwing: lost)
            #expect(try await other.value as? RPCError == lost)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("An attempt that the call does not go on with waits until it is cancelled")
        func loser() async throws {
            let request = ReplayedRequest<[UInt8]>()
            #expect(request.isTaken(by: 2))
            let other = Task { try await request.failure(of: 1, throwing: RPCError(code: .notFound, message: "")) }
            other.cancel()
            await #expect(throws: CancellationError.self) { try await other.value }
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("An attempt waits for none that has succeeded, or was cancelled", arguments: [true, false])
        func over(succeeds: Bool) async throws {
            let request = ReplayedRequest<[UInt8]>()
            let lost = RPCError(code: .unavailable, message: "lost")
            // Of an attempt before, which the call does not go on with.
            _ = try await request.failure(of: 1, throwing: lost)
            #expect(request.isTaken(by: 2))
            if succeeds {
                request.leave(2)
            } else {
                let taker = Task { try await request.failure(of: 2, throwing: CancellationError()) }
                taker.cancel()
                _ = try? await taker.value
            }
            let own = RPCError(code: .notFound, message: "own")
            #expect(try await request.failure(of: 3, throwing: own) as? RPCError == own)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("Nothing of a call is kept once it has ended", arguments: Ending.allCases)
        func released(ending: Ending) async throws {
            let kept = try await ending.run()
            for _ in 0..<6000 where kept.object != nil { try await Task.sleep(for: .milliseconds(10)) }
            #expect(kept.object == nil)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        enum Ending: CaseIterable {
            case ok, notFound, unavailable, cancelled, stream

            struct Kept { weak var object: Counter? }

            /// Makes a call of a transport that ends after it.
            func run() async throws -> Kept {
                let streams = ScriptedStreams { _ in
                    switch self {
                    case .ok, .stream: .success
                    case .notFound: .parts([.status(Status(code: .notFound, message: ""), [:])])
                    case .unavailable: .parts([.status(Status(code: .unavailable, message: ""), [:])])
                    case .cancelled: .silence
                    }
                }
                let policy = try Policy(options: .with(RecordingClock())) { Retry() }
                try await withClient(of: streams, policy) { caller in
                    let call = Task {
                        guard self == .stream else { return try await caller.get() }
                        let request = StreamingClientRequest<String> { try await $0.write(contentsOf: ["1", "2"]) }
                        return try await caller.stream(request, Shop.get) { response in
                            try await response.messages.reduce(into: []) { $0.append($1) }
                        }.joined()
                    }
                    if self == .cancelled {
                        await streams.silent.pass()
                        call.cancel()
                    }
                    _ = await call.result
                }
                #expect(streams.attempts.value == (self == .unavailable ? 3 : 1))
                return Kept(object: streams.attempts)
            }
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("A request is read from its beginning until an attempt has taken the second message")
        func taker() async throws {
            let request = ReplayedRequest<[UInt8]>()
            let parts: [RPCRequestPart<[UInt8]>] = [.metadata([:]), .message([1]), .message([2])]
            try await request.write(contentsOf: parts)
            #expect(try await request.part(0, for: 1) == parts[0])
            #expect(try await request.part(0, for: 2) == parts[0])
            #expect(try await request.part(1, for: 2) == parts[1])
            #expect(try await request.part(2, for: 2) == parts[2])
            await #expect(throws: CancellationError.self) { try await request.part(0, for: 1) }
            request.finish()
            #expect(try await request.part(3, for: 2) == nil)
            await #expect(throws: CancellationError.self) { try await request.part(1, for: 3) }
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("Writing fails once the call has ended", arguments: ServerKind.allCases)
        func lateWrites(kind: ServerKind) async throws {
            let (ended, wrote) = (Gate(), Gate())
            let read = try await withShop(kind, try Policy {}) { _ in
                StreamingServerResponse(["a"])
            } call: { caller in
                let request = StreamingClientRequest<String> { writer in
                    defer { wrote.open() }
                    try await writer.write("1")
                    await ended.pass()
                    for _ in 0..<10 { try await writer.write("more") }
                }
                return try await caller.stream(request, Shop.buy) { response in
                    let read = try await response.messages.reduce(into: []) { $0.append($1) }
                    ended.open()
                    await wrote.pass()
                    return read
                }
            }
            #expect(read == ["a"])
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("A reader that is cancelled does not take that for the end", arguments: ServerKind.allCases)
        func cancelledReader(kind: ServerKind) async throws {
            let (begun, release) = (Gate(), Gate())
            let failure = try await withShop(kind, try Policy {}) { _ in
                StreamingServerResponse { writer in
                    try await writer.write("a")
                    try await release.passUnlessCancelled()
                    return [:]
                }
            } call: { caller in
                defer { release.open() }
                let call = Task {
                    await caller.failure { caller in
                        try await caller.stream(StreamingClientRequest { try await $0.write("1") }, Shop.get) {
                            response in
                            for try await _ in response.messages { begun.open() }
                            return []
                        }.joined()
                    }
                }
                await begun.pass()
                call.cancel()
                return await call.value
            }
            #expect(failure?.isCancelled == true)
        }
    }
#endif
