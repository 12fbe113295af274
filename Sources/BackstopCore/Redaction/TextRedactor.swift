/// Removes credentials from any text: `Bearer` and `Basic` tokens, JSON Web Tokens, user info in URLs, path segments
/// after one with a sensitive name, values after a sensitive name and `=` or `:`, even percent-encoded, and the content
/// of XML elements.
///
/// One pass from left to right over the bytes, and one more where the text has escapes of other texts in it.
struct TextRedactor {
    let names: SensitiveNames
    /// Whether the text was encoded inside another: then encoded text in it is not examined again.
    var isNested = false

    static let mark = Array(Redaction.placeholder.utf8)

    /// The text with a mark in place of each credential.
    func redacted(_ bytes: [UInt8]) -> [UInt8] {
        guard !isNested else { return shown(bytes) }
        // Escapes such as `\u0022password\u0022` and `&quot;password&quot;` are shown as they stand, unless they hide
        // something. Quotes of JSON first: without them a value has another end.
        let first = TextEscapes.hasQuotes(bytes) ? shownResolved(bytes, with: .json) : nil
        let result = first ?? shown(bytes)
        return shownResolved(result, with: .all) ?? result
    }

    private func shown(_ bytes: [UInt8]) -> [UInt8] {
        var pass = Pass(names: names, isNested: isNested, bytes: bytes)
        return pass.run()
    }

    /// The text with its escapes resolved; nil when that hides nothing.
    private func shownResolved(_ bytes: [UInt8], with escapes: TextEscapes.Kind) -> [UInt8]? {
        guard let plain = TextEscapes.resolved(bytes, escapes) else { return nil }
        let result = shown(plain)
        return result == plain ? nil : result
    }

    /// The state of one pass.
    struct Pass {
        let names: SensitiveNames
        let isNested: Bool
        let bytes: [UInt8]
        var position = 0
        var result: [UInt8] = []
        /// Whether the position is inside of a tag.
        var isInTag = false
        /// Whether the current tag has an attribute that names a sensitive field: its `value` or `content` is hidden.
        var isSensitiveTag = false
        /// What is hidden after the current tag.
        var hiddenContent = HiddenContent.none
        /// Whether the current tag is a `key` of a property list, whose text may name what the next element has.
        var isKeyElement = false
        /// The end of the last parameter of a challenge, which is read once.
        var parameterEnd = 0
        /// Whether a key named a secret, so that the next element is hidden.
        var hidesNextElement = false
        /// The levels at which strings in double quotes, and in single ones, are open here.
        var doubleQuotes = OpenQuotes()
        var singleQuotes = OpenQuotes()

        /// What an element hides of what is inside of it.
        enum HiddenContent {
            case none
            case text
            case all
        }

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
                let before = position - 2 - backslashes(before: position - 1)
                if before >= 0, bytes[before] == 0x2F { userInfo() }
            case JSONBytes.quote, 0x27: noteQuote(at: position - 1)
            case 0x3C: readTag()
            case 0x3E:
                if hiddenContent != .none { hideElement() }
                isInTag = false
                isSensitiveTag = false
                hiddenContent = .none
            default: break
            }
        }

        /// Handles a run of name bytes: a name, a scheme, a token or a plain word.
        private mutating func word() {
            var end = position
            while end < bytes.count, TextRedactor.isNameByte(bytes[end]) { end += 1 }
            let word = position..<end
            // Behind the backslash of a line end, `n` is no letter of the word.
            let plain = isEscaped(word) ? (position + 1)..<end : word
            if let token = webToken(in: word) {
                result += bytes[position..<token]
                position = token
                hide(upTo: end)
            } else if let value = valuePosition(behind: end), isSensitive(word) || plain != word && isSensitive(plain) {
                result += bytes[position..<value.position]
                for next in end..<value.position where TextRedactor.isQuote(bytes[next]) { noteQuote(at: next) }
                position = value.position
                hideValue(behind: word, value)
            } else if !isNested, hidesSecret(word) {
                hide(upTo: end)
            } else if let segment = secretSegment(behind: word) {
                result += bytes[position..<segment.lowerBound]
                position = segment.lowerBound
                hide(upTo: segment.upperBound)
            } else {
                result += bytes[word]
                position = end
                guard let isBasic = scheme(word) ?? scheme(plain) else { return }
                credentials(isBasic: isBasic, isCapital: bytes[plain.lowerBound] < 0x60)
            }
        }

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

        // MARK: Small moves

        func endOfRun(of isPart: (UInt8) -> Bool) -> Int {
            var end = position
            while end < bytes.count, isPart(bytes[end]) { end += 1 }
            return end
        }

        mutating func hide(upTo end: Int) {
            if end > position { result += TextRedactor.mark }
            position = max(position, end)
        }

        /// Passes what may be shown.
        mutating func show(upTo end: Int) {
            result += bytes[position..<end]
            position = end
        }

        /// A short word in lower case; nil when it is too long to be one of those that matter.
        func lowered(_ range: Range<Int>) -> String? {
            guard range.count <= 40 else { return nil }
            return String(decoding: bytes[range], as: UTF8.self).lowercased()
        }

        /// How many backslashes stand before a place.
        func backslashes(before place: Int) -> Int {
            var start = place
            while start > 0, bytes[start - 1] == JSONBytes.backslash { start -= 1 }
            return place - start
        }

        /// Whether a word begins with the letter of an escape that is no part of it: `\npin`.
        private func isEscaped(_ word: Range<Int>) -> Bool {
            word.lowerBound > 0 && word.count > 1 && bytes[word.lowerBound - 1] == JSONBytes.backslash
                && TextRedactor.isSpaceEscape(bytes[word.lowerBound])
        }
    }
}

extension TextRedactor {
    /// The bytes of names, tokens and words; those beyond ASCII, and percent-encoding, belong to them.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x25, 0x80...0xFF: true
        default: false
        }
    }

    /// The bytes of a segment of a path (RFC 3986, 3.3), without those that mostly end a URL in a text.
    private static func isSegmentByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || [0x7E, 0x2B, 0x3D, 0x3A, 0x40, 0x21, 0x24, 0x2A].contains(byte)
    }

    static func isQuote(_ byte: UInt8) -> Bool { byte == JSONBytes.quote || byte == 0x27 }

    /// Whether a letter behind a backslash stands for white space.
    static func isSpaceEscape(_ letter: UInt8) -> Bool { letter == 0x6E || letter == 0x72 || letter == 0x74 }
}
