#if DEBUG
    import Backstop
    import BackstopTesting
    import BackstopTestSupport
    import Testing

    @Suite("The recipe for previews", .limited)
    struct PreviewsTests {
        @Test("a good server answers however often it is asked") func good() async throws {
            let client = try Client.preview(PreviewServer.good).withOptions { $0.clock = RecordingClock() }

            for _ in 1...2 {
                #expect(try await client.get("books", as: [Book].self) == [Book(id: 1, title: "Dune")])
            }
        }

        @Test("a slow server waits by the call's clock") func slow() async throws {
            let clock = RecordingClock()
            let client = try Client.preview(PreviewServer.slow).withOptions { $0.clock = clock }

            #expect(try await client.get("books", as: [Book].self).isEmpty)
            #expect(clock.sleeps == [.seconds(3)])
        }

        @Test("a server that is down fails at once") func down() async throws {
            let client = try Client.preview(PreviewServer.down).withOptions { $0.clock = RecordingClock() }

            let failure = await #expect(throws: Failure.self) { _ = try await client.get("books") }

            #expect(failure?.attempts.count == 1)
            #expect(failure?.retryAfter == .seconds(60))
        }
    }
#endif
