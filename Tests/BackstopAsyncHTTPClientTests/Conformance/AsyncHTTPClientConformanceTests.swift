#if AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("AsyncHTTPClientTransport, by the conformance suite", .sockets)
    struct AsyncHTTPClientConformanceTests {
        @Test("passes every case that is not a known limit, and fails every one that is")
        func conforms() async throws {
            try await TransportConformance.check(knownLimits: .asyncHTTPClient, timeLimit: .seconds(120)) { options in
                try AsyncHTTPClientTransport(responseLimit: options.responseLimit)
            }
        }

        @Test("has no known limit that ends the process")
        func survives() {
            #expect(TransportConformance.KnownLimits.asyncHTTPClient.entries.allSatisfy { !$0.limit.endsProcess })
        }
    }
#endif
