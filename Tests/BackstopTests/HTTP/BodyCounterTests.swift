import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

@Suite("A body that is counted while it is sent", .limited)
struct BodyCounterTests {
    @Test(
        "is handed out whole where it has the length that was announced",
        arguments: [0, 1, 9, 10, 11, 100, 65_535, 65_536, 65_537, 300_000], [1, 10, 64, 65_536, 1_000_000])
    func whole(size: Int, piece: Int) {
        let reading = read(size: size, length: Int64(size), piece: max(piece, size / 100))
        #expect(reading.bytes == sample(size))
        #expect(reading.isEnded)
        #expect(reading.error == nil)
    }

    @Test("is handed out whole where no length was announced", arguments: [0, 1, 100, 300_000])
    func unknownLength(size: Int) {
        let reading = read(size: size, length: nil, piece: max(10, size / 100))
        #expect(reading.bytes == sample(size))
        #expect(reading.isEnded)
        #expect(reading.error == nil)
    }

    @Test("is cut into chunks of at most 65,536 bytes, with indices from 0")
    func cut() {
        let reading = read(size: 200_000, length: 200_000, piece: 200_000)
        #expect(reading.chunks.map(\.count) == [65_536, 65_536, 65_536, 3_392])
        #expect(reading.chunks.allSatisfy { $0.startIndex == 0 })
    }

    @Test("is handed out as it comes where its chunks are small, empty ones left out")
    func small() {
        let reading = read([[], [1], [], [], [2, 3], []].map { Data($0) }, length: 3)
        #expect(reading.chunks == [Data([1]), Data([2, 3])])
        #expect(reading.isEnded)
    }

    @Test("that goes on is broken off before the length is complete", arguments: [1, 7, 20, 21, 64])
    func longer(piece: Int) {
        let reading = read(size: 21, length: 20, piece: piece)
        #expect(reading.bytes.count < 20)
        #expect(!reading.isEnded)
        #expect(reading.error?.code == .bodyLength)
        #expect(reading.error?.detail.hasPrefix("The body goes on after the 20 announced bytes") == true)
    }

    @Test("that goes on after an empty chunk is broken off as well")
    func longerAfterNothing() {
        let reading = read([Data([1, 2]), Data(), Data([3])], length: 2)
        #expect(reading.bytes.isEmpty)
        #expect(reading.error?.code == .bodyLength)
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
        #expect(!reading.isEnded)
        #expect(reading.error?.code == .bodyLength)
        #expect(reading.error?.detail.hasPrefix("The body ended after 19 of the 20 announced bytes") == true)
    }

    @Test("that failed fails again the same way")
    func failedTwice() throws {
        var counter = BodyCounter(length: nil, name: "The body")
        counter.add(Data([1]))
        #expect(counter.fail(CocoaError(.fileReadUnknown)).code == .bodyUnreadable)
        for _ in 1...2 {
            let error = #expect(throws: RequestError.self) { try counter.next() }
            #expect(error?.detail == "The body cannot be read to its end")
            #expect(error?.underlying is CocoaError)
        }
    }

    private struct Reading {
        var chunks: [Data] = []
        var isEnded = false
        var error: RequestError?

        var bytes: Data { chunks.reduce(Data(), +) }
    }

    private func sample(_ size: Int) -> Data {
        Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
    }

    private func read(size: Int, length: Int64?, piece: Int) -> Reading {
        let all = sample(size)
        return read(
            stride(from: 0, to: size, by: piece).map { all[$0..<min($0 + piece, size)] }, length: length)
    }

    private func read(_ pieces: [Data], length: Int64?) -> Reading {
        var counter = BodyCounter(length: length, name: "The body")
        var pieces = pieces[...]
        var reading = Reading()
        while !reading.isEnded, reading.error == nil {
            do throws(RequestError) {
                switch try counter.next() {
                case .chunk(let chunk): reading.chunks.append(chunk)
                case .read: counter.add(pieces.popFirst())
                case .end: reading.isEnded = true
                }
            } catch {
                reading.error = error
            }
        }
        return reading
    }
}
