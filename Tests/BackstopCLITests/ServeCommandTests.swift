#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing
    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("backstop serve", .sockets)
    struct ServeCommandTests {
        @Test("serves the list of its routes, and stops in good order when it is told to")
        func serve() async throws {
            // given
            let process = Process()
            let pipe = Pipe()
            process.executableURL = try Command.executable
            process.arguments = ["serve"]
            process.standardOutput = pipe
            let (ended, end) = AsyncStream.makeStream(of: Int32.self)
            process.terminationHandler = { end.yield($0.terminationStatus) }
            let (lines, line) = AsyncStream.makeStream(of: String.self)
            pipe.fileHandleForReading.readabilityHandler = { handle in
                line.yield(String(decoding: handle.availableData, as: UTF8.self))
            }
            try process.run()
            // when
            var text = ""
            for await part in lines {
                text += part
                if text.contains("Control-C") {
                    break
                }
            }
            pipe.fileHandleForReading.readabilityHandler = nil
            let address = try #require(text.split(separator: " ").first { $0.hasPrefix("http://127.0.0.1:") })
            let url = try #require(URL(string: String(address)))
            let (page, _) = try await URLSession.shared.data(for: URLRequest(url: url))
            process.terminate()
            // then
            #expect(String(decoding: page, as: UTF8.self).contains("/isUserNameAvailable"))
            for await status in ended {
                #expect(status == 0)
                break
            }
        }
    }
#endif
