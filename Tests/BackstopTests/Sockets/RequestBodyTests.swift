#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("A request arrives", .sockets)
    struct RequestBodyTests {
        /// Sizes around the buffers on the way: libcurl's 64 KiB, and what fits into a socket.
        static let sizes = [1, 65_535, 65_536, 65_537, 3_000_000]

        @Test("with its data byte for byte", arguments: sizes)
        func data(size: Int) async throws {
            let sent = try await send(.data(sampleBytes(size)))
            #expect(sent.body == sampleBytes(size))
            #expect(sent.values(of: "Content-Length") == ["\(size)"])
            #expect(sent.values(of: "Transfer-Encoding").isEmpty)
        }

        @Test("with its file byte for byte, its length announced", arguments: sizes)
        func file(size: Int) async throws {
            try await withFile(of: sampleBytes(size)) { file in
                let sent = try await send(.file(file))
                #expect(sent.body == sampleBytes(size))
                #expect(sent.values(of: "Content-Length") == ["\(size)"])
                #expect(sent.values(of: "Transfer-Encoding").isEmpty)
            }
        }

        @Test("with its stream byte for byte, the known length announced", arguments: sizes)
        func streamOfKnownLength(size: Int) async throws {
            let sent = try await send(.stream(once: pieces(of: sampleBytes(size)), length: Int64(size)))
            #expect(sent.body == sampleBytes(size))
            #expect(sent.values(of: "Content-Length") == ["\(size)"])
            #expect(sent.values(of: "Transfer-Encoding").isEmpty)
        }

        @Test("with its stream byte for byte, in chunks where the length is not known", arguments: sizes)
        func streamOfUnknownLength(size: Int) async throws {
            let sent = try await send(.stream(once: pieces(of: sampleBytes(size))))
            #expect(sent.body == sampleBytes(size))
            #expect(sent.values(of: "Content-Length").isEmpty)
            #expect(sent.values(of: "Transfer-Encoding") == ["chunked"])
        }

        @Test("without a body where the content is empty")
        func emptyBody() async throws {
            try await withFile(of: Data()) { file in
                for body in [HTTP.Body.none, .data(Data()), .file(file)] {
                    let sent = try await send(body)
                    #expect(sent.body.isEmpty)
                    #expect(sent.method == "POST")
                }
            }
        }

        @Test("with its JSON and the type of it")
        func json() async throws {
            try await withServer { server in
                try await server.client().post("/echo", json: ["title": "Dune"])
                let sent = try await server.onlyRequest(to: "/echo")
                #expect(try JSONDecoder().decode([String: String].self, from: sent.body) == ["title": "Dune"])
                #expect(sent.values(of: "Content-Type") == ["application/json"])
            }
        }

        @Test("with the type of its text or its bytes, and not as a form")
        func contentType() async throws {
            try await withServer { server in
                let client = try server.client()
                try await client.post("/status/201", body: .text("hi"))
                try await client.post("/status/202", body: .data(Data(#"{"a":1}"#.utf8)))
                let text = try await server.onlyRequest(to: "/status/201")
                let bytes = try await server.onlyRequest(to: "/status/202")
                #expect(text.values(of: "Content-Type") == ["text/plain; charset=utf-8"])
                #expect(bytes.values(of: "Content-Type") == ["application/octet-stream"])
            }
        }

        @Test("with several values of one name, joined as the name wants it")
        func severalValues() async throws {
            try await withServer { server in
                let headers: HTTP.Headers = [
                    "Accept-Language": "sv", "Accept-Language": "en;q=0.5", "Cookie": "a=1", "Cookie": "b=2",
                ]
                _ = try await server.client().get("/echo", headers: headers)
                let sent = try await server.onlyRequest(to: "/echo")
                #expect(sent.values(of: "Accept-Language") == ["sv, en;q=0.5"])
                #expect(sent.values(of: "Cookie") == ["a=1; b=2"])
            }
        }

        @Test("with the length of its body, whatever its own header says")
        func wrongLength() async throws {
            let sent = try await send(.text("hello"), headers: ["Content-Length": "500"])
            #expect(sent.values(of: "Content-Length") == ["5"])
            #expect(sent.body == Data("hello".utf8))
        }

        @Test("with the method that it has", arguments: ["GET", "DELETE", "OPTIONS", "PATCH", "PUT", "PROPFIND"])
        func method(name: String) async throws {
            try await withServer { server in
                _ = try await server.client().send(WholeResponse(method: HTTP.Method(name), target: "/echo"))
                #expect(try await server.onlyRequest(to: "/echo").method == name)
            }
        }

        @Test("not at all where its file cannot be read")
        func unreadableFile() async throws {
            let missing = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            for file in [missing, FileManager.default.temporaryDirectory] {
                try await expectNothingSent(body: .file(file), code: "request.bodyUnreadable")
            }
        }

        @Test("not at all where its stream cannot be opened")
        func unreadableStream() async throws {
            struct Closed: Error {}
            let body = HTTP.Body.stream { () throws -> AsyncStream<Data> in throw Closed() }
            try await expectNothingSent(body: body, code: "request.bodyUnreadable")
        }

        @Test("not at all where a header was refused", arguments: ["a\r\nX-Evil: 1", "a\u{0}b", "a\nb"])
        func refusedHeader(value: String) async throws {
            try await expectNothingSent(headers: ["X-Color": value], code: "request.invalidHeader")
        }

        private func expectNothingSent(
            headers: HTTP.Headers = [:], body: HTTP.Body = .none, code: String
        ) async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let call = WholeResponse(method: .put, target: "/echo", headers: headers, body: body)
                let failure = try await failed { try await client.send(call) }
                #expect(failure.code == code)
                #expect(failure.attempts.count == 1)
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        private func send(_ body: HTTP.Body, headers: HTTP.Headers = [:]) async throws -> RecordedRequest {
            var sent: RecordedRequest?
            try await withServer { server in
                var headers = headers
                headers[.contentType] = "application/octet-stream"
                _ = try await server.client().send(
                    WholeResponse(method: .post, target: "/no-content", headers: headers, body: body))
                sent = try await server.onlyRequest(to: "/no-content")
            }
            return try #require(sent)
        }
    }
#endif
