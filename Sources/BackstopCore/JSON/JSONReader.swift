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

    private let json: JSONBytes
    private var state = State.beginning
    /// The open objects (true) and arrays (false); never more than the limit.
    private var open: [Bool] = []

    /// The position of the next token; after an error, its position.
    package private(set) var position: Int

    /// Makes a reader that starts after a byte order mark.
    package init(_ bytes: UnsafeRawBufferPointer) {
        json = JSONBytes(bytes)
        position = json.start
    }

    /// The text in the range of a key or string.
    package func text(_ range: Range<Int>, hasEscapes: Bool) -> String {
        hasEscapes ? json.text(range) : String(decoding: json.bytes[range], as: UTF8.self)
    }

    /// Reads the next token.
    package mutating func next() throws(Fault) -> Token {
        position = json.skippingSpace(from: position)
        guard let byte = json.byte(at: position) else {
            if state == .after, open.isEmpty { return .end }
            throw state == .beginning
                ? Fault(message: "there is no value, only white space", isTruncated: true) : .truncated
        }
        switch state {
        case .beginning, .value: return try value(byte)
        case .first:
            guard let isObject = open.last else { throw unexpected("where a value is expected") }
            if byte == (isObject ? JSONBytes.closeBrace : JSONBytes.closeBracket) { return close(isObject) }
            return isObject ? try key() : try value(byte)
        case .key: return try key()
        case .after:
            guard let isObject = open.last else { throw unexpected("after the end of the value") }
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
        open.removeLast()
        position += 1
        state = .after
        return isObject ? .endObject : .endArray
    }

    private mutating func value(_ byte: UInt8) throws(Fault) -> Token {
        let start = position
        state = .after
        switch byte {
        case JSONBytes.openBrace, JSONBytes.openBracket:
            guard open.count < JSONScan.depthLimit else { throw .tooDeep }
            let isObject = byte == JSONBytes.openBrace
            open.append(isObject)
            position += 1
            state = .first
            return isObject ? .beginObject : .beginArray
        case JSONBytes.quote:
            let hasEscapes = try string()
            return .string((start + 1)..<(position - 1), hasEscapes: hasEscapes)
        case 0x2D, 0x30...0x39:
            try number()
            return .number(start..<position)
        case 0x74:
            try literal("true")
            return .bool(true)
        case 0x66:
            try literal("false")
            return .bool(false)
        case 0x6E:
            try literal("null")
            return .null
        default: throw unexpected("where a value is expected")
        }
    }

    private mutating func key() throws(Fault) -> Token {
        guard json.byte(at: position) == JSONBytes.quote else { throw unexpected("where a quoted key is expected") }
        let start = position + 1
        let hasEscapes = try string()
        let range = start..<(position - 1)
        position = json.skippingSpace(from: position)
        guard let byte = json.byte(at: position) else { throw .truncated }
        guard byte == JSONBytes.colon else { throw unexpected("where \":\" is expected") }
        position += 1
        state = .value
        return .key(range, hasEscapes: hasEscapes)
    }

    private mutating func literal(_ word: String) throws(Fault) {
        for expected in word.utf8 {
            guard let byte = json.byte(at: position) else { throw .truncated }
            guard byte == expected else { throw unexpected("in what should be \(word)") }
            position += 1
        }
    }

    private mutating func number() throws(Fault) {
        if json.byte(at: position) == 0x2D { position += 1 }
        if json.byte(at: position) == 0x30 {
            position += 1
            if let byte = json.byte(at: position), (0x30...0x39).contains(byte) {
                throw Fault(message: "a number with a leading zero")
            }
        } else {
            try digits()
        }
        if json.byte(at: position) == 0x2E {
            position += 1
            try digits()
        }
        if let byte = json.byte(at: position), byte | 0x20 == 0x65 {
            position += 1
            if let sign = json.byte(at: position), sign == 0x2B || sign == 0x2D { position += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = json.byte(at: position), (0x30...0x39).contains(byte) { position += 1 }
        guard position == start else { return }
        guard position < json.count else { throw .truncated }
        throw unexpected("where a digit is expected")
    }

    /// Skips a string with its quotes, and returns whether it has escapes.
    private mutating func string() throws(Fault) -> Bool {
        position = json.endOfPlainText(from: position + 1)
        var hasEscapes = false
        while let byte = json.byte(at: position) {
            switch byte {
            case JSONBytes.quote:
                position += 1
                return hasEscapes
            case JSONBytes.backslash:
                hasEscapes = true
                try escape()
            case 0..<0x20: throw Fault(message: "a control character or line break in a string")
            case 0x20..<0x80: position = json.endOfPlainText(from: position + 1)
            default: try multibyte()
            }
        }
        throw .truncated
    }

    private mutating func escape() throws(Fault) {
        guard let letter = json.byte(at: position + 1) else {
            position = json.count
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
        if position == json.count || (position + 1 == json.count && json.byte(at: position) == JSONBytes.backslash) {
            position = json.count
            throw .truncated
        }
        guard json.byte(at: position) == JSONBytes.backslash, json.byte(at: position + 1) == 0x75 else {
            throw Fault(message: "half of a surrogate pair")
        }
        guard (0xDC00...0xDFFF).contains(try unicodeEscape()) else { throw Fault(message: "half of a surrogate pair") }
    }

    /// Reads `\u` and four digits.
    private mutating func unicodeEscape() throws(Fault) -> UInt32 {
        var number: UInt32 = 0
        for offset in 2..<6 {
            guard let byte = json.byte(at: position + offset) else {
                position = json.count
                throw .truncated
            }
            guard let digit = JSONText.hexadecimal(byte) else {
                throw Fault(message: "\\u without four hexadecimal digits")
            }
            number = number << 4 | UInt32(digit)
        }
        position += 6
        return number
    }

    /// Reads one multi-byte character (the table in RFC 3629, 4).
    private mutating func multibyte() throws(Fault) {
        guard let lead = json.byte(at: position), let (count, second) = JSONReader.continuation(of: lead) else {
            throw Fault(message: "bytes that are not valid UTF-8")
        }
        for offset in 1...count {
            guard let byte = json.byte(at: position + offset) else {
                position = json.count
                throw .truncated
            }
            guard (offset == 1 ? second : 0x80...0xBF).contains(byte) else {
                throw Fault(message: "bytes that are not valid UTF-8")
            }
        }
        position += count + 1
    }

    /// How many bytes follow a lead byte, and the range of the first of them.
    private static func continuation(of lead: UInt8) -> (count: Int, second: ClosedRange<UInt8>)? {
        switch lead {
        case 0xC2...0xDF: (1, 0x80...0xBF)
        case 0xE0: (2, 0xA0...0xBF)
        case 0xED: (2, 0x80...0x9F)
        case 0xE1...0xEC, 0xEE...0xEF: (2, 0x80...0xBF)
        case 0xF0: (3, 0x90...0xBF)
        case 0xF1...0xF3: (3, 0x80...0xBF)
        case 0xF4: (3, 0x80...0x8F)
        default: nil
        }
    }

    private func unexpected(_ place: String) -> Fault {
        guard json.byte(at: position) != nil else { return .truncated }
        let end = min(position + 4, json.count)
        let scalars = String(decoding: json.bytes[position..<end], as: UTF8.self).unicodeScalars
        guard let scalar = scalars.first, scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value) else {
            return Fault(message: "unexpected control character \(place)")
        }
        return Fault(message: "unexpected \(scalar == "\"" ? "quote" : "\"\(scalar)\"") \(place)")
    }
}
