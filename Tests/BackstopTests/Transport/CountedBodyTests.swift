import BackstopCore
import Foundation
import Testing

@testable import Backstop

@Suite("A body that is counted while it is sent")
struct CountedBodyTests {
    @Test(
        "is handed out whole where it has the length that was announced", arguments: [0, 1, 9, 10, 11, 100],
        [1, 10, 64])
    func whole(size: Int, piece: Int) {
        let reading = read(size: size, length: UInt64(size), piece: piece)
        #expect(reading.bytes == sample(size))
        #expect(reading.ended == UInt64(size))
        #expect(reading.error == nil)
    }

    @Test("is handed out whole where no length was announced", arguments: [0, 1, 100])
    func unknownLength(size: Int) {
        let reading = read(size: size, length: nil, piece: 10)
        #expect(reading.bytes == sample(size))
        #expect(reading.ended == UInt64(size))
        #expect(reading.error == nil)
    }

    @Test("that goes on is broken off before the length is complete", arguments: [1, 7, 20, 64])
    func longer(piece: Int) {
        let reading = read(size: 21, length: 20, piece: piece)
        #expect(reading.bytes.count < 20)
        #expect(reading.ended == nil)
        #expect(reading.error?.code == .bodyLength)
        #expect(reading.error?.detail.hasPrefix("The body goes on after the 20 announced bytes") == true)
    }

    @Test("that should have been empty is broken off before its first byte")
    func longerThanNothing() {
        let reading = read(size: 1, length: 0, piece: 8)
        #expect(reading.bytes.isEmpty)
        #expect(reading.error?.code == .bodyLength)
    }

    @Test("that ends early says after how many bytes", arguments: [1, 7, 64])
    func shorter(piece: Int) {
        let reading = read(size: 19, length: 20, piece: piece)
        #expect(reading.ended == nil)
        #expect(reading.error?.code == .bodyLength)
        #expect(reading.error?.detail.hasPrefix("The body ended after 19 of the 20 announced bytes") == true)
    }

    @Test("is closed by whoever opened it", arguments: [true, false])
    func closed(isOpenBefore: Bool) {
        let stream = InputStream(data: Data(sample(10)))
        if isOpenBefore {
            stream.open()
        }
        _ = read(stream, length: 10, piece: 64)
        #expect((stream.streamStatus == .closed) == !isOpenBefore)
    }

    @Test("that cannot be read is unreadable, with the cause")
    func unreadable() throws {
        let stream = try #require(InputStream(fileAtPath: "/nonexistent/file"))
        let reading = read(stream, length: 20, piece: 8)
        #expect(reading.bytes.isEmpty)
        #expect(reading.error?.code == .bodyUnreadable)
    }

    #if canImport(FoundationNetworking)
        @Test(
            "that has no bytes for the moment is not taken for one at its end",
            arguments: [nil, 20] as [UInt64?])
        func slow(length: UInt64?) {
            let reading = read(SlowStream(sample(9), status: .open), length: length, piece: 64)
            #expect(reading.ended == nil)
            #expect(reading.error?.code == .bodyUnreadable)
            #expect(reading.error?.detail.hasPrefix("The body had no bytes available after 9") == true)
        }

        @Test("that has no bytes left is at its end where it says so, or where its length is complete")
        func atEnd() {
            #expect(read(SlowStream(sample(9), status: .atEnd), length: nil, piece: 64).ended == 9)
            #expect(read(SlowStream(sample(9), status: .open), length: 9, piece: 64).ended == 9)
        }
    #endif

    private struct Reading {
        var bytes: [UInt8] = []
        var ended: UInt64?
        var error: RequestError?
    }

    private func sample(_ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    }

    private func read(size: Int, length: UInt64?, piece: Int) -> Reading {
        read(InputStream(data: Data(sample(size))), length: length, piece: piece)
    }

    private func read(_ stream: InputStream, length: UInt64?, piece: Int) -> Reading {
        let told = Lock(Reading())
        let events = CountedBody.Events { error in
            told.withLock { $0.error = error }
        } ended: { count in
            told.withLock { $0.ended = count }
        }
        let body = CountedBody(stream, length: length, name: "The body", events: events)
        body.open()
        var buffer = [UInt8](repeating: 0, count: piece)
        var bytes: [UInt8] = []
        while true {
            let count = body.read(&buffer, maxLength: piece)
            guard count > 0 else {
                break
            }
            bytes += buffer[..<count]
        }
        var reading = told.withLock { $0 }
        reading.bytes = bytes
        return reading
    }
}

/// A stream that has all of its bytes at once, and then for the moment no more.
private final class SlowStream: InputStream {
    private var bytes: [UInt8]
    private let statusAfter: Stream.Status

    init(_ bytes: [UInt8], status: Stream.Status) {
        self.bytes = bytes
        statusAfter = status
        super.init(data: Data())
    }

    override func open() {}

    override func close() {}

    override var streamStatus: Stream.Status {
        bytes.isEmpty ? statusAfter : .open
    }

    override var hasBytesAvailable: Bool {
        !bytes.isEmpty
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        let count = min(bytes.count, maxLength)
        for position in 0..<count {
            buffer[position] = bytes[position]
        }
        bytes.removeFirst(count)
        return count
    }
}
