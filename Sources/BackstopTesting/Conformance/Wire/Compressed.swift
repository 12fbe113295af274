/// Compressed bytes, written without a library: what the suite sends must not depend on the one that a transport uses.
package enum Compressed {
    /// The gzip form of some bytes (RFC 1952), not made smaller.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        gzipHeader + stored(bytes) + littleEndian(crc(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// The form that HTTP calls deflate: zlib (RFC 1950; RFC 9110, 8.4.1.2).
    package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        [0x78, 0x01] + stored(bytes) + littleEndian(adler(bytes)).reversed()
    }

    /// The gzip form of 1 + 258 times `repetitions` zero bytes, in about 13 bits for each 258.
    package static func gzipZeros(repetitions: Int) -> [UInt8] {
        var bits = Bits()
        bits.add(0b1, count: 1)  // the last block
        bits.add(0b01, count: 2)  // with the fixed codes (RFC 1951, 3.2.6)
        bits.addCode(0b0011_0000, count: 8)  // the literal 0
        for _ in 0..<repetitions {
            bits.addCode(0b1100_0101, count: 8)  // 258 bytes
            bits.addCode(0b00000, count: 5)  // like the one before
        }
        bits.addCode(0b000_0000, count: 7)  // the end
        let count = 1 + 258 * repetitions
        return gzipHeader + bits.bytes + littleEndian(crc(repeatElement(0, count: count)))
            + littleEndian(UInt32(truncatingIfNeeded: count))
    }

    /// A gzip form of so many zero bytes and more, without its end: for whoever stops before.
    package static func gzipBomb(bytes count: Int) -> [UInt8] {
        // After the first 11 bits, which end in the second byte, the bits repeat every 8 times 13.
        let start = gzipZeros(repetitions: 16).dropFirst(gzipHeader.count)
        let period = start.dropFirst(2).prefix(13)
        return gzipHeader + start.prefix(2) + repeatElement(period, count: count / (8 * 258) + 1).joined()
    }

    private static let gzipHeader: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Blocks of bytes as they are (RFC 1951, 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let part = rest.prefix(65_535)
            rest = rest.dropFirst(part.count)
            let count = UInt16(part.count)
            result.append(rest.isEmpty ? 1 : 0)
            for number in [count, ~count] {
                result += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            }
            result += part
        } while !rest.isEmpty
        return result
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func crc(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (crc >> 8) ^ crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
        }
    }

    private static let crcTable: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    /// Bits, the first one lowest in its byte.
    private struct Bits {
        var bytes: [UInt8] = []
        private var used = 8

        mutating func add(_ value: UInt, count: Int) {
            for position in 0..<count {
                append(value >> position & 1)
            }
        }

        /// A Huffman code, whose first bit is the highest.
        mutating func addCode(_ value: UInt, count: Int) {
            for position in (0..<count).reversed() {
                append(value >> position & 1)
            }
        }

        private mutating func append(_ bit: UInt) {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(bit) << used
            used += 1
        }
    }
}
