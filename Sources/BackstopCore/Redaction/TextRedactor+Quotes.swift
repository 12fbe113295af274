// Strings in texts. A text may be JSON inside of JSON inside of a text: then the backslashes before a quote tell to
// which of them it belongs. A string of the innermost that was written `"` has become `\"` one level further out, `\\\"`
// two levels, and a quote inside of it has one more level. So the level of a quote is the number of ones at the low end
// of the number of its backslashes: 0 for `"` and `\\"`, 1 for `\"` and `\\\\\"`, 2 for `\\\"`.

extension TextRedactor {
    /// The level of a quote behind so many backslashes.
    static func level(_ backslashes: Int) -> Int { (~backslashes).trailingZeroBitCount }

    /// The levels at which strings are open, as far as a text that may have been cut tells.
    struct OpenQuotes {
        private var levels: UInt64 = 0

        /// The level of the innermost string.
        var innermost: Int? { levels == 0 ? nil : 63 - levels.leadingZeroBitCount }

        mutating func note(_ level: Int, opens: Bool) {
            let bit: UInt64 = 1 << UInt64(min(level, 63))
            if levels & bit != 0 {
                // With a string end those inside of it.
                levels &= bit - 1
            } else if opens {
                levels |= bit
            }
        }
    }
}

extension TextRedactor.Pass {
    /// Takes notice of a quote that is shown.
    mutating func noteQuote(at place: Int) {
        let backslashes = backslashes(before: place)
        let before = place - backslashes - 1
        let opens = before < 0 || TextRedactor.isBeforeString(bytes[before])
        let level = TextRedactor.level(backslashes)
        if bytes[place] == JSONBytes.quote {
            doubleQuotes.note(level, opens: opens)
        } else {
            singleQuotes.note(level, opens: opens)
        }
    }

    /// The level of the innermost string in such quotes that is open here.
    func openLevel(_ quote: UInt8) -> Int? {
        quote == JSONBytes.quote ? doubleQuotes.innermost : singleQuotes.innermost
    }

    /// Where a string stands.
    struct StringPlace {
        /// The first byte of the content.
        var start: Int
        /// The first byte behind the content.
        var contentEnd: Int
        /// Behind the closing quotes; the same as `contentEnd` where there are none.
        var end: Int
    }

    /// The string whose opening quote ends at a place; where it has no end, it ends with the string around it, or the text.
    ///
    /// A block, such as `"""x"""` in GraphQL, TOML, Swift and Python, ends with three quotes.
    func string(_ quote: UInt8, level: Int, from start: Int, isLine: Bool = false) -> StringPlace {
        let isBlock = isRepeated(quote, level, from: start, times: 2)
        // Each has its backslashes.
        let content = isBlock ? start + 2 << min(level, 6) : start
        var next = content
        var backslashes = 0
        while next < bytes.count {
            let byte = bytes[next]
            next += 1
            if byte == JSONBytes.backslash {
                backslashes += 1
                continue
            }
            let found = TextRedactor.level(backslashes)
            // Backslashes beyond those of the quote are content.
            let place = next - (1 << min(found, 6))
            backslashes = 0
            if isLine, byte == 0x0A || byte == 0x0D {
                return StringPlace(start: content, contentEnd: place, end: place)
            }
            guard TextRedactor.isQuote(byte), found <= level else { continue }
            // The end of a string around this one. In other quotes that string is one of JSON.
            if found < level, byte == JSONBytes.quote {
                return StringPlace(start: content, contentEnd: place, end: place)
            }
            guard byte == quote, found == level else { continue }
            let length = next - place
            if isBlock {
                guard isRepeated(quote, level, from: next, times: 2) else { continue }
                var last = place
                // Quotes before the last three are content.
                while isRepeated(quote, level, from: last + length, times: 3) { last += length }
                return StringPlace(start: content, contentEnd: last, end: last + 3 * length)
            }
            // A quote may be written twice inside of a string; an empty string is none.
            if place > content, isRepeated(quote, level, from: next, times: 1) {
                next += length
                continue
            }
            return StringPlace(start: content, contentEnd: place, end: next)
        }
        return StringPlace(start: content, contentEnd: bytes.count, end: bytes.count)
    }

    /// Whether the same quote stands at a place so many times in a row.
    private func isRepeated(_ quote: UInt8, _ level: Int, from start: Int, times: Int) -> Bool {
        var next = start
        for _ in 0..<times {
            let first = next
            while next < bytes.count, bytes[next] == JSONBytes.backslash, next - first < 64 { next += 1 }
            guard next < bytes.count, bytes[next] == quote, next - first == (1 << min(level, 6)) - 1 else {
                return false
            }
            next += 1
        }
        return true
    }

    /// The position behind the bracket that closes the one at `start`, or the end.
    func endOfNesting(from start: Int) -> Int {
        var depth = 0
        var backslashes = 0
        var level: Int?
        var next = start
        while next < bytes.count {
            let byte = bytes[next]
            next += 1
            if byte == JSONBytes.backslash {
                backslashes += 1
                continue
            }
            let place = next - 1 - backslashes
            let found = TextRedactor.level(backslashes)
            backslashes = 0
            let before = place > start ? bytes[place - 1] : 0x20
            if byte == JSONBytes.quote || byte == 0x27 && TextRedactor.isBeforeString(before) {
                // The first string tells how deep the text is.
                let outer = byte == JSONBytes.quote ? level ?? found : found
                if found < outer { return place }
                if byte == JSONBytes.quote { level = outer }
                next = string(byte, level: found, from: next).end
            } else if byte | 0x20 == JSONBytes.openBrace {
                depth += 1
            } else if byte | 0x20 == JSONBytes.closeBrace {
                depth -= 1
                if depth <= 0 { return next }
            }
        }
        return bytes.count
    }
}

extension TextRedactor {
    /// Whether a quote behind this byte mostly opens a string.
    static func isBeforeString(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x3A, 0x3D, 0x2C, 0x28, 0x3E, JSONBytes.openBrace, JSONBytes.openBracket].contains(byte)
    }
}
