/// Resolves the escapes of JSON strings.
enum JSONText {
    /// The text of a string's content.
    ///
    /// An invalid escape is left unchanged; a lone surrogate and invalid UTF-8 become U+FFFD: the text is for display
    /// and comparison, never for decoding.
    static func unescaped(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.contains(JSONBytes.backslash) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard byte == JSONBytes.backslash, position < bytes.count else {
                result.append(byte)
                continue
            }
            let letter = bytes[position]
            position += 1
            if letter == 0x75 {
                let scalar = unicodeEscape(in: bytes, at: &position)
                result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            } else if let plain = simple(letter) {
                result.append(plain)
            } else {
                result.append(byte)
                result.append(letter)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The character for a letter after a backslash; nil when it is not an escape (RFC 8259, 7).
    static func simple(_ letter: UInt8) -> UInt8? {
        switch letter {
        case 0x22, 0x5C, 0x2F: letter
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: nil
        }
    }

    /// The number in four hexadecimal digits; nil when there are fewer, and then the position does not move.
    static func fourDigits(in bytes: UnsafeRawBufferPointer, at position: inout Int) -> UInt32? {
        var number: UInt32 = 0
        var next = position
        for _ in 0..<4 {
            guard next < bytes.count, let digit = hexadecimal(bytes[next]) else { return nil }
            number = number << 4 | UInt32(digit)
            next += 1
        }
        position = next
        return number
    }

    /// The value of a hexadecimal digit.
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// Reads an escape after `\u`, with the second half of a surrogate pair, if any.
    static func unicodeEscape(in bytes: UnsafeRawBufferPointer, at position: inout Int) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        guard let first = fourDigits(in: bytes, at: &position) else { return replacement }
        guard first >= 0xD800, first <= 0xDBFF else { return Unicode.Scalar(first) ?? replacement }
        var next = position
        for expected in [JSONBytes.backslash, 0x75] {
            guard next < bytes.count, bytes[next] == expected else { return replacement }
            next += 1
        }
        guard let second = fourDigits(in: bytes, at: &next), second >= 0xDC00, second <= 0xDFFF else {
            return replacement
        }
        position = next
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
    }
}
