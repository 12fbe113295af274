#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Bodies that arrive piece by piece", .sockets)
    struct StreamRoutesTests {
        /// The whole answer to one request, and how the connection ended.
        private static func answer(
            _ target: String, _ headers: String = ""
        ) async throws -> (head: String, body: String, end: RawClient.End) {
            let server = try await FaultServer.start()
            let client = try await RawClient(server.url)
            try await client.request(target, headers: headers + "Connection: close\r\n")
            let (text, end) = try await client.readToEnd()
            await client.close()
            await server.stop()
            let parts = text.components(separatedBy: "\r\n\r\n")
            return (parts[0], parts.dropFirst().joined(separator: "\r\n\r\n"), end)
        }

        @Test(
            "each format has its elements and its type",
            arguments: [
                ("lines?count=2", "text/plain", "e\r\nline 1\nline 2\n\r\n0\r\n\r\n"),
                (
                    "json?count=1", "application/jsonl", "1c\r\n{\"number\":1,\"name\":\"row 1\"}\n\r\n0\r\n\r\n"
                ),
                (
                    "events?count=1&retry=20", "text/event-stream",
                    "25\r\nretry: 20\n\nid: 1\ndata: {\"number\":1}\n\n\r\n0\r\n\r\n"
                ),
                ("lines?count=0", "text/plain", "0\r\n\r\n"),
                ("lines?count=1&piece=4", "text/plain", "4\r\nline\r\n3\r\n 1\n\r\n0\r\n\r\n"),
                ("lines?count=2&ms=1", "text/plain", "7\r\nline 1\n\r\n7\r\nline 2\n\r\n0\r\n\r\n"),
                ("bytes?bytes=3", "application/octet-stream", "\u{0}\u{1}\u{2}"),
            ])
        func formats(_ target: String, type: String, body: String) async throws {
            let answer = try await Self.answer("/stream/" + target)
            #expect(answer.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.head.contains("Content-Type: \(type)"))
            #expect(answer.body == body)
            #expect(answer.end == .closed)
        }

        @Test("a cut ends the body after so many bytes, with no end of the chunks")
        func cut() async throws {
            let closed = try await Self.answer("/stream/lines?cut=10")
            #expect(closed.body == "a\r\nline 1\nlin\r\n")
            #expect(closed.end == .closed)
            let reset = try await Self.answer("/stream/lines?cut=10&how=reset")
            #expect(reset.body == "a\r\nline 1\nlin\r\n")
            #expect(reset.end == .reset)
            let before = try await Self.answer("/stream/bytes?cut=0")
            #expect(before.body.isEmpty)
        }

        @Test("a stall is noticed when the client leaves")
        func stall() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.request("/stream/lines?cut=10&how=stall")
                #expect(try await client.read(until: "lin\r\n").hasSuffix("a\r\nline 1\nlin\r\n"))
                await client.close()
                #expect(await server.waitForDisconnection(of: "/stream/lines"))
            }
        }

        @Test("only the first calls are cut, if so many are asked for")
        func times() async throws {
            try await withServer { server in
                for expected in ["line 1\n", "line 1\n", "line 1\nline 2\n"] {
                    let client = try await RawClient(server.url)
                    try await client.request(
                        "/stream/lines?count=2&cut=7&times=2&id=a", headers: "Connection: close\r\n")
                    #expect(try await client.readToEnd().text.contains("\r\n\(expected)\r\n"))
                    await client.close()
                }
            }
        }

        @Test("events go on after the last one that is known")
        func lastEvent() async throws {
            let answer = try await Self.answer("/stream/events?count=3", "Last-Event-ID: 2\r\n")
            #expect(answer.body == "1a\r\nid: 3\ndata: {\"number\":3}\n\n\r\n0\r\n\r\n")
            let over = try await Self.answer("/stream/events?count=3", "Last-Event-ID: 3\r\n")
            #expect(over.head.hasPrefix("HTTP/1.1 204 "))
        }

        @Test(
            "bytes go on where a range of the same version begins",
            arguments: [
                ("Range: bytes=4-\r\n", 206, "\u{4}\u{5}"),
                ("Range: bytes=4-\r\nIf-Range: \"6\"\r\n", 206, "\u{4}\u{5}"),
                ("Range: bytes=4-\r\nIf-Range: \"7\"\r\n", 200, "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}"),
                ("Range: bytes=6-\r\n", 200, "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}"),
                ("Range: bytes=-2\r\n", 200, "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}"),
            ])
        func range(_ headers: String, status: Int, body: String) async throws {
            let answer = try await Self.answer("/stream/bytes?bytes=6", headers)
            #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.head.contains("ETag: \"6\""))
            #expect(answer.head.contains("Content-Range: bytes 4-5/6") == (status == 206))
            #expect(answer.body == body)
        }

        @Test("an unknown format is not found")
        func unknown() async throws {
            #expect(try await Self.answer("/stream/xml").head.hasPrefix("HTTP/1.1 404 "))
        }
    }
#endif
