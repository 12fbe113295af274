#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Routes of the caller's", .sockets)
    struct MountTests {
        @Test("an exact path goes before all below a path, and both before the server's own routes")
        func precedence() async throws {
            let mounts = [
                FaultServer.Mount("/books/") { _ in .text("below") },
                FaultServer.Mount("/books/one") { _ in .text("one", status: 201) },
                FaultServer.Mount("/") { _ in .text("home") },
            ]
            try await withServer(mounting: mounts) { server in
                var bodies: [String] = []
                for path in ["/books/two", "/books/one", "/", "/books/", "/no-content", "/bookshop"] {
                    bodies.append(try await server.url.reply(to: path).body)
                }
                let missing = #"{"error":true,"reason":"No route /bookshop"}"#
                #expect(bodies == ["below", "one", "home", "below", "", missing])
            }
        }

        @Test("they are not there at the other origin")
        func otherOrigin() async throws {
            try await withServer(mounting: [FaultServer.Mount("/books") { _ in .text("mine") }]) { server in
                let reply = try await server.otherOrigin.reply(to: "/books")
                #expect(reply.body.hasPrefix("{\"data\""))
            }
        }

        @Test("one for everything leaves nothing of the server's own, and no record of what was asked")
        func everything() async throws {
            let mounts = [
                FaultServer.Mount("*") { call, writer in
                    try await writer.sendHead(status: 200, headers: [("Date", "then")], framing: .chunked)
                    try await writer.sendChunk(Data(call.request.target.utf8))
                    try await writer.endChunks()
                    return .next
                },
                FaultServer.Mount("/own") { _ in .text("own") },
            ]
            try await withServer(mounting: mounts) { server in
                #expect(try await server.url.reply(to: "/books").body.contains("/books"))
                #expect(try await server.url.reply(to: "/own").body == "own")
                #expect(server.otherOrigin == server.url)
                #expect(await server.requests(to: "/books").isEmpty)
                let client = try await RawClient(server.url)
                try await client.send("CONNECT other.example:443 HTTP/1.0\r\n\r\n")
                let (text, end) = try await client.readToEnd()
                #expect(text == "HTTP/1.1 200 OK\r\nDate: then\r\nConnection: close\r\n\r\nother.example:443")
                #expect(end == .closed)
            }
        }

        @Test("they see the request and both origins")
        func call() async throws {
            let mount = FaultServer.Mount("/see") { call in
                .text("\(call.request.method) \(call.request.target) \(call.url) \(call.otherOrigin)")
            }
            try await withServer(mounting: [mount]) { server in
                let reply = try await server.url.reply(to: "/see?a=1", method: "POST", body: "x")
                #expect(reply.body == "POST /see?a=1 \(server.url) \(server.otherOrigin)")
                #expect(await server.requests(to: "/see").map(\.body) == [Data("x".utf8)])
            }
        }

        @Test("a stream arrives piece by piece, in chunks")
        func stream() async throws {
            let (pieces, piece) = AsyncStream.makeStream(of: Data.self)
            let mount = FaultServer.Mount("/stream") { _ in
                .init(headers: [("Content-Type", "text/event-stream")], body: .stream(pieces))
            }
            try await withServer(mounting: [mount]) { server in
                let client = try await RawClient(server.url)
                try await client.request("/stream", headers: "Connection: close\r\n")
                piece.yield(Data("first".utf8))
                let head = try await client.read(until: "first")
                #expect(head.contains("Transfer-Encoding: chunked"))
                #expect(head.contains("Content-Type: text/event-stream"))
                piece.yield(Data("second".utf8))
                #expect(try await client.read(until: "second").contains("6\r\nsecond"))
                piece.finish()
                #expect(try await client.readToEnd().text.hasSuffix("0\r\n\r\n"))
                await client.close()
            }
        }

        @Test("a stream ends when its client leaves")
        func leaving() async throws {
            let (pieces, piece) = AsyncStream.makeStream(of: Data.self)
            let (ends, end) = AsyncStream.makeStream(of: Bool.self)
            piece.onTermination = { reason in
                if case .cancelled = reason { end.yield(true) } else { end.yield(false) }
                end.finish()
            }
            let mount = FaultServer.Mount("/stream") { _ in .init(body: .stream(pieces)) }
            try await withServer(mounting: [mount]) { server in
                let client = try await RawClient(server.url)
                try await client.request("/stream")
                piece.yield(Data("first".utf8))
                _ = try await client.read(until: "first")
                await client.close()
                #expect(await server.waitForDisconnection(of: "/stream"))
                #expect(await ends.first { _ in true } == true)
            }
        }

        @Test("a route that waits is cancelled when its client leaves")
        func cancelled() async throws {
            let mount = FaultServer.Mount("/wait") { _ in
                try? await untilCancelled()
                return .text("nobody reads this")
            }
            try await withServer(mounting: [mount]) { server in
                let client = try await RawClient(server.url)
                try await client.request("/wait")
                #expect(await server.waitForRequest(to: "/wait"))
                await client.close()
                #expect(await server.waitForDisconnection(of: "/wait"))
            }
        }
    }
#endif
