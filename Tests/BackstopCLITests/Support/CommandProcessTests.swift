#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Testing

    @Suite("A process of the command", .sockets)
    struct CommandProcessTests {
        @Test("is killed when its test is cancelled, as at the time limit")
        func cancelled() async throws {
            // given: a call that never ends, of a process that leaves when it is gone
            let server = try await FaultServer.start()
            let test = Task { try await Command.run("get", "\(server.url)/hang", "--timeout", "80000").status }
            await server.waitForRequest(to: "/hang")
            // when
            test.cancel()
            // then
            await #expect(throws: CancellationError.self) { try await test.value }
            #expect(await server.waitForDisconnection(of: "/hang"))
            await server.stop()
        }
    }
#endif
