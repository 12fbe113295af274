internal import BackstopCore
internal import Foundation

/// The chunks of a body for a thread that may block; one thread at a time reads them.
protocol BlockingChunks: Sendable {
    /// The announced number of bytes; nil when unknown.
    var length: Int64? { get }

    /// The next chunk, not empty; nil at the end.
    ///
    /// - Throws: ``RequestError`` with `.bodyUnreadable` or `.bodyLength`; `URLError` with `.timedOut` when no chunk came
    ///   in time; `CancellationError` after ``cancel()``.
    func next() throws -> Data?

    /// Ends the reading, and wakes whoever waits for a chunk.
    func cancel()
}

/// The chunks of a file, read where they are asked for.
///
/// Unchecked, because only the thread that reads reaches the counter.
final class FileChunks: BlockingChunks, @unchecked Sendable {
    private let file: BodyFile
    private var counter: BodyCounter

    var length: Int64? { counter.length }

    /// - Parameter length: The length that was announced; nil for what the file has now.
    init(_ file: BodyFile, length: Int64? = nil) {
        self.file = file
        counter = BodyCounter(length: length ?? file.length, name: file.name)
    }

    func next() throws -> Data? {
        while true {
            switch try counter.next() {
            case .chunk(let chunk):
                return chunk
            case .end:
                return nil
            case .read:
                do {
                    counter.add(try file.read())
                } catch {
                    throw counter.fail(error)
                }
            }
        }
    }

    func cancel() {}
}
