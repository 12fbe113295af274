/// Resolves what other texts write for signs that matter to redaction: `\u0022` in JSON, `&quot;` in markup.
enum TextEscapes {
    private static let entities: [(name: [UInt8], byte: UInt8)] = [
        ("quot;", 0x22), ("apos;", 0x27), ("lt;", 0x3C), ("gt;", 0x3E), ("amp;", 0x26), ("colon;", 0x3A),
        ("equals;", 0x3D), ("nbsp;", 0x20),
    ].map { (Array($0.0.utf8), $0.1) }

    enum Kind {
        case json
        case all
    }

    /// Whether a text has a quote, or a sign between name and value, as an escape of JSON.
    static func hasQuotes(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { position in
            bytes[position] == 0x75 && position > 0 && bytes[position - 1] == JSONBytes.backslash
                && unicodeSign(bytes, at: position + 1).map { TextRedactor.isQuote($0) || $0 == 0x3A || $0 == 0x3D }
                    ?? false
        }
    }

    /// The text with its escapes resolved; nil when there are none.
    ///
    /// A quote keeps as many backslashes as it would have had without the escape: `\u0022` is `\"`, `\\u0022` is `\\\"`.
    static func resolved(_ bytes: [UInt8], _ kind: Kind) -> [UInt8]? {
        var result: [UInt8] = []
        var isChanged = false
        var position = 0
        var backslashes = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x75, backslashes > 0, let sign = unicodeSign(bytes, at: position + 1) {
                // The lowest backslashes belong to the escape, and those before them do not.
                let own = 1 << backslashes.trailingZeroBitCount
                let kept = TextRedactor.isQuote(sign) ? backslashes + own - 1 : backslashes - own
                result.removeLast(backslashes)
                result += repeatElement(JSONBytes.backslash, count: kept)
                result.append(sign)
                isChanged = true
                position += 5
                backslashes = 0
            } else if byte == 0x26, kind == .all, let (sign, length) = entity(bytes, at: position + 1) {
                result.append(sign)
                isChanged = true
                position += length + 1
                backslashes = 0
            } else {
                backslashes = byte == JSONBytes.backslash ? backslashes + 1 : 0
                result.append(byte)
                position += 1
            }
        }
        return isChanged ? result : nil
    }

    /// The sign of four hexadecimal digits; nil for those that need no care, and for a backslash.
    private static func unicodeSign(_ bytes: [UInt8], at start: Int) -> UInt8? {
        guard start + 4 <= bytes.count, bytes[start] == 0x30, bytes[start + 1] == 0x30,
            let high = JSONText.hexadecimal(bytes[start + 2]), let low = JSONText.hexadecimal(bytes[start + 3])
        else { return nil }
        return sign(Int(high) << 4 | Int(low))
    }

    private static func sign(_ number: Int) -> UInt8? {
        if number == 0xA0 { return 0x20 }
        guard number < 0x7F, number != Int(JSONBytes.backslash) else { return nil }
        return max(0x20, UInt8(number))
    }

    private static func entity(_ bytes: [UInt8], at start: Int) -> (UInt8, length: Int)? {
        guard start < bytes.count else { return nil }
        guard bytes[start] == 0x23 else {
            return entities.first { bytes[start...].starts(with: $0.name) }.map { ($0.byte, $0.name.count) }
        }
        let text = bytes[(start + 1)...].prefix(8)
        guard let end = text.firstIndex(of: 0x3B) else { return nil }
        let digits = String(decoding: text[..<end], as: UTF8.self)
        let isHexadecimal = digits.utf8.first.map { $0 | 0x20 == 0x78 } ?? false
        let number = isHexadecimal ? Int(digits.dropFirst(), radix: 16) : Int(digits)
        return number.flatMap { $0 < 0 ? nil : sign($0) }.map { ($0, end + 1 - start) }
    }
}
