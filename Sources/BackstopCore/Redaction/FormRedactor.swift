/// Removes the values of sensitive items from URLs and URL-encoded bodies.
struct FormRedactor {
    let names: SensitiveNames

    /// A URL without the values of sensitive items in its query and fragment.
    ///
    /// User info behind `//` is left to ``TextRedactor``, which finds it in any text.
    func url(_ text: String) -> String {
        var parts = hidingUserInfo(text).split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        for (index, part) in parts.enumerated() {
            guard let question = part.utf8.firstIndex(of: 0x3F) else {
                // A fragment may itself be a query (`#access_token=...`, RFC 6749, 4.2.2).
                if index > 0 { parts[index] = items(part) }
                continue
            }
            let query = items(String(part[part.utf8.index(after: question)...]))
            let before = index > 0 ? items(String(part[..<question])) : String(part[..<question])
            parts[index] = before + "?" + query
        }
        return parts.joined(separator: "#")
    }

    /// Hides the user info of a URL whose `//` is missing: `ann:hunter2@shop.example`, `http:/ann:hunter2@shop.example`.
    private func hidingUserInfo(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let schemes = ["https:", "http:", "wss:", "ws:", "ftp:"]
        let beginning = String(decoding: bytes.prefix(6), as: UTF8.self).lowercased()
        var start = schemes.first { beginning.hasPrefix($0) }?.utf8.count ?? 0
        let slashes = bytes[start...].prefix { $0 == 0x2F || $0 == JSONBytes.backslash }.count
        // A path.
        if start == 0, slashes == 1 { return text }
        start += slashes
        let authority = bytes[start...].prefix { $0 > 0x20 && ![0x2F, 0x3F, 0x23, JSONBytes.quote].contains($0) }
        guard let at = authority.lastIndex(of: 0x40), at > start else { return text }
        return String(decoding: bytes[..<start], as: UTF8.self) + Redaction.placeholder
            + String(decoding: bytes[at...], as: UTF8.self)
    }

    /// Items joined with `&`, without sensitive values.
    func items(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { item($0) }.joined(separator: "&")
    }

    /// Whether a text without a content type is a form: names and values, with nothing that a form would have encoded.
    static func looksLikeForm(_ text: String) -> Bool {
        var hasEquals = false
        for byte in text.utf8 {
            switch byte {
            case 0x3D: hasEquals = true
            case 0...0x20, 0x22, 0x3C, 0x3E, 0x5B, 0x5D, 0x7B, 0x7D, 0x80...0xFF: return false
            default: continue
            }
        }
        return hasEquals
    }

    private func item(_ text: Substring) -> String {
        guard let equals = text.utf8.firstIndex(of: 0x3D) else { return String(text) }
        let name = FormRedactor.decoded(text[..<equals].utf8)
        let value = text[text.utf8.index(after: equals)...].utf8
        if value.isEmpty { return String(text) }
        return names.matchItem(name) || hidesSecret(value) ? text[...equals] + Redaction.placeholder : String(text)
    }

    /// Whether an encoded value, such as a return URL or JSON, contains secrets; then none of it is shown.
    private func hidesSecret(_ value: some Collection<UInt8>) -> Bool {
        guard value.contains(0x25) else { return false }
        let plain = FormRedactor.decoded(value)
        let json = plain.withUnsafeBytes { JSONRedactor(names: names).redacted($0) }
        return json != plain || TextRedactor(names: names).redacted(plain) != plain
    }

    /// Resolves percent-encoding applied up to three times, and `+` as a space.
    static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result = Array(bytes)
        for _ in 0..<3 where result.contains(0x25) { result = decodedOnce(result) }
        return result.map { $0 == 0x2B ? 0x20 : $0 }
    }

    private static func decodedOnce(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let digits = bytes[position] == 0x25 ? bytes[(position + 1)...].prefix(2) : []
            if digits.count == 2, let high = digits.first.flatMap(JSONText.hexadecimal),
                let low = digits.last.flatMap(JSONText.hexadecimal)
            {
                result.append(high << 4 | low)
                position += 3
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }
}
