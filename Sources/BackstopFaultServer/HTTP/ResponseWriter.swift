#if Demo
    package import Foundation

    /// Writes the answer to one request; with HEAD, everything but the body.
    package struct ResponseWriter: Sendable {
        /// How the end of a body is announced.
        package enum Framing {
            case length(Int), chunked
            /// No body at all, as with 204 and 304.
            case none
        }

        let connection: Connection
        /// True for HEAD.
        let omitsBody: Bool
        /// Whether the client may use the connection again.
        let keepsAlive: Bool
        /// Whether the client knows no chunks: where a body has no length, the end of the connection ends it.
        package var isHTTP10 = false

        /// Bodies up to this size go out together with the head.
        private static let joinedSize = 256 * 1024

        /// Sends a complete answer.
        func send(_ response: ServerResponse) async throws {
            let hasNoBody = response.status == 204 || response.status == 304
            let body = hasNoBody ? Data() : response.body
            let first = body.count <= Self.joinedSize ? body : Data()
            try await sendHead(
                status: response.status, headers: response.headers,
                framing: hasNoBody ? .none : .length(body.count), first: first)
            if first.count < body.count { try await sendBody(body) }
        }

        /// Sends the status line and the header fields, and with them the first bytes of the body.
        func sendHead(
            status: Int = 200, type: String, framing: Framing, first: Data = Data()
        ) async throws {
            try await sendHead(status: status, headers: [("Content-Type", type)], framing: framing, first: first)
        }

        /// The same with all the header fields but those about the body's length.
        package func sendHead(
            status: Int, headers: [(name: String, value: String)], framing: Framing, first: Data = Data()
        ) async throws {
            var bytes = head(status: status, headers: headers, framing: framing)
            if !omitsBody { bytes.append(first) }
            try await connection.write(bytes)
        }

        /// Sends bytes of the body as they are.
        package func sendBody(_ bytes: Data) async throws {
            guard !omitsBody else { return }
            try await connection.write(bytes)
        }

        /// Sends bytes of the body as one chunk.
        package func sendChunk(_ bytes: Data) async throws {
            try await sendBody(isHTTP10 ? bytes : Self.chunk(bytes))
        }

        /// Sends the chunk that ends the body.
        package func endChunks() async throws {
            if !isHTTP10 { try await sendBody(Data("0\r\n\r\n".utf8)) }
        }

        /// The bytes of a chunk, with its frame.
        static func chunk(_ bytes: Data) -> Data {
            var framed = Data("\(String(bytes.count, radix: 16))\r\n".utf8)
            framed.append(bytes)
            framed.append(contentsOf: [0x0D, 0x0A])
            return framed
        }

        private func head(status: Int, headers: [(name: String, value: String)], framing: Framing) -> Data {
            var text = "HTTP/1.1 \(status) \(StatusText.phrase(for: status))\r\n"
            if !headers.contains(where: { $0.name.lowercased() == "date" }) { text += "Date: \(IMFDate.text())\r\n" }
            for (name, value) in headers {
                text += "\(name): \(Self.fieldValue(value))\r\n"
            }
            switch framing {
            case .length(let length): text += "Content-Length: \(length)\r\n"
            case .chunked: text += isHTTP10 ? "" : "Transfer-Encoding: chunked\r\n"
            case .none: break
            }
            text += keepsAlive ? "\r\n" : "Connection: close\r\n\r\n"
            return Data(text.utf8)
        }

        /// A value that came from a client must not be able to start another header field.
        private static func fieldValue(_ value: String) -> String {
            let isText = { (byte: UInt32) in byte >= 0x20 && byte != 0x7F || byte == 0x09 }
            guard !value.utf8.allSatisfy({ isText(UInt32($0)) }) else { return value }
            return String(String.UnicodeScalarView(value.unicodeScalars.filter { isText($0.value) }))
        }
    }
#endif
