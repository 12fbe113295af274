#if Demo
    import Foundation

    /// The request that opens a WebSocket, and its answer (RFC 6455, 4.2).
    struct WebSocketHandshake {
        let request: ReceivedRequest
        /// The only subprotocol that is spoken.
        let subprotocol: String
        /// What is said to a request that asks for no WebSocket.
        let advice: String

        /// The answer to what opens no WebSocket; nil when the request opens one.
        var refusal: ServerResponse? {
            let headers = request.headers
            guard request.method == "GET", headers.lists("websocket", in: "upgrade"),
                headers.lists("upgrade", in: "connection")
            else {
                return .failure(advice, status: 426)
                    .with("Upgrade", "websocket").with("Connection", "Upgrade")
            }
            guard headers["sec-websocket-version"] == ["13"] else {
                return .failure("Only version 13 of WebSockets is spoken here", status: 426)
                    .with("Sec-WebSocket-Version", "13")
            }
            guard Data(base64Encoded: key)?.count == 16 else {
                return .failure("Sec-WebSocket-Key is no base64 of 16 bytes", status: 400)
            }
            guard headers.lists(subprotocol, in: "sec-websocket-protocol") else {
                return .failure("Only the subprotocol \(subprotocol) is spoken here", status: 400)
            }
            return nil
        }

        /// The header fields of the answer to what opens one.
        var headers: [(name: String, value: String)] {
            let digest = SHA1.digest(of: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
            return [
                ("Upgrade", "websocket"), ("Connection", "Upgrade"),
                ("Sec-WebSocket-Accept", Data(digest).base64EncodedString()), ("Sec-WebSocket-Protocol", subprotocol),
            ]
        }

        private var key: String {
            request.headers["sec-websocket-key"]?.first ?? ""
        }
    }
#endif
