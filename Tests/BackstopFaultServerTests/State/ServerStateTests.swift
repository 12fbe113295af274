#if Demo
    import BackstopTestSupport
    import Testing

    @testable import BackstopFaultServer

    @Suite("Waiting for what happens at a server", .sockets)
    struct ServerStateTests {
        @Test("waiting ends when the task is cancelled")
        func cancelledWait() async throws {
            try await withServer { server in
                let waiting = Task { await server.waitForDisconnection(of: "/hang") }
                waiting.cancel()
                #expect(await waiting.value == false)
            }
        }
    }
#endif
