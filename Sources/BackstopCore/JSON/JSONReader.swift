/// Reads JSON by the grammar of RFC 8259, token by token, and stops at the first error.
///
/// It reads each byte once and does not recurse. It only remembers which brackets are open, at most
/// ``JSONScan/depthLimit`` of them. It is valid only as long as the bytes are.
///
/// ```
/// var reader = JSONReader(bytes)
/// while try reader.next() != .end {}
/// ```
package struct JSONReader {
    /// A token. Ranges are in bytes, without the quotes.
    package enum Token: Equatable {
        case beginObject
        case endObject
        case beginArray
        case endArray
        /// A key; its value follows.
        case key(Range<Int>, hasEscapes: Bool)
        case string(Range<Int>, hasEscapes: Bool)
        case number(Range<Int>)
        case bool(Bool)
        case null
        /// The end of the text.
        case end
    }

    /// What was wrong.
    package struct Fault: Error {
        package let message: String
        package var isTruncated = false
        package var isTooDeep = false

        static let truncated = Fault(message: "the text ends in the middle of a value", isTruncated: true)
        static let tooDeep = Fault(message: JSONScan.tooDeep, isTooDeep: true)
    }

    /// What may come next.
    private enum State {
        case beginning
        /// A value, as after a colon or a comma in an array.
        case value
        /// Anything allowed after an opening bracket.
        case first
        /// A key, as after a comma in an object.
        case key
        /// A comma or a closing bracket; the end, if nothing is open.
        case after
    }

    private let bytes: UnsafeRawBufferPointer
    private var state = State.beginning
    /// How many objects and arrays are open, at most ``JSONScan/depthLimit``.
    private var depth = 0
    /// A bit for each of them, set for an object; that of the innermost is the lowest.
    private var objects: UInt64 = 0

    /// The position of the next token; after an error, its position.
    package private(set) var position: Int
    /// Where the last token began.
    private var start = 0

    /// Makes a reader that starts after a byte order mark.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        position = JSONBytes.start(of: bytes)
    }

    /// The text in the range of a key or string.
    package func text(_ range: Range<Int>, hasEscapes: Bool) -> String {
        hasEscapes
            ? JSONText.unescaped(UnsafeRawBufferPointer(rebasing: bytes[range]))
            : String(decoding: bytes[range], as: UTF8.self)
    }

    /// Whether the innermost open value is an object; nil when nothing is open.
    private var isInObject: Bool? { depth == 0 ? nil : objects & 1 == 1 }

    private func byte(at position: Int) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skipSpace() {
        while position < bytes.count, JSONBytes.isSpace(bytes[position]) { position += 1 }
    }

    /// Reads the next token.
    package mutating func next() throws(Fault) -> Token {
        skipSpace()
        start = position
        guard let byte = byte(at: position) else {
            if state == .after, depth == 0 { return .end }
            throw state == .beginning
                ? Fault(message: "there is no value, only white space", isTruncated: true) : .truncated
        }
        switch state {
        case .beginning, .value: return try value(byte)
        case .first:
            guard let isObject = isInObject else { throw unexpected("where a value is expected") }
            if byte == (isObject ? JSONBytes.closeBrace : JSONBytes.closeBracket) { return close(isObject) }
            return isObject ? try key() : try value(byte)
        case .key: return try key()
        case .after:
            guard let isObject = isInObject else { throw unexpected("after the end of the value") }
            switch byte {
            case JSONBytes.closeBrace where isObject, JSONBytes.closeBracket where !isObject: return close(isObject)
            case JSONBytes.comma:
                position += 1
                state = isObject ? .key : .value
                return try next()
            default: throw unexpected("where \(isObject ? "\",\" or \"}\"" : "\",\" or \"]\"") is expected")
            }
        }
    }

    private mutating func close(_ isObject: Bool) -> Token {
        depth -= 1
        objects >>= 1
        position += 1
        state = .after
        return isObject ? .endObject : .endArray
    }

    private mutating func value(_ byte: UInt8) throws(Fault) -> Token {
        state = .after
        switch byte {
        case JSONBytes.openBrace, JSONBytes.openBracket:
            guard depth < JSONScan.depthLimit else { throw .tooDeep }
            let isObject = byte == JSONBytes.openBrace
            depth += 1
            objects = objects << 1 | (isObject ? 1 : 0)
            position += 1
            state = .first
            return isObject ? .beginObject : .beginArray
        case JSONBytes.quote:
            let hasEscapes = try string()
            return .string((start + 1)..<(position - 1), hasEscapes: hasEscapes)
        case 0x2D, 0x30...0x39:
            try number()
            return .number(start..<position)
        case 0x74: return try literal("true", .bool(true))
        case 0x66: return try literal("false", .bool(false))
        case 0x6E: return try literal("null", .null)
        default: throw unexpected("where a value is expected")
        }
    }

    private mutating func key() throws(Fault) -> Token {
        guard byte(at: position) == JSONBytes.quote else { throw unexpected("where a quoted key is expected") }
        let hasEscapes = try string()
        let range = (start + 1)..<(position - 1)
        skipSpace()
        guard let byte = byte(at: position) else { throw .truncated }
        guard byte == JSONBytes.colon else { throw unexpected("where \":\" is expected") }
        position += 1
        state = .value
        return .key(range, hasEscapes: hasEscapes)
    }

    private mutating func literal(_ word: String, _ token: Token) throws(Fault) -> Token {
        for expected in word.utf8 {
            guard let byte = byte(at: position) else { throw .truncated }
            guard byte == expected else { throw unexpected("in what should be \(word)") }
            position += 1
        }
        return token
    }

    private mutating func number() throws(Fault) {
        if byte(at: position) == 0x2D { position += 1 }
        if byte(at: position) == 0x30 {
            position += 1
            if let byte = byte(at: position), (0x30...0x39).contains(byte) {
                throw Fault(message: "a number with a leading zero")
            }
        } else {
            try digits()
        }
        if byte(at: position) == 0x2E {
            position += 1
            try digits()
        }
        if let byte = byte(at: position), byte | 0x20 == 0x65 {
            position += 1
            if let sign = self.byte(at: position), sign == 0x2B || sign == 0x2D { position += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = byte(at: position), (0x30...0x39).contains(byte) { position += 1 }
        guard position == start else { return }
        guard position < bytes.count else { throw .truncated }
        throw unexpected("where a digit is expected")
    }

    /// Skips a string with its quotes, and returns whether it has escapes.
    private mutating func string() throws(Fault) -> Bool {
        position += 1
        var hasEscapes = false
        while let byte = byte(at: position) {
            switch byte {
            case JSONBytes.quote:
                position += 1
                return hasEscapes
            case JSONBytes.backslash:
                hasEscapes = true
                try escape()
            case 0..<0x20: throw Fault(message: "a control character or line break in a string")
            case 0x20..<0x80: position += 1
            default: try multibyte()
            }
        }
        throw .truncated
    }

    private mutating func escape() throws(Fault) {
        guard let letter = byte(at: position + 1) else {
            position = bytes.count
            throw .truncated
        }
        if JSONText.simple(letter) != nil {
            position += 2
            return
        }
        guard letter == 0x75 else { throw Fault(message: "an unknown escape") }
        let first = try unicodeEscape()
        guard (0xD800...0xDFFF).contains(first) else { return }
        guard first <= 0xDBFF else { throw Fault(message: "half of a surrogate pair") }
        if position == bytes.count || (position + 1 == bytes.count && byte(at: position) == JSONBytes.backslash) {
            position = bytes.count
            throw .truncated
        }
        guard byte(at: position) == JSONBytes.backslash, byte(at: position + 1) == 0x75,
            (0xDC00...0xDFFF).contains(try unicodeEscape())
        else { throw Fault(message: "half of a surrogate pair") }
    }

    /// Reads `\u` and four digits.
    private mutating func unicodeEscape() throws(Fault) -> UInt32 {
        var next = position + 2
        if let number = JSONText.fourDigits(in: bytes, at: &next) {
            position = next
            return number
        }
        guard bytes[next...].prefix(4).allSatisfy({ JSONText.hexadecimal($0) != nil }) else {
            throw Fault(message: "\\u without four hexadecimal digits")
        }
        position = bytes.count
        throw .truncated
    }

    /// Reads one multi-byte character.
    private mutating func multibyte() throws(Fault) {
        var rest = bytes[position...].makeIterator()
        var parser = UTF8.ForwardParser()
        switch parser.parseScalar(from: &rest) {
        case .valid(let scalar): position += scalar.count
        // The beginning of one, and not a byte that can begin none.
        case .error(let length) where position + length == bytes.count && (0xC2...0xF4).contains(bytes[position]):
            position = bytes.count
            throw .truncated
        case .error, .emptyInput: throw Fault(message: "bytes that are not valid UTF-8")
        }
    }

    private func unexpected(_ place: String) -> Fault {
        guard byte(at: position) != nil else { return .truncated }
        let end = min(position + 4, bytes.count)
        let scalars = String(decoding: bytes[position..<end], as: UTF8.self).unicodeScalars
        guard let scalar = scalars.first, scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value) else {
            return Fault(message: "unexpected control character \(place)")
        }
        return Fault(message: "unexpected \(scalar == "\"" ? "quote" : "\"\(scalar)\"") \(place)")
    }
}

// MARK: Values

extension JSONReader {
    /// Reads a whole value; false where it is not valid.
    mutating func skipValue() -> Bool {
        let outside = depth
        repeat {
            guard let token = try? next(), token != .end else { return false }
        } while depth > outside
        return true
    }

    /// The bytes of the value that begins here; up to the end of a text that is not valid.
    package var valueRange: Range<Int> {
        var reader = self
        guard (try? reader.next()) != nil else { return position..<bytes.count }
        let first = reader.start
        reader = self
        return first..<(reader.skipValue() ? reader.position : bytes.count)
    }

    /// Calls `body` with the members of the object, or the elements of the array, that begins here, until it returns
    /// false: each member's key, nil for an element, and a reader at the value.
    ///
    /// - Returns: What it is, an object or an array; nil for anything else.
    @discardableResult
    package func forEachChild(_ body: (_ key: String?, _ value: JSONReader) -> Bool) -> Token? {
        var reader = self
        let token = try? reader.next()
        guard let token, token == .beginObject || token == .beginArray else { return nil }
        while true {
            var value = reader
            guard let first = try? reader.next(), first != .endObject, first != .endArray else { return token }
            var key: String?
            if case .key(let range, let hasEscapes) = first {
                key = text(range, hasEscapes: hasEscapes)
                value = reader
            }
            reader = value
            guard body(key, value), reader.skipValue() else { return token }
        }
    }
}

// MARK: Values that others judge

extension JSONReader {
    /// Reads a value as a text of its own: it may be nested as deep as any other, and where it is no JSON, its quotes and
    /// brackets say how far it goes.
    ///
    /// - Returns: Where it is, and what is wrong with it; nil for nothing.
    /// - Throws: What is wrong with one whose end is not known.
    package mutating func nextText() throws(Fault) -> (range: Range<Int>, fault: Fault?) {
        skipSpace()
        let first = position
        var inner = self
        (inner.depth, inner.state) = (0, .value)
        state = .after
        do throws(Fault) {
            repeat { _ = try inner.next() } while inner.depth > 0
            position = inner.position
            return (first..<position, nil)
        } catch {
            guard skipBrackets() else {
                position = inner.position
                throw error
            }
            return (first..<position, error)
        }
    }

    /// Goes behind the bracket that closes the one here; false if there is none.
    private mutating func skipBrackets() -> Bool {
        guard let first = byte(at: position), first == JSONBytes.openBrace || first == JSONBytes.openBracket else {
            return false
        }
        var open = 0
        var isQuoted = false
        while let byte = byte(at: position) {
            position += 1
            switch byte {
            case JSONBytes.quote: isQuoted.toggle()
            case JSONBytes.backslash where isQuoted: position += 1
            case JSONBytes.openBrace, JSONBytes.openBracket: open += isQuoted ? 0 : 1
            case JSONBytes.closeBrace, JSONBytes.closeBracket: open -= isQuoted ? 0 : 1
            default: break
            }
            if open == 0 { return true }
        }
        return false
    }
}
