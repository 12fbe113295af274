#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Reading requests", .sockets)
    struct RequestReaderTests {
        /// The status of the answer to these bytes, after which the server closes.
        private func status(of text: String) async throws -> Int {
            var status = 0
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.send(text)
                let (answer, end) = try await client.readToEnd()
                status = try Reply(parsing: answer).status
                #expect(end == .closed)
                await client.close()
            }
            return status
        }

        @Test("two requests in one packet get two answers, in order")
        func pipelining() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.send(
                    "GET /status/201 HTTP/1.1\r\n\r\n\r\nGET /status/202 HTTP/1.1\r\nConnection: close\r\n\r\n")
                let text = try await client.readToEnd().text
                #expect(text.hasPrefix("HTTP/1.1 201"))
                #expect(text.contains("HTTP/1.1 202"))
                await client.close()
            }
        }

        @Test("a body in chunks arrives without their frames, however it is cut into packets")
        func chunkedBody() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                let request =
                    "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                    + "5\r\nhello\r\n6;name=value\r\n world\r\n0\r\nTrailer: x\r\n\r\n"
                for byte in request { try await client.send(String(byte)) }
                let reply = try Reply(parsing: try await client.readToEnd().text)
                #expect((try reply.json() as? [String: Any])?["body"] as? String == "hello world")
                await client.close()
            }
        }

        @Test("a client that asks first is told to go on")
        func expectation() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.send(
                    "POST /echo HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
                #expect(try await client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try await client.send("ok")
                #expect(try Reply(parsing: try await client.readToEnd().text).status == 200)
                await client.close()
            }
        }

        @Test(
            "HEAD has the header of GET and no body",
            arguments: ["/books", "/cut", "/cut-chunked", "/slow?chunks=1&ms=1", "/big?bytes=100000"])
        func head(_ target: String) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: target, method: "HEAD")
                #expect(reply.status == 200)
                #expect(reply.headers["content-length"] != nil || reply.headers["transfer-encoding"] == "chunked")
                #expect(reply.body.isEmpty)
            }
        }

        @Test(
            "what cannot be read is refused, and the connection ends",
            arguments: [
                ("GET /\r\n\r\n", 400, "no version"),
                ("GET / HTTP/2.0\r\n\r\n", 505, "another version"),
                ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, "a header field without a colon"),
                ("GET / HTTP/1.1\r\nA : b\r\n\r\n", 400, "a space before the colon"),
                ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, "a negative length"),
                ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "two lengths"),
                ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "two framings"),
                ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 413, "a length beyond any number"),
                ("POST / HTTP/1.1\r\nContent-Length: 16777217\r\n\r\n", 413, "one byte too many"),
                ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400, "a chunk without a size"),
                ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFF\r\n", 413, "a chunk too long"),
            ])
        func refusal(_ text: String, _ expected: Int, _ reason: String) async throws {
            #expect(try await status(of: text) == expected, "\(reason)")
        }

        @Test("what a chunk costs does not grow with what has arrived behind it")
        func cost() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                /// Reads a body in chunks of one byte that has arrived as a whole.
                func read(_ count: Int) async throws -> Duration {
                    var reader = RequestReader(connection: client.connection)
                    let head = "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    let chunks = String(repeating: "1\r\na\r\n", count: count)
                    reader.append(Array("\(head)\(chunks)0\r\n\r\n".utf8))
                    var body: Data?
                    let time = try await cpuTime {
                        body = try await reader.next()?.body
                    }
                    #expect(body?.count == count)
                    return time
                }
                let small = try await read(10_000)
                let large = try await read(80_000)
                #expect(large < small * 24, "\(large) against \(small)")
                await client.close()
            }
        }

        @Test("trailer fields longer than 64 KiB are refused, however many they are")
        func longTrailers() async throws {
            let trailers = String(repeating: "a: b\r\n", count: 20_000)
            let request = "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n"
            #expect(try await status(of: request) == 431)
        }

        @Test("a header longer than 64 KiB is refused, also when it never ends")
        func longHead() async throws {
            let filler = String(repeating: "a", count: 70_000)
            #expect(try await status(of: "GET / HTTP/1.1\r\nA: \(filler)\r\n\r\n") == 431)
            #expect(try await status(of: filler) == 431)
        }

        @Test("an unknown route says so")
        func unknown() async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/nowhere/at/all?a=1")
                #expect(reply.status == 404)
                #expect(reply.body == "{\"error\":true,\"reason\":\"No route /nowhere/at/all\"}")
            }
        }
    }
#endif
