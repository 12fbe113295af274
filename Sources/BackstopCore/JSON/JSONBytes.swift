/// The signs of JSON, and where a text begins.
enum JSONBytes {
    static let quote: UInt8 = 0x22
    static let backslash: UInt8 = 0x5C
    static let comma: UInt8 = 0x2C
    static let colon: UInt8 = 0x3A
    static let openBrace: UInt8 = 0x7B
    static let closeBrace: UInt8 = 0x7D
    static let openBracket: UInt8 = 0x5B
    static let closeBracket: UInt8 = 0x5D

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The position of the first content byte: after a byte order mark (which RFC 8259, 8.1 lets a reader ignore) and
    /// white space.
    static func start(of bytes: UnsafeRawBufferPointer) -> Int {
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        return bytes[(hasMark ? 3 : 0)...].firstIndex { !isSpace($0) } ?? bytes.count
    }
}
