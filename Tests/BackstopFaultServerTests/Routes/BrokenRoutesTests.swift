#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Answers that break HTTP or the connection", .sockets)
    struct BrokenRoutesTests {
        private func exchange(_ target: String) async throws -> (text: String, end: RawClient.End) {
            var result = (text: "", end: RawClient.End.closed)
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.request(target)
                result = try await client.readToEnd()
                await client.close()
                #expect(server.disconnections(of: target) == 0, "the client did not leave first")
            }
            return result
        }

        @Test("/cut announces 1000 bytes, sends 300 and closes in order")
        func cut() async throws {
            let (text, end) = try await exchange("/cut")
            let reply = try Reply(parsing: text)
            #expect(reply.headers["content-length"] == "1000")
            #expect(reply.body.utf8.count == 300)
            #expect(reply.body.hasPrefix("[{\"id\":1,"))
            #expect(end == .closed)
        }

        @Test("/cut-chunked sends a whole chunk and not the last one")
        func cutChunked() async throws {
            let (text, end) = try await exchange("/cut-chunked")
            let reply = try Reply(parsing: text)
            #expect(reply.headers["transfer-encoding"] == "chunked")
            #expect(reply.body.hasPrefix("12c\r\n[{"))
            #expect(!reply.body.contains("0\r\n\r\n"))
            #expect(end == .closed)
        }

        @Test("/reset resets before any byte")
        func reset() async throws {
            let (text, end) = try await exchange("/reset")
            #expect(text.isEmpty)
            #expect(end == .reset)
        }

        @Test("/reset-midway resets after a part of the body")
        func resetMidway() async throws {
            let (text, end) = try await exchange("/reset-midway")
            #expect(try Reply(parsing: text).body.utf8.count == 300)
            #expect(end == .reset)
        }

        @Test("/not-http does not begin like HTTP")
        func notHTTP() async throws {
            let (text, end) = try await exchange("/not-http")
            #expect(!text.hasPrefix("HTTP/"))
            #expect(!text.isEmpty)
            #expect(end == .closed)
        }
    }
#endif
