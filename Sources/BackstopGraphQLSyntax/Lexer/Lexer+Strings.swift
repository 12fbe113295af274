extension Lexer {
    /// Reads `"..."`, whose escapes are resolved.
    mutating func string() throws(GraphQLSyntaxError) -> Token {
        let start = location
        advance()
        var contents: [UInt8] = []
        while true {
            switch byte {
            case quote:
                advance()
                return token(.string, String(decoding: contents, as: UTF8.self), from: start)
            case backslash:
                contents += String(try escape()).utf8
            case .some(let byte) where byte != newline && byte != carriageReturn:
                contents.append(byte)
                advance()
            default:
                throw GraphQLSyntaxError(at: start, "the string that starts here does not end on its line")
            }
        }
    }

    /// Reads an escape, from its backslash on.
    private mutating func escape() throws(GraphQLSyntaxError) -> Unicode.Scalar {
        let start = location
        advance()
        if byte == UInt8(ascii: "u") {
            advance()
            return try unicodeEscape(from: start)
        }
        guard let scalar = byte.flatMap({ Self.escapes[$0] }) else {
            throw GraphQLSyntaxError(at: start, "no escape begins with a backslash and \(describedScalar())")
        }
        advance()
        return scalar
    }

    /// What the letters behind a backslash mean.
    private static let escapes: [UInt8: Unicode.Scalar] = [
        quote: "\"", backslash: "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}",
        UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// Reads what follows `\u`: four digits, perhaps as the first half of a pair, or digits in braces.
    private mutating func unicodeEscape(from start: GraphQLLocation) throws(GraphQLSyntaxError) -> Unicode.Scalar {
        var value: UInt32
        if byte == UInt8(ascii: "{") {
            value = try bracedDigits(from: start)
        } else {
            value = try fourDigits(from: start)
            if (0xD800...0xDBFF).contains(value), byte == backslash, byte(ahead: 1) == UInt8(ascii: "u") {
                advance(2)
                let trailing = try fourDigits(from: start)
                guard (0xDC00...0xDFFF).contains(trailing) else {
                    throw GraphQLSyntaxError(at: start, "unpaired surrogate")
                }
                value = 0x10000 + (value - 0xD800) << 10 + (trailing - 0xDC00)
            }
        }
        guard let scalar = Unicode.Scalar(value) else {
            let isSurrogate = (0xD800...0xDFFF).contains(value)
            let message = isSurrogate ? "unpaired surrogate" : "no character has this number"
            throw GraphQLSyntaxError(at: start, message)
        }
        return scalar
    }

    private mutating func fourDigits(from start: GraphQLLocation) throws(GraphQLSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 1...4 {
            guard let digit = byte?.hexValue else {
                let message = "expected four hexadecimal digits after \"\\u\", found \(describedScalar())"
                throw GraphQLSyntaxError(at: start, message)
            }
            value = value << 4 | digit
            advance()
        }
        return value
    }

    private mutating func bracedDigits(from start: GraphQLLocation) throws(GraphQLSyntaxError) -> UInt32 {
        advance()
        var value: UInt32 = 0
        var count = 0
        while let digit = byte?.hexValue {
            // Zeros may lead without end, so the value is bounded and not the count.
            value = min(value << 4 | digit, 0x11_0000)
            count += 1
            advance()
        }
        guard count > 0, byte == UInt8(ascii: "}") else {
            let message = "expected hexadecimal digits and \"}\" after \"\\u{\", found \(describedScalar())"
            throw GraphQLSyntaxError(at: start, message)
        }
        advance()
        return value
    }

    /// Reads `"""..."""`, whose common indentation is taken away.
    mutating func blockString() throws(GraphQLSyntaxError) -> Token {
        let start = location
        advance(3)
        var contents: [UInt8] = []
        while let byte {
            if isAtTripleQuote {
                advance(3)
                return token(.string, BlockString.value(of: contents), from: start)
            }
            if byte == backslash, self.byte(ahead: 1) == quote, self.byte(ahead: 2) == quote,
                self.byte(ahead: 3) == quote
            {
                contents += [quote, quote, quote]
                advance(4)
            } else {
                contents.append(byte)
                advance()
            }
        }
        throw GraphQLSyntaxError(at: start, "the block string that starts here does not end")
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit; nil when this is none.
    fileprivate var hexValue: UInt32? {
        Character(Unicode.Scalar(self)).hexDigitValue.map { UInt32($0) }
    }
}
