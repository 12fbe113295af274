public import Foundation

extension HTTP {
    /// The body of a request.
    ///
    /// ```swift
    /// let text: HTTP.Body = .text("hello")
    /// let upload: HTTP.Body = .file(URL(fileURLWithPath: "photo.jpg"))
    /// let rows: HTTP.Body = .stream {
    ///     AsyncStream<Data> { continuation in
    ///         for row in 1...1000 { continuation.yield(Data("\(row)\n".utf8)) }
    ///         continuation.finish()
    ///     }
    /// }
    /// ```
    ///
    /// A body whose request has no `Content-Type` is sent as `application/octet-stream`, a text as `text/plain;
    /// charset=utf-8`. A transport reads a body with ``open()``.
    public struct Body: Sendable {
        /// Where the bytes come from.
        enum Source: Sendable {
            case none
            case data(Data)
            case file(URL)
            case stream(any BodyStreamSource)
        }

        let source: Source
        /// What a request says of it in `Content-Type`; nil to leave that to the caller.
        private(set) var contentType: String?
        /// What a transport says of it if the request says nothing.
        fileprivate private(set) var impliedContentType = "application/octet-stream"

        /// No body.
        public static let none = Body(source: .none)

        /// Data in memory.
        public static func data(_ data: Data) -> Body {
            Body(source: .data(data))
        }

        /// The UTF-8 bytes of a text.
        public static func text(_ text: String) -> Body {
            Body(source: .data(Data(text.utf8)), impliedContentType: "text/plain; charset=utf-8")
        }

        /// The fields of a form, in their order, as browsers send them (`application/x-www-form-urlencoded`, WHATWG URL,
        /// 5.2). The request gets this `Content-Type`, unless its headers have another.
        ///
        /// ```swift
        /// let order = try HTTP.Request(.post, "orders", body: .form(["article": "lamp", "count": 2]))
        /// ```
        public static func form(_ fields: HTTP.Query) -> Body {
            Body(source: .data(Data(fields.formText.utf8)), contentType: "application/x-www-form-urlencoded")
        }

        /// A file, read while it is sent; it must not change until the call ends.
        public static func file(_ url: URL) -> Body {
            Body(source: .file(url))
        }

        /// Chunks of bytes from a sequence that is made anew each time the body is sent, so that the request can be
        /// retried and redirected.
        ///
        /// The next chunk is requested when the network takes more, in a task that is cancelled when the call ends.
        ///
        /// - Parameters:
        ///   - length: The exact number of bytes, or the call fails with `RequestError` and `.bodyLength`. Default: nil
        ///     for unknown; HTTP/1.1 then sends the body in chunks.
        ///   - makeChunks: Makes the sequence. If it throws, nothing is sent. Chunks may have any size, also none.
        public static func stream<Chunks: AsyncSequence>(
            length: Int64? = nil, _ makeChunks: @escaping @Sendable () async throws -> Chunks
        ) -> Body where Chunks.Element == Data {
            Body(source: .stream(ReplayableStream(length: length, make: makeChunks)))
        }

        /// Chunks of bytes whose number is known once they are open, of a media type.
        ///
        /// - Parameters:
        ///   - body: The body that they are those of; nil for none.
        ///   - searched: Those in memory, whose secrets texts hide; nil for none.
        package static func opened<Chunks: AsyncSequence>(
            of body: Body? = nil, searched: Data? = nil, contentType: String?, isReplayable: Bool,
            _ makeChunks: @escaping @Sendable () async throws -> (chunks: Chunks, length: Int64?)
        ) -> Body where Chunks.Element == Data {
            let stream = OpenedStream(
                body: body, searched: searched, isReplayable: isReplayable, make: makeChunks)
            return Body(
                source: .stream(stream), contentType: contentType,
                impliedContentType: (body ?? .data(Data())).impliedContentType)
        }

        /// Data in memory, of a media type.
        package static func data(_ data: Data, contentType: String) -> Body {
            Body(source: .data(data), contentType: contentType)
        }

        /// The body as the caller made it: that of a stream that only reads another.
        var original: Body {
            if case .stream(let stream) = source, let body = stream.body { body } else { self }
        }

        /// Chunks of bytes from a sequence that can be read only once; the request is not sent a second time.
        ///
        /// ```swift
        /// func upload(_ chunks: AsyncStream<Data>, with client: Client) async throws {
        ///     try await client.put("recordings/1", body: .stream(once: chunks))
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - chunks: The sequence; only this body may read it.
        ///   - length: The exact number of bytes, or the call fails with `RequestError` and `.bodyLength`. Default: nil
        ///     for unknown; HTTP/1.1 then sends the body in chunks.
        public static func stream<Chunks: AsyncSequence & Sendable>(
            once chunks: Chunks, length: Int64? = nil
        ) -> Body where Chunks.Element == Data {
            Body(source: .stream(SingleStream(chunks, length: length)))
        }

        /// Whether it can be sent again; false only for a stream that can be read once.
        public var isReplayable: Bool {
            if case .stream(let stream) = source { stream.isReplayable } else { true }
        }

        /// Whether there is no body.
        public var isNone: Bool {
            if case .none = source { true } else { false }
        }

        /// The bytes, if in memory; nil for files and streams.
        public var data: Data? {
            original.unreadData
        }

        /// The bytes whose secrets texts hide: those in memory.
        var searched: Data? {
            if case .stream(let stream) = original.source { stream.searched } else { data }
        }

        /// The bytes that a transport may send as they are; nil for those that somebody wants to see ``open()`` read.
        package var unreadData: Data? {
            switch source {
            case .none: Data()
            case .data(let data): data
            case .file, .stream: nil
            }
        }

        /// Where the bytes are, if in a file.
        package var file: URL? {
            if case .file(let url) = source { url } else { nil }
        }

        /// The number of bytes; nil for a file, whose length is known once it is open, and for a stream of unknown
        /// length.
        public var length: Int64? {
            if case .stream(let stream) = source { stream.length } else { unreadData.map { Int64($0.count) } }
        }
    }
}

extension HTTP.Request {
    /// The `Content-Type` that a transport adds (RFC 9110, 8.3), because without one, `URLSession` sends the body of a
    /// `POST` as a form; nil when the headers have one, or nothing is sent.
    ///
    /// ```swift
    /// func fields(of request: HTTP.Request) -> [(name: String, value: String)] {
    ///     let type = request.impliedContentType.map { [(name: "Content-Type", value: $0)] } ?? []
    ///     return request.headers.map { (name: $0.name.text, value: $0.value) } + type
    /// }
    /// ```
    /// It is not among the headers, so that texts judge the body by its content, and hide the secrets of one that looks
    /// like a form.
    public var impliedContentType: String? {
        headers[.contentType] == nil && body.data?.isEmpty != true ? body.impliedContentType : nil
    }
}
