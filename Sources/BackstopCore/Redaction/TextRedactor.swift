/// Removes credentials from any text: `Bearer` and `Basic` tokens, JSON Web Tokens, user info in URLs, path segments
/// after one with a sensitive name, values after a sensitive name and `=` or `:`, even percent-encoded, and the content
/// of XML elements.
///
/// One pass from left to right over the bytes.
struct TextRedactor {
    let names: SensitiveNames
    /// Whether the text was encoded inside another: then encoded text in it is not examined again.
    var isNested = false

    private static let mark = Array(Redaction.placeholder.utf8)

    /// The text with a mark in place of each credential.
    func redacted(_ bytes: [UInt8]) -> [UInt8] {
        var pass = Pass(names: names, isNested: isNested, bytes: bytes)
        return pass.run()
    }

    /// The state of a pass.
    private struct Pass {
        let names: SensitiveNames
        let isNested: Bool
        let bytes: [UInt8]
        var position = 0
        var result: [UInt8] = []
        /// Whether the current tag has an attribute that names a sensitive field: its `value` or `content` is hidden.
        var isSensitiveTag = false
        /// Whether the current tag opens an element with a sensitive name: the text after it is hidden.
        var isSensitiveElement = false
        /// Whether the current tag is a `key` of a property list, whose text may name the content of the next element.
        var isKeyElement = false
        /// The end of the last parameter of a challenge, which is read once.
        var parameterEnd = 0
        /// Whether a key named a secret, so that the next element is hidden.
        var hidesNextElement = false

        init(names: SensitiveNames, isNested: Bool, bytes: [UInt8]) {
            self.names = names
            self.isNested = isNested
            self.bytes = bytes
            result.reserveCapacity(bytes.count)
        }

        mutating func run() -> [UInt8] {
            while position < bytes.count {
                if TextRedactor.isNameByte(bytes[position]) {
                    word()
                } else {
                    sign()
                }
            }
            return result
        }

        /// Handles a byte that is not part of a name: some begin or end a place where credentials may be.
        private mutating func sign() {
            let byte = bytes[position]
            result.append(byte)
            position += 1
            switch byte {
            case 0x2F:
                // Some JSON writers put a backslash before each slash.
                var before = position - 2
                if before >= 0, bytes[before] == JSONBytes.backslash { before -= 1 }
                if before >= 0, bytes[before] == 0x2F { userInfo() }
            case 0x3C: readTag()
            case 0x3E:
                if isSensitiveElement { hideElement() }
                isSensitiveTag = false
                isSensitiveElement = false
            default: break
            }
        }

        /// Handles a run of name bytes: a name, a scheme, a token or a plain word.
        private mutating func word() {
            var end = position
            while end < bytes.count, TextRedactor.isNameByte(bytes[end]) { end += 1 }
            let word = position..<end
            if let token = webToken(in: word) {
                result += bytes[position..<token]
                position = token
                hide(upTo: end)
            } else if let value = valuePosition(behind: end), isSensitive(word) {
                result += bytes[position..<value]
                position = value
                hideValue(behind: word)
            } else if !isNested, hidesSecret(word) {
                hide(upTo: end)
            } else if let segment = secretSegment(behind: word) {
                result += bytes[position..<segment.lowerBound]
                position = segment.lowerBound
                hide(upTo: segment.upperBound)
            } else {
                result += bytes[word]
                position = end
                guard let isBasic = scheme(word) else { return }
                credentials(isBasic: isBasic, isCapital: bytes[word.lowerBound] < 0x60)
            }
        }

        // MARK: Names and values

        private func isSensitive(_ word: Range<Int>) -> Bool {
            let name = bytes[word]
            if isSensitiveTag, let text = lowered(word), text == "value" || text == "content" { return true }
            if let item = item(of: word), names.matchItem(bytes[item]) {
                return true
            }
            return names.match(name) || (name.contains(0x25) && names.match(FormRedactor.decoded(name)))
        }

        /// The name of a query item, wherever the URL is in the text; nil for any other word. JSON may have `&` as
        /// `\u0026`, and markup as `&amp;`.
        private func item(of word: Range<Int>) -> Range<Int>? {
            let before = bytes[..<word.lowerBound]
            if let last = before.last, last == 0x3F || last == 0x26 || before.suffix(5).elementsEqual("&amp;".utf8) {
                return word
            }
            guard before.last == JSONBytes.backslash, word.count > 5,
                let escape = lowered(word.lowerBound..<(word.lowerBound + 5)), escape == "u0026" || escape == "u003f"
            else {
                return nil
            }
            return (word.lowerBound + 5)..<word.upperBound
        }

        /// Whether a word is percent-encoded and contains a secret, such as a return URL; then none of it is shown.
        private func hidesSecret(_ word: Range<Int>) -> Bool {
            guard bytes[word].contains(0x25) else { return false }
            let plain = FormRedactor.decoded(bytes[word])
            guard !plain.elementsEqual(bytes[word]) else { return false }
            let json =
                plain.contains(JSONBytes.quote)
                ? plain.withUnsafeBytes { JSONRedactor(names: names).redacted($0) } : plain
            return json != plain || TextRedactor(names: names, isNested: true).redacted(plain) != plain
        }

        /// The path segment after one that names a secret: `/reset-password/9f86d081884c7d65`.
        ///
        /// After an app's own word, anything is hidden; after the others, only what looks like a token, because
        /// `/auth/login` and `/keys/3` are informative.
        private func secretSegment(behind word: Range<Int>) -> Range<Int>? {
            guard word.lowerBound > 0, bytes[word.lowerBound - 1] == 0x2F else { return nil }
            var start = word.upperBound
            if start < bytes.count, bytes[start] == JSONBytes.backslash { start += 1 }
            guard start < bytes.count, bytes[start] == 0x2F else { return nil }
            start += 1
            var end = start
            while end < bytes.count, TextRedactor.isSegmentByte(bytes[end]) { end += 1 }
            guard end > start else { return nil }
            let looksLikeToken = end - start >= 16 && bytes[start..<end].contains { (0x30...0x39).contains($0) }
            let isSecret = looksLikeToken ? names.match(bytes[word]) : names.matchAdded(bytes[word])
            return isSecret ? start..<end : nil
        }

        /// The position of the value, when a name is followed by `=` or `:`, perhaps with quotes and the like between.
        private func valuePosition(behind end: Int) -> Int? {
            var next = end
            // Bounded, so that long runs of quotes are not read again and again.
            let limit = min(bytes.count, end + 16)
            while next < limit, TextRedactor.isBetweenNameAndSign(bytes[next]) { next += 1 }
            guard next < limit, bytes[next] == 0x3D || bytes[next] == 0x3A else { return nil }
            // A URL's scheme is not a name.
            if bytes[next] == 0x3A, bytes[next...].starts(with: [0x3A, 0x2F, 0x2F]) { return nil }
            next += 1
            if next < bytes.count, bytes[next] == 0x3E { next += 1 }
            while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
            return next
        }

        private mutating func hideValue(behind name: Range<Int>) {
            // Only these have values with spaces.
            let text = lowered(name) ?? ""
            let isWholeLine = text.contains("authorization") || text.contains("cookie")
            let opening = position
            while position < bytes.count, bytes[position] == JSONBytes.backslash { position += 1 }
            let level = position - opening
            guard position < bytes.count else {
                result += bytes[opening..<position]
                return
            }
            let first = bytes[position]
            if first == JSONBytes.quote || first == 0x27 {
                position += 1
                result += bytes[opening..<position]
                hide(upTo: endOfQuoted(first, level: level, from: position))
            } else if first == JSONBytes.openBrace || first == JSONBytes.openBracket {
                position = opening
                hide(upTo: endOfNesting(from: opening))
            } else if bytes[opening...].starts(with: TextRedactor.mark) {
                position = opening
                hide(upTo: opening + TextRedactor.mark.count)
            } else {
                position = opening
                let end = endOfRun { isWholeLine ? !TextRedactor.endsLine($0) : !TextRedactor.endsValue($0) }
                if isHarmless(opening..<end) {
                    result += bytes[opening..<end]
                    position = end
                } else {
                    hide(upTo: end)
                }
            }
        }

        /// `true`, `false` and `null` are not secrets, with or without a comma after them.
        private func isHarmless(_ range: Range<Int>) -> Bool {
            var range = range
            while let last = bytes[range].last, last == 0x2C || last | 0x20 == JSONBytes.closeBrace {
                range = range.lowerBound..<(range.upperBound - 1)
            }
            return ["true", "false", "null"].contains(lowered(range))
        }

        /// The position of the quote that ends a value, with its backslashes if the opening one had some.
        private func endOfQuoted(_ quote: UInt8, level: Int, from start: Int) -> Int {
            var backslashes = 0
            for next in start..<bytes.count {
                if bytes[next] == JSONBytes.backslash {
                    backslashes += 1
                    continue
                }
                if bytes[next] == quote, TextRedactor.closes(backslashes, level) {
                    return level == 0 ? next : next - backslashes
                }
                backslashes = 0
            }
            return bytes.count
        }

        /// The position after the bracket that closes the one at `start`, or the end.
        private func endOfNesting(from start: Int) -> Int {
            var depth = 0
            var backslashes = 0
            var level: Int?
            var isInString = false
            for next in start..<bytes.count {
                let byte = bytes[next]
                if byte == JSONBytes.backslash {
                    backslashes += 1
                    continue
                }
                if byte == JSONBytes.quote {
                    // JSON in a string has backslashes before each quote; the first quote shows how many.
                    let quotes = level ?? backslashes
                    level = quotes
                    if TextRedactor.closes(backslashes, quotes) { isInString.toggle() }
                } else if !isInString, byte | 0x20 == JSONBytes.openBrace {
                    depth += 1
                } else if !isInString, byte | 0x20 == JSONBytes.closeBrace {
                    depth -= 1
                    if depth <= 0 { return next + 1 }
                }
                backslashes = 0
            }
            return bytes.count
        }

        // MARK: Tokens

        /// Where a JSON Web Token begins in a word: `eyJ`, followed by two dots or a cut.
        private func webToken(in word: Range<Int>) -> Int? {
            guard word.count >= 3 else { return nil }
            for start in word.lowerBound...(word.upperBound - 3)
            where bytes[start] == 0x65 && bytes[start + 1] == 0x79 && bytes[start + 2] == 0x4A {
                let dots = bytes[start..<word.upperBound].lazy.filter { $0 == 0x2E }.prefix(2).count
                // The ellipsis of a cut has non-ASCII bytes, which count as name bytes.
                let isCut = word.upperBound == bytes.count || bytes[word.upperBound - 1] >= 0x80
                return dots >= 2 || isCut ? start : nil
            }
            return nil
        }

        /// Whether a word is the name of an authentication scheme, and if so, whether it is `Basic`.
        private func scheme(_ word: Range<Int>) -> Bool? {
            switch lowered(word) {
            case "bearer": false
            case "basic": true
            default: nil
            }
        }

        /// Handles what follows `Bearer` or `Basic`: a token, unless it is clearly prose or a parameter of a challenge.
        private mutating func credentials(isBasic: Bool, isCapital: Bool) {
            var start = position
            while start < bytes.count, [0x20, 0x09, 0x2B].contains(bytes[start]) { start += 1 }
            guard start > position else { return }
            result += bytes[position..<start]
            position = start
            // After another scheme that belongs to the same parameter.
            guard start >= parameterEnd else { return }
            let end = endOfToken()
            guard end > start else { return }
            let isParameter = bytes[end - 1] == 0x3D && end < bytes.count && bytes[end] == JSONBytes.quote
            let isProse = TextRedactor.prose.contains(lowered(start..<end) ?? "")
            // "a basic plan": the encoded user and password would have capitals or digits.
            let isAdjective = isBasic && !isCapital && bytes[start..<end].allSatisfy { (0x61...0x7A).contains($0) }
            if isParameter { parameterEnd = end }
            if !isParameter, !isProse, !isAdjective { hide(upTo: end) }
        }

        // MARK: URLs

        /// Handles what follows `//`: user info, when there is an `@` before the path.
        private mutating func userInfo() {
            let end = endOfRun { !TextRedactor.endsAuthority($0) }
            let authority = bytes[position..<end]
            if let at = authority.lastIndex(of: 0x40) { return hide(upTo: at) }
            // Cut before the `@`: a password where only a port may be.
            guard end == bytes.count || bytes[end] >= 0x80, let colon = authority.firstIndex(of: 0x3A),
                authority.first != JSONBytes.openBracket
            else { return }
            let port = bytes[(colon + 1)..<end]
            if port.count > 5 || !port.allSatisfy({ (0x30...0x39).contains($0) }) { hide(upTo: end) }
        }

        // MARK: HTML

        /// Looks ahead into the tag that begins here: `<password>` and `<input name="pin" value="1234">`.
        ///
        /// Up to 512 bytes, and never past the next tag, so that each byte is read once.
        private mutating func readTag() {
            var end = position
            while end < bytes.count, end - position < 512, bytes[end] != 0x3E, bytes[end] != 0x3C { end += 1 }
            let tag = String(decoding: bytes[position..<end], as: UTF8.self)
            let parts = tag.split(whereSeparator: \.isWhitespace)
            let isClosing = tag.utf8.first == 0x2F
            let element = isClosing || tag.utf8.last == 0x2F ? "" : parts.first ?? ""
            isSensitiveElement = names.match(element.utf8)
            isKeyElement = element.lowercased() == "key"
            if hidesNextElement, !isClosing {
                isSensitiveElement = !element.isEmpty
                hidesNextElement = false
            }
            isSensitiveTag = parts.dropFirst().contains { attribute in
                guard let equals = attribute.utf8.firstIndex(of: 0x3D) else { return false }
                let name = attribute[..<equals].lowercased()
                return ["name", "id", "property", "type"].contains(name) && names.match(attribute[equals...].utf8)
            }
        }

        /// Hides the content of an element: its text, or everything up to its end if it contains more elements or
        /// CDATA.
        private mutating func hideElement() {
            let next = position + bytes[position...].prefix { JSONBytes.isSpace($0) }.count
            guard next + 1 < bytes.count, bytes[next] == 0x3C, bytes[next + 1] != 0x2F else {
                let end = endOfRun { $0 != 0x3C }
                hidesNextElement = isKeyElement && names.match(bytes[position..<end])
                return hide(upTo: end)
            }
            hide(upTo: endOfElement(from: next))
        }

        /// The position of the tag that ends the element whose content begins at `start`, or the end.
        private func endOfElement(from start: Int) -> Int {
            var depth = 1
            var next = start
            while next < bytes.count {
                guard bytes[next] == 0x3C else {
                    next += 1
                    continue
                }
                let rest = bytes[next...]
                if rest.starts(with: "<![CDATA[".utf8) {
                    next = position(behind: "]]>", from: next)
                } else if rest.starts(with: "<!--".utf8) {
                    next = position(behind: "-->", from: next)
                } else {
                    let tag = next..<position(behind: ">", from: next)
                    if rest.starts(with: "</".utf8) {
                        depth -= 1
                        if depth == 0 { return next }
                    } else if !rest.starts(with: "<!".utf8), !rest.starts(with: "<?".utf8),
                        !bytes[tag].suffix(2).elementsEqual("/>".utf8)
                    {
                        depth += 1
                    }
                    next = tag.upperBound
                }
            }
            return bytes.count
        }

        /// The position after the next occurrence of a text, or the end.
        private func position(behind text: String, from start: Int) -> Int {
            let wanted = Array(text.utf8)
            var next = start
            while next < bytes.count {
                if bytes[next] == wanted[0], bytes[next...].starts(with: wanted) { return next + wanted.count }
                next += 1
            }
            return bytes.count
        }

        // MARK: Small steps

        private func endOfRun(of isPart: (UInt8) -> Bool) -> Int {
            var end = position
            while end < bytes.count, isPart(bytes[end]) { end += 1 }
            return end
        }

        /// The end of a token, in which JSON may have a backslash before each slash.
        private func endOfToken() -> Int {
            var end = position
            while end < bytes.count,
                TextRedactor.isTokenByte(bytes[end]) || bytes[end...].starts(with: TextRedactor.escapedSlash)
            { end += 1 }
            return end
        }

        private mutating func hide(upTo end: Int) {
            if end > position { result += TextRedactor.mark }
            position = max(position, end)
        }

        /// A short word in lower case; nil when it is too long to matter.
        private func lowered(_ range: Range<Int>) -> String? {
            guard range.count <= 40 else { return nil }
            return String(decoding: bytes[range], as: UTF8.self).lowercased()
        }
    }
}

extension TextRedactor {
    /// Words that follow `Bearer` or `Basic` in sentences about them.
    private static let prose: Set<String> = [
        "token", "tokens", "auth", "authentication", "authorization", "credentials", "scheme", "challenge", "realm",
    ]

    /// A slash as some JSON writers write it.
    private static let escapedSlash: [UInt8] = [JSONBytes.backslash, 0x2F]

    /// The bytes of names, tokens and words, including non-ASCII ones and percent-encoding.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x25, 0x80...0xFF: true
        default: false
        }
    }

    /// The bytes of a token68 (RFC 9110, 11.2), and those of one that was encoded or cut.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || byte == 0x7E || byte == 0x2B || byte == 0x2F || byte == 0x3D
    }

    /// The bytes of a path segment (RFC 3986, 3.3), without those that usually end a URL in a text.
    private static func isSegmentByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || [0x7E, 0x2B, 0x3D, 0x3A, 0x40, 0x21, 0x24, 0x2A].contains(byte)
    }

    /// Quotes, backslashes, brackets and spaces, as in `"key" :`, `\"key\":` and `user[key]=`.
    private static func isBetweenNameAndSign(_ byte: UInt8) -> Bool {
        [0x20, 0x09, JSONBytes.quote, 0x27, JSONBytes.backslash, JSONBytes.closeBracket, 0x29].contains(byte)
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == JSONBytes.quote || byte == 0x27
    }

    private static func endsValue(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == JSONBytes.quote || byte == 0x27 || byte == 0x26 || byte == 0x3C || byte == 0x3E
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x2F, 0x3F, 0x23, JSONBytes.quote, 0x3C, JSONBytes.backslash].contains(byte)
    }

    /// Whether a quote after this many backslashes ends a string that began with a quote after `level` of them.
    private static func closes(_ backslashes: Int, _ level: Int) -> Bool {
        level == 0 ? backslashes.isMultiple(of: 2) : backslashes <= level
    }
}
