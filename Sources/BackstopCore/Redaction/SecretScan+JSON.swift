// JSON, also as text within JSON, and the arguments of GraphQL.
extension SecretScan {
    /// A quote may close a key, or open a string where everything is secret.
    mutating func quote() {
        let place = position
        let slashes = backslashes(before: place)
        let key = min(keyStart, place - slashes)..<(place - slashes)
        position += 1
        keyStart = position
        let colon = skippingSpace(from: position)
        if byte(colon) == JSONBytes.colon, key.count <= SecretScan.nameLimit {
            position = skippingSpace(from: colon + 1)
            let reach = place < everythingEnd ? .everything : self.reach(ofKey: key)
            // A list by token or session: `{"tokens":{"9f86d081884c7d65":{}}}`.
            if place < everythingEnd, SecretShapes.looksLikeToken(bytes[key]) { hide(key) }
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

    mutating func reach(ofKey key: Range<Int>) -> SensitiveNames.Reach {
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
    mutating func enter(_ key: Range<Int>) {
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
    mutating func hideMember(_ reach: SensitiveNames.Reach) {
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
    mutating func hideElements() {
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

    mutating func hideNumber(_ reach: SensitiveNames.Reach = .everything) {
        let number = position..<endOfRun(from: position, SecretScan.isWord)
        secrets.append(Secret(range: number, isNumber: true, isWeak: reach == .value))
        position = number.upperBound
    }

    /// The quote that opens a string at a place, behind backslashes if the JSON is inside a string.
    func openingQuote(at place: Int) -> Int? {
        let quote = endOfRun(from: place) { $0 == JSONBytes.backslash }
        return byte(quote) == JSONBytes.quote ? quote : nil
    }

    /// How many strings are open where a quote has so many backslashes.
    static func depth(_ backslashes: Int) -> Int { min((~backslashes).trailingZeroBitCount, 20) }

    /// The content of a string, and the end of its quote. A string around it ends it as well.
    func string(from start: Int, depth: Int) -> (content: Range<Int>, end: Int) {
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
    func isQuotes(at place: Int, _ depth: Int) -> Bool {
        let one = depth == 0 ? [JSONBytes.quote] : [JSONBytes.quote, JSONBytes.backslash]
        return bytes[max(0, place)...].starts(with: (one + one + [JSONBytes.quote]))
    }

    /// A block string of GraphQL behind its first quote; in it, a backslash goes before three quotes.
    func block(from start: Int, _ depth: Int) -> (content: Range<Int>, end: Int) {
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
    func endOfNesting(from start: Int) -> Int {
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

    func speaksOfAuthorization() -> Bool {
        let words = ["grant_type", "authorization_code", "code_verifier"].map { Array($0.utf8) }
        return bytes.indices.contains { start in
            words.contains { $0[0] == bytes[start] && bytes[start...].starts(with: $0) }
        }
    }
}
