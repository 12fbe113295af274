#if canImport(FoundationNetworking)
    import Testing

    @testable import Backstop
    @testable import BackstopCore

    @Suite("The start of tasks beside streams")
    struct SessionEntryTests {
        @Test("starts that waited may hold the last references to their streams")
        func lastReferences() async {
            // In a process of its own, because all transports of one share the state.
            await #expect(processExitsWith: .success) {
                let started = Lock(0)
                // given: a start under way on the thread of its caller
                SessionEntry.enter {
                    // when: streams begin meanwhile, which nobody but their starts refers to
                    for _ in 0..<1000 {
                        let stream = SessionEntry.Stream()
                        SessionEntry.enter {
                            withExtendedLifetime(stream) {}
                            started.withLock { $0 += 1 }
                        }
                    }
                    #expect(started.withLock { $0 } == 0)
                }
                // then: all of them start, and end, while the first is leaving
                while started.withLock({ $0 }) < 1000 {
                    await Task.yield()
                }
            }
        }
    }
#endif
