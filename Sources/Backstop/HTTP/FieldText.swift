/// The parts of header fields (RFC 9110, 5.6).
enum FieldText {
    /// The text without blanks around it.
    static func trimmed(_ text: String) -> String {
        trimmed(text[...].utf8)
    }

    static func trimmed(_ bytes: Substring.UTF8View) -> String {
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
        !text.isEmpty && text.utf8.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// Whether a byte is an ASCII letter or digit.
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
