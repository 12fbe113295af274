#if Demo
    import BackstopTestSupport
    import FlyingSocks
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Listening", .sockets)
    struct ListenerTests {
        @Test("after stopping, the port is free for another server")
        func restarting() async throws {
            let first = try await FaultServer.start()
            let port = try UInt16(#require(first.url.port))
            let reply = try await first.url.reply(to: "/books")
            #expect(reply.status == 200)
            await first.stop()

            try await withServer(.init(port: port)) { second in
                #expect(second.url == first.url)
                let reply = try await second.url.reply(to: "/books")
                #expect(reply.status == 200)
            }
        }

        @Test(
            "the end of a connection reaches the other side, whoever else holds its socket", arguments: [true, false])
        func held(resets: Bool) async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.request("/hang")
                _ = await server.waitForRequest(to: "/hang")
                let descriptor = client.connection.socket.file.rawValue
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
                // As a child process that was started before that was set.
                let held = dup(descriptor)
                defer { _ = close(held) }
                if resets {
                    await client.connection.reset()
                } else {
                    await client.connection.close()
                }
                #expect(await server.waitForDisconnection(of: "/hang"))
            }
        }

        @Test("a port that is taken, or an option out of range, is an error at the start")
        func wrongOptions() async throws {
            try await withServer { server in
                let port = try UInt16(#require(server.url.port))
                await #expect(throws: FaultServer.StartError.self) {
                    try await FaultServer.start(.init(port: port))
                }
            }
            await #expect(throws: FaultServer.StartError.negativeRetryAfter(-1)) {
                try await FaultServer.start(.init(retryAfter: -1))
            }
        }
    }
#endif
