#if AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("AsyncHTTPClientTransport, by the conformance suite", .sockets)
    struct AsyncHTTPClientConformanceTests {
        @Test("passes every case that is not a known limit, and fails every one that is")
        func conforms() async throws {
            let cases = TransportConformance.cases.filter { !$0.name.hasPrefix("memory.") }
            try await TransportConformance.check(
                knownLimits: .asyncHTTPClient, cases: cases, timeLimit: .seconds(120)
            ) { options in
                try AsyncHTTPClientTransport(responseLimit: options.responseLimit)
            }
        }

        @Test("has no known limit that ends the process")
        func survives() {
            #expect(TransportConformance.KnownLimits.asyncHTTPClient.entries.allSatisfy { !$0.limit.endsProcess })
        }
    }

    @Suite("AsyncHTTPClientTransport, by the cases about memory", .exits)
    struct AsyncHTTPClientMemoryTests {
        @Test("passes them all in a process of its own")
        func memory() async {
            // One of its own, in which no other test needs memory meanwhile.
            await #expect(processExitsWith: .success) {
                func check(_ prefix: String) async throws {
                    let cases = TransportConformance.cases.filter { $0.name.hasPrefix(prefix) }
                    try await TransportConformance.check(cases: cases, timeLimit: .seconds(120)) { options in
                        try AsyncHTTPClientTransport(responseLimit: options.responseLimit)
                    }
                }
                // The pages of its own code come into memory with the first calls.
                try? await check("lengths.")
                try await check("memory.")
            }
        }
    }
#endif
