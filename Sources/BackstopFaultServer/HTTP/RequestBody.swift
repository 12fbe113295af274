#if Demo
    package import Foundation

    /// The body of a request that is read while it is used, by one reader.
    package actor RequestBody {
        /// The bytes that were announced; nil for chunks.
        package nonisolated let length: Int?
        /// Ends with the body, when what comes next is no part of it.
        nonisolated let ended: AsyncStream<Void>
        /// Whether it was read to its end.
        private(set) var isOver = false
        private let end: AsyncStream<Void>.Continuation
        private var reader: RequestReader
        /// What is left of the body, or of its current chunk.
        private var left: Int

        init(_ reader: RequestReader, length: Int?) {
            self.reader = reader
            self.length = length
            left = length ?? 0
            (ended, end) = AsyncStream.makeStream(of: Void.self)
        }

        /// The next bytes; nil at the end.
        ///
        /// - Throws: When the client leaves before that, or the chunks are none.
        package func next() async throws -> Data? {
            guard !isOver else { return nil }
            var reader = reader
            defer { self.reader = reader }
            if left == 0, length == nil {
                left = try await reader.readChunkSize()
            }
            guard left > 0 else {
                if length == nil { try await reader.readTrailers() }
                isOver = true
                end.finish()
                return nil
            }
            let bytes = try await reader.readPart(atMost: left)
            left -= bytes.count
            if left == 0, length == nil { try await reader.readChunkEnd() }
            return Data(bytes)
        }
    }
#endif
