/// The names whose values must not be shown.
struct SensitiveNames: Sendable {
    /// An app's own words, in lower case and without separators.
    private var added: Set<String> = []
    /// The UTF-8 length of the longest added word.
    private var longestAdded = 0

    /// Hidden anywhere in a name: they are rarely part of a harmless word.
    private static let parts: [[UInt8]] = [
        "token", "secret", "passw", "passphrase", "passcode", "pwd", "credential", "cookie", "signature",
        // Written together, as in JSESSIONID and apikey.
        "sessionid", "sessid", "sessionkey", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey",
        "masterkey", "authkey", "authcode", "authorization", "sshkey", "licensekey", "appkey", "clientkey",
        "idempotencykey", "passkey", "pincode", "otpcode", "usersession", "codeverifier", "samlresponse", "samlart",
        "dpop",
        "devicecode", "accesscode",
    ].map { Array($0.utf8) }

    /// Hidden only as whole words, because they are parts of harmless ones: monkey, author, pinned, possession, design.
    private static let words: Set<String> = [
        "key", "keys", "auth", "oauth", "authn", "authz", "authorisation", "authentication", "session", "sessions",
        "sess", "sid", "sig", "otp", "totp", "hotp", "mfa", "tfa", "pin", "pins", "pass", "pw", "jwt", "bearer", "csrf",
        "xsrf",
        "hmac", "cvv", "cvc", "ticket", "assertion",
    ]

    /// Before `code` they make it a secret: `device_code` (RFC 8628), `verification-code`.
    private static let beforeCode: Set<String> = [
        "authorization", "authorisation", "auth", "device", "user", "verification", "security", "activation",
        "recovery",
        "backup", "login", "access", "sms", "mfa", "confirmation",
    ]

    /// It says whether credentials may be sent, but is not one itself (Fetch standard, 3.3.3).
    private static let harmless = Array("access-control-allow-credentials".utf8)

    /// A longer word is none of those above.
    private static let longestWord = 16

    init() {}

    func adding(_ words: [String]) -> SensitiveNames {
        var result = self
        for word in words {
            var joined: [UInt8] = []
            SensitiveNames.forEachWord(of: Array(word.utf8)) { joined += $0 }
            let text = String(decoding: joined, as: UTF8.self).lowercased()
            guard !text.isEmpty else { continue }
            result.added.insert(text)
            result.longestAdded = max(result.longestAdded, text.utf8.count)
        }
        return result
    }

    /// Whether a name is sensitive.
    func match(_ name: some Collection<UInt8>) -> Bool {
        let bytes = Array(name)
        guard !bytes.isEmpty else { return false }
        if SensitiveNames.hasPart(bytes) { return !SensitiveNames.isHarmless(bytes) }
        // The last few words, as long as they could together be an added one.
        var recent: [[UInt8]] = []
        var isSensitive = false
        var isBeforeCode = false
        var isCode = false
        SensitiveNames.forEachWord(of: bytes) { word in
            guard !isSensitive else { return }
            let text = word.count <= SensitiveNames.longestWord ? SensitiveNames.lowered(word) : ""
            let followsCode = isCode
            isCode = text == "code"
            if SensitiveNames.words.contains(text) || isBeforeCode && isCode || followsCode && text == "verifier"
                || text == "fa" && SensitiveNames.isSecondFactor(bytes, before: word.startIndex)
            {
                isSensitive = true
            } else if longestAdded > 0 {
                isSensitive = endsInAdded(Array(word), &recent)
            }
            isBeforeCode = SensitiveNames.beforeCode.contains(text)
        }
        return isSensitive
    }

    /// Whether the value of a query or form item is a secret: there, a `code` is one too.
    func matchItem(_ name: some Collection<UInt8>) -> Bool {
        match(name) || (name.count == 4 && SensitiveNames.lowered(Array(name)[...]) == "code")
    }

    /// Whether a name contains one of the app's words.
    func matchAdded(_ name: some Collection<UInt8>) -> Bool {
        guard hasAdded else { return false }
        var recent: [[UInt8]] = []
        var isAdded = false
        SensitiveNames.forEachWord(of: Array(name)) { word in
            isAdded = isAdded || endsInAdded(Array(word), &recent)
        }
        return isAdded
    }

    /// Whether an app added words of its own.
    var hasAdded: Bool { !added.isEmpty }

    /// Whether a text is part of an exchange that issues tokens (RFC 6749).
    static func speaksOfAuthorization(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.contains(0x5F) else { return false }
        let words = ["grant_type", "authorization_code", "code_verifier"].map { Array($0.utf8) }
        return bytes.indices.contains { start in
            words.contains { $0[0] == bytes[start] && bytes[start...].starts(with: $0) }
        }
    }

    private static func isHarmless(_ bytes: [UInt8]) -> Bool {
        bytes.count == harmless.count && bytes.map { isUpper($0) ? $0 | 0x20 : $0 } == harmless
    }

    /// Whether the words read so far end in an added one.
    private func endsInAdded(_ word: [UInt8], _ recent: inout [[UInt8]]) -> Bool {
        // Lower case may be longer or shorter in UTF-8, hence the margin.
        let room = longestAdded * 2
        guard word.count <= room else {
            recent = []
            return false
        }
        recent.append(word)
        while recent.reduce(0, { $0 + $1.count }) > room { recent.removeFirst() }
        var joined: [UInt8] = []
        for word in recent.reversed() {
            joined = word + joined
            if added.contains(String(decoding: joined, as: UTF8.self).lowercased()) { return true }
        }
        return false
    }

    private static func lowered(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.map { isUpper($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Whether one of the parts occurs anywhere in a name.
    private static func hasPart(_ bytes: [UInt8]) -> Bool {
        for start in bytes.indices {
            let first = bytes[start] | 0x20
            for part in parts where part[0] == first && bytes.count - start >= part.count {
                var matched = 1
                while matched < part.count, bytes[start + matched] | 0x20 == part[matched] { matched += 1 }
                if matched == part.count { return true }
            }
        }
        return false
    }

    /// Whether the letters that begin at a position are those of `2FA`, and not a part of a number.
    private static func isSecondFactor(_ bytes: [UInt8], before start: Int) -> Bool {
        guard start > 0, bytes[start - 1] == 0x32 else { return false }
        return start == 1 || !(isLetter(bytes[start - 2]) || (0x30...0x39).contains(bytes[start - 2]))
    }

    /// Calls `body` with each word: a run of letters, split at the humps of camel case (`userAPIKey`: user, API, Key).
    private static func forEachWord(of bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        var start = 0
        for position in 0...bytes.count {
            let isEnd = position == bytes.count || !isLetter(bytes[position])
            if isEnd {
                if position > start { body(bytes[start..<position]) }
                start = position + 1
            } else if position > start, isUpper(bytes[position]) {
                let followsLower = !isUpper(bytes[position - 1])
                let beginsWord = position + 1 < bytes.count && isLower(bytes[position + 1])
                if followsLower || beginsWord {
                    body(bytes[start..<position])
                    start = position
                }
            }
        }
    }

    /// Non-ASCII bytes count as letters, so that words of other languages stay whole.
    private static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || isLower(byte) || byte >= 0x80 }
    private static func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
    private static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
}
