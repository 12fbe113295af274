#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("A WebSocket of the fault server", .sockets)
    struct WebSocketTests {
        @Test("is opened with the digest of the key, and the subprotocol")
        func opening() async throws {
            try await withServer { server in
                let socket = try await RawWebSocket(server.url)
                let reply = try Reply(parsing: socket.head + "\r\n\r\n")
                #expect(reply.status == 101)
                #expect(reply.headers["upgrade"] == "websocket" && reply.headers["connection"] == "Upgrade")
                // RFC 6455, 1.3.
                #expect(reply.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                #expect(reply.headers["sec-websocket-protocol"] == "graphql-transport-ws")
                #expect(reply.headers["content-length"] == nil)
                await socket.client.close()
            }
        }

        @Test(
            "is refused to a request that does not ask for it as it should",
            arguments: [
                ("", 426, "upgrade", "websocket"),
                (RawWebSocket.fields(upgrade: "h2c"), 426, "upgrade", "websocket"),
                (RawWebSocket.fields(version: "8"), 426, "sec-websocket-version", "13"),
                (RawWebSocket.fields(key: "c2hvcnQ="), 400, "content-type", "application/json"),
                (RawWebSocket.fields(subprotocol: "graphql-ws"), 400, "content-type", "application/json"),
            ])
        func refusals(headers: String, status: Int, name: String, value: String) async throws {
            try await withServer { server in
                let socket = try await RawWebSocket(server.url, headers: headers)
                let reply = try Reply(parsing: socket.head + "\r\n\r\n")
                #expect(reply.status == status)
                #expect(reply.headers[name] == value)
                await socket.client.close()
            }
        }

        @Test("is not opened by HTTP/1.0, whose Upgrade is ignored")
        func oldHTTP() async throws {
            try await withServer { server in
                let client = try await RawClient(server.url)
                try await client.send("GET /graphql/live HTTP/1.0\r\n\(RawWebSocket.standard)\r\n")
                #expect(try await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 426 "))
                await client.close()
            }
        }

        @Test("takes a message in parts, with a mask and a ping between them, and what came with the request")
        func parts() async throws {
            try await withServer { server in
                let text = Array("{\"type\":\"connection_init\"}".utf8)
                let mask: [UInt8] = [1, 2, 3, 4]
                let masked = text.prefix(10).enumerated().map { $1 ^ mask[$0 % 4] }
                let client = try await RawClient(server.url)
                let head = "GET /graphql/live HTTP/1.1\r\nHost: a\r\n\(RawWebSocket.standard)\r\n"
                let frames =
                    [0x01, 0x80 | 10] + mask + masked + RawWebSocket.frame(0x89, [0x68, 0x69])
                    + RawWebSocket.frame(0x00, []) + RawWebSocket.frame(0x80, Array(text.dropFirst(10)))
                try await client.connection.write(Data(head.utf8) + Data(frames))
                #expect(try await client.read(until: "connection_ack\"}").hasSuffix("{\"type\":\"connection_ack\"}"))
                await client.close()
            }
        }

        @Test(
            "is closed for what breaks the rules",
            arguments: [
                ([0x81, 2, 0x7B, 0x7D], 1002, "not masked"),
                (RawWebSocket.frame(0xC1, [0x7B, 0x7D]), 1002, "a reserved bit"),
                (RawWebSocket.frame(0x83, []), 1002, "an unknown kind"),
                (RawWebSocket.frame(0x80, []), 1002, "goes on with nothing"),
                (RawWebSocket.frame(0x01, [0x7B]) + RawWebSocket.frame(0x81, [0x7D]), 1002, "within another"),
                (RawWebSocket.frame(0x09, []), 1002, "a ping in parts"),
                (RawWebSocket.frame(0x89, [], length: [126, 0, 200]), 1002, "a ping that is too long"),
                (RawWebSocket.frame(0x88, [3]), 1002, "half a code"),
                (RawWebSocket.frame(0x88, [0x03, 0xEE]), 1002, "a code that is never sent"),
                (RawWebSocket.frame(0x81, [0x7B, 0x7D], length: [126, 0, 2]), 1002, "a length of too many bytes"),
                (
                    RawWebSocket.frame(0x81, [], length: [127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]), 1002,
                    "a length of eight bytes that fits into two"
                ),
                (RawWebSocket.frame(0x82, [0]), 1003, "binary"),
                (RawWebSocket.frame(0x81, [0xC3]), 1007, "not UTF-8"),
                (
                    RawWebSocket.frame(0x81, [], length: [127] + [UInt8](repeating: 0xFF, count: 8)), 1009, "endless"
                ),
                (RawWebSocket.frame(0x81, [], length: [127, 0, 0, 0, 0, 0, 0x10, 0, 1]), 1009, "a byte too many"),
                (
                    RawWebSocket.frame(0x01, [0x7B])
                        + RawWebSocket.frame(0x80, [], length: [127, 0, 0, 0, 0, 0, 0x10, 0, 0]), 1009,
                    "a byte too many in parts"
                ),
                (
                    RawWebSocket.frame(0x01, [])
                        + (1...Limits.parts).flatMap { _ in RawWebSocket.frame(0x00, []) }, 1008, "endless empty parts"
                ),
            ] as [([UInt8], Int, String)])
        func violations(frames: [UInt8], code: Int, problem: String) async throws {
            try await withServer { server in
                var socket = try await RawWebSocket(server.url)
                try await socket.send(frames)
                #expect(try await socket.rest() == ["close \(code)"], "\(problem)")
                await socket.client.close()
            }
        }

        @Test("gives a close back, and ends the connection", arguments: [1000, 4000, nil] as [Int?])
        func closing(code: Int?) async throws {
            try await withServer { server in
                var socket = try await RawWebSocket.acknowledged(server.url)
                try await socket.send(RawWebSocket.frame(0x88, code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []))
                #expect(try await socket.rest() == [code.map { "close \($0)" } ?? "close"])
                #expect(server.disconnections(of: "/graphql/live") == 0)
                await socket.client.close()
            }
        }

        @Test("counts a client that leaves without a close, and ends what it had asked for")
        func leaving() async throws {
            try await withServer { server in
                var socket = try await RawWebSocket.acknowledged(server.url, "ms=600000")
                try await socket.subscribe()
                _ = try await socket.next()
                await socket.client.close()
                #expect(await server.waitForDisconnection(of: "/graphql/live"))
            }
        }

        @Test(
            "ends with the server, whatever it waits for",
            arguments: ["ms=600000", "ack=600000", "cut=100&how=stall"])
        func stopping(switches: String) async throws {
            let server = try await FaultServer.start()
            var socket = try await RawWebSocket(server.url, switches)
            try await socket.send("{\"type\":\"connection_init\"}")
            if !switches.hasPrefix("ack") {
                _ = try await socket.next()
                try await socket.subscribe()
                _ = try await socket.next()
            }
            await server.stop()
            _ = try await socket.rest()
            await socket.client.close()
        }
    }
#endif
