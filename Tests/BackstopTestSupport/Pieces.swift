package import Foundation

/// Bytes as an async sequence of pieces.
package func pieces(of data: Data, size: Int = 16_384) -> AsyncStream<Data> {
    let (stream, source) = AsyncStream<Data>.makeStream()
    for start in stride(from: 0, to: data.count, by: size) {
        source.yield(data[start..<min(start + size, data.count)])
    }
    source.finish()
    return stream
}

/// An async sequence of pieces that fails after the last.
package struct FailingPieces<Problem: Error>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// What comes before the failure.
    private var pieces: [Data]
    private let problem: Problem

    package init(_ pieces: Data..., then problem: Problem) {
        self.pieces = pieces
        self.problem = problem
    }

    package mutating func next() async throws -> Data? {
        guard !pieces.isEmpty else {
            throw problem
        }
        return pieces.removeFirst()
    }

    package func makeAsyncIterator() -> Self { self }
}
