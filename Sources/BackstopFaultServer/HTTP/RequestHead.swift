#if Demo
    import Foundation

    /// The request line and the header fields.
    struct RequestHead {
        /// How the end of the body is known.
        enum Framing: Equatable {
            case length(Int), chunked
        }

        let method: String
        let target: String
        let isHTTP10: Bool
        let headers: [String: [String]]
        let framing: Framing

        init(parsing bytes: [UInt8], bodyLimit: Int = Limits.requestBody) throws {
            var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map { line in
                line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            }[...]
            guard let requestLine = lines.popFirst() else { throw UnreadableRequest.malformed("No request line") }
            let parts = requestLine.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw UnreadableRequest.malformed("Malformed request line")
            }
            guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
                throw UnreadableRequest(status: 505, reason: "Only HTTP/1.1 and HTTP/1.0 are spoken here")
            }
            method = parts[0]
            target = parts[1]
            isHTTP10 = parts[2] == "HTTP/1.0"

            var headers: [String: [String]] = [:]
            for line in lines where !line.isEmpty {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
                    throw UnreadableRequest.malformed("Malformed header field")
                }
                let name = line[..<colon]
                guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                    throw UnreadableRequest.malformed("Malformed header name")
                }
                let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
                var value = line[line.index(after: colon)...].drop(while: isSpace)
                while let last = value.last, isSpace(last) { value = value.dropLast() }
                headers[String(decoding: name, as: UTF8.self).lowercased(), default: []]
                    .append(String(decoding: value, as: UTF8.self))
            }
            // Only HTTP/1.1 knows it (RFC 9110, 7.8).
            if isHTTP10 { headers["upgrade"] = nil }
            self.headers = headers
            framing = try Self.framing(of: headers, bodyLimit: bodyLimit)
        }

        private static func framing(of headers: [String: [String]], bodyLimit: Int) throws -> Framing {
            let lengths = Set(headers["content-length"] ?? [])
            if let encodings = headers["transfer-encoding"] {
                guard encodings.map({ $0.lowercased() }) == ["chunked"], lengths.isEmpty else {
                    throw UnreadableRequest.malformed("Unsupported transfer encoding")
                }
                return .chunked
            }
            guard let text = lengths.first else { return .length(0) }
            guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty else {
                throw UnreadableRequest.malformed("Malformed content length")
            }
            guard let length = Int(text), length <= bodyLimit else { throw UnreadableRequest.bodyTooLong }
            return .length(length)
        }
    }

    extension [String: [String]] {
        /// Whether a token is in a list-valued header field such as `connection`.
        func lists(_ token: String, in name: String) -> Bool {
            (self[name] ?? []).contains { value in
                value.split(separator: ",").contains {
                    $0.trimmingCharacters(in: .whitespaces).lowercased() == token
                }
            }
        }
    }
#endif
