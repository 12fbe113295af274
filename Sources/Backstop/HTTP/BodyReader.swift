internal import BackstopCore
internal import Foundation

/// Reads a body once, in counted chunks.
final class BodyReader: Sendable {
    private enum State {
        case idle(BodyCounter)
        /// Somebody waits for the next chunk.
        case reading
    }

    /// The announced number of bytes; nil when unknown.
    let length: Int64?
    private let source: any BodyIterator
    /// What was read so far, guarded by the lock.
    private let state: Lock<State>

    private init(length: Int64?, name: String, _ source: any BodyIterator) {
        self.length = length
        self.source = source
        state = Lock(.idle(BodyCounter(length: length, name: name)))
    }

    /// Opens a body at its start.
    ///
    /// - Throws: ``RequestError`` with `.bodyUnreadable` or `.bodyLength`; `CancellationError` when the task is
    ///   cancelled.
    static func open(_ body: HTTP.Body) async throws -> BodyReader {
        switch body.source {
        case .none:
            return BodyReader(length: 0, name: "The body", DataIterator(Data()))
        case .data(let data):
            return BodyReader(length: Int64(data.count), name: "The body", DataIterator(data))
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
                return BodyReader(
                    length: stream.length, name: "The stream of the body", try await stream.open())
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
        var counter = try begin()
        defer {
            state.withLock { $0 = .idle(counter) }
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
                    let chunk = try await source.next()
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

    private func begin() throws(RequestError) -> BodyCounter {
        let counter: BodyCounter? = state.withLock { state in
            guard case .idle(let counter) = state else {
                return nil
            }
            state = .reading
            return counter
        }
        guard let counter else {
            throw RequestError(.bodyUnreadable, "The body is read by two tasks at once")
        }
        return counter
    }
}
