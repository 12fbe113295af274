#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("Standard output of backstop", .sockets)
    struct StandardOutputTests {
        #if os(Linux)
            @Test(
                "output that cannot be written is an exit status of its own, and a line on standard error",
                arguments: [
                    ["get", "URL/books"], ["get", "URL/books", "-i"], ["get", "URL/books", "--json"],
                    ["get", "URL/status/404", "--json"],
                    ["graphql", "URL/graphql", "--query", "{ hero { name } }"],
                    ["order", "retry"], ["demo", "--list"], ["serve"], ["--help"], ["--version"],
                ])
            func full(arguments: [String]) async throws {
                let server = try await FaultServer.start()
                let output = try #require(FileHandle(forWritingAtPath: "/dev/full"))
                let command = try await Command.run(
                    arguments.map { $0.replacing("URL", with: "\(server.url)") }, output: output)
                await server.stop()
                #expect(command.status == 3)
                #expect(command.errors == "The output could not be written: No space left on device\n")
            }
        #endif

        @Test("a reader that goes away ends the output, and changes nothing else")
        func closedPipe() async throws {
            let server = try await FaultServer.start()
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let command = try await Command.run(["get", "\(server.url)/books"], output: pipe.fileHandleForWriting)
            await server.stop()
            #expect(command.status == 0)
            #expect(command.errors.isEmpty)
        }

        @Test("a signal ends a command whose output nobody reads", arguments: [SIGINT, SIGTERM])
        func blocked(signal: Int32) async throws {
            // given: more than a pipe holds
            let server = try await FaultServer.start()
            let pipe = Pipe()
            let process = try CommandProcess(["get", "\(server.url)/json?bytes=3000000"], output: pipe)
            // when: the call is over, as the output has begun
            #expect(try await Self.firstByte(pipe.fileHandleForReading) != nil)
            process.send(signal)
            // then
            #expect(try await process.status() == signal)
            await server.stop()
        }

        /// Waits on a thread of its own: the server answers on those that tasks share.
        private static func firstByte(_ handle: FileHandle) async throws -> UInt8? {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(with: Result { try handle.read(upToCount: 1)?.first })
                }
            }
        }
    }
#endif
