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
            var end = min(start + limit, bytes.count)
            var next = end
            // The line end that a part ends at is left out, also where it is just behind a full part.
            if end < bytes.count, let lineEnd = bytes[start...end].lastIndex(of: 0x0A), lineEnd > start {
                (end, next) = (lineEnd, lineEnd + 1)
            } else if end < bytes.count {
                end = bytes[start...end].lastIndex { $0 & 0xC0 != 0x80 } ?? start
                next = end
            }
            parts.append(String(decoding: bytes[start..<end], as: UTF8.self))
            start = next
        }
        return parts
    }
}
