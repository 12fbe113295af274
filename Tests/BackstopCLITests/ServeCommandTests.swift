#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing
    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("backstop serve", .sockets)
    struct ServeCommandTests {
        @Test("serves the playground and the sign-up form, and stops in good order when it is told to")
        func serve() async throws {
            // given
            let pipe = Pipe()
            let process = try CommandProcess(["serve"], output: pipe)
            defer { process.send(SIGKILL) }
            let (parts, part) = AsyncStream.makeStream(of: String.self)
            pipe.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                if data.isEmpty {
                    part.finish()
                } else {
                    part.yield(String(decoding: data, as: UTF8.self))
                }
            }
            // when
            var text = ""
            for await part in parts {
                text += part
                if text.contains("Control-C") {
                    break
                }
            }
            pipe.fileHandleForReading.readabilityHandler = nil
            let address = try #require(text.split(separator: " ").first { $0.hasPrefix("http://127.0.0.1:") })
            let url = try #require(URL(string: String(address)))
            let (page, _) = try await URLSession.shared.data(for: URLRequest(url: url))
            let (form, _) = try await URLSession.shared.data(for: URLRequest(url: url.appendingPathComponent("signup")))
            process.send(SIGTERM)
            // then
            #expect(String(decoding: page, as: UTF8.self).contains("<title>Backstop playground</title>"))
            #expect(String(decoding: form, as: UTF8.self).contains("<title>Sign up</title>"))
            #expect(try await process.status() == 0)
        }
    }
#endif
