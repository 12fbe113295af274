#if GRPC
    @testable import BackstopGRPC
    import BackstopTestSupport
    import BackstopTesting
    import GRPCCore
    import Testing

    @Suite("The streams of a call with a policy", .limited)
    struct StreamsOfPolicyCallTests {
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test(
            "A call goes on with the attempt that began the response, and others end as that does",
            arguments: [true, false])
        func owner(succeeds: Bool) async throws {
            let request = ReplayedRequest<[UInt8]>()
            #expect(request.isTaken(by: 2))
            #expect(!request.isTaken(by: 1))
            await #expect(throws: CancellationError.self) { try await request.part(0, for: 1) }
            let other = Task { try await request.outcome(of: 1, throwing: CancellationError()) }
            guard !succeeds else {
                let status = RPCResponsePart<[UInt8]>.status(Status(code: .ok, message: ""), [:])
                request.succeed(2, with: status)
                return #expect(try await other.value == status)
            }
            let lost = RPCError(code: .unavailable, message: "lost")
            await #expect(throws: lost) { try await request.outcome(of: 2, throwing: lost) }
            await #expect(throws: lost) { try await other.value }
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("An attempt that the call does not go on with waits until it is cancelled")
        func loser() async throws {
            let request = ReplayedRequest<[UInt8]>()
            #expect(request.isTaken(by: 2))
            let other = Task { try await request.outcome(of: 1, throwing: RPCError(code: .notFound, message: "")) }
            other.cancel()
            await #expect(throws: CancellationError.self) { try await other.value }
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("An attempt does not wait for one that was cancelled, and blames no server if it came too late")
        func over() async throws {
            let request = ReplayedRequest<[UInt8]>()
            let lost = RPCError(code: .unavailable, message: "lost")
            // Of an attempt before, which the call does not go on with.
            await #expect(throws: lost) { try await request.outcome(of: 1, throwing: lost) }
            #expect(request.isTaken(by: 2))
            let taker = Task { try await request.outcome(of: 2, throwing: CancellationError()) }
            taker.cancel()
            _ = try? await taker.value
            let own = RPCError(code: .notFound, message: "own")
            await #expect(throws: own) { try await request.outcome(of: 3, throwing: own) }
            await #expect(throws: CancellationError.self) { try await request.part(0, for: 4) }
            let late = await #expect(throws: RPCError.self) { try await request.outcome(of: 4, throwing: lost) }
            #expect(late?.code == .internalError)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("Nothing of a call is kept once it has ended", arguments: Ending.allCases)
        func released(ending: Ending) async throws {
            try await ending.run().passUnlessCancelled()
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        enum Ending: CaseIterable {
            case ok, notFound, unavailable, cancelled, stream

            /// Opens a gate when nobody keeps it any more.
            private final class Witness: Sendable {
                let gone = Gate()

                deinit { gone.open() }
            }

            /// Makes a call of a transport that ends after it.
            ///
            /// - Returns: Opened when nobody keeps the transport any more.
            func run() async throws -> Gate {
                let witness = Witness()
                let gone = witness.gone
                let streams = ScriptedStreams { _ in
                    withExtendedLifetime(witness) {}
                    return switch self {
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
                return gone
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
