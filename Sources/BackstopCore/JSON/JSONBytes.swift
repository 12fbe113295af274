/// The basic steps of every scan of JSON bytes.
///
/// Nothing here recurses, and each step only moves forward. The steps do not validate: on malformed bytes they stop
/// somewhere in the buffer, perhaps at its end. ``JSONScan/firstProblem(in:)`` validates.
struct JSONBytes {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count }

    static let quote: UInt8 = 0x22
    static let backslash: UInt8 = 0x5C
    static let comma: UInt8 = 0x2C
    static let colon: UInt8 = 0x3A
    static let openBrace: UInt8 = 0x7B
    static let closeBrace: UInt8 = 0x7D
    static let openBracket: UInt8 = 0x5B
    static let closeBracket: UInt8 = 0x5D

    /// The byte at a position, or nil at the end.
    @inline(__always)
    func byte(at position: Int) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The position of the first content byte: after a byte order mark (which RFC 8259, 8.1 lets a reader ignore) and
    /// white space.
    var start: Int {
        let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        return skippingSpace(from: hasMark ? 3 : 0)
    }

    @inline(__always)
    func skippingSpace(from position: Int) -> Int {
        var position = position
        while position < bytes.count, JSONBytes.isSpace(bytes[position]) { position += 1 }
        return position
    }

    /// The position of the next quote or backslash, or the end.
    @inline(__always)
    func nextQuoteOrBackslash(from position: Int) -> Int {
        var position = position
        let end = bytes.count
        // Eight bytes at a time: after the exclusive or, a byte is zero exactly where it was the one searched for.
        while end - position >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quotes = word ^ 0x2222_2222_2222_2222
            let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let hits =
                ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes)
                & 0x8080_8080_8080_8080
            if hits != 0 { return position + hits.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < end, bytes[position] != JSONBytes.quote, bytes[position] != JSONBytes.backslash {
            position += 1
        }
        return position
    }

    /// The position of the next byte of a string that needs a closer look: a quote, a backslash, a control character or
    /// part of a non-ASCII character; or the end.
    @inline(__always)
    func endOfPlainText(from position: Int) -> Int {
        var position = position
        let end = bytes.count
        while end - position >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quotes = word ^ 0x2222_2222_2222_2222
            let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let hits =
                (word | (word &- 0x2020_2020_2020_2020) & ~word | (quotes &- 0x0101_0101_0101_0101) & ~quotes
                    | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes) & 0x8080_8080_8080_8080
            // The lowest hit is exact; higher ones may result from a borrow.
            if hits != 0 { return position + hits.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < end, bytes[position] != JSONBytes.quote, bytes[position] != JSONBytes.backslash,
            (0x20..<0x80).contains(bytes[position])
        { position += 1 }
        return position
    }

    /// Skips a string.
    ///
    /// - Parameter position: After the opening quote.
    /// - Returns: The position of the closing quote, or the end when there is none, and whether there are escapes
    ///   inside.
    @inline(__always)
    func endOfString(from position: Int) -> (end: Int, hasEscapes: Bool) {
        var position = position
        var hasEscapes = false
        while true {
            position = nextQuoteOrBackslash(from: position)
            guard position < bytes.count else { return (bytes.count, hasEscapes) }
            if bytes[position] == JSONBytes.quote { return (position, hasEscapes) }
            hasEscapes = true
            position = min(position + 2, bytes.count)
        }
    }

    /// Skips the rest of objects and arrays.
    ///
    /// - Parameters:
    ///   - position: Somewhere inside, but not in a string.
    ///   - depth: How many of them are open, at least 1.
    /// - Returns: The position after the bracket that closes the outermost, or the end.
    @inline(__always)
    func endOfNesting(from position: Int, depth: Int) -> Int {
        var position = position
        var depth = depth
        let end = bytes.count
        while position < end {
            let byte = bytes[position]
            position += 1
            if byte == JSONBytes.quote {
                position = min(endOfString(from: position).end + 1, end)
            } else if byte | 0x20 == JSONBytes.openBrace {
                depth += 1
            } else if byte | 0x20 == JSONBytes.closeBrace {
                depth -= 1
                if depth == 0 { return position }
            }
        }
        return end
    }

    /// Skips a value of any kind.
    ///
    /// - Parameter position: At the value's first byte.
    /// - Returns: The position after the value, or the end.
    @inline(__always)
    func endOfValue(from position: Int) -> Int {
        guard position < bytes.count else { return bytes.count }
        switch bytes[position] {
        case JSONBytes.quote: return min(endOfString(from: position + 1).end + 1, bytes.count)
        case JSONBytes.openBrace, JSONBytes.openBracket: return endOfNesting(from: position + 1, depth: 1)
        default: return endOfWord(from: position)
        }
    }

    /// Skips a number, a literal or anything else up to a delimiter.
    @inline(__always)
    func endOfWord(from position: Int) -> Int {
        var position = position
        while position < bytes.count {
            let byte = bytes[position]
            if JSONBytes.isSpace(byte) || byte == JSONBytes.comma || byte == JSONBytes.colon || byte == JSONBytes.quote
                || byte | 0x20 == JSONBytes.closeBrace || byte | 0x20 == JSONBytes.openBrace
            {
                return position
            }
            position += 1
        }
        return position
    }

    /// The text of a string's content, with its escapes resolved as far as possible.
    func text(_ range: Range<Int>) -> String {
        JSONText.unescaped(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}
