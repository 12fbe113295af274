import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

@Suite("A body as the session reads it", .limited)
struct OpenBodyTests {
    @Test("is the same, whatever the session asks for at a time", arguments: [1, 7, 10, 64], [nil, 30] as [Int64?])
    func whole(size: Int, length: Int64?) {
        let reading = read([Data(0..<10), Data(10..<11), Data(11..<30)], length: length, size: size)
        #expect(reading.bytes == Array(0..<30))
        #expect(reading.ended == 30)
        #expect(reading.last == 0)
    }

    @Test("is over with the last byte of its length, so that the session asks no further")
    func overWithLength() {
        let body = OpenBody(Chunks([Data([1, 2])], length: 2), events: .init(failed: { _ in }, ended: { _ in }))
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(!body.isOver)
        #expect(body.read(&buffer, maxLength: 10) == 2)
        #expect(body.isOver)
    }

    @Test("fails once, and goes on failing")
    func failed() {
        let reading = read([Data([1, 2])], error: RequestError(.bodyUnreadable, "gone"), length: nil, size: 10)
        #expect(reading.bytes == [1, 2])
        #expect(reading.errors.map(\.code) == [.bodyUnreadable])
        #expect(reading.last == -1)
        #expect(reading.ended == nil)
    }

    @Test("ends the reading when nobody needs it any more")
    func released() {
        let chunks = Chunks([], length: nil)
        _ = OpenBody(chunks, events: .init(failed: { _ in }, ended: { _ in }))
        #expect(chunks.isCancelled)
    }

    @Test("closes its stream once the session has ended the task, and at once if it has", arguments: [false, true])
    func closed(isEarly: Bool) {
        let closed = Lock(0)
        let body = OpenBody(Chunks([], length: nil), events: .init(failed: { _ in }, ended: { _ in }))
        if isEarly {
            body.taskEnded()
        }
        body.whenTaskEnds { closed.withLock { $0 += 1 } }
        #expect(closed.withLock { $0 } == (isEarly ? 1 : 0))
        body.taskEnded()
        body.taskEnded()
        #expect(closed.withLock { $0 } == 1)
    }

    private struct Reading {
        var bytes: [UInt8] = []
        var last = 0
        var ended: Int64?
        var errors: [RequestError] = []
    }

    private func read(_ chunks: [Data], error: RequestError? = nil, length: Int64?, size: Int) -> Reading {
        let told = Lock(Reading())
        let events = OpenBody.Events { error in
            told.withLock { $0.errors += [error as? RequestError].compactMap(\.self) }
        } ended: { count in
            told.withLock { $0.ended = count }
        }
        let body = OpenBody(Chunks(chunks, error: error, length: length), events: events)
        var buffer = [UInt8](repeating: 0, count: size)
        var bytes: [UInt8] = []
        var count = body.read(&buffer, maxLength: size)
        while count > 0 {
            bytes += buffer[..<count]
            count = body.read(&buffer, maxLength: size)
        }
        var reading = told.withLock { $0 }
        reading.bytes = bytes
        reading.last = body.read(&buffer, maxLength: size)
        return reading
    }

    /// Chunks in memory, then an error or the end.
    private final class Chunks: BlockingChunks {
        let length: Int64?
        private let error: RequestError?
        private let state: Lock<(chunks: [Data], isCancelled: Bool)>

        init(_ chunks: [Data], error: RequestError? = nil, length: Int64?) {
            self.length = length
            self.error = error
            state = Lock((chunks, false))
        }

        var isCancelled: Bool { state.withLock { $0.isCancelled } }

        func next() throws -> Data? {
            let chunk = state.withLock { $0.chunks.isEmpty ? nil : $0.chunks.removeFirst() }
            if chunk == nil, let error {
                throw error
            }
            return chunk
        }

        func cancel() {
            state.withLock { $0.isCancelled = true }
        }
    }
}
