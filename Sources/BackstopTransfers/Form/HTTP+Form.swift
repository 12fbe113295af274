public import Backstop
internal import BackstopCore
public import Foundation

extension HTTP {
    /// A form with files (`multipart/form-data`, RFC 7578), whose parts are read while they are sent.
    ///
    /// ```swift
    /// func publish(_ photo: URL, with client: Client) async throws(Failure) {
    ///     let form = HTTP.Form([.text("title", "Lake"), .file("photo", photo, type: "image/jpeg")])
    ///     _ = try await client.post("photos", body: .form(form))
    /// }
    /// ```
    /// It can be sent again if all its parts can. Its length is announced if that of each part is known.
    public struct Form: Sendable {
        /// A part of a form: a field.
        public struct Part: Sendable {
            fileprivate let head: String
            fileprivate let body: Body

            /// A field with a text, in UTF-8.
            public static func text(_ name: String, _ value: String) -> Part {
                Part(name, nil, nil, .data(Data(value.utf8)))
            }

            /// A field with a file, which must not change until the call ends.
            ///
            /// - Parameters:
            ///   - name: The name of the field.
            ///   - url: Where the file is.
            ///   - filename: What the server is told; nil for the file's own name.
            ///   - type: The media type; nil for `application/octet-stream`.
            public static func file(_ name: String, _ url: URL, filename: String? = nil, type: String? = nil) -> Part {
                body(name, .file(url), filename: filename ?? url.lastPathComponent, type: type)
            }

            /// A field with a body of any kind.
            ///
            /// - Parameters:
            ///   - name: The name of the field.
            ///   - body: What is sent.
            ///   - filename: What the server is told the file is called; nil for a field that is no file.
            ///   - type: The media type; nil for `application/octet-stream` of a file, and for none of another field.
            public static func body(_ name: String, _ body: Body, filename: String? = nil, type: String? = nil) -> Part
            {
                Part(name, filename, type ?? filename.map { _ in "application/octet-stream" }, body)
            }

            private init(_ name: String, _ filename: String?, _ type: String?, _ body: Body) {
                var head = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
                if let filename {
                    head += "; filename=\"\(Self.escaped(filename))\""
                }
                if let type {
                    // A line break would begin another field.
                    head += "\r\nContent-Type: "
                    head.unicodeScalars.append(
                        contentsOf: type.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F })
                }
                self.head = head
                self.body = body
            }

            /// As browsers write it (WHATWG HTML, 4.10.22.8).
            private static func escaped(_ name: String) -> String {
                let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]
                return name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
            }
        }

        /// What separates the parts: random, so that no part has it.
        public let boundary: String
        fileprivate let parts: [Part]

        /// Makes a form.
        ///
        /// - Parameter parts: The fields, in their order.
        public init(_ parts: [Part]) {
            self.init(parts, random: SystemRandom())
        }

        init(_ parts: [Part], random: any RandomSource) {
            self.parts = parts
            // 128 bits, in characters that need no quotes.
            boundary = "backstop-\(String(random.next(), radix: 36))-\(String(random.next(), radix: 36))"
        }

        /// Whether it can be sent again.
        var isReplayable: Bool { parts.allSatisfy(\.body.isReplayable) }

        /// The bytes of up to a mebibyte of parts in memory, and whether that is the whole form. Texts hide the secrets
        /// in the first 64 KiB.
        var inMemory: (bytes: Data, isWhole: Bool) {
            var (bytes, isWhole) = (Data(), true)
            for part in parts {
                guard let content = part.body.data, bytes.count + content.count < 1 << 20 else {
                    isWhole = false
                    continue
                }
                bytes += head(of: part) + content + Data("\r\n".utf8)
            }
            return (bytes + end, isWhole)
        }

        private func head(of part: Part) -> Data { Data("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8) }

        private var end: Data { Data("--\(boundary)--\r\n".utf8) }

        /// Opens all parts, so that a file that is missing is found before anything is sent. A file is closed again until
        /// its turn comes, because a process may have only some hundred open.
        func open() async throws -> (chunks: Chunks, length: Int64?) {
            var pieces: [Chunks.Piece] = []
            var length: Int64? = 0
            // A sum that no integer holds is no length.
            func add(_ more: Int64?) {
                let sum = length.flatMap { length in more.map { length.addingReportingOverflow($0) } }
                length = sum.flatMap { $0.overflow ? nil : $0.partialValue }
            }
            for part in parts {
                let head = head(of: part)
                let body = try await part.body.open()
                pieces.append(.data(head))
                if let file = part.body.file, let length = body.length {
                    pieces.append(.file(file, length: length))
                } else {
                    pieces.append(.body(body))
                }
                pieces.append(.data(Data("\r\n".utf8)))
                add(body.length)
                add(Int64(head.count) + 2)
            }
            add(Int64(end.count))
            return (Chunks(pieces: pieces + [.data(end)]), length)
        }

        /// The bytes of a form.
        struct Chunks: AsyncSequence {
            enum Piece {
                case data(Data)
                case body(Body.Chunks)
                /// A file that had this length when the form was opened.
                case file(URL, length: Int64)
            }

            let pieces: [Piece]

            func makeAsyncIterator() -> Iterator {
                Iterator(rest: pieces[...])
            }

            struct Iterator: AsyncIteratorProtocol {
                var rest: ArraySlice<Piece>
                var open: Body.Chunks.Iterator?

                mutating func next() async throws -> Data? {
                    while true {
                        if let chunk = try await open?.next() {
                            return chunk
                        }
                        open = nil
                        switch rest.popFirst() {
                        case .data(let data): return data
                        case .body(let body): open = body.makeAsyncIterator()
                        case .file(let url, let length): open = try await Self.open(url, length)
                        case nil: return nil
                        }
                    }
                }

                private static func open(_ file: URL, _ length: Int64) async throws -> Body.Chunks.Iterator {
                    let body = try await Body.file(file).open()
                    guard body.length == length else {
                        throw RequestError(
                            .bodyLength,
                            "The file \(file.lastPathComponent) of the form had \(length) bytes when the request began, and "
                                + "has \(body.length ?? 0) now, so the request was aborted: send a copy that does not change"
                        )
                    }
                    return body.makeAsyncIterator()
                }
            }
        }
    }
}

extension HTTP.Body {
    /// A form with files; the request gets its `Content-Type`, unless its headers have another.
    public static func form(_ form: HTTP.Form) -> HTTP.Body {
        let type = "multipart/form-data; boundary=\(form.boundary)"
        let (bytes, isWhole) = form.inMemory
        return isWhole
            ? .data(bytes, contentType: type)
            : .opened(searched: bytes, contentType: type, isReplayable: form.isReplayable) { try await form.open() }
    }
}
