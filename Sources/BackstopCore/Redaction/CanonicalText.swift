/// A text as it is compared with secrets: the same whatever encoding it was printed in.
///
/// Percent-encoding (also twice), the escapes of JSON (also in one another) and of markup are resolved; `+`, line ends
/// and other control characters are spaces, and several spaces are one. Secrets are read in the same way, so what is
/// lost in both cannot hide one.
struct CanonicalText {
    private(set) var bytes: [UInt8] = []
    /// Where each byte begins in the text that was read.
    private(set) var starts: [Int] = []

    private static let space: UInt8 = 0x20
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    private static let references = [
        ("amp;", 0x26), ("quot;", 0x22), ("lt;", 0x3C), ("gt;", 0x3E), ("apos;", 0x27), ("#39;", 0x27), ("#34;", 0x22),
    ].map { (Array($0.0.utf8), UInt8($0.1)) }

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
            case JSONBytes.backslash:
                var isBackslash = true
                while isBackslash {
                    isBackslash = false
                    var next = position
                    let letter = next < text.count ? CanonicalText.percentDecoded(text, &next) : 0
                    if [0x6E, 0x72, 0x74, 0x62, 0x66].contains(letter) {
                        position = next
                        append(CanonicalText.space, start)
                    } else if letter == 0x75 {
                        position = next
                        let scalar = JSONText.unicodeEscape(in: text, at: &position)
                        isBackslash = scalar == "\\"
                        if !isBackslash { append(scalar, start) }
                    } else {
                        escape = start
                    }
                }
            case 0x26:
                append(CanonicalText.reference(in: text, &position), start)
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
    static func secret(_ text: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(text).withUnsafeBytes { CanonicalText($0).bytes }
        let isPadded = bytes.last == space
        return Array(bytes.drop { $0 == space }.dropLast(isPadded ? 1 : 0))
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
    }

    /// The sign of a reference in markup, also where its `&` is one itself (`&amp;lt;`); `&` for all others.
    private static func reference(in text: UnsafeRawBufferPointer, _ position: inout Int) -> UInt8 {
        while true {
            var next = position
            var name: [UInt8] = []
            while next < text.count, name.count < 5, name.last != 0x3B { name.append(percentDecoded(text, &next)) }
            guard let reference = references.first(where: { $0.0 == name }) else { return 0x26 }
            position = next
            if reference.1 != 0x26 { return reference.1 }
        }
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
