#if Demo
    import Foundation

    /// Bodies that arrive piece by piece, and end where they are told to.
    enum StreamRoutes {
        static let all = [
            FaultServer.Route(
                "/stream/", example: "/stream/lines?count=5&ms=200",
                "lines, json or events: count elements, ms apart; bytes: bytes=N. cut=N ends the body after N bytes, by "
                    + "how=close, reset or stall; with times=N and id=a only in the first N calls. piece=N splits it. "
                    + "Events go on after Last-Event-ID and end with 204, bytes go on by Range"
            ) { answer($0) }
        ]

        private static func answer(_ call: RouteCall) -> Answer {
            guard let source = Source(call) else {
                return .response(.failure("There are /stream/lines, json, events and bytes", status: 404))
            }
            if source.isChunked, source.numbers.isEmpty, source.numbers.lowerBound > 1 {
                // All events are known: the client is told not to ask again (WHATWG HTML, 9.2.1).
                return .response(ServerResponse(status: 204, body: .init()))
            }
            let cut = Cut(call)
            let pause = call.request.integer("ms", default: 0, in: 0...Limits.pause)
            let piece = call.request.integer("piece", default: 65_536, in: 1...65_536)
            return .script { writer in
                var headers: [(String, String)] = [("Content-Type", source.type), ("Cache-Control", "no-store")]
                var status = 200
                if let total = source.total {
                    headers += [("ETag", "\"\(total)\""), ("Accept-Ranges", "bytes")]
                    if source.numbers.lowerBound > 0 {
                        status = 206
                        headers.append(("Content-Range", "bytes \(source.numbers.lowerBound)-\(total - 1)/\(total)"))
                    }
                }
                try await writer.sendHead(
                    status: status, headers: headers,
                    framing: source.isChunked ? .chunked : .length(source.numbers.count))
                guard !writer.omitsBody else { return .next }
                var body = Body(writer: writer, isChunked: source.isChunked, piece: piece, left: cut?.position ?? .max)
                try await body.put(Data(source.first.utf8), isLast: false)
                try await body.put(source.elements, pause: pause, areLast: pause > 0)
                try await body.put(Data(), isLast: true)
                return try await body.end(cut)
            }
        }

        /// Where a body ends early, and how.
        struct Cut {
            enum How: String {
                case close, reset, stall
            }

            let position: Int
            let how: How

            /// Nil when this call is not cut.
            init?(_ call: RouteCall) {
                guard call.request.parameter("cut") != nil else { return nil }
                position = call.request.integer("cut", default: 0, in: 0...Limits.stream)
                how = call.request.word("how") ?? .close
                guard call.counted("stream").isEarly else { return nil }
            }

            func end() async throws -> Ending {
                switch how {
                case .close:
                    return .close
                case .reset:
                    // A reset throws away what the client has not read yet, so give it time to read.
                    try await Task.sleep(for: .milliseconds(100))
                    return .reset
                case .stall:
                    return try await SlowRoutes.never()
                }
            }
        }

        /// What is sent: texts with a number each, in chunks, or the bytes of a file.
        private struct Source: Sendable {
            let type: String
            /// The numbers of the texts, or of the bytes.
            private(set) var numbers: Range<Int>
            /// How many bytes the file has; nil for texts.
            private(set) var total: Int?
            /// What comes before the texts.
            private(set) var first = ""
            private var text: @Sendable (Int) -> String = { _ in "" }

            var isChunked: Bool { total == nil }

            init?(_ call: RouteCall) {
                let count = call.request.integer("count", default: 5, in: 0...1_000_000_000)
                numbers = 1..<(count + 1)
                switch call.rest {
                case "lines":
                    type = "text/plain; charset=utf-8"
                    text = { "line \($0)\n" }
                case "json":
                    type = "application/jsonl"
                    text = { "{\"number\":\($0),\"name\":\"row \($0)\"}\n" }
                case "events":
                    let last = call.request.headers["last-event-id"]?.first.flatMap { Int($0) } ?? 0
                    type = "text/event-stream"
                    first = call.request.parameter("retry").map { "retry: \($0)\n\n" } ?? ""
                    numbers = (min(max(last, 0), count) + 1)..<(count + 1)
                    text = { "id: \($0)\ndata: {\"number\":\($0)}\n\n" }
                case "bytes":
                    let total = call.request.integer("bytes", default: 1 << 20, in: 0...Limits.stream)
                    type = "application/octet-stream"
                    numbers = Self.first(of: call.request, total: total)..<total
                    self.total = total
                default:
                    return nil
                }
            }

            /// The first byte that is asked for: `bytes=N-` of this version (RFC 9110, 14.2 and 13.1.5); else the first
            /// of all.
            private static func first(of request: ReceivedRequest, total: Int) -> Int {
                guard let range = request.headers["range"]?.first, range.hasPrefix("bytes="), range.hasSuffix("-"),
                    let first = Int(range.dropFirst(6).dropLast()), (0..<total).contains(first),
                    request.headers["if-range"].map({ $0 == ["\"\(total)\""] }) ?? true
                else {
                    return 0
                }
                return first
            }

            /// What is sent, element by element; byte N of a file is N modulo 251.
            var elements: AnySequence<Data> {
                guard !isChunked else {
                    return AnySequence(numbers.lazy.map { [text] in Data(text($0).utf8) })
                }
                return AnySequence(
                    stride(from: numbers.lowerBound, to: numbers.upperBound, by: 65_536).lazy.map { [numbers] start in
                        let count = min(65_536, numbers.upperBound - start)
                        let offset = start % 251
                        return pattern[offset..<(offset + count)]
                    })
            }
        }

        private static let pattern = Data((0..<(65_536 + 251)).map { UInt8($0 % 251) })

        /// The body as it is sent, up to its cut.
        struct Body {
            let writer: ResponseWriter
            let isChunked: Bool
            let piece: Int
            /// How many bytes may still be sent.
            private(set) var left: Int
            private(set) var waiting = Data()

            /// Sends bytes, with those of other elements if there is no hurry.
            mutating func put(_ bytes: Data, isLast: Bool) async throws {
                try Task.checkCancellation()
                let bytes = bytes.prefix(left)
                left -= bytes.count
                waiting.append(bytes)
                while waiting.count >= piece || isLast && !waiting.isEmpty {
                    let next = Data(waiting.prefix(piece))
                    waiting.removeFirst(next.count)
                    try await (isChunked ? writer.sendChunk(next) : writer.sendBody(next))
                }
            }

            /// Sends elements with a pause after each, until they end or the cut.
            mutating func put(_ elements: some Sequence<Data>, pause: Int, areLast: Bool) async throws {
                for element in elements {
                    try await put(element, isLast: areLast)
                    if left == 0 { break }
                    if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
                }
            }

            /// Ends the body, or does what the cut wants behind its last byte.
            func end(_ cut: Cut? = nil) async throws -> Ending {
                if let cut, left == 0 { return try await cut.end() }
                if isChunked { try await writer.endChunks() }
                return .next
            }
        }
    }
#endif
