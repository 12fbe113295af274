/// Splits the UTF-8 text of a document into tokens, one at a time.
struct Lexer {
    /// The text, which is valid UTF-8.
    let bytes: [UInt8]

    /// The place of the next byte.
    private(set) var location = GraphQLLocation(line: 1, column: 1, offset: 0)

    /// A lexer at the beginning of a text, behind its byte order mark if it has one.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            location = GraphQLLocation(line: 1, column: 1, offset: 3)
        }
    }

    /// The next byte; nil at the end.
    var byte: UInt8? {
        byte(ahead: 0)
    }

    /// A byte further on; nil behind the end.
    func byte(ahead distance: Int) -> UInt8? {
        let index = location.offset + distance
        return index < bytes.count ? bytes[index] : nil
    }

    /// Whether the text goes on with three quotation marks.
    var isAtTripleQuote: Bool {
        byte == quote && byte(ahead: 1) == quote && byte(ahead: 2) == quote
    }

    /// Steps over bytes, and keeps count of lines and columns.
    mutating func advance(_ count: Int = 1) {
        var (line, column, offset) = (location.line, location.column, location.offset)
        let end = min(bytes.count, offset + count)
        while offset < end {
            let byte = bytes[offset]
            offset += 1
            if byte == newline || (byte == carriageReturn && !(offset < bytes.count && bytes[offset] == newline)) {
                line += 1
                column = 1
            } else if byte & 0b1100_0000 != 0b1000_0000, byte != carriageReturn {
                // Every byte of a scalar but its first begins with the bits 10. A \r of \r\n has no width.
                column += 1
            }
        }
        location = GraphQLLocation(line: line, column: column, offset: offset)
    }

    /// The text from a place up to the next byte.
    func text(from start: GraphQLLocation) -> String {
        String(decoding: bytes[start.offset..<location.offset], as: UTF8.self)
    }

    /// A token from a place up to the next byte.
    func token(_ kind: Token.Kind, _ text: String? = nil, from start: GraphQLLocation) -> Token {
        Token(kind: kind, text: text ?? self.text(from: start), range: GraphQLRange(start: start, end: location))
    }

    /// Reads the next token; at the end of the text, again and again the end.
    mutating func next() throws(GraphQLSyntaxError) -> Token {
        skipIgnored()
        let start = location
        guard let byte else { return token(.end, "", from: start) }
        switch byte {
        case _ where byte.isNameStart:
            return name()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number()
        case quote:
            return try isAtTripleQuote ? blockString() : string()
        case UInt8(ascii: "."):
            guard self.byte(ahead: 1) == byte, self.byte(ahead: 2) == byte else {
                throw GraphQLSyntaxError(at: start, "expected \"...\", found a single \".\"")
            }
            advance(3)
            return token(.punctuator, from: start)
        case _ where Self.punctuators.contains(byte):
            advance()
            return token(.punctuator, from: start)
        default:
            throw GraphQLSyntaxError(at: start, "\(describedScalar()) has no meaning here")
        }
    }

    private static let punctuators = Array("!$&():=@[]{|}".utf8)

    /// Steps over spaces, tabs, ends of lines, commas, comments and byte order marks.
    private mutating func skipIgnored() {
        while let byte {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","), newline, carriageReturn:
                advance()
            case UInt8(ascii: "#"):
                var length = 1
                while let next = self.byte(ahead: length), next != newline, next != carriageReturn { length += 1 }
                advance(length)
            case 0xEF where self.byte(ahead: 1) == 0xBB && self.byte(ahead: 2) == 0xBF:
                advance(3)
            default:
                return
            }
        }
    }

    private mutating func name() -> Token {
        let start = location
        var length = 1
        while let next = byte(ahead: length), next.isNameStart || next.isDigit { length += 1 }
        advance(length)
        return token(.name, from: start)
    }

    private mutating func number() throws(GraphQLSyntaxError) -> Token {
        let start = location
        var kind = Token.Kind.int
        if byte == UInt8(ascii: "-") { advance() }
        if byte == UInt8(ascii: "0") {
            advance()
            if byte?.isDigit == true {
                throw GraphQLSyntaxError(at: location, "a number cannot continue after a leading 0")
            }
        } else {
            try digits(after: "\"-\"")
        }
        if byte == UInt8(ascii: ".") {
            kind = .float
            advance()
            try digits(after: "the decimal point")
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            kind = .float
            advance()
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { advance() }
            try digits(after: "the exponent's mark")
        }
        if let byte, byte == UInt8(ascii: ".") || byte.isNameStart {
            throw GraphQLSyntaxError(at: location, "a number cannot be followed by \(describedScalar())")
        }
        return token(kind, from: start)
    }

    private mutating func digits(after place: String) throws(GraphQLSyntaxError) {
        guard byte?.isDigit == true else {
            throw GraphQLSyntaxError(at: location, "expected a digit after \(place), found \(describedScalar())")
        }
        var length = 1
        while byte(ahead: length)?.isDigit == true { length += 1 }
        advance(length)
    }
}

/// `"`
let quote = UInt8(ascii: "\"")

/// `\`
let backslash = UInt8(ascii: "\\")

/// The end of a line.
let newline = UInt8(ascii: "\n")

/// The end of a line, alone or before `\n`.
let carriageReturn = UInt8(ascii: "\r")

extension UInt8 {
    /// Whether a number may contain this byte.
    var isDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    /// Whether a name may begin with this byte.
    var isNameStart: Bool {
        self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
