internal import BackstopCore
internal import Foundation

/// Reads a body once, in counted chunks.
final class BodyReader: Sendable {
    /// The announced number of bytes; nil when unknown.
    let length: Int64?
    /// What the rest is read from; nil when there is nothing more.
    private let source: (any BodyIterator)?
    /// What was read so far; nil while somebody waits for the next chunk. Guarded by the lock.
    private let counter: Lock<BodyCounter?>

    private init(length: Int64?, name: String, first: Data = Data(), _ source: (any BodyIterator)? = nil) {
        self.length = length
        self.source = source
        var counter = BodyCounter(length: length, name: name)
        counter.add(first)
        self.counter = Lock(counter)
    }

    /// Opens a body at its start.
    ///
    /// - Throws: ``RequestError`` with `.bodyUnreadable` or `.bodyLength`; `CancellationError` when the task is
    ///   cancelled.
    static func open(_ body: HTTP.Body) async throws -> BodyReader {
        switch body.source {
        case .none, .data:
            return BodyReader(length: body.length, name: "The body", first: body.unreadData ?? Data())
        case .file(let url):
            let work = BlockingWork()
            let file = try await work.run { try BodyFile(url) }
            return BodyReader(length: file.length, name: file.name, FileIterator(file: file, work: work))
        case .stream(let stream):
            if let length = stream.length, length < 0 {
                throw RequestError(
                    .bodyLength, "The stream of the body has the length \(length): pass its actual length, or nil")
            }
            do {
                let (chunks, length) = try await stream.open()
                return BodyReader(length: length, name: "The stream of the body", chunks)
            } catch {
                try Task.checkCancellation()
                throw error as? RequestError
                    ?? RequestError(.bodyUnreadable, "The stream of the body cannot be opened", underlying: error)
            }
        }
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: ``RequestError`` with `.bodyUnreadable` or `.bodyLength`; `CancellationError` when the task is
    ///   cancelled.
    func next() async throws -> Data? {
        guard var counter = self.counter.withLock({ $0.take() }) else {
            throw RequestError(.bodyUnreadable, "The body is read by two tasks at once")
        }
        defer {
            self.counter.withLock { $0 = counter }
        }
        while true {
            switch try counter.next() {
            case .chunk(let chunk):
                return chunk
            case .end:
                return nil
            case .read:
                do {
                    try Task.checkCancellation()
                    let chunk = try await source?.next()
                    // Most sequences end when their task is cancelled, which is not the end of the body.
                    try Task.checkCancellation()
                    counter.add(chunk)
                } catch {
                    // After a cancellation too, because a chunk may be lost.
                    let unreadable = counter.fail(error)
                    try Task.checkCancellation()
                    throw unreadable
                }
            }
        }
    }
}
