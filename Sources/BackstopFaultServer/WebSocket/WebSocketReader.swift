#if Demo
    import Foundation

    /// Reads one message of a client after the other (RFC 6455, 5), and bounds each.
    struct WebSocketReader {
        enum Message: Equatable {
            case text(String)
            case ping(Data)
            case pong
            /// The code is nil when the client gave none.
            case close(code: UInt16?)
        }

        private let connection: Connection
        /// How many bytes a message may have.
        private let limit: Int
        /// What has arrived, at most a frame and what one read gives; it has been used up to `start`.
        private var buffer: [UInt8]
        private var start = 0
        /// The message whose last frame has not come; others may come before.
        private var unfinished: [UInt8]?
        /// How many frames it has so far.
        private var parts = 0

        /// - Parameter rest: What came with the request that opened the WebSocket.
        init(connection: Connection, rest: [UInt8], limit: Int) {
            self.connection = connection
            self.limit = limit
            buffer = rest
        }

        /// The next message; nil when the connection has ended without a close.
        ///
        /// - Throws: `WebSocketClose` for what breaks the rules.
        mutating func next() async throws -> Message? {
            while let (opcode, isFinal, payload) = try await nextFrame(room: limit - (unfinished?.count ?? 0)) {
                switch opcode {
                case .ping: return .ping(Data(payload))
                case .pong: return .pong
                case .close: return .close(code: try Self.code(payload))
                case .binary: throw WebSocketClose(code: 1003, reason: "Messages are texts")
                case .text:
                    guard unfinished == nil else { throw Self.broken("A message began within another") }
                    (unfinished, parts) = (payload, 1)
                case .continuation:
                    guard unfinished != nil else { throw Self.broken("A message went on that had not begun") }
                    parts += 1
                    guard parts <= Limits.parts else {
                        throw WebSocketClose(code: 1008, reason: "A message has at most \(Limits.parts) frames")
                    }
                    unfinished? += payload
                }
                if isFinal, let whole = unfinished {
                    unfinished = nil
                    return .text(try Self.text(whole[...]))
                }
            }
            return nil
        }

        private mutating func nextFrame(
            room: Int
        ) async throws -> (opcode: WebSocketOpcode, isFinal: Bool, payload: [UInt8])? {
            guard let head = try await take(2) else { return nil }
            guard head[0] & 0x70 == 0 else { throw Self.broken("A reserved bit is set") }
            guard let opcode = WebSocketOpcode(rawValue: head[0] & 0x0F) else {
                throw Self.broken("A frame has an unknown kind")
            }
            let isFinal = head[0] & 0x80 != 0
            guard head[1] & 0x80 != 0 else { throw Self.broken("A frame is not masked") }
            var length = UInt64(head[1] & 0x7F)
            guard !opcode.isControl || isFinal && length <= 125 else {
                throw Self.broken("A control frame is too long, or in parts")
            }
            if length > 125 {
                guard let digits = try await take(length == 126 ? 2 : 8) else { return nil }
                let least: UInt64 = length == 126 ? 126 : 0x1_0000
                length = digits.reduce(0) { $0 << 8 | UInt64($1) }
                guard length >= least else { throw Self.broken("A length has more bytes than it needs") }
            }
            guard opcode.isControl || length <= UInt64(room) else {
                throw WebSocketClose(code: 1009, reason: "A message has at most \(limit) bytes")
            }
            guard let mask = try await take(4), var payload = try await take(Int(length)) else { return nil }
            for index in payload.indices { payload[index] ^= mask[index & 3] }
            return (opcode, isFinal, payload)
        }

        private mutating func take(_ count: Int) async throws -> [UInt8]? {
            while buffer.count - start < count {
                guard let bytes = try await connection.read(atMost: 65_536) else { return nil }
                buffer.removeFirst(start)
                start = 0
                buffer += bytes
            }
            defer { start += count }
            return Array(buffer[start..<start + count])
        }

        private static func code(_ payload: [UInt8]) throws -> UInt16? {
            guard !payload.isEmpty else { return nil }
            guard payload.count > 1 else { throw broken("A close has half a code") }
            _ = try text(payload[2...])
            let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
            switch code {
            case 1000...1003, 1007...1014, 3000...4999: return code
            default: throw broken("A close has a code that is never sent")
            }
        }

        private static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
            guard let text = String(bytes: bytes, encoding: .utf8) else {
                throw WebSocketClose(code: 1007, reason: "A text is not UTF-8")
            }
            return text
        }

        private static func broken(_ reason: String) -> WebSocketClose {
            WebSocketClose(code: 1002, reason: reason)
        }
    }
#endif
