/// Percent-encodes bytes that are invalid in a part of a URL (RFC 3986, 2 and 3).
struct URLText {
    /// Allowed in a path besides letters and digits; existing encoding is kept.
    static let path = URLText("-._~!$&'()*+,;=:@/", keepsEncoded: true)
    /// Allowed in a query; existing encoding is kept.
    static let query = URLText("-._~!$&'()*+,;=:@/?", keepsEncoded: true)
    /// Allowed in user info; existing encoding is kept.
    private static let userInformation = URLText("-._~!$&'()*+,;=:", keepsEncoded: true)
    /// Allowed in literal names and values: everything else is encoded, including the percent sign, and the plus sign,
    /// which many servers read as a space.
    static let unreserved = URLText("-._~", keepsEncoded: false)
    /// Allowed in a form (WHATWG URL, 1.3), where a space becomes a plus sign.
    static let form = URLText("*-._", keepsEncoded: false)

    /// One flag for each ASCII character.
    private let allowed: [Bool]
    private let keepsEncoded: Bool

    private init(_ signs: String, keepsEncoded: Bool) {
        allowed = (0..<128).map { FieldText.isAlphanumeric($0) || signs.utf8.contains($0) }
        self.keepsEncoded = keepsEncoded
    }

    /// The text with each disallowed byte encoded.
    func encoded(_ text: String) -> String {
        encoded(Array(text.utf8)[...])
    }

    /// The same for the bytes of a text.
    func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 128, allowed[Int(byte)] || keepsEncoded && Self.isEncoded(at: index, in: bytes) {
                out.append(byte)
            } else {
                out += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Whether a percent sign with two hexadecimal digits is here.
    private static func isEncoded(at index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
        bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.endIndex && isHex(bytes[index + 1])
            && isHex(bytes[index + 2])
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    /// Whether a text is a path of names, without a dot, two slashes, or anything that has to be encoded.
    static func isPlainPath(_ text: String) -> Bool {
        let slash = UInt8(ascii: "/")
        var previous = UInt8(ascii: "a")
        return text.utf8.allSatisfy { byte in
            defer { previous = byte }
            return FieldText.isAlphanumeric(byte) || byte == slash && previous != slash || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
    }

    /// Whether bytes can be a scheme (RFC 3986, 3.1).
    static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, (0x41...0x5A).contains(first & 0xDF) else {
            return false
        }
        return bytes.allSatisfy { FieldText.isAlphanumeric($0) || "+-.".utf8.contains($0) }
    }

    /// User info, host and port (RFC 3986, 3.2); nil when malformed, empty when there is no host.
    static func authority(_ bytes: ArraySlice<UInt8>) -> String? {
        var host = bytes
        // Some parsers treat a backslash as a slash, and would see another host.
        guard !host.contains(UInt8(ascii: "\\")) else {
            return nil
        }
        var user = ""
        if let at = host.lastIndex(of: UInt8(ascii: "@")) {
            user = userInformation.encoded(host[..<at]) + "@"
            host = host[(at + 1)...]
        }
        var port = ""
        let end = host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex - 1
        if let colon = host.lastIndex(of: UInt8(ascii: ":")), colon > end {
            let digits = String(decoding: host[(colon + 1)...], as: UTF8.self)
            let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard digits.isEmpty || isNumber && (1...65_535).contains(Int(digits) ?? 0) else {
                return nil
            }
            port = digits.isEmpty ? "" : ":\(digits)"
            host = host[..<colon]
        }
        guard !host.isEmpty else {
            return user.isEmpty && port.isEmpty ? "" : nil
        }
        let isAddress = host.first == UInt8(ascii: "[")
        guard isAddress ? isBracketed(host) : isName(host) else {
            return nil
        }
        return user + String(decoding: host, as: UTF8.self) + port
    }

    /// Whether bytes are an IPv6 address in brackets, with or without a zone.
    private static func isBracketed(_ host: ArraySlice<UInt8>) -> Bool {
        guard host.count > 3, host.last == UInt8(ascii: "]") else {
            return false
        }
        let address = host.dropFirst().dropLast()
        let digits = address.prefix { $0 != UInt8(ascii: "%") }
        let zone = address[digits.endIndex...]
        return digits.contains(UInt8(ascii: ":"))
            && digits.allSatisfy { isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
            && (zone.isEmpty || zone.count > 3 && zone.prefix(3) == [0x25, 0x32, 0x35] && isName(zone.dropFirst(3)))
    }

    /// Whether bytes are a name: letters, digits, sub-delimiters and encoded bytes, all ASCII.
    private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
        host.indices.allSatisfy { index in
            let byte = host[index]
            return byte < 128
                && (byte != UInt8(ascii: ":") && userInformation.allowed[Int(byte)] || isEncoded(at: index, in: host))
        }
    }
}
