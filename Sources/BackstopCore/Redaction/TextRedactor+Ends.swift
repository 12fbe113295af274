// The ends of values that stand in no quotes of their own.

extension TextRedactor.Pass {
    /// The end of a value without quotes: white space, `&`, a tag, or the quote of the string around it.
    ///
    /// Quotes may be part of it, and it may run into the next name where nothing but a comma stands between.
    func endOfBare(from start: Int) -> Int {
        var next = start
        if bytes[start...].starts(with: TextRedactor.mark) {
            next += TextRedactor.mark.count
            guard next < bytes.count, TextRedactor.isNameByte(bytes[next]) else { return next }
        }
        scan: while next < bytes.count {
            let byte = bytes[next]
            switch byte {
            case 0...0x20, 0x26: break scan
            case 0x3C:
                if beginsTag(at: next) { break scan }
            case 0x3E:
                if isInTag { break scan }
            case JSONBytes.quote, 0x27:
                let backslashes = min(backslashes(before: next), next - start)
                let place = next - backslashes
                let level = TextRedactor.level(backslashes)
                if endsString(at: next) {
                    return isBeforeSign(next + 1) ? nameStart(before: place, from: start) ?? place : place
                }
                guard place > start,
                    [0x3A, 0x3D, 0x28, JSONBytes.openBrace, JSONBytes.openBracket].contains(bytes[place - 1])
                else { break }
                if let name = nameStart(before: place, from: start) { return name }
                next = string(byte, level: level, from: next + 1).end
                guard next < bytes.count, TextRedactor.isNameByte(bytes[next]) else { return next }
                continue scan
            case JSONBytes.openBrace, JSONBytes.openBracket:
                if next > start, bytes[next - 1] == 0x3A || bytes[next - 1] == 0x3D {
                    return endOfNesting(from: next)
                }
            case JSONBytes.backslash:
                if endsLine(at: next) { break scan }
            default: break
            }
            next += 1
        }
        guard next > start, [0x3A, 0x3D].contains(bytes[next - 1]) || isBeforeSign(next) else { return next }
        return nameStart(before: next, from: start) ?? next
    }

    /// Whether a sign that a name is before stands at a place, perhaps behind spaces.
    private func isBeforeSign(_ place: Int) -> Bool {
        var next = place
        while next < bytes.count, next - place < 8, bytes[next] == 0x20 { next += 1 }
        return next < bytes.count && (bytes[next] == 0x3A || bytes[next] == 0x3D)
    }

    /// Whether the escape of a line end stands at a place, rather than a part of a string that is open here.
    private func endsLine(at place: Int) -> Bool {
        guard let level = openLevel(JSONBytes.quote), place > 0, bytes[place - 1] != JSONBytes.backslash,
            let length = spaceEscape(at: place)
        else { return false }
        return length - 1 <= 1 << min(level, 6)
    }

    /// Whether a quote ends the string around a value, rather than being part of the value.
    func endsString(at place: Int) -> Bool {
        if let open = openLevel(bytes[place]), TextRedactor.level(backslashes(before: place)) > open { return false }
        guard place + 1 < bytes.count else { return true }
        let next = bytes[place + 1]
        return next <= 0x20 || spaceEscape(at: place + 1) != nil
            || [
                0x2C, 0x3B, 0x3A, 0x29, 0x26, 0x3C, 0x3E, JSONBytes.closeBrace, JSONBytes.closeBracket,
            ].contains(next)
    }

    /// Where a further name begins whose sign, or first bracket, ends at a place: `1234,token:`; at the sign that
    /// separates it, and nil where there is none.
    private func nameStart(before place: Int, from start: Int) -> Int? {
        // Bounded, so that long runs of quotes are not read again and again.
        let start = max(start, place - 100)
        var next = place
        func skip(_ isPart: (UInt8) -> Bool) {
            while next > start, isPart(bytes[next - 1]) { next -= 1 }
        }
        skip { TextRedactor.isPunctuation($0) }
        let end = next
        skip(TextRedactor.isNameByte)
        guard next < end else { return nil }
        skip { TextRedactor.isQuote($0) || $0 == JSONBytes.backslash || $0 == 0x24 }
        guard next > start, TextRedactor.isSeparator(bytes[next - 1]) else { return nil }
        return next - 1
    }

    /// The end of a header's value: the end of its line, or of the string that it stands in.
    func endOfLine(from start: Int) -> Int {
        var next = start
        // The level of the strings inside of the value.
        var inner: Int?
        while next < bytes.count {
            let byte = bytes[next]
            if byte == 0x0A || byte == 0x0D { return next }
            guard TextRedactor.isQuote(byte) else {
                next += 1
                continue
            }
            let backslashes = min(backslashes(before: next), next - start)
            let place = next - backslashes
            let level = TextRedactor.level(backslashes)
            if let inner, byte == JSONBytes.quote, level < inner { return place }
            let closes = isBeforeLineEnd(next + 1)
            var before = place
            while before > start, place - before < 8, bytes[before - 1] == 0x20 { before -= 1 }
            if before > start, bytes[before - 1] == 0x3D, !closes {
                if byte == JSONBytes.quote { inner = inner ?? level }
                next = string(byte, level: level, from: next + 1, isLine: true).end
                continue
            }
            if let open = openLevel(byte), level <= open || closes && byte == 0x27 { return place }
            if openLevel(byte) == nil, closes { return place }
            next += 1
        }
        return bytes.count
    }

    /// Whether a string, or all, ends at a place.
    private func isBeforeLineEnd(_ place: Int) -> Bool {
        var next = place
        while next < bytes.count, next - place < 8, bytes[next] == 0x20 { next += 1 }
        guard next < bytes.count else { return true }
        return bytes[next] == 0x0A || bytes[next] == 0x0D
            || [0x2C, 0x29, 0x3E, JSONBytes.closeBrace, JSONBytes.closeBracket].contains(bytes[next])
    }

    /// Whether a tag begins at a place that may be inside of a value.
    private func beginsTag(at place: Int) -> Bool {
        let next = place + 1
        guard next < bytes.count else { return false }
        if [0x2F, 0x21, 0x3F].contains(bytes[next]) || bytes[next] == JSONBytes.backslash { return true }
        var end = next
        while end < bytes.count, end - next < 8, TextRedactor.isNameByte(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == 0x3E || bytes[end] == 0x20 || bytes[end] == 0x2F else { return false }
        return TextRedactor.inlineTags.contains(lowered(next..<end) ?? "")
    }
}

extension TextRedactor {
    /// Elements that stand behind a text rather than in it.
    static let inlineTags: Set<String> = [
        "br", "p", "b", "i", "a", "hr", "em", "td", "tr", "th", "li", "ul", "div", "span", "pre", "code", "strong",
        "input",
    ]

    /// What may stand between a name and the quote of its value.
    private static func isPunctuation(_ byte: UInt8) -> Bool {
        isQuote(byte)
            || [
                0x3A, 0x3D, 0x28, 0x3E, 0x20, JSONBytes.backslash, JSONBytes.openBrace, JSONBytes.openBracket,
            ].contains(byte)
    }

    /// What may stand between a value and the next name.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        [
            0x2C, 0x3B, 0x26, 0x28, 0x7C, JSONBytes.openBrace, JSONBytes.openBracket, 0x29, JSONBytes.closeBrace,
            JSONBytes.closeBracket,
        ].contains(byte)
    }
}
