// Names and their values.

extension TextRedactor.Pass {
    /// Where a value begins.
    struct ValuePlace {
        var position: Int
        /// Whether the sign before it is a colon with a space, as in YAML.
        var isYAML = false
    }

    /// The place of the value, when a name is followed by `=` or `:`, perhaps with quotes and the like between.
    func valuePosition(behind end: Int) -> ValuePlace? {
        var next = end
        // Bounded, so that long runs of quotes are not read again and again.
        let limit = min(bytes.count, end + 32)
        while next < limit {
            if TextRedactor.isBetweenNameAndSign(bytes[next]) {
                next += spaceEscape(at: next) ?? 1
            } else {
                break
            }
        }
        guard next < limit else { return nil }
        let isColon = bytes[next] == 0x3A
        let isArrow = bytes[next] == 0x2D && next + 1 < bytes.count && bytes[next + 1] == 0x3E
        guard isColon || isArrow || bytes[next] == 0x3D else { return nil }
        // A URL's scheme is no name.
        if isColon, bytes[next...].starts(with: [0x3A, 0x2F, 0x2F]) { return nil }
        next += 1
        if next < bytes.count, bytes[next] == 0x3E || bytes[next] == 0x3D { next += 1 }
        let sign = next
        next = skippingSpace(from: next)
        return ValuePlace(position: next, isYAML: isColon && next > sign)
    }

    /// Passes spaces, and line ends unless another name follows them.
    private func skippingSpace(from start: Int) -> Int {
        var next = start
        var lineEnd: Int?
        while next < bytes.count {
            let byte = bytes[next]
            // Bounded, so that what follows many names is not read again and again.
            if let lineEnd, next - lineEnd > 256 { return lineEnd }
            if byte == 0x20 || byte == 0x09 {
                next += 1
            } else if byte == 0x0A || byte == 0x0D {
                lineEnd = lineEnd ?? next
                next += 1
            } else if let length = spaceEscape(at: next) {
                if lineEnd == nil, bytes[next + length - 1] != 0x74 { lineEnd = next }
                next += length
            } else if lineEnd != nil, byte == 0x23 {
                // A comment between.
                let limit = min(bytes.count, next + 100)
                while next < limit, bytes[next] != 0x0A, spaceEscape(at: next) == nil { next += 1 }
            } else {
                break
            }
        }
        guard let lineEnd else { return next }
        var end = next
        while end < bytes.count, end - next < 64, isPartOfName(at: end) { end += 1 }
        var sign = end
        while sign < bytes.count, sign - end < 8, bytes[sign] == 0x20 { sign += 1 }
        let isName = end > next && sign < bytes.count && (bytes[sign] == 0x3A || bytes[sign] == 0x3D)
        return next == bytes.count || isName ? lineEnd : next
    }

    private func isPartOfName(at place: Int) -> Bool {
        TextRedactor.isNameByte(bytes[place]) || TextRedactor.isQuote(bytes[place])
            || bytes[place] == JSONBytes.backslash
    }

    /// The length of the escape of white space at a place, which has a backslash more for each text around it.
    func spaceEscape(at place: Int) -> Int? {
        var next = place
        while next < bytes.count, next - place < 64, bytes[next] == JSONBytes.backslash { next += 1 }
        return next > place && next < bytes.count && TextRedactor.isSpaceEscape(bytes[next]) ? next + 1 - place : nil
    }

    mutating func hideValue(behind name: Range<Int>, _ value: ValuePlace) {
        // Only these have values with spaces inside.
        let text = lowered(name) ?? ""
        let isWholeLine = text.contains("authorization") || text.contains("cookie")
        let opening = position
        var next = position
        // `u"x"` in Python, `@"x"` in Objective-C.
        if next + 1 < bytes.count, TextRedactor.isStringPrefix(bytes[next]),
            TextRedactor.isQuote(bytes[next + 1]) || bytes[next + 1] == JSONBytes.backslash
        {
            next += 1
        }
        let backslashes = next
        while next < bytes.count, bytes[next] == JSONBytes.backslash { next += 1 }
        guard next < bytes.count else { return show(upTo: next) }
        if TextRedactor.isQuote(bytes[next]) {
            show(upTo: next + 1)
            hideString(bytes[next], level: TextRedactor.level(next - backslashes))
        } else if bytes[opening] == JSONBytes.openBrace || bytes[opening] == JSONBytes.openBracket {
            hide(upTo: endOfDefault(behind: endOfNesting(from: opening)))
        } else if isWholeLine, !bytes[opening...].starts(with: TextRedactor.mark) {
            hideUnlessHarmless(upTo: endOfLine(from: opening))
            return
        } else {
            hideBare(value)
            return
        }
        // A header's value goes on.
        if isWholeLine, position < bytes.count, bytes[position] == 0x3B { hide(upTo: endOfLine(from: position)) }
    }

    /// Hides a string whose opening quote was passed, and passes the closing one.
    private mutating func hideString(_ quote: UInt8, level: Int) {
        let string = string(quote, level: level, from: position)
        show(upTo: string.start)
        hide(upTo: string.contentEnd)
        show(upTo: string.end)
        // A quote inside of the secret that nobody escaped.
        guard string.end > string.contentEnd, position < bytes.count, TextRedactor.isNameByte(bytes[position]) else {
            return
        }
        hide(upTo: endOfBare(from: position))
    }

    private mutating func hideBare(_ value: ValuePlace) {
        let start = position
        if value.isYAML, bytes[start] == 0x26 || bytes[start] == 0x21 {
            // An anchor or a tag before the value.
            let end = bytes[start...].firstIndex { $0 <= 0x20 } ?? bytes.count
            let next = bytes[end...].firstIndex { $0 != 0x20 } ?? bytes.count
            if next > end, next < bytes.count, bytes[next] > 0x20 {
                position = next
                result += TextRedactor.mark
                position =
                    TextRedactor.isQuote(bytes[next])
                    ? string(bytes[next], level: 0, from: next + 1).end : endOfBare(from: next)
                return
            }
        }
        var end = endOfDefault(behind: endOfBare(from: start))
        if value.isYAML, let block = endOfYAMLBlock(indicator: start, end) { end = block }
        // `string(7) "hunter2"`
        if end > start, end + 1 < bytes.count, bytes[end - 1] == 0x29, bytes[end] == 0x20 {
            let slashes = bytes[(end + 1)...].prefix { $0 == JSONBytes.backslash }.count
            let quote = end + 1 + slashes
            if quote < bytes.count, TextRedactor.isQuote(bytes[quote]) {
                end = string(bytes[quote], level: TextRedactor.level(slashes), from: quote + 1).end
            }
        }
        hideUnlessHarmless(upTo: end)
    }

    /// The end of a default behind a type, which was taken for the value: `$pins: [String!]! = ["1234"]`.
    private func endOfDefault(behind type: Int) -> Int {
        var next = type
        while next < bytes.count, next - type < 16, [0x20, 0x21, 0x3F].contains(bytes[next]) { next += 1 }
        guard next > type || type > 0 && bytes[type - 1] == JSONBytes.closeBracket, next < bytes.count,
            bytes[next] == 0x3D
        else { return type }
        next += 1
        while next < bytes.count, next - type < 32, bytes[next] == 0x20 { next += 1 }
        let slashes = bytes[min(next, bytes.count)...].prefix { $0 == JSONBytes.backslash }.count
        let quote = next + slashes
        guard quote < bytes.count else { return bytes.count }
        if TextRedactor.isQuote(bytes[quote]) {
            return string(bytes[quote], level: TextRedactor.level(slashes), from: quote + 1).end
        }
        let isNested = bytes[next] == JSONBytes.openBrace || bytes[next] == JSONBytes.openBracket
        return isNested ? endOfNesting(from: next) : endOfBare(from: next)
    }

    private mutating func hideUnlessHarmless(upTo end: Int) {
        isHarmless(position..<end) ? show(upTo: end) : hide(upTo: end)
    }

    /// `true`, `false` and `null` are no secrets, with or without the comma behind.
    private func isHarmless(_ range: Range<Int>) -> Bool {
        var range = range
        while let last = bytes[range].last,
            last == 0x2C || last == 0x29 || last == 0x3B || last | 0x20 == JSONBytes.closeBrace
        {
            range = range.lowerBound..<(range.upperBound - 1)
        }
        return ["true", "false", "null"].contains(lowered(range))
    }

    /// The end of the lines of a block of YAML, which are further in than that of its name; nil where no block begins.
    private func endOfYAMLBlock(indicator start: Int, _ end: Int) -> Int? {
        guard start < bytes.count, bytes[start] == 0x7C || bytes[start] == 0x3E, start < end else { return nil }
        var next = start + 1
        while next < bytes.count, next - start < 3,
            bytes[next] == 0x2B || bytes[next] == 0x2D
                || (0x31...0x39).contains(bytes[next])
        { next += 1 }
        guard var line = lineEnd(at: next) else { return nil }
        var first = start
        while first > 0, bytes[first - 1] != 0x0A, !(first > 1 && spaceEscape(at: first - 2) == 2) { first -= 1 }
        var indent = 0
        while bytes[first + indent] == 0x20 || bytes[first + indent] == 0x2D { indent += 1 }
        while line.upperBound < bytes.count {
            let text = bytes[line.upperBound...].firstIndex { $0 != 0x20 } ?? bytes.count
            if text - line.upperBound <= indent, lineEnd(at: text) == nil { break }
            var next = text
            while next < bytes.count, lineEnd(at: next) == nil {
                if TextRedactor.isQuote(bytes[next]), endsString(at: next) { return next - backslashes(before: next) }
                next += 1
            }
            guard let further = lineEnd(at: next) else { return bytes.count }
            line = further
        }
        return line.lowerBound
    }

    /// The bytes of a line end, as one or as escapes.
    private func lineEnd(at start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, end - start < 2, bytes[end] == 0x0A || bytes[end] == 0x0D { end += 1 }
        if end > start { return start..<end }
        while end < bytes.count, end - start < 64, bytes[end] == JSONBytes.backslash { end += 1 }
        guard end > start, end < bytes.count, bytes[end] == 0x6E || bytes[end] == 0x72 else { return nil }
        return start..<(end + 1)
    }
}

extension TextRedactor {
    /// Quotes, backslashes, brackets and spaces, as in `"key" :`, `\"key\":` and `user[key]=`.
    private static func isBetweenNameAndSign(_ byte: UInt8) -> Bool {
        [0x20, 0x09, JSONBytes.quote, 0x27, JSONBytes.backslash, JSONBytes.closeBracket, 0x29].contains(byte)
    }

    /// Whether a letter may stand right before the quote that opens a string.
    private static func isStringPrefix(_ byte: UInt8) -> Bool {
        [0x62, 0x66, 0x72, 0x75].contains(byte | 0x20) || byte == 0x40 || byte == 0x24
    }
}
