public import Foundation

extension HTTP.Body {
    /// Begins to read the body from its start, for a transport that sends it.
    ///
    /// ```swift
    /// func send(_ body: HTTP.Body, to connection: some Connection) async throws {
    ///     let chunks = try await body.open()
    ///     try await connection.writeHead(contentLength: chunks.length)  // nil: Transfer-Encoding: chunked
    ///     for try await chunk in chunks {
    ///         try await connection.write(chunk)
    ///     }
    /// }
    ///
    /// protocol Connection {
    ///     func writeHead(contentLength: Int64?) async throws
    ///     func write(_ chunk: Data) async throws
    /// }
    /// ```
    ///
    /// Call it before anything is sent, and again for each redirect; a body that is not ``isReplayable`` opens once.
    /// Files are opened and read on threads that may block.
    ///
    /// - Throws: `RequestError` with `.bodyUnreadable` when a file or a stream cannot be opened, or was read before;
    ///   with `.bodyLength` for a negative length. `CancellationError` when the task is cancelled.
    public func open() async throws -> Chunks {
        Chunks(reader: try await BodyReader.open(self))
    }

    /// The bytes of a body as they are sent: chunks of 1 to 65,536 bytes, read one at a time.
    ///
    /// The bytes that complete an announced length are given only once the body is known to end there: if it goes on,
    /// the server gets fewer bytes than announced, and cannot mistake the part for the whole. So if reading throws, end
    /// the connection or the stream, and do not complete the body.
    ///
    /// One pass by one task: a second iteration continues where the first one ended.
    public struct Chunks: AsyncSequence, Sendable {
        let reader: BodyReader

        /// The number of bytes to announce; nil when unknown.
        public var length: Int64? { reader.length }

        /// Reads the chunks.
        public func makeAsyncIterator() -> Iterator {
            Iterator(reader: reader)
        }

        /// Reads the chunks of a body.
        public struct Iterator: AsyncIteratorProtocol {
            let reader: BodyReader

            /// The next chunk; nil at the end.
            ///
            /// - Throws: `RequestError` with `.bodyUnreadable` when the file or the stream cannot be read to its end,
            ///   with its error as `underlying`; with `.bodyLength` when the body is longer or shorter than announced.
            ///   `CancellationError` when the task is cancelled.
            public mutating func next() async throws -> Data? {
                try await reader.next()
            }
        }
    }
}
