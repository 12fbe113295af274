/// Cuts long texts into parts, for logs that limit the bytes of an entry.
enum LogParts {
    /// The most bytes of a part: Apple's unified log keeps 1,024 of a text, including its terminator.
    static let limit = 1000

    /// The parts of a text, cut at line ends if possible, and never inside a UTF-8 character.
    ///
    /// A text that fits is its only part. Each of several starts with its number, such as `(2/3) `, to identify them if
    /// other entries come between.
    ///
    /// - Parameter limit: The most bytes of a part, including its number; at least 64.
    static func split(_ text: String, limit: Int = limit) -> [String] {
        guard text.utf8.count > limit else {
            return [text]
        }
        // Room for the numbers of all possible parts.
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
            // The line end itself is dropped: the next part is a new entry anyway.
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
