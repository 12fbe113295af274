/// Reads JSON by the grammar of RFC 8259 and stops at the first fault.
struct JSONValidator {
    /// What was wrong.
    struct Fault: Error {
        let message: String
        var isTruncated = false
        var isTooDeep = false

        static let truncated = Fault(message: "the text ends in the middle of a value", isTruncated: true)
    }

    private let json: JSONBytes
    private var position: Int
    /// The open objects (true) and arrays (false); never more than the limit.
    private var open: [Bool] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        json = JSONBytes(bytes)
        position = json.start
    }

    /// The first fault and where it is; nil when there is none.
    mutating func run() -> (offset: Int, fault: Fault)? {
        do throws(Fault) {
            try text()
            return nil
        } catch {
            return (position, error)
        }
    }

    private mutating func text() throws(Fault) {
        guard position < json.count else {
            throw Fault(message: "there is no value, only white space", isTruncated: true)
        }
        // Each turn reads one value; after it, as many closing brackets as there are.
        repeat {
            try value()
            try ends()
        } while !open.isEmpty
        guard position == json.count else { throw unexpected("after the end of the value") }
    }

    /// Reads a value that is not a container, or the beginning of a container up to its first value.
    private mutating func value() throws(Fault) {
        while true {
            position = json.skippingSpace(from: position)
            guard let byte = json.byte(at: position) else { throw .truncated }
            switch byte {
            case JSONBytes.openBrace, JSONBytes.openBracket:
                guard open.count < JSONScan.depthLimit else {
                    throw Fault(message: "nested deeper than \(JSONScan.depthLimit) levels", isTooDeep: true)
                }
                let isObject = byte == JSONBytes.openBrace
                open.append(isObject)
                position = json.skippingSpace(from: position + 1)
                // An empty container is a whole value; `ends` closes it.
                if json.byte(at: position) == (isObject ? JSONBytes.closeBrace : JSONBytes.closeBracket) { return }
                if isObject { try key() }
            case JSONBytes.quote: return try string()
            case 0x2D, 0x30...0x39: return try number()
            case 0x74: return try literal("true")
            case 0x66: return try literal("false")
            case 0x6E: return try literal("null")
            default: throw unexpected("where a value should stand")
            }
        }
    }

    /// Reads what follows a value: closing brackets, and a comma with what must come before the next value.
    private mutating func ends() throws(Fault) {
        while true {
            position = json.skippingSpace(from: position)
            guard let isObject = open.last else { return }
            switch json.byte(at: position) {
            case nil: throw .truncated
            case JSONBytes.closeBrace where isObject, JSONBytes.closeBracket where !isObject:
                open.removeLast()
                position += 1
            case JSONBytes.comma:
                position = json.skippingSpace(from: position + 1)
                if isObject { try key() }
                return
            default:
                throw unexpected("where \(isObject ? "\",\" or \"}\"" : "\",\" or \"]\"") should stand")
            }
        }
    }

    private mutating func key() throws(Fault) {
        guard let byte = json.byte(at: position) else { throw .truncated }
        guard byte == JSONBytes.quote else { throw unexpected("where a key in quotes should stand") }
        try string()
        position = json.skippingSpace(from: position)
        guard let byte = json.byte(at: position) else { throw .truncated }
        guard byte == JSONBytes.colon else { throw unexpected("where \":\" should stand") }
        position += 1
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
                throw Fault(message: "a number that begins with 0")
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
        throw unexpected("where a digit should stand")
    }

    private mutating func string() throws(Fault) {
        position += 1
        while let byte = json.byte(at: position) {
            switch byte {
            case JSONBytes.quote:
                position += 1
                return
            case JSONBytes.backslash: try escape()
            case 0..<0x20: throw Fault(message: "a control character or line end inside of a string")
            case 0x20..<0x80: position += 1
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
        guard letter == 0x75 else { throw Fault(message: "an escape that JSON does not know") }
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

    /// Reads one character of more than one byte (the table of RFC 3629, 4).
    private mutating func multibyte() throws(Fault) {
        guard let lead = json.byte(at: position), let (count, second) = JSONValidator.continuation(of: lead) else {
            throw Fault(message: "bytes that are not UTF-8")
        }
        for offset in 1...count {
            guard let byte = json.byte(at: position + offset) else {
                position = json.count
                throw .truncated
            }
            guard (offset == 1 ? second : 0x80...0xBF).contains(byte) else {
                throw Fault(message: "bytes that are not UTF-8")
            }
        }
        position += count + 1
    }

    /// How many bytes follow a lead byte, and what the first of them may be.
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
