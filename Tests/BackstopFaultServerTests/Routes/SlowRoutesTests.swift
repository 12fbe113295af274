#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Answers that take long, or never come", .sockets)
    struct SlowRoutesTests {
        @Test(
            "a client that leaves in the middle of an answer is noticed",
            arguments: [
                "/hang", "/hang-body", "/delay?ms=600000", "/slow?chunks=10&ms=600000", "/big?bytes=1099511627776",
                "/big?bytes=1099511627776&chunked=1",
            ])
        func leaving(_ target: String) async throws {
            try await withServer { server in
                let path = String(target.prefix { $0 != "?" })
                let client = try await RawClient(server.url)
                try await client.request(target)
                await server.waitForRequest(to: path)
                #expect(server.disconnections(of: path) == 0)

                await client.close()

                #expect(await server.waitForDisconnection(of: path))
                #expect(server.disconnections(of: path) == 1)
            }
        }

        @Test("/hang-body sends the head and some bytes")
        func hangBody() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.request("/hang-body")
                #expect(try await client.read(until: "[1,").hasPrefix("HTTP/1.1 200 OK\r\n"))
                await client.close()
            }
        }

        @Test("stopping ends a hanging answer, and tells those who wait for something")
        func stopping() async throws {
            let server = try await FaultServer.start()
            let client = try await RawClient(server.url)
            try await client.request("/hang")
            await server.waitForRequest(to: "/hang")
            async let waiting = server.waitForDisconnection(of: "/hang")

            await server.stop()

            #expect(try await client.readToEnd().text == "")
            #expect(await waiting == false)
            #expect(server.disconnections(of: "/hang") == 0, "the server left, not the client")
            await client.close()
        }

        @Test("/slow sends one chunk after another and keeps the connection")
        func slow() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                for _ in 1...2 {
                    try await client.request("/slow?chunks=3&ms=1")
                    let text = try await client.read(until: "\r\n0\r\n\r\n")
                    #expect(text.hasSuffix("8\r\nchunk 1\n\r\n8\r\nchunk 2\n\r\n8\r\nchunk 3\n\r\n0\r\n\r\n"))
                }
                await client.close()
            }
        }

        @Test("/delay answers in the end, also a request that was sent ahead")
        func delay() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.request("/delay?ms=20")
                try await client.request("/delay?ms=1&second", headers: "Connection: close\r\n")
                let text = try await client.readToEnd().text
                #expect(text.components(separatedBy: "{\"ok\":true}").count == 3)
                await client.close()
            }
        }

        @Test("/big sends exactly the bytes that it announces", arguments: [0, 1, 65_536, 1_000_001])
        func big(_ size: Int) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/big?bytes=\(size)")
                #expect(reply.headers["content-length"] == "\(size)")
                #expect(reply.body.utf8.count == size)
                let chunked = try await server.url.reply(to: "/big?bytes=\(size)&chunked=1")
                #expect(chunked.body.hasSuffix("0\r\n\r\n"))
                #expect(chunked.body.utf8.count { $0 == UInt8(ascii: "b") } == size)
            }
        }
    }
#endif
