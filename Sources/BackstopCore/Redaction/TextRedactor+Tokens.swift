// Tokens and user info, which need no name.

extension TextRedactor.Pass {
    /// Where a JSON Web Token begins in a word: `eyJ`, and two dots behind it or a cut.
    func webToken(in word: Range<Int>) -> Int? {
        guard word.count >= 3 else { return nil }
        for start in word.lowerBound...(word.upperBound - 3)
        where bytes[start] == 0x65 && bytes[start + 1] == 0x79 && bytes[start + 2] == 0x4A {
            let dots = bytes[start..<word.upperBound].lazy.filter { $0 == 0x2E }.prefix(2).count
            // The ellipsis of a cut is made of bytes beyond ASCII, which count as name bytes.
            let isCut = word.upperBound == bytes.count || bytes[word.upperBound - 1] >= 0x80
            return dots >= 2 || isCut ? start : nil
        }
        return nil
    }

    /// Whether a word is the name of an authentication scheme, and if so, whether it is `Basic`.
    func scheme(_ word: Range<Int>) -> Bool? {
        switch lowered(word) {
        case "bearer": false
        case "basic": true
        default: nil
        }
    }

    /// Handles what follows `Bearer` or `Basic`: a token, unless it is clearly prose or a parameter of a challenge.
    mutating func credentials(isBasic: Bool, isCapital: Bool) {
        var start = position
        while start < bytes.count {
            if [0x20, 0x09, 0x2B].contains(bytes[start]) {
                start += 1
            } else if let length = spaceEscape(at: start) {
                start += length
            } else {
                break
            }
        }
        guard start > position else { return }
        show(upTo: start)
        // Behind another scheme that belongs to the same parameter.
        guard start >= parameterEnd, !bytes[start...].starts(with: TextRedactor.mark) else { return }
        let token = tokenStart(from: start)
        let end = endOfToken(from: token)
        guard end > token else { return }
        let isParameter = bytes[end - 1] == 0x3D && end < bytes.count && bytes[end] == JSONBytes.quote
        let isProse = TextRedactor.prose.contains(lowered(token..<end) ?? "")
        // "a basic plan": the encoded user and password would have capitals or digits.
        let isAdjective = isBasic && !isCapital && bytes[token..<end].allSatisfy { (0x61...0x7A).contains($0) }
        if isParameter { parameterEnd = end }
        guard !isParameter, !isProse, !isAdjective else { return }
        show(upTo: token)
        hide(upTo: end)
    }

    /// The position of a token that may stand in quotes or brackets.
    private func tokenStart(from start: Int) -> Int {
        var next = start
        while next < bytes.count, next - start < 8, bytes[next] == JSONBytes.backslash { next += 1 }
        guard next < bytes.count else { return start }
        let isBracket = next == start && [0x3C, 0x28, JSONBytes.openBrace, JSONBytes.openBracket].contains(bytes[next])
        return isBracket || TextRedactor.isQuote(bytes[next]) ? next + 1 : start
    }

    /// The end of a token, in which JSON may have put a backslash before each slash.
    private func endOfToken(from start: Int) -> Int {
        var end = start
        while end < bytes.count,
            TextRedactor.isTokenByte(bytes[end]) || bytes[end...].starts(with: TextRedactor.escapedSlash)
        { end += 1 }
        return end
    }

    /// Handles what follows `//`: user info, when there is an `@` before the path.
    mutating func userInfo() {
        let end = endOfRun { !TextRedactor.endsAuthority($0) }
        let authority = bytes[position..<end]
        if let at = authority.lastIndex(of: 0x40) { return hide(upTo: at) }
        guard let colon = authority.firstIndex(of: 0x3A), authority.first != JSONBytes.openBracket else { return }
        let port = bytes[(colon + 1)..<end]
        guard port.count > 5 || !port.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
        // Cut before the `@`: a password where only a port may be.
        if end == bytes.count || bytes[end] >= 0x80 { return hide(upTo: end) }
        // A password with a sign that ends a host. Bounded, so that long runs of slashes are not read again and again.
        let further = bytes[end...].prefix(256).prefix { $0 > 0x20 && !TextRedactor.isQuote($0) && $0 != 0x3C }
        if let at = further.lastIndex(of: 0x40) { hide(upTo: at) }
    }
}

extension TextRedactor {
    /// Words that follow `Bearer` or `Basic` in sentences about them.
    private static let prose: Set<String> = [
        "token", "tokens", "auth", "authentication", "authorization", "credentials", "scheme", "challenge", "realm",
    ]

    /// A slash as some JSON writers write it.
    private static let escapedSlash: [UInt8] = [JSONBytes.backslash, 0x2F]

    /// The bytes of a token68 (RFC 9110, 11.2), and what may stand where one was encoded or cut.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || byte == 0x7E || byte == 0x2B || byte == 0x2F || byte == 0x3D
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x2F, 0x3F, 0x23, JSONBytes.quote, 0x3C, JSONBytes.backslash].contains(byte)
    }
}
