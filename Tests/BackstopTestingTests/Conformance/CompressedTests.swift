import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Python's zlib and gzip modules have read these bytes, and say that they are the text.
@Suite("The compressed bytes of the conformance suite", .limited)
struct CompressedTests {
    @Test("are gzip with the checksum and the length of the text")
    func gzip() {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        let stored: [UInt8] = [1, 2, 0, 0xFD, 0xFF, 0x6F, 0x6B]
        #expect(Compressed.gzip(Array("ok".utf8)) == header + stored + [0x47, 0xDD, 0xDC, 0x79, 2, 0, 0, 0])
    }

    @Test("are zlib with the checksum of the text")
    func zlib() {
        #expect(
            Compressed.zlib(Array("ok".utf8))
                == [0x78, 1, 1, 2, 0, 0xFD, 0xFF, 0x6F, 0x6B, 0x01, 0x4B, 0x00, 0xDB])
    }

    @Test("are gzip of many zeros in few bytes")
    func zeros() {
        let zeros: [UInt8] = [0x63, 0x18, 0x05, 0xA3, 0x00, 0x00, 0x31, 0x18, 0x7D, 0x51, 0x05, 0x02, 0x00, 0x00]
        #expect(Array(Compressed.gzipZeros(repetitions: 2).dropFirst(10)) == zeros)
    }

    @Test("are a bomb whose bits repeat, without an end")
    func bomb() {
        let period: [UInt8] = [0x05, 0xA3, 0x60, 0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1, 0x28, 0x18]
        let bomb = Compressed.gzipBomb(bytes: 3 * 8 * 258 - 1)
        #expect(Array(bomb.dropFirst(10)) == [0x63, 0x18] + period + period + period)
    }
}
