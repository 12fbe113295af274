internal import BackstopCore
internal import Foundation

/// An async sequence as the source of a body, without its type.
protocol BodyStreamSource: Sendable {
    /// The number of bytes that the caller announced; nil for unknown.
    var length: Int64? { get }
    var isReplayable: Bool { get }
    /// The body whose bytes these are; nil for those of the stream itself.
    var body: HTTP.Body? { get }
    /// The bytes in memory, whose secrets texts hide; nil for none.
    var searched: Data? { get }

    /// Begins a new reading, of this number of bytes; nil for unknown.
    func open() async throws -> (chunks: any BodyIterator, length: Int64?)
}

extension BodyStreamSource {
    var body: HTTP.Body? { nil }
    var searched: Data? { nil }
}

/// Reads chunks one after the other, for one task at a time.
protocol BodyIterator: Sendable {
    /// The next chunk, possibly empty; nil at the end.
    func next() async throws -> Data?
}

/// A sequence made anew for each reading.
struct ReplayableStream<Chunks: AsyncSequence>: BodyStreamSource where Chunks.Element == Data {
    let length: Int64?
    let make: @Sendable () async throws -> Chunks

    var isReplayable: Bool { true }

    func open() async throws -> (chunks: any BodyIterator, length: Int64?) {
        (ChunkIterator(try await make().makeAsyncIterator()), length)
    }
}

/// Chunks made anew for each reading, whose number of bytes is known once they are open.
struct OpenedStream<Chunks: AsyncSequence>: BodyStreamSource where Chunks.Element == Data {
    let body: HTTP.Body?
    let searched: Data?
    let isReplayable: Bool
    let make: @Sendable () async throws -> (chunks: Chunks, length: Int64?)

    var length: Int64? { body?.length }

    func open() async throws -> (chunks: any BodyIterator, length: Int64?) {
        let (chunks, length) = try await make()
        return (ChunkIterator(chunks.makeAsyncIterator()), length)
    }
}

/// A sequence that exists once.
struct SingleStream<Chunks: AsyncSequence & Sendable>: BodyStreamSource where Chunks.Element == Data {
    let length: Int64?
    /// The sequence until somebody reads it, guarded by the lock.
    private let unread: Lock<Chunks?>

    init(_ chunks: Chunks, length: Int64?) {
        self.length = length
        unread = Lock(chunks)
    }

    var isReplayable: Bool { false }

    func open() async throws -> (chunks: any BodyIterator, length: Int64?) {
        guard let chunks = unread.withLock({ $0.take() }) else {
            throw RequestError(.bodyUnreadable, "The stream of the body can be read only once, and was read before")
        }
        return (ChunkIterator(chunks.makeAsyncIterator()), length)
    }
}

/// The iterator of a sequence in one place.
///
/// Unchecked, because ``BodyReader`` never asks for a chunk before it has the previous one.
private final class ChunkIterator<Iterator: AsyncIteratorProtocol>: BodyIterator, @unchecked Sendable
where Iterator.Element == Data {
    private var iterator: Iterator

    init(_ iterator: Iterator) {
        self.iterator = iterator
    }

    @concurrent
    func next() async throws -> Data? {
        try await iterator.next()
    }
}

/// A file, read on threads that may block.
struct FileIterator: BodyIterator {
    let file: BodyFile
    let work: BlockingWork

    func next() async throws -> Data? {
        try await work.run { try file.read() }
    }
}
