/// Cuts long texts into parts for logs that keep only so many bytes of an entry.
enum LogParts {
    /// How many bytes a part has at most: Apple's unified log keeps 1,024 of a text, its end included.
    static let limit = 1000

    /// The parts of a text, cut at line ends where it can be, and never inside a character of UTF-8.
    ///
    /// A text that fits is its only part. Of several each begins with its number, such as `(2/3) `, so that they are
    /// found together again when other entries stand between.
    ///
    /// - Parameter limit: The most bytes of a part, its number included; at least 64.
    static func split(_ text: String, limit: Int = limit) -> [String] {
        let limit = max(limit, 64)
        guard text.utf8.count > limit else {
            return [text]
        }
        // Room for the numbers of as many parts as there can be.
        let parts = cut(Array(text.utf8), to: limit - 24)
        return parts.enumerated().map { "(\($0.offset + 1)/\(parts.count)) \($0.element)" }
    }

    private static func cut(_ bytes: [UInt8], to limit: Int) -> [String] {
        var parts: [String] = []
        var start = 0
        while start < bytes.count {
            guard bytes.count - start > limit else {
                parts.append(String(decoding: bytes[start...], as: UTF8.self))
                break
            }
            let most = start + limit
            // The line end itself is left out: the next part begins a new entry anyway.
            if let lineEnd = bytes[start...most].lastIndex(of: 0x0A), lineEnd > start {
                parts.append(String(decoding: bytes[start..<lineEnd], as: UTF8.self))
                start = lineEnd + 1
                continue
            }
            var end = most
            while end > start, bytes[end] & 0xC0 == 0x80 {
                end -= 1
            }
            parts.append(String(decoding: bytes[start..<end], as: UTF8.self))
            start = end
        }
        return parts
    }
}
