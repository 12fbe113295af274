#if Demo
    import Foundation

    /// The kinds of frames (RFC 6455, 5.2).
    enum WebSocketOpcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= 8 }

        /// A whole frame of a server's: not masked, and not in parts.
        func frame(_ payload: Data) -> Data {
            var frame = Data([0x80 | rawValue])
            switch payload.count {
            case ...125:
                frame.append(UInt8(payload.count))
            case ...0xFFFF:
                frame.append(126)
                withUnsafeBytes(of: UInt16(payload.count).bigEndian) { frame.append(contentsOf: $0) }
            default:
                frame.append(127)
                withUnsafeBytes(of: UInt64(payload.count).bigEndian) { frame.append(contentsOf: $0) }
            }
            frame.append(payload)
            return frame
        }
    }

    extension SharedWriter {
        /// Sends a text by a WebSocket; false when nothing can be sent any more.
        func send(_ text: String) async -> Bool {
            await send(WebSocketOpcode.text.frame(Data(text.utf8)))
        }

        /// Closes the WebSocket, after which nothing is sent any more.
        func close(_ close: WebSocketClose) async {
            _ = await send(WebSocketOpcode.close.frame(close.payload), isLast: true)
        }
    }

    /// How a WebSocket is closed, by whatever breaks a rule.
    struct WebSocketClose: Error, Equatable {
        /// As in RFC 6455, 7.4, or the subprotocol.
        let code: UInt16
        /// At most 123 bytes, so that both fit into the frame.
        var reason = ""

        /// The payload of the frame; 1005 stands for none.
        var payload: Data {
            guard code != 1005 else { return Data() }
            return withUnsafeBytes(of: code.bigEndian) { Data($0) } + Data(reason.utf8)
        }
    }
#endif
