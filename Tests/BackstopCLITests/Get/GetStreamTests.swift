#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop get --stream", .sockets)
    struct GetStreamTests {
        @Test("prints the body as it is, and exits with 0")
        func body() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "--stream", "\(server.url)/stream/lines?count=3&ms=10")
            await server.stop()
            #expect(command.status == 0)
            #expect(command.output == "line 1\nline 2\nline 3\n")
            #expect(command.errors.isEmpty)
        }

        @Test("prints what came before a failure in the middle, reports it, and exits with 1")
        func cut() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "--stream", "\(server.url)/stream/lines?count=3&cut=10")
            await server.stop()
            #expect(command.status == 1)
            #expect(command.output == "line 1\nlin")
            #expect(command.errors.contains("transport.truncated"))
            #expect(command.errors.contains("10 bytes"))
        }

        @Test("prints nothing of a response that is refused")
        func refused() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "--stream", "\(server.url)/status/404")
            await server.stop()
            #expect(command.status == 1)
            #expect(command.output.isEmpty)
            #expect(command.errors.contains("status.404"))
        }

        @Test("downloads to a file, and goes on where it stopped")
        func file() async throws {
            let server = try await FaultServer.start()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("film")
            let command = try await Command.run(
                "get", "--stream", "--json", "-o", file.path,
                "\(server.url)/stream/bytes?bytes=300000&cut=100000&times=2&id=get")
            let asked = await server.requests(to: "/stream/bytes").map { $0.values(of: "Range").first }
            await server.stop()
            #expect(command.status == 0)
            #expect(try command.object["outcome"] as? String == "value")
            #expect(asked == [nil, "bytes=100000-", "bytes=200000-"])
            #expect(try Data(contentsOf: file) == Data((0..<300_000).map { UInt8($0 % 251) }))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film"])
        }

        @Test("ends at --deadline in the middle of the body as well")
        func deadline() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run(
                "get", "--stream", "--deadline", "0.5", "\(server.url)/stream/lines?count=1000&ms=100")
            await server.stop()
            #expect(command.status == 1)
            #expect(command.output.hasPrefix("line 1\n"))
            #expect(command.errors.contains("timeout.deadline"))
        }

        @Test("does not replace a file, and sends nothing then")
        func existing() async throws {
            let server = try await FaultServer.start()
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data("mine".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let command = try await Command.run("get", "--stream", "-o", file.path, "\(server.url)/stream/bytes")
            let asked = await server.requests(to: "/stream/bytes")
            await server.stop()
            #expect(command.status == 2)
            #expect(command.errors.contains("storage.exists"))
            #expect(command.errors.contains("remove what is there"))
            #expect(asked.isEmpty)
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
        }

        @Test(
            "refuses what a stream cannot be shown with, before anything is sent",
            arguments: [["-i"], ["--json"], ["--json", "-o", "-"]])
        func usage(_ options: [String]) async throws {
            let command = try await Command.run(["get", "--stream", "http://127.0.0.1:1/"] + options)
            #expect(command.status == 2)
            #expect(command.output.isEmpty)
            #expect(!command.errors.isEmpty)
        }
    }
#endif
