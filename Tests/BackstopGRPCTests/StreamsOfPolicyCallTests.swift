#if GRPC
    @testable import BackstopGRPC
    import BackstopTestSupport
    import GRPCCore
    import Testing

    @Suite("The streams of a call with a policy", .limited)
    struct StreamsOfPolicyCallTests {
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @Test("A response is that of the attempt that began it")
        func owner() async throws {
            let response = RelayedResponse<[UInt8]>()
            let reader = Task { try await response.first { _ in true } }
            try await response.deliver(.metadata(["attempt": "2"]), of: 2)
            await #expect(throws: CancellationError.self) {
                try await response.deliver(.metadata(["attempt": "1"]), of: 1)
            }
            #expect(try await reader.value == .metadata(["attempt": "2"]))
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
