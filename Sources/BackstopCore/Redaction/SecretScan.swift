/// Finds secrets in a text by structure and by shape: what stands under a sensitive name in JSON, a query, a form or
/// XML, and what ``SecretShapes`` knows.
///
/// One pass from left to right. It does not parse: anything between two quotes and before a colon is a key. That works
/// wherever a text was cut, and in JSON inside strings of JSON, where each quote has backslashes before it.
struct SecretScan {
    /// A part of a text that must not be shown.
    struct Secret {
        let range: Range<Int>
        /// Whether the mark needs quotes, so that JSON stays JSON.
        var isNumber = false
        /// Whether the name says so, and often does not mean it: elsewhere, the value alone decides.
        var isWeak = false
        /// Whether it is hidden only for the secrets in it, because it is encoded.
        var isEncoded = false
    }

    /// What a text is, beyond any text.
    enum Format {
        case text, url, form, multipart, document
    }

    let bytes: UnsafeRawBufferPointer
    let names: SensitiveNames
    private let end: Int
    /// Whether the text was encoded inside another: then encoded text in it is not examined again.
    private let isNested: Bool
    private var isURL = false
    private(set) var secrets: [Secret] = []
    private var position = 0
    /// After the last quote; the key that the next quote may close begins there.
    private var keyStart = 0
    /// The end of the container in which everything is secret.
    private var everythingEnd = 0
    /// The end of the container of messages about fields.
    private var messagesEnd = 0
    /// The end of a GraphQL document.
    private var documentEnd = 0
    /// The end of the element whose texts are secret.
    private var elementEnd = 0
    /// Whether an element has no end tag.
    private var hasEndlessElement = false
    /// Whether the text is part of an exchange that issues tokens (RFC 6749), in which a `code` is a secret; nil while
    /// nobody asked.
    private var issuesTokens: Bool?

    /// A longer name is none.
    static let nameLimit = 200

    init(_ bytes: UnsafeRawBufferPointer, _ names: SensitiveNames, upTo end: Int? = nil, isNested: Bool = false) {
        self.bytes = bytes
        self.names = names
        self.end = end ?? bytes.count
        self.isNested = isNested
    }

    mutating func run(_ format: Format) {
        switch format {
        case .text: break
        case .url:
            isURL = true
            url()
        case .form: items(in: 0..<bytes.count)
        case .multipart: multipart()
        case .document: documentEnd = bytes.count
        }
        while position < end {
            let byte = bytes[position]
            if SecretScan.isWord(byte) {
                word()
            } else if byte == JSONBytes.quote {
                quote()
            } else {
                position += 1
                if byte == 0x2F { userInfo() }
                if byte == 0x3C { element() }
            }
        }
    }

    // MARK: JSON

    /// A quote may close a key, or open a string where everything is secret.
    private mutating func quote() {
        let place = position
        let slashes = backslashes(before: place)
        let key = min(keyStart, place - slashes)..<(place - slashes)
        position += 1
        keyStart = position
        let colon = skippingSpace(from: position)
        if byte(colon) == JSONBytes.colon, key.count <= SecretScan.nameLimit {
            position = skippingSpace(from: colon + 1)
            let reach = place < everythingEnd ? .everything : self.reach(ofKey: key)
            if reach == .nothing { enter(key) } else { hideMember(reach) }
        } else if place < everythingEnd {
            let string = string(from: position, depth: SecretScan.depth(slashes))
            guard byte(skippingSpace(from: string.end)) != JSONBytes.colon else {
                return position = string.content.upperBound
            }
            hide(string.content)
            position = string.end
            keyStart = position
        }
    }

    private mutating func reach(ofKey key: Range<Int>) -> SensitiveNames.Reach {
        let name = bytes[key]
        let plain =
            name.contains(JSONBytes.backslash)
            ? Array(JSONText.unescaped(UnsafeRawBufferPointer(rebasing: name)).utf8) : Array(name)
        if plain.elementsEqual("code".utf8) {
            let issues = issuesTokens ?? speaksOfAuthorization()
            issuesTokens = issues
            return issues && names.reach(ofItem: plain) != .nothing ? .value : .nothing
        }
        return names.reach(of: plain)
    }

    /// Notes what a harmless key says about its value.
    private mutating func enter(_ key: Range<Int>) {
        let opening = byte(position)
        if opening == JSONBytes.openBrace || opening == JSONBytes.openBracket {
            let name = SensitiveNames.Name(Array(bytes[key]))
            guard position >= messagesEnd, ["errors", "error"].contains(name.words.last) else { return }
            messagesEnd = endOfNesting(from: position)
        } else if position >= documentEnd, bytes[key].elementsEqual("query".utf8),
            let quote = openingQuote(at: position)
        {
            documentEnd = string(from: quote + 1, depth: SecretScan.depth(quote - position)).content.upperBound
        }
    }

    /// Hides the value of a sensitive member. Below `errors` it is a message when it is a list or has a space.
    private mutating func hideMember(_ reach: SensitiveNames.Reach) {
        let isMessage = position < messagesEnd
        if let quote = openingQuote(at: position) {
            var string = string(from: quote + 1, depth: SecretScan.depth(quote - position))
            // A quote that the server failed to escape does not end it.
            while quote == position, position >= documentEnd, let next = byte(string.end), SecretScan.isWord(next) {
                let rest = self.string(from: string.end, depth: 0)
                string = (string.content.lowerBound..<rest.content.upperBound, rest.end)
            }
            if !isMessage || !bytes[string.content].contains(0x20) { hide(string.content, reach) }
            position = string.end
            keyStart = position
            return
        }
        guard let first = byte(position) else { return }
        switch first {
        case JSONBytes.openBrace, JSONBytes.openBracket:
            let isList = first == JSONBytes.openBracket
            if reach == .everything, !isMessage, position >= everythingEnd {
                everythingEnd = endOfNesting(from: position)
            }
            position += 1
            if reach == .value, !isMessage, isList { hideElements() }
        case 0x2D, 0x30...0x39:
            hideNumber(reach)
        default:
            // An unquoted word, but not a sentence.
            let word = position..<endOfRun(from: position) { ![0x2C, 0x5D, 0x7D, 0x0A, 0x0D, 0x22].contains($0) }
            if !isHarmless(word), !bytes[word].contains(0x20) { hide(word, reach) }
            position = word.upperBound
        }
    }

    /// Hides what looks like a secret in a list, up to the first element that is neither text nor number.
    private mutating func hideElements() {
        while true {
            position = skippingSpace(from: position)
            if let quote = openingQuote(at: position) {
                let string = string(from: quote + 1, depth: SecretScan.depth(quote - position))
                if SecretShapes.looksLikeSecret(bytes[string.content]) { hide(string.content, .value) }
                position = string.end
            } else if let digit = byte(position), digit == 0x2D || (0x30...0x39).contains(digit) {
                hideNumber(.value)
            } else {
                return keyStart = position
            }
            position = skippingSpace(from: position)
            if byte(position) == JSONBytes.comma { position += 1 }
        }
    }

    private mutating func hideNumber(_ reach: SensitiveNames.Reach = .everything) {
        let number = position..<endOfRun(from: position, SecretScan.isWord)
        secrets.append(Secret(range: number, isNumber: true, isWeak: reach == .value))
        position = number.upperBound
    }

    /// The quote that opens a string at a place, behind backslashes if the JSON is inside a string.
    private func openingQuote(at place: Int) -> Int? {
        let quote = endOfRun(from: place) { $0 == JSONBytes.backslash }
        return byte(quote) == JSONBytes.quote ? quote : nil
    }

    /// How many strings are open where a quote has so many backslashes.
    private static func depth(_ backslashes: Int) -> Int { min((~backslashes).trailingZeroBitCount, 20) }

    /// The content of a string, and the end of its quote. A string around it ends it as well.
    private func string(from start: Int, depth: Int) -> (content: Range<Int>, end: Int) {
        if depth <= 1, start < documentEnd, isQuotes(at: start - 1, depth) { return block(from: start, depth) }
        var slashes = 0
        let own = (1 << depth) - 1
        for next in start..<max(start, bytes.count) {
            if bytes[next] == JSONBytes.quote {
                if slashes & (own * 2 + 1) == own { return (start..<(next - own), next + 1) }
                if slashes < own { return (start..<(next - slashes), next - slashes) }
            }
            slashes = bytes[next] == JSONBytes.backslash ? slashes + 1 : 0
        }
        return (start..<max(start, bytes.count), bytes.count)
    }

    /// Whether three quotes begin at the place of a quote.
    private func isQuotes(at place: Int, _ depth: Int) -> Bool {
        let one = depth == 0 ? [JSONBytes.quote] : [JSONBytes.quote, JSONBytes.backslash]
        return bytes[max(0, place)...].starts(with: (one + one + [JSONBytes.quote]))
    }

    /// A block string of GraphQL behind its first quote; in it, a backslash goes before three quotes.
    private func block(from start: Int, _ depth: Int) -> (content: Range<Int>, end: Int) {
        let length = depth == 0 ? 2 : 4
        let start = min(start + length, documentEnd)
        var next = start
        while next < documentEnd {
            if bytes[next] == JSONBytes.quote, isQuotes(at: next, depth), backslashes(before: next) == depth {
                return (start..<max(start, next - depth), next + length + 1)
            }
            next += 1
        }
        return (start..<documentEnd, documentEnd)
    }

    /// The end of an object or a list.
    private func endOfNesting(from start: Int) -> Int {
        var next = start
        var depth = 0
        var slashes = 0
        while next < bytes.count {
            let byte = bytes[next]
            next += 1
            if byte == JSONBytes.quote {
                next = string(from: next, depth: SecretScan.depth(slashes)).end
            } else if byte | 0x20 == JSONBytes.openBrace {
                depth += 1
            } else if byte | 0x20 == JSONBytes.closeBrace {
                depth -= 1
                if depth == 0 { return next }
            }
            slashes = byte == JSONBytes.backslash ? slashes + 1 : 0
        }
        return next
    }

    private func speaksOfAuthorization() -> Bool {
        let words = ["grant_type", "authorization_code", "code_verifier"].map { Array($0.utf8) }
        return bytes.indices.contains { start in
            words.contains { $0[0] == bytes[start] && bytes[start...].starts(with: $0) }
        }
    }

    // MARK: Words

    /// A run of the bytes of names: the name of an item, a token, a scheme, or a plain word.
    private mutating func word() {
        let end = endOfRun(from: position, SecretScan.isWord)
        skipEscape(before: end)
        let word = position..<end
        if word.lowerBound < everythingEnd {
            if !isHarmless(word), !isName(word) { hideNumber() }
            position = end
        } else if let shape = SecretShapes.find(in: bytes, word) {
            hide(shape)
            position = shape.upperBound
        } else if let value = itemValue(behind: word), case let reach = reach(ofItem: word), reach != .nothing {
            hideItem(at: value, reach)
        } else if hideEncoded(word) {
            position = end
        } else {
            position = end
            if word.upperBound <= documentEnd, let value = argument(behind: word),
                case let reach = names.reach(of: Array(bytes[word])), reach != .nothing
            {
                position = value
                hideMember(reach)
            }
        }
    }

    /// Skips what is an escape and no part of the word behind it: `n` or `u201c` after a backslash, and `31m` of a color.
    private mutating func skipEscape(before end: Int) {
        guard position > 0 else { return }
        var next = position + 1
        switch bytes[position - 1] {
        case JSONBytes.backslash:
            let isSign = bytes[position] == 0x75 && JSONText.fourDigits(in: bytes, at: &next) != nil
            guard isSign || [0x6E, 0x72, 0x74].contains(bytes[position]) else { return }
        case JSONBytes.openBracket, 0x3B:
            next = endOfRun(from: position) { (0x30...0x39).contains($0) }
            if next == position || byte(next) != 0x6D { return }
            next += 1
        default: return
        }
        if next < end { position = next }
    }

    /// Where the value begins if a name is followed by `=`.
    private func itemValue(behind name: Range<Int>) -> Int? {
        let sign = byte(name.upperBound) == JSONBytes.closeBracket ? name.upperBound + 1 : name.upperBound
        guard byte(sign) == 0x3D, byte(sign + 1) != 0x3D, byte(sign + 1) != 0x3E else { return nil }
        return sign + 1
    }

    private func reach(ofItem word: Range<Int>) -> SensitiveNames.Reach {
        guard word.count <= SecretScan.nameLimit else { return .nothing }
        let name = SecretScan.decoded(Array(bytes[word]))
        let before = word.lowerBound > 0 ? bytes[word.lowerBound - 1] : 0
        // JSON may have `&` as `\u0026`, and markup as `&amp;`.
        let escape = bytes[..<word.lowerBound].suffix(5)
        let isInQuery =
            [0x3F, 0x26, 0x3B].contains(before) || ["u0026", "u003f"].contains { escape.elementsEqual($0.utf8) }
        let reach = isInQuery ? names.reach(ofItem: name) : names.reach(of: name)
        // The quotes and colons of other languages.
        return reach == .nothing && word.count > 1 && bytes[word.lowerBound] >= 0x80
            ? names.reach(of: Array(name.drop { $0 >= 0x80 })) : reach
    }

    /// Hides the value of an item in any text: up to white space, `&`, a quote or a tag.
    private mutating func hideItem(at start: Int, _ reach: SensitiveNames.Reach) {
        if let quote = openingQuote(at: start) {
            let string = string(from: quote + 1, depth: SecretScan.depth(quote - start))
            hide(string.content, reach)
            position = string.end
            keyStart = position
            return
        }
        // What has spaces in it: a scheme and its credentials, a private key.
        let first = byte(start) == 0x27 ? start + 1 : start
        let word = first..<endOfRun(from: first, SecretScan.isWord)
        if let shape = SecretShapes.find(in: bytes, word), shape.upperBound > word.upperBound {
            hide(first..<shape.upperBound)
            return position = shape.upperBound
        }
        if first > start {
            position = endOfRun(from: first) { $0 != 0x27 && $0 != 0x0A }
            return hide(first..<position, reach)
        }
        var end = start
        while let byte = byte(end), byte > 0x20, ![0x26, 0x22, 0x3C, 0x3E].contains(byte), !(byte == 0x23 && isURL) {
            if byte == JSONBytes.backslash, let next = self.byte(end + 1) {
                let isAmpersand = bytes[(end + 1)...].starts(with: "u0026".utf8)
                if isAmpersand || [0x22, 0x6E, 0x72, 0x74].contains(next) { break }
                end += 1
            }
            end = min(end + 1, bytes.count)
        }
        position = end
        while end > start, [0x2C, 0x3B, 0x2E, 0x29, 0x5D, 0x7D, 0x27].contains(bytes[end - 1]) { end -= 1 }
        if !isHarmless(start..<end) { hide(start..<end, reach) }
    }

    /// Where the value of an argument in a GraphQL document begins; nil unless it is a literal.
    private func argument(behind name: Range<Int>) -> Int? {
        let colon = skippingSpace(from: name.upperBound)
        guard byte(colon) == JSONBytes.colon else { return nil }
        var value = skippingSpace(from: colon + 1)
        // A comment. The search is bounded, so that a line of hashes costs linear time.
        if byte(value) == 0x23 {
            let end = endOfRun(from: value, limit: 200) { ![0x0A, 0x0D, JSONBytes.backslash].contains($0) }
            value = skippingSpace(from: end)
        }
        switch byte(value) {
        case 0x2D?, (0x30...0x39)?, JSONBytes.openBrace?: return value
        // After a variable's name comes its type.
        case JSONBytes.openBracket?: return isVariable(name) ? nil : value
        default: return openingQuote(at: value) == nil ? nil : value
        }
    }

    /// Whether a word in a GraphQL document names something that has a value, and is not a value itself.
    private func isName(_ word: Range<Int>) -> Bool {
        guard word.upperBound <= documentEnd else { return false }
        return isVariable(word) || byte(skippingSpace(from: word.upperBound)) == JSONBytes.colon
    }

    private func isVariable(_ word: Range<Int>) -> Bool { word.lowerBound > 0 && bytes[word.lowerBound - 1] == 0x24 }

    /// Hides an encoded text, such as a return URL or JSON, if it contains secrets: then none of it is shown.
    @discardableResult
    mutating func hideEncoded(_ range: Range<Int>) -> Bool {
        guard !isNested, bytes[range].contains(0x25) else { return false }
        let hasSecrets = SecretScan.decoded(Array(bytes[range])).withUnsafeBytes { plain in
            guard !plain.elementsEqual(bytes[range]) else { return false }
            var scan = SecretScan(plain, names, isNested: true)
            scan.run(.document)
            return !scan.secrets.isEmpty
        }
        if hasSecrets { secrets.append(Secret(range: range, isEncoded: true)) }
        return hasSecrets
    }

    /// All text between an element's tags, if its name is that of a secret.
    private mutating func element() {
        let name =
            position..<endOfRun(from: position, limit: SecretScan.nameLimit) { SecretScan.isWord($0) || $0 == 0x3A }
        guard position >= elementEnd, !name.isEmpty, bytes[name.lowerBound] | 0x20 >= 0x61,
            names.reach(of: Array(bytes[name])) == .everything
        else {
            return
        }
        let close = endOfRun(from: name.upperBound, limit: 500) { $0 != 0x3C && $0 != 0x3E }
        guard byte(close) == 0x3E, bytes[close - 1] != 0x2F else { return }
        var texts: [Range<Int>] = []
        var place = close + 1
        var depth = 1
        while place < bytes.count, depth > 0 {
            let start = place
            if bytes[start...].starts(with: "<![CDATA[".utf8) {
                place += 9
                while place < bytes.count, !bytes[place...].starts(with: "]]>".utf8) { place += 1 }
                texts.append((start + 9)..<place)
                place = min(place + 3, bytes.count)
            } else if bytes[start] == 0x3C {
                let isEnd = byte(start + 1) == 0x2F
                let tag = bytes[(start + (isEnd ? 2 : 1))...]
                place = min(endOfRun(from: start) { $0 != 0x3E } + 1, bytes.count)
                if tag.starts(with: bytes[name]), !SecretScan.isWord(tag.dropFirst(name.count).first ?? 0) {
                    depth += isEnd ? -1 : bytes[place - 2] == 0x2F ? 0 : 1
                }
            } else {
                place = endOfRun(from: start) { $0 != 0x3C }
                texts.append(start..<place)
            }
            // What is nothing but a word in brackets has no end, and is looked for once.
            if depth > 0, hasEndlessElement { break }
        }
        if depth > 0 {
            hasEndlessElement = true
            texts = Array(texts.prefix(1))
        }
        for text in texts where bytes[text].contains(where: { $0 > 0x20 }) { hide(text) }
        // Tags and comments within may hold more.
        elementEnd = depth > 0 ? 0 : place
        position = depth > 0 ? texts.first?.upperBound ?? close + 1 : close + 1
    }

    /// Handles what follows `//`: user info, when there is an `@` before the path.
    private mutating func userInfo() {
        // Some JSON writers put a backslash before each slash.
        let before = position - 2 - backslashes(before: position - 1)
        guard before >= 0, bytes[before] == 0x2F else { return }
        let end = endOfRun(from: position) { !SecretScan.endsAuthority($0) }
        let authority = bytes[position..<end]
        if let at = authority.lastIndex(of: 0x40) { return hideAndPass(at) }
        guard let colon = authority.firstIndex(of: 0x3A), authority.first != JSONBytes.openBracket else { return }
        let port = bytes[(colon + 1)..<end]
        guard port.count > 5 || !port.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
        // Cut before the `@`: a password where only a port may be.
        if end == bytes.count || bytes[end] >= 0x80 { return hideAndPass(end) }
        // A password with a sign that ends a host. Bounded, so that long runs of slashes are not read again and again.
        let further = bytes[end...].prefix(256).prefix { $0 > 0x20 && $0 != JSONBytes.quote && $0 != 0x3C }
        if let at = further.lastIndex(of: 0x40) { hideAndPass(at) }
    }

    private mutating func hideAndPass(_ end: Int) {
        hide(position..<end)
        position = end
    }

    // MARK: Position

    mutating func hide(_ range: Range<Int>, _ reach: SensitiveNames.Reach = .everything) {
        if !range.isEmpty { secrets.append(Secret(range: range, isWeak: reach == .value)) }
    }

    func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

    func endOfRun(from start: Int, limit: Int = .max, _ isPart: (UInt8) -> Bool) -> Int {
        let limit = limit < bytes.count - start ? start + limit : bytes.count
        var end = start
        while end < limit, isPart(bytes[end]) { end += 1 }
        return end
    }

    private func backslashes(before place: Int) -> Int {
        var start = place
        while start > 0, bytes[start - 1] == JSONBytes.backslash { start -= 1 }
        return place - start
    }

    /// Skips white space, also that of JSON inside strings: `\n`.
    private func skippingSpace(from start: Int) -> Int {
        var next = start
        while next < bytes.count {
            if JSONBytes.isSpace(bytes[next]) {
                next += 1
            } else {
                let letter = endOfRun(from: next) { $0 == JSONBytes.backslash }
                guard letter > next, letter < bytes.count, [0x6E, 0x72, 0x74].contains(bytes[letter]) else { break }
                next = letter + 1
            }
        }
        return next
    }

    /// `true`, `false` and `null` help a developer and tell a thief nothing.
    func isHarmless(_ range: Range<Int>) -> Bool {
        ["true", "false", "null"].contains { bytes[range].elementsEqual($0.utf8) }
    }

    /// The bytes of names, tokens and words; those beyond ASCII, and percent-encoding, belong to them.
    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x25, 0x80...0xFF: true
        default: false
        }
    }

    static func endsAuthority(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x2F, 0x3F, 0x23, JSONBytes.quote, 0x3C, JSONBytes.backslash].contains(byte)
    }

    /// A part of a text with a mark in place of each secret.
    static func hiding(_ secrets: [Secret], in bytes: UnsafeRawBufferPointer, _ part: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(part.count)
        var copied = part.lowerBound
        for secret in secrets.ordered(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            let range = secret.range.clamped(to: part)
            guard range.upperBound > copied, !range.isEmpty else { continue }
            // Parts of one secret get one mark.
            if range.lowerBound > copied || result.isEmpty {
                result += bytes[copied..<range.lowerBound]
                result += (secret.isNumber ? "\"\(Redaction.placeholder)\"" : Redaction.placeholder).utf8
            }
            copied = range.upperBound
        }
        result += bytes[copied..<part.upperBound]
        return result
    }
}
