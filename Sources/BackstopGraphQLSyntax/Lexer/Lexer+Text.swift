extension Lexer {
    /// The next character for error messages: `"%"`, `U+0000` where nothing can be seen, `the end of the document`.
    func describedScalar() -> String {
        let rest = bytes[location.offset...].prefix(4)
        guard let scalar = String(decoding: rest, as: UTF8.self).unicodeScalars.first else {
            return "the end of the document"
        }
        switch scalar {
        case "\n", "\r": return "the end of the line"
        case "\"": return "a quotation mark"
        case " ": return "a space"
        case _
        where scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value) || scalar.properties.isWhitespace
            || scalar.properties.generalCategory == .format:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        default: return "\"\(scalar)\""
        }
    }

    /// Throws at the first byte that is not part of a UTF-8 text.
    static func checkUTF8(_ bytes: [UInt8]) throws(GraphQLSyntaxError) {
        // Decoding puts U+FFFD where bytes are wrong, so the first scalar that differs is where they go wrong.
        var offset = 0
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let encoded = scalar.utf8
            guard bytes[offset...].starts(with: encoded) else {
                var lexer = Lexer(bytes)
                lexer.advance(offset - lexer.location.offset)
                throw GraphQLSyntaxError(at: lexer.location, "the text is not UTF-8")
            }
            offset += encoded.count
        }
    }
}
