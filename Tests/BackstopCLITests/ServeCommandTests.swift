#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing
    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("backstop serve", .sockets)
    struct ServeCommandTests {
        /// Runs the command, and ends it.
        private func withCommand(_ test: (CommandProcess, URL) async throws -> Void) async throws {
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
            var text = ""
            for await part in parts {
                text += part
                if text.contains("Control-C") {
                    break
                }
            }
            pipe.fileHandleForReading.readabilityHandler = nil
            let address = try #require(text.split(separator: " ").first { $0.hasPrefix("http://127.0.0.1:") })
            try await test(process, try #require(URL(string: String(address))))
        }

        private func text(at url: URL) async throws -> String {
            let (data, _) = try await Turns.foundation.alone {
                try await URLSession.shared.data(for: URLRequest(url: url))
            }
            return String(decoding: data, as: UTF8.self)
        }

        @Test("serves the playground and the sign-up form, and stops in good order when it is told to")
        func serve() async throws {
            try await withCommand { process, url in
                let page = try await text(at: url)
                let form = try await text(at: url.appendingPathComponent("signup"))
                process.send(SIGTERM)
                #expect(page.contains("<title>Backstop playground</title>"))
                #expect(form.contains("<title>Sign up</title>"))
                #expect(try await process.status() == 0)
            }
        }

        @Test("keeps no connection of a call of the playground that is over")
        func descriptors() async throws {
            try await withCommand { process, url in
                func run() async throws {
                    for target in ["/status/200", "/status/404", "/json%3Fbytes=100"] {
                        let address = "\(url.absoluteString)/playground/run?target=\(target)"
                        _ = try await text(at: try #require(URL(string: address)))
                    }
                }
                try await run()
                guard let before = process.descriptors else {
                    return
                }
                for _ in 1...20 {
                    try await run()
                }
                // A call had four of its own. A connection that is closed may be seen as open for a moment.
                let deadline = ContinuousClock.now + .seconds(10)
                while try #require(process.descriptors) > before + 20, ContinuousClock.now < deadline {
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(try #require(process.descriptors) <= before + 20)
            }
        }
    }
#endif
