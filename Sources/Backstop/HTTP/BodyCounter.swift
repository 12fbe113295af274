internal import BackstopCore
internal import Foundation

/// Cuts a body into chunks of a bounded size, and checks that it has its announced length.
///
/// The bytes that complete the length are held back until the body is known to end there.
struct BodyCounter {
    /// What to do next.
    enum Step: Equatable {
        /// Send a chunk.
        case chunk(Data)
        /// Read more of the body, and ``add(_:)`` it.
        case read
        /// Everything was sent.
        case end
    }

    /// The largest chunk.
    static let largestChunk = 65_536

    /// The announced number of bytes; nil for none.
    let length: Int64?
    /// The source of the bytes, to start a sentence with.
    let name: String
    /// How many bytes were handed out.
    private(set) var count: Int64 = 0
    private var rest = Data()
    private var isAtEnd = false
    private var isLonger = false
    private var failure: RequestError?

    init(length: Int64?, name: String) {
        self.length = length
        self.name = name
    }

    /// Adds what was read; nil for the end of the source.
    mutating func add(_ chunk: Data?) {
        guard let chunk else {
            isAtEnd = true
            return
        }
        guard rest.isEmpty else {
            // The rest would have completed the length.
            isLonger = isLonger || !chunk.isEmpty
            return
        }
        rest = chunk
    }

    /// The next step.
    ///
    /// - Throws: ``RequestError`` with `.bodyLength`, or the error of ``fail(_:)``; the same each time.
    mutating func next() throws(RequestError) -> Step {
        if let failure {
            throw failure
        }
        if let length, isLonger || Int64(rest.count) > length - count {
            throw wrongLength("goes on after the \(length)")
        }
        guard !rest.isEmpty else {
            guard isAtEnd else {
                return .read
            }
            if let length, count < length {
                throw wrongLength("ended after \(count) of the \(length)")
            }
            return .end
        }
        let completes = rest.count <= Self.largestChunk && count + Int64(rest.count) == length
        return completes && !isAtEnd ? .read : .chunk(take())
    }

    /// Notes that the source cannot be read further.
    mutating func fail(_ error: any Error) -> RequestError {
        // A part of it that has failed says more.
        let error =
            error as? RequestError
            ?? RequestError(.bodyUnreadable, "\(name) cannot be read to its end", underlying: error)
        failure = error
        rest = Data()
        return error
    }

    private mutating func wrongLength(_ end: String) -> RequestError {
        fail(RequestError(.bodyLength, "\(name) \(end) announced bytes, so the request was aborted"))
    }

    /// Takes the next chunk, with indices from 0.
    private mutating func take() -> Data {
        let isWhole = rest.count <= Self.largestChunk && rest.startIndex == 0
        let chunk = isWhole ? rest : Data(rest.prefix(Self.largestChunk))
        rest = isWhole ? Data() : rest.dropFirst(Self.largestChunk)
        count += Int64(chunk.count)
        return chunk
    }
}
