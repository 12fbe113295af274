#if Demo
    import Foundation

    /// Reads one request after another from a connection.
    struct RequestReader {
        private let connection: Connection
        /// What has arrived; it has been used up to `start`.
        private var buffer: [UInt8] = []
        /// Where the rest begins. Cutting off what has been used each time would move the rest each time.
        private var start = 0

        init(connection: Connection) {
            self.connection = connection
        }

        /// Returns the next request; nil when the client has ended its side between two requests.
        ///
        /// - Parameter isLast: Whether no other is read: then a long body comes with it as it arrives.
        mutating func next(isLast: Bool = false) async throws -> ReceivedRequest? {
            guard let bytes = try await readHead() else { return nil }
            let head = try RequestHead(parsing: bytes, bodyLimit: isLast ? .max : Limits.requestBody)
            if head.headers.lists("100-continue", in: "expect"), start == buffer.count, head.framing != .length(0) {
                try await connection.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            }
            var body: [UInt8] = []
            var coming: RequestBody?
            switch head.framing {
            case .length(let length) where isLast && length > Limits.collected:
                coming = RequestBody(self, length: length)
            case .chunked where isLast: coming = RequestBody(self, length: nil)
            case .length(let length): body = try await readBytes(length)
            case .chunked: body = try await readChunks()
            }
            let target = Self.originForm(head.target)
            let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            return ReceivedRequest(
                method: head.method,
                target: head.target,
                path: parts.first.map(String.init) ?? "/",
                query: parts.count > 1 ? String(parts[1]) : nil,
                headers: head.headers,
                body: Data(body),
                keepsAlive: !head.isHTTP10 && !head.headers.lists("close", in: "connection"),
                isHTTP10: head.isHTTP10,
                coming: coming)
        }

        /// Gives back bytes that were read while an answer was being sent.
        mutating func append(_ bytes: [UInt8]) {
            buffer += bytes
        }

        /// Takes what has come behind the last request.
        mutating func takeRest() -> [UInt8] {
            take(buffer.count - start)
        }

        private mutating func readHead() async throws -> [UInt8]? {
            var scanned = 0
            while true {
                // Empty lines before a request are to be ignored (RFC 9112, 2.2).
                start += buffer[start...].prefix { $0 == 0x0D || $0 == 0x0A }.count
                if let end = Self.endOfHead(in: buffer, from: start + max(0, scanned - 3)) {
                    guard end - start <= Limits.requestHead else { throw UnreadableRequest.headTooLong }
                    return take(end - start)
                }
                scanned = buffer.count - start
                guard scanned <= Limits.requestHead else { throw UnreadableRequest.headTooLong }
                guard try await readMore(atMost: 16_384) else {
                    guard start == buffer.count else { throw UnreadableRequest.malformed("The request ends early") }
                    return nil
                }
            }
        }

        private mutating func readBytes(_ count: Int) async throws -> [UInt8] {
            while buffer.count - start < count {
                try await needMore()
            }
            return take(count)
        }

        private mutating func readChunks() async throws -> [UInt8] {
            var body: [UInt8] = []
            while case let size = try await readChunkSize(), size > 0 {
                guard size <= Limits.requestBody - body.count else { throw UnreadableRequest.bodyTooLong }
                body += try await readBytes(size)
                try await readChunkEnd()
            }
            try await readTrailers()
            return body
        }

        /// The size of the next chunk; 0 for the last.
        mutating func readChunkSize() async throws -> Int {
            let line = try await readLine()
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard !digits.isEmpty, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                throw UnreadableRequest.malformed("Malformed chunk")
            }
            return size
        }

        /// Reads the line end behind a chunk.
        mutating func readChunkEnd() async throws {
            guard try await readLine().isEmpty else { throw UnreadableRequest.malformed("Malformed chunk") }
        }

        /// What has come, or else comes next, of so many bytes.
        mutating func readPart(atMost count: Int) async throws -> [UInt8] {
            if start == buffer.count { try await needMore() }
            return take(min(count, buffer.count - start))
        }

        /// Reads the trailer fields behind the chunks, and drops them.
        mutating func readTrailers() async throws {
            var trailers = 0
            while case let line = try await readLine(), !line.isEmpty {
                trailers += line.count
                guard trailers <= Limits.requestHead else { throw UnreadableRequest.headTooLong }
            }
        }

        private mutating func readLine() async throws -> [UInt8] {
            var count = 0
            while true {
                while start + count < buffer.count, buffer[start + count] != 0x0A { count += 1 }
                if start + count < buffer.count {
                    let line = take(count)
                    start += 1
                    return line.last == 0x0D ? line.dropLast() : line
                }
                guard count <= Limits.requestHead else { throw UnreadableRequest.headTooLong }
                try await needMore()
            }
        }

        private mutating func needMore() async throws {
            guard try await readMore(atMost: 65_536) else {
                throw UnreadableRequest.malformed("The request ends early")
            }
        }

        /// Reads what has arrived; false when the client has ended its side.
        private mutating func readMore(atMost length: Int) async throws -> Bool {
            guard let bytes = try await connection.read(atMost: length) else { return false }
            buffer.removeFirst(start)
            start = 0
            buffer += bytes
            return true
        }

        private mutating func take(_ count: Int) -> [UInt8] {
            defer { start += count }
            return Array(buffer[start..<start + count])
        }

        /// The index behind the empty line that ends the header; nil when it is not there yet.
        private static func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
            var index = start
            while let end = bytes[index...].firstIndex(of: 0x0A) {
                index = end + 1
                let rest = bytes[index...].prefix(2)
                if rest.first == 0x0A { return index + 1 }
                if rest.elementsEqual([0x0D, 0x0A]) { return index + 2 }
            }
            return nil
        }

        /// A target may name the host as well (RFC 9112, 3.2.2); routes see the path and the query only.
        private static func originForm(_ target: String) -> Substring {
            guard !target.hasPrefix("/"), let scheme = target.range(of: "://") else { return target[...] }
            let rest = target[scheme.upperBound...]
            return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
    }
#endif
