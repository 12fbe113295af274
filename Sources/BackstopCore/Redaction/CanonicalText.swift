/// A text as it is compared with secrets: the same whatever encoding it was printed in.
///
/// Percent-encoding (also twice), the escapes of JSON and JavaScript (also in one another) and the references of markup
/// are resolved; `+`, line ends, other control characters and white space are spaces, several spaces are one, and signs
/// that are not seen are none, as on one line (``Excerpt/printable(_:)``). Secrets are read in the same way, so what is
/// lost in both cannot hide one.
struct CanonicalText {
    private(set) var bytes: [UInt8] = []
    /// Where each byte begins in the text that was read.
    private(set) var starts: [Int] = []

    private static let space: UInt8 = 0x20
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    private static let references: [([UInt8], Unicode.Scalar)] = [
        ("amp;", "&"), ("quot;", "\""), ("lt;", "<"), ("gt;", ">"), ("apos;", "'"), ("nbsp;", "\u{A0}"),
    ].map { (Array($0.0.utf8), $0.1) }

    init(_ text: UnsafeRawBufferPointer) {
        bytes.reserveCapacity(text.count)
        starts.reserveCapacity(text.count)
        var position = 0
        // Where the escape began that the next byte belongs to.
        var escape: Int?
        while position < text.count {
            let start = escape ?? position
            escape = nil
            let byte = CanonicalText.percentDecoded(text, &position)
            switch byte {
            case JSONBytes.backslash, 0x26:
                if !resolve(byte, in: text, &position, start) { escape = start }
            case 0xEF where text[start...].starts(with: CanonicalText.replacement):
                position = start + 3
                append(CanonicalText.space, start)
            case 0x2B, 0...0x20, 0x7F:
                append(CanonicalText.space, start)
            default:
                append(byte, start)
            }
        }
    }

    /// The same for a secret: without spaces at its ends.
    static func secret(_ text: [UInt8]) -> [UInt8] {
        let bytes = text.withUnsafeBytes { CanonicalText($0).bytes }
        let isPadded = bytes.last == space
        return Array(bytes.drop { $0 == space }.dropLast(isPadded ? 1 : 0))
    }

    /// Reads an escape or a reference behind its first byte, also where it stands for the beginning of another; false if
    /// there is only a backslash.
    private mutating func resolve(
        _ first: UInt8, in text: UnsafeRawBufferPointer, _ position: inout Int, _ start: Int
    ) -> Bool {
        var sign = Unicode.Scalar(first)
        while true {
            if sign == "&" {
                sign = CanonicalText.reference(in: text, &position)
                if sign == "&" { break }
            }
            guard sign == "\\" else { break }
            var next = position
            let letter = next < text.count ? CanonicalText.percentDecoded(text, &next) : 0
            if letter == 0x75 {
                sign = JSONText.unicodeEscape(in: text, at: &next)
            } else if letter == 0x78, next + 1 < text.count, let high = JSONText.hexadecimal(text[next]),
                let low = JSONText.hexadecimal(text[next + 1])
            {
                sign = Unicode.Scalar(high << 4 | low)
                next += 2
            } else {
                guard [0x6E, 0x72, 0x74, 0x62, 0x66].contains(letter) else { return false }
                sign = " "
            }
            position = next
        }
        append(sign, start)
        return true
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ start: Int) {
        let isSpace = scalar.value <= 0x20 || scalar.value == 0x7F || scalar == "+" || scalar == "\u{FFFD}"
        guard !isSpace else { return append(CanonicalText.space, start) }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte, start) }
    }

    private mutating func append(_ byte: UInt8, _ start: Int) {
        guard byte != CanonicalText.space || bytes.last != CanonicalText.space else { return }
        bytes.append(byte)
        starts.append(start)
        if byte & 0xC0 == 0x80 { fold() }
    }

    /// Reads the sign that ends here as it is on one line: a space, or nothing.
    private mutating func fold() {
        guard let first = bytes.indices.suffix(4).last(where: { bytes[$0] >= 0xC2 }) else { return }
        let length = bytes[first] >= 0xF0 ? 4 : bytes[first] >= 0xE0 ? 3 : 2
        guard bytes.count - first == length, bytes[(first + 1)...].allSatisfy({ $0 & 0xC0 == 0x80 }) else { return }
        let leading = UInt32(bytes[first] & 0xFF >> UInt8(length + 1))
        let value = bytes[first...].dropFirst().reduce(leading) { $0 << 6 | UInt32($1 & 0x3F) }
        guard let scalar = Unicode.Scalar(value) else { return }
        let isSpace = value <= 0x9F || scalar.properties.isWhitespace
        guard isSpace || Excerpt.isInvisible(scalar) else { return }
        let start = starts[first]
        bytes.removeLast(length)
        starts.removeLast(length)
        if isSpace { append(CanonicalText.space, start) }
    }

    /// The character of a reference in markup, also where its `&` is one itself (`&amp;lt;`); `&` for all others.
    private static func reference(in text: UnsafeRawBufferPointer, _ position: inout Int) -> Unicode.Scalar {
        while true {
            var next = position
            var name: [UInt8] = []
            while next < text.count, name.count < 12, name.last != 0x3B { name.append(percentDecoded(text, &next)) }
            guard let scalar = references.first(where: { $0.0 == name })?.1 ?? number(name) else { return "&" }
            position = next
            if scalar != "&" { return scalar }
        }
    }

    /// The character that `#39;` or `#x27;` stands for.
    private static func number(_ name: [UInt8]) -> Unicode.Scalar? {
        guard name.first == 0x23, name.last == 0x3B, name.count > 2 else { return nil }
        let radix = name[1] | 0x20 == 0x78 ? 16 : 10
        let digits = name.dropFirst(radix == 16 ? 2 : 1).dropLast()
        // Digits only: the standard library would take a sign.
        guard digits.allSatisfy({ JSONText.hexadecimal($0) != nil }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix).flatMap { Unicode.Scalar($0) }
    }

    /// The byte at a position, which moves behind it: its percent-encoding is resolved, with `nested` also where the sign
    /// of percent is encoded itself (`%2541`).
    static func percentDecoded(_ text: UnsafeRawBufferPointer, _ position: inout Int, nested: Bool = true) -> UInt8 {
        let byte = text[position]
        guard byte == 0x25 else {
            position += 1
            return byte
        }
        var digits = position + 1
        while nested, digits + 4 <= text.count, text[digits] == 0x32, text[digits + 1] == 0x35,
            JSONText.hexadecimal(text[digits + 2]) != nil, JSONText.hexadecimal(text[digits + 3]) != nil
        { digits += 2 }
        guard digits + 2 <= text.count, let high = JSONText.hexadecimal(text[digits]),
            let low = JSONText.hexadecimal(text[digits + 1])
        else {
            position += 1
            return byte
        }
        position = digits + 2
        return high << 4 | low
    }
}
