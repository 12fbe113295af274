/// What is a secret by its shape, whatever stands around it.
enum SecretShapes {
    /// Beginnings of keys, how many characters follow at least, and who gives them out; behind those of 10, words are short.
    private static let prefixes: [(text: [UInt8], rest: Int)] = [
        // Stripe.
        ("sk_live_", 10), ("sk_test_", 10), ("rk_live_", 10), ("rk_test_", 10), ("whsec_", 10),
        // GitHub and GitLab.
        ("ghp_", 10), ("gho_", 10), ("ghu_", 10), ("ghs_", 10), ("ghr_", 10), ("github_pat_", 10), ("glpat-", 10),
        // Slack.
        ("xoxb-", 10), ("xoxp-", 10), ("xoxa-", 10), ("xoxr-", 10), ("xoxs-", 10), ("xapp-", 10),
        // AWS and Google.
        ("AKIA", 16), ("ASIA", 16), ("AIza", 30), ("ya29.", 20),
        // OpenAI, Anthropic, SendGrid, npm, Hugging Face, Shopify, DigitalOcean.
        ("sk-", 20), ("SG.", 20), ("npm_", 20), ("hf_", 20), ("shpat_", 20), ("dop_v1_", 20),
    ].map { (Array($0.0.utf8), $0.1) }

    /// The first bytes of JSON Web Tokens: `{"` and the header's usual first members in base64.
    private static let webToken = Array("eyJ".utf8)
    private static let webTokenHeads = ["eyJhbGciOi", "eyJ0eXAiOi", "eyJraWQiOi", "eyJlbmMiOi"].map { Array($0.utf8) }

    private static let keyTitle = Array("PRIVATE KEY".utf8)
    private static let hyphens = Array("----".utf8)

    /// For each byte, whether a key, a token or a scheme begins with it.
    private static let begins: [Bool] = {
        let first = prefixes.map { $0.text[0] } + [webToken[0]] + Array("Bb".utf8)
        return (0...UInt8.max).map(first.contains)
    }()

    /// The first secret that begins in a run of the bytes of words, or stands behind one.
    static func find(in bytes: UnsafeRawBufferPointer, _ word: Range<Int>) -> Range<Int>? {
        guard word.count >= 5 else { return nil }
        if bytes[word.upperBound - 1] == 0x4E, bytes[word].suffix(5).elementsEqual("BEGIN".utf8),
            let key = privateKey(in: bytes, behind: word.upperBound)
        {
            return key
        }
        let begins = begins
        for start in word
        where begins[Int(bytes[start])] && (start == word.lowerBound || !isAlphanumeric(bytes[start - 1])) {
            if bytes[start] | 0x20 == 0x62, let credentials = credentials(in: bytes, at: start) { return credentials }
            let rest = bytes[start..<word.upperBound]
            // What decides is near the beginning, so that a long run is not read again and again.
            let near = rest.prefix(300)
            if rest.starts(with: webToken) {
                let hasParts = near.firstIndex(of: 0x2E).map { $0 + 1 < word.upperBound } ?? false
                if hasParts && word.count >= 8 || webTokenHeads.contains(where: { rest.starts(with: $0) }) {
                    return start..<end(in: rest, isDotted: true)
                }
            }
            guard let prefix = prefixes.first(where: { rest.starts(with: $0.text) }) else { continue }
            let isDotted = prefix.text.last == 0x2E
            let key = near[..<end(in: near, isDotted: isDotted)].dropFirst(prefix.text.count)
            // No word has so many letters; few stand behind some beginnings.
            let isLong = key.count >= (prefix.rest <= 16 ? 16 : 30) && key.allSatisfy(isAlphanumeric)
            if key.count >= prefix.rest, isLong || key.contains(where: { (0x30...0x39).contains($0) }) {
                return start..<end(in: rest, isDotted: isDotted)
            }
        }
        return nil
    }

    /// The end of a key.
    private static func end(in text: Slice<UnsafeRawBufferPointer>, isDotted: Bool) -> Int {
        text.firstIndex { !isAlphanumeric($0) && $0 != 0x2D && $0 != 0x5F && !(isDotted && $0 == 0x2E) }
            ?? text.endIndex
    }

    /// A private key (RFC 7468, RFC 9580, 6.2, RFC 4716, 3.4) behind `BEGIN`, to its end mark or that of the text.
    private static func privateKey(in bytes: UnsafeRawBufferPointer, behind begin: Int) -> Range<Int>? {
        let head = bytes[begin...].prefix(60)
        guard let title = head.indices.first(where: { bytes[$0] == keyTitle[0] && bytes[$0...].starts(with: keyTitle) })
        else { return nil }
        // `BLOCK` or a space may be before the hyphens.
        guard var start = bytes[(title + keyTitle.count)...].prefix(7).firstIndex(of: 0x2D),
            bytes[start...].starts(with: hyphens)
        else { return nil }
        while start < bytes.count, bytes[start] == 0x2D { start += 1 }
        var end = start
        while end < bytes.count, !(bytes[end] == 0x2D && bytes[end...].starts(with: hyphens)) { end += 1 }
        return start..<end
    }

    /// The credentials behind `Bearer` or `Basic` (RFC 9110, 11.4), which may stand in quotes, with the padding of base64;
    /// nil for challenges (`Bearer realm="x"`) and sentences ("a bearer token is missing").
    private static func credentials(in bytes: UnsafeRawBufferPointer, at word: Int) -> Range<Int>? {
        let name = bytes[word...].prefix(6).map { $0 | 0x20 }
        let isBasic = name.starts(with: "basic".utf8)
        guard isBasic || name.elementsEqual("bearer".utf8) else { return nil }
        let gap = word + (isBasic ? 5 : 6)
        // White space and a quote, however they are written.
        let near = CanonicalText(UnsafeRawBufferPointer(rebasing: bytes[gap...].prefix(32)))
        var rest = near.bytes.drop { $0 == 0x20 || $0 >= 0x80 }
        guard let first = rest.indices.first, near.starts[first] > 0, bytes[gap] != 0x25, !rest.starts(with: mark)
        else { return nil }
        if let quote = rest.first, [JSONBytes.quote, 0x27, 0x3C, 0x28, 0x5B, 0x7B].contains(quote) {
            rest.removeFirst()
        }
        guard !rest.isEmpty, case let start = gap + near.starts[rest.startIndex] else { return nil }
        let isOnOneLine = !bytes[gap..<start].contains { $0 == 0x0A || $0 == 0x0D }
        var end = start
        while end < bytes.count, isToken(bytes[end]) || isEscapedSlash(bytes, end) { end += 1 }
        // A quote, an ellipsis, or the rest of a sentence without spaces.
        while end > start, bytes[end - 1] >= 0x80 { end -= 1 }
        let token = String(decoding: bytes[start..<end].prefix(24), as: UTF8.self)
        var padded = end
        while padded < bytes.count, bytes[padded] == 0x3D { padded += 1 }
        guard end > start, !(padded == end + 1 && parameters.contains(token)),
            isOnOneLine || looksLikeToken(bytes[start..<padded])
        else { return nil }
        let isWord = bytes[start..<padded].allSatisfy { (0x61...0x7A).contains($0) }
        let isProse = isWord && (isBasic || bytes[word] > 0x60)
        return isProse || prose.contains(token.lowercased()) ? nil : start..<padded
    }

    private static let mark = Array(Redaction.placeholder.utf8)

    /// Parameters of challenges (RFC 6750, 3; RFC 7617, 2; RFC 9728, 5.1).
    private static let parameters: Set<String> = [
        "realm", "scope", "error", "error_description", "error_uri", "charset", "resource_metadata", "resource",
        "authorization_uri", "nonce", "qop", "algorithm", "opaque", "domain", "stale", "max_age", "acr_values",
    ]

    /// Words behind `Bearer` and `Basic` in sentences about them.
    private static let prose: Set<String> = [
        "token", "tokens", "auth", "authentication", "authorization", "credentials", "scheme", "challenge", "realm",
        "is", "was", "has", "must", "not", "expired", "missing", "invalid", "required", "and", "or", "header", "error",
    ]

    private static func isToken(_ byte: UInt8) -> Bool {
        SecretScan.isWord(byte) || byte == 0x7E || byte == 0x2B || byte == 0x2F
    }

    /// A slash as some JSON writers write it.
    private static func isEscapedSlash(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        bytes[place] == JSONBytes.backslash && place + 1 < bytes.count && bytes[place + 1] == 0x2F
    }

    /// Whether a value is more than a word or a sentence: `T-1000`, but not `price`, `required` or `Session 1: Intro`.
    static func looksLikeSecret(_ value: some Collection<UInt8>) -> Bool {
        let hasDigit = value.contains { (0x30...0x39).contains($0) }
        guard value.contains(0x20) else { return hasDigit || value.count >= 16 }
        return hasDigit && !value.contains { (0x61...0x7A).contains($0 | 0x20) }
    }

    /// Whether a name, or a part of a path, looks like a token: 16 bytes or more, one of them a digit.
    static func looksLikeToken(_ name: some Collection<UInt8>) -> Bool {
        name.count >= 16 && name.contains { (0x30...0x39).contains($0) }
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
