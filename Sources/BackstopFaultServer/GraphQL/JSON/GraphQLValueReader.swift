#if Demo
    import Foundation

    /// Reads JSON (RFC 8259) from the bytes of a request.
    ///
    /// The package's own scanner is what this server helps to test, so it is not used here.
    struct GraphQLValueReader {
        /// Why a text is no JSON.
        struct Problem: Error, Hashable {
            let offset: Int
            let reason: String
        }

        /// How many arrays and objects may be in one another.
        static let depth = 128

        private let bytes: [UInt8]
        private var position = 0
        private var level = 0

        /// Reads a whole text, which must hold one value and nothing else.
        static func read(_ bytes: some Sequence<UInt8>) throws(Problem) -> GraphQLValue {
            var reader = GraphQLValueReader(bytes: Array(bytes))
            let value = try reader.value()
            reader.skipSpace()
            guard reader.position == reader.bytes.count else { throw reader.problem("something behind the value") }
            return value
        }

        private init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        private func problem(_ reason: String) -> Problem { Problem(offset: position, reason: reason) }

        private mutating func skipSpace() {
            while let byte = current, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { position += 1 }
        }

        /// Goes on behind the byte if it is the next one after white space.
        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard current == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private mutating func value() throws(Problem) -> GraphQLValue {
            skipSpace()
            switch current {
            case UInt8(ascii: "{"): return .object(try nested(Self.object))
            case UInt8(ascii: "["): return .array(try nested(Self.array))
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try word("true", .bool(true))
            case UInt8(ascii: "f"): return try word("false", .bool(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            case .some: return try number()
            case nil: throw problem("the text ends early")
            }
        }

        private mutating func nested<Part>(
            _ read: (inout GraphQLValueReader) throws(Problem) -> Part
        ) throws(Problem) -> Part {
            guard level < Self.depth else { throw problem("nested deeper than \(Self.depth) levels") }
            level += 1
            position += 1
            let part = try read(&self)
            level -= 1
            return part
        }

        private static func object(_ reader: inout GraphQLValueReader) throws(Problem) -> GraphQLObject {
            // Later values win, and a table of places keeps long objects from taking quadratic time.
            var members: [GraphQLMember] = []
            var places: [String: Int] = [:]
            if reader.take("}") { return GraphQLObject(members) }
            while true {
                reader.skipSpace()
                guard reader.current == UInt8(ascii: "\"") else { throw reader.problem("a name was expected") }
                let name = try reader.string()
                guard reader.take(":") else { throw reader.problem("a colon was expected") }
                let value = try reader.value()
                if let place = places[name] {
                    members[place].value = value
                } else {
                    places[name] = members.count
                    members.append(GraphQLMember(name: name, value: value))
                }
                if reader.take("}") { return GraphQLObject(members) }
                guard reader.take(",") else { throw reader.problem("a comma or the end of an object was expected") }
            }
        }

        private static func array(_ reader: inout GraphQLValueReader) throws(Problem) -> [GraphQLValue] {
            var values: [GraphQLValue] = []
            if reader.take("]") { return values }
            while true {
                values.append(try reader.value())
                if reader.take("]") { return values }
                guard reader.take(",") else { throw reader.problem("a comma or the end of an array was expected") }
            }
        }

        private mutating func word(_ word: String, _ value: GraphQLValue) throws(Problem) -> GraphQLValue {
            guard bytes[position...].starts(with: word.utf8) else { throw problem("an unknown word") }
            position += word.utf8.count
            return value
        }

        private mutating func number() throws(Problem) -> GraphQLValue {
            let start = position
            while let byte = current, byte < 0x80, "+-.0123456789Ee".utf8.contains(byte) { position += 1 }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            guard Self.isNumber(text), let number = Double(text) else {
                position = start
                throw problem("a value was expected")
            }
            return Int(text).map { .int($0) } ?? .double(number)
        }

        /// Swift reads more than JSON allows: a plus sign, leading zeros, a point without digits around it.
        private static func isNumber(_ text: String) -> Bool {
            let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
            let digits = text.utf8.dropFirst(text.hasPrefix("-") ? 1 : 0)
            guard let first = digits.first, isDigit(first) else { return false }
            if first == 0x30, let second = digits.dropFirst().first, isDigit(second) { return false }
            return !text.hasSuffix(".") && !text.contains(".e") && !text.contains(".E")
        }

        private mutating func string() throws(Problem) -> String {
            position += 1
            var result = ""
            var start = position
            while let byte = current {
                switch byte {
                case UInt8(ascii: "\""):
                    result += try text(from: start)
                    position += 1
                    return result
                case UInt8(ascii: "\\"):
                    result += try text(from: start)
                    position += 1
                    result.unicodeScalars.append(try escape())
                    start = position
                case ..<0x20:
                    throw problem("a control character in a string")
                default:
                    position += 1
                }
            }
            throw problem("a string that does not end")
        }

        private func text(from start: Int) throws(Problem) -> String {
            guard let text = String(bytes: bytes[start..<position], encoding: .utf8) else {
                throw problem("bytes that are not UTF-8")
            }
            return text
        }

        private mutating func escape() throws(Problem) -> Unicode.Scalar {
            guard let byte = current else { throw problem("a string that does not end") }
            position += 1
            switch byte {
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
            case UInt8(ascii: "u"): return try codePoint()
            default: throw problem("an unknown escape")
            }
        }

        /// What follows `\u`, together with the second half of a surrogate pair.
        private mutating func codePoint() throws(Problem) -> Unicode.Scalar {
            let high = try fourDigits()
            if let scalar = Unicode.Scalar(high) { return scalar }
            guard high < 0xDC00, bytes[position...].starts(with: "\\u".utf8) else { throw problem("half a character") }
            position += 2
            let low = try fourDigits()
            guard (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            else {
                throw problem("half a character")
            }
            return scalar
        }

        private mutating func fourDigits() throws(Problem) -> UInt32 {
            let digits = bytes[position...].prefix(4)
            guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                throw problem("four hexadecimal digits were expected")
            }
            position += 4
            return number
        }
    }
#endif
