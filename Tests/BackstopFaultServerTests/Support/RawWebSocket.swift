#if Demo
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    /// A client that opens a WebSocket, sends frames as they are, and sees what the server sends.
    struct RawWebSocket {
        /// The key of the example in RFC 6455, 1.3.
        static let key = "dGhlIHNhbXBsZSBub25jZQ=="

        let client: RawClient
        /// The answer to the request.
        let head: String
        /// What has arrived and is not read yet.
        private var buffer: [UInt8]

        /// Opens a WebSocket at `/graphql/live`.
        init(_ url: URL, _ switches: String = "", headers: String = standard) async throws {
            client = try await RawClient(url)
            try await client.request("/graphql/live?\(switches)", headers: headers)
            var bytes: [UInt8] = []
            while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n"),
                let more = try await client.connection.read()
            {
                bytes += more
            }
            let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
            head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            buffer = Array(bytes[end.upperBound...])
        }

        /// The same, up to the acknowledgement.
        static func acknowledged(_ url: URL, _ switches: String = "") async throws -> RawWebSocket {
            var socket = try await RawWebSocket(url, switches)
            try await socket.send("{\"type\":\"connection_init\"}")
            #expect(try await socket.next() == "{\"type\":\"connection_ack\"}")
            return socket
        }

        static let standard = fields()

        /// The header fields of a request for a WebSocket.
        static func fields(
            upgrade: String = "websocket", version: String = "13", key: String = key,
            subprotocol: String = "other, graphql-transport-ws"
        ) -> String {
            "Connection: keep-alive, Upgrade\r\nUpgrade: \(upgrade)\r\nSec-WebSocket-Version: \(version)\r\n"
                + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Protocol: \(subprotocol)\r\n"
        }

        /// A frame of a client's, masked with zeros.
        static func frame(_ first: UInt8, _ payload: [UInt8], length: [UInt8]? = nil) -> [UInt8] {
            [first] + (length ?? [UInt8(payload.count)]).enumerated().map { $0 == 0 ? $1 | 0x80 : $1 } + [0, 0, 0, 0]
                + payload
        }

        func send(_ text: String) async throws {
            let count = text.utf8.count
            try await send(
                Self.frame(
                    0x81, Array(text.utf8),
                    length: count < 126 ? nil : [126, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]))
        }

        func send(_ bytes: [UInt8]) async throws {
            try await client.connection.write(Data(bytes))
        }

        func subscribe(_ id: String = "1", _ query: String = "subscription { counter }") async throws {
            try await send("{\"id\":\"\(id)\",\"type\":\"subscribe\",\"payload\":{\"query\":\"\(query)\"}}")
        }

        /// The next frame: a text as it is, a close as "close" with its code, others with their kind and payload; nil at
        /// the end of the connection.
        mutating func next() async throws -> String? {
            guard let head = try await take(2) else { return nil }
            #expect(head[0] & 0xF0 == 0x80 && head[1] & 0x80 == 0)
            var length = Int(head[1])
            if length == 126 {
                guard let digits = try await take(2) else { return nil }
                length = Int(digits[0]) << 8 | Int(digits[1])
            }
            guard let payload = try await take(length) else { return nil }
            let text = String(decoding: payload, as: UTF8.self)
            return switch head[0] & 0x0F {
            case 1: text
            case 8: "close" + (payload.count > 1 ? " \(Int(payload[0]) << 8 | Int(payload[1]))" : "")
            case 10: "pong \(text)"
            case let kind: "\(kind) \(text)"
            }
        }

        /// All frames until the end of the connection.
        mutating func rest() async throws -> [String] {
            var frames: [String] = []
            while let frame = try await next() { frames.append(frame) }
            return frames
        }

        private mutating func take(_ count: Int) async throws -> [UInt8]? {
            while buffer.count < count {
                guard let more = try await client.connection.read() else { return nil }
                buffer += more
            }
            defer { buffer.removeFirst(count) }
            return Array(buffer.prefix(count))
        }
    }
#endif
