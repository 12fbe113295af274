#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop get -i and -o", .sockets)
    struct OutputFileTests {
        @Test("-i prints status line and headers, an empty line, and the body")
        func head() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/books", "-i")
            await server.stop()
            let parts = command.output.components(separatedBy: "\n\n")
            let lines = try #require(parts.first).components(separatedBy: "\n")
            #expect(command.status == 0)
            #expect(parts.count == 2)
            #expect(lines.first == "HTTP 200 OK")
            #expect(lines.contains("Content-Type: application/json"))
            #expect(lines.contains("Content-Length: 83"))
            #expect(parts.last == GetCommandTests.books)
        }

        @Test("-i prints status line and headers of a failure too, and the report to standard error")
        func headOfFailure() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/problem?status=404", "-i")
            await server.stop()
            #expect(command.status == 1)
            #expect(command.output.hasPrefix("HTTP 404 Not Found\n"))
            #expect(command.output.contains("\nContent-Type: application/problem+json\n"))
            #expect(command.output.hasSuffix("\n\n"))
            #expect(command.errors.hasPrefix("service.problem: "))
        }

        @Test("-o writes the body to a file, and nothing to standard output")
        func file() async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let file = folder.appendingPathComponent("books.json")
                let command = try await Command.run("get", "\(server.url)/books", "-o", file.path)
                #expect(command.status == 0)
                #expect(command.outputData.isEmpty)
                #expect(command.errors.isEmpty)
                #expect(try String(contentsOf: file, encoding: .utf8) == GetCommandTests.books)
            }
            await server.stop()
        }

        @Test("-o - is standard output")
        func standardOutput() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/books", "-o", "-")
            await server.stop()
            #expect(command.status == 0)
            #expect(command.output == GetCommandTests.books)
        }

        @Test("-i -o writes status line and headers to the file as well")
        func headInFile() async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let file = folder.appendingPathComponent("books.txt")
                let command = try await Command.run("get", "\(server.url)/books", "-i", "-o", file.path)
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(command.outputData.isEmpty)
                #expect(text.hasPrefix("HTTP 200 OK\n"))
                #expect(text.hasSuffix("\n\n" + GetCommandTests.books))
            }
            await server.stop()
        }

        @Test("--json prints its object beside the file")
        func json() async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let file = folder.appendingPathComponent("books.json")
                let command = try await Command.run("get", "\(server.url)/books", "--json", "-o", file.path)
                #expect(try command.object["outcome"] as? String == "value")
                #expect(try String(contentsOf: file, encoding: .utf8) == GetCommandTests.books)
            }
            await server.stop()
        }

        @Test("-o leaves a file as it is, sends nothing and says what to do")
        func existing() async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let file = folder.appendingPathComponent("books.json")
                try Data("mine".utf8).write(to: file)
                let command = try await Command.run("get", "\(server.url)/books", "-o", file.path)
                #expect(command.status == 2)
                #expect(command.errors.contains("The file \(file.path) already exists: choose another name for -o"))
                #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
            }
            #expect(server.requestCount(of: "/books") == 0)
            await server.stop()
        }

        @Test(
            "-o says what to do about a name that no file can have, before anything is sent",
            arguments: [
                ("", "is a folder: choose a file name for -o"), ("/none/file", "does not exist: create it first"),
                ("/dangling", "is a link that leads nowhere"),
            ])
        func unusable(path: String, problem: String) async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path + "/dangling", withDestinationPath: folder.path + "/none")
                let command = try await Command.run("get", "\(server.url)/books", "-o", folder.path + path)
                #expect(command.status == 2)
                #expect(command.errors.contains(problem))
            }
            #expect(server.requestCount(of: "/books") == 0)
            await server.stop()
        }

        @Test("-o leaves no file behind when the call fails")
        func failure() async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let file = folder.appendingPathComponent("none.txt")
                let command = try await Command.run("get", "\(server.url)/status/404", "-o", file.path)
                #expect(command.status == 1)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
            await server.stop()
        }

        @Test("-o needs a name")
        func nameless() async throws {
            let command = try await Command.run("get", "http://a.example/", "-o", "")
            #expect(command.status == 2)
            #expect(command.errors.contains("-o needs the name of a file."))
        }

        @Test("a signal ends the call, and -o leaves no file behind", arguments: endingSignals)
        func interrupted(signal: Int32) async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let file = folder.appendingPathComponent("none.txt")
                let process = try CommandProcess(
                    ["get", "\(server.url)/hang", "--timeout", "80000", "-o", file.path], output: FileHandle.nullDevice)
                #expect(await server.waitForRequest(to: "/hang"))
                #expect(FileManager.default.fileExists(atPath: file.path))
                process.send(signal)
                #expect(try await process.status() == signal)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
            await server.stop()
        }

        /// Those that end the command; a hangup does not when it is ignored by the tests, too, as under `nohup`.
        static let endingSignals: [Int32] = {
            var hangup = sigaction()
            sigaction(SIGHUP, nil, &hangup)
            #if canImport(Darwin)
                let handler = hangup.__sigaction_u.__sa_handler
            #else
                let handler = hangup.__sigaction_handler.sa_handler
            #endif
            let isIgnored = unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            return [SIGINT, SIGTERM, SIGQUIT] + (isIgnored ? [] : [SIGHUP])
        }()

        @Test("a call that fails leaves a file alone that took the name during the call")
        func replaced() async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let (file, mine) = (folder.appendingPathComponent("body"), folder.appendingPathComponent("mine"))
                try Data("mine".utf8).write(to: mine)
                let process = try CommandProcess(
                    ["get", "\(server.url)/hang", "--timeout", "80000", "-o", file.path], output: FileHandle.nullDevice)
                #expect(await server.waitForRequest(to: "/hang"))
                #expect(rename(mine.path, file.path) == 0)
                process.send(SIGTERM)
                #expect(try await process.status() == SIGTERM)
                #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
            }
            await server.stop()
        }

        #if os(Linux)
            @Test("a body that does not fit where -o wants it goes to standard output")
            func full() async throws {
                let server = try await FaultServer.start()
                let command = try await Command.run("get", "\(server.url)/books", "-o", "/dev/full")
                await server.stop()
                #expect(command.status == 3)
                #expect(command.output == GetCommandTests.books)
                #expect(command.errors.hasPrefix("The body could not be written to /dev/full"))
            }
        #endif
    }
#endif
