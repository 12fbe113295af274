#if Demo
    import Testing

    @testable import BackstopFaultServer

    @Suite("The streams of a fault server")
    struct LiveStreamsTests {
        @Test("a reservation lasts for a while, and opens once")
        func reservations() throws {
            let streams = LiveStreams()
            let now = ContinuousClock.now
            let (old, new) = (try #require(streams.reserve(at: now)), try #require(streams.reserve(at: now)))
            #expect(streams.open(old, at: now + LiveStreams.patience) == nil)
            #expect(streams.open(new, at: now) != nil)
            #expect(streams.open(new, at: now) == nil)
        }

        @Test("so many are open or reserved and no more, but for reservations that are over")
        func limit() throws {
            let streams = LiveStreams()
            let now = ContinuousClock.now
            let tokens = (1...Limits.streams).compactMap { _ in streams.reserve(at: now) }
            #expect(streams.open(tokens[0], at: now) != nil)
            #expect(tokens.count == Limits.streams)
            #expect(streams.reserve(at: now) == nil)
            streams.close(tokens[0])
            #expect(streams.reserve(at: now) != nil)
            #expect(streams.reserve(at: now + LiveStreams.patience) != nil)
        }
    }
#endif
