/// The parts of header fields (RFC 9110, 5.6).
enum FieldText {
    /// The text without blanks around it.
    static func trimmed(_ text: String) -> String {
        trimmed(text[...].utf8)
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        var rest = bytes
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return String(Substring(rest))
    }

    /// The parts between separators that are not in quotes, without blanks around them; at least one.
    static func parts(of text: String, at separator: Unicode.Scalar) -> [String] {
        var isQuoted = false
        var isEscaped = false
        let parts = text[...].utf8.split(omittingEmptySubsequences: false) { byte in
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            return byte == UInt8(ascii: separator) && !isQuoted
        }
        return parts.map { trimmed($0) }
    }

    /// Whether a text is a token (RFC 9110, 5.6.2).
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }
}
