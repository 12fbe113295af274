#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop get -d", .sockets)
    struct BodyArgumentTests {
        /// Line ends, a zero byte and bytes that are no text.
        private static let bytes = Data([0x0D, 0x0A, 0x00, 0xFF, 0x61, 0x0A, 0x0A])

        @Test("@FILE sends the bytes of a file as they are")
        func file() async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let file = folder.appendingPathComponent("body")
                try Self.bytes.write(to: file)
                let command = try await Command.run("get", "\(server.url)/echo", "-d", "@\(file.path)")
                #expect(command.status == 0)
            }
            let request = try #require(await server.requests(to: "/echo").first)
            await server.stop()
            #expect(request.method == "POST")
            #expect(request.body == Self.bytes)
        }

        @Test("@- sends standard input as it is")
        func standardInput() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run("get", "\(server.url)/echo", "-d", "@-", input: Self.bytes)
            let requests = await server.requests(to: "/echo")
            await server.stop()
            #expect(command.status == 0)
            #expect(requests.map(\.body) == [Self.bytes])
        }

        @Test("several bodies are joined with &")
        func several() async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run(
                "get", "\(server.url)/echo", "-d", "a=1", "-d", "@-", "-d", "c=3", input: Data("b=2".utf8))
            let requests = await server.requests(to: "/echo")
            await server.stop()
            #expect(command.status == 0)
            #expect(requests.map(\.body) == [Data("a=1&b=2&c=3".utf8)])
        }

        @Test(
            "the media type is JSON's for what begins as JSON does, unless a header says otherwise",
            arguments: [
                ("{}", [], "application/json"),
                (" \n\t[1]", [], "application/json"),
                ("a={}", [], "application/x-www-form-urlencoded"),
                ("", [], "application/x-www-form-urlencoded"),
                ("{}", ["-H", "Content-Type: text/plain"], "text/plain"),
            ] as [(String, [String], String)])
        func mediaType(body: String, more: [String], type: String) async throws {
            let server = try await FaultServer.start()
            let command = try await Command.run(
                ["get", "\(server.url)/echo", "-d", "@-"] + more, input: Data(body.utf8))
            let requests = await server.requests(to: "/echo")
            await server.stop()
            #expect(command.status == 0)
            #expect(requests.map { $0.values(of: "Content-Type") } == [[type]])
        }

        @Test(
            "a file that cannot be read is named, and nothing is sent",
            arguments: [("/none", "No such file or directory"), ("", "it is a folder")])
        func unreadable(path: String, reason: String) async throws {
            let server = try await FaultServer.start()
            try await withFolder { folder in
                let command = try await Command.run("get", "\(server.url)/echo", "-d", "@\(folder.path)\(path)")
                #expect(command.status == 2)
                #expect(command.errors.contains("The file \(folder.path)\(path) cannot be read: \(reason)"))
            }
            #expect(server.requestCount(of: "/echo") == 0)
            await server.stop()
        }
    }
#endif
