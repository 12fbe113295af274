/// The names whose values must not be shown.
struct SensitiveNames: Sendable, Equatable {
    /// How much a name hides.
    enum Reach {
        case nothing
        /// A text or a number, and in a list what looks like a secret; the members of an object have names of their own.
        /// Elsewhere, the value is hidden only if it looks like a secret: `key` and `session` often mean something else.
        case value
        /// Whatever is below it.
        case everything
    }

    /// An app's own words, in lower case and without separators.
    private var added: Set<String> = []
    /// Words and names that the app wants to see, in the same form.
    private var removed: Set<String> = []

    /// Hidden anywhere in a name, with all that is below it: they are rarely part of a harmless word.
    private static let parts = table([
        "token", "secret", "passw", "passphrase", "passcode", "pwd", "credential", "cookie", "signature", "sessid",
        "mnemonic",
    ])

    /// The same where words are written together or apart: JSESSIONID, apiKey, connection_string.
    private static let compounds = table([
        "sessionid", "sessionkey", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "masterkey",
        "authkey", "authcode", "authorization", "sshkey", "licensekey", "appkey", "clientkey", "idempotencykey",
        "passkey", "pincode", "otpcode", "usersession", "codeverifier", "samlresponse", "samlart", "devicecode",
        "accesscode", "connectionstring", "cardnumber", "creditcard", "seedphrase", "recoveryphrase", "magiclink",
        "resetlink", "loginlink",
    ])

    /// Hidden only as whole words, because they are parts of harmless ones: monkey, author, pinned, possession, design.
    private static let words: Set<String> = [
        "key", "keys", "auth", "oauth", "authn", "authz", "authorisation", "authentication", "session", "sessions",
        "sess", "sid", "sig", "otp", "totp", "hotp", "mfa", "tfa", "pin", "pins", "pass", "pw", "jwt", "bearer", "csrf",
        "xsrf", "hmac", "cvv", "cvc", "ticket", "assertion", "dpop",
    ]

    /// Before `code` they make it a secret: `device_code` (RFC 8628), `reset-code`.
    private static let beforeCode: Set<String> = [
        "authorization", "authorisation", "auth", "device", "user", "verification", "security", "activation",
        "recovery", "backup", "login", "access", "sms", "mfa", "confirmation", "reset", "magic",
    ]

    /// As the last of several words they say that the value only describes a secret: `token_type`, `keySize`.
    private static let descriptions: Set<String> = [
        "type", "types", "count", "limit", "limits", "length", "size", "expiry", "expires", "expiration", "ttl", "age",
        "policy", "strength", "required", "enabled", "supported", "name", "names", "endpoint", "alg", "algorithm",
        "format", "usage", "used", "remaining", "max", "min", "at", "in", "method", "methods", "provider", "status",
        "details",
    ]

    /// Before `tokens` they say that it is a number of words: `max_tokens`.
    private static let beforeTokens: Set<String> = [
        "max", "min", "total", "prompt", "completion", "input", "output", "cached", "reasoning", "used", "remaining",
        "num",
    ]

    /// It says whether credentials may be sent (Fetch standard, 3.3.3).
    private static let harmless = "accesscontrolallowcredentials"

    /// How many words of a name may together be one of the app's.
    private static let wordLimit = 6

    func adding(_ names: [String]) -> SensitiveNames {
        let names = SensitiveNames.joined(names)
        return changed(self) { ($0.added, $0.removed) = (added.union(names), removed.subtracting(names)) }
    }

    func removing(_ names: [String]) -> SensitiveNames {
        let names = SensitiveNames.joined(names)
        return changed(self) { ($0.added, $0.removed) = (added.subtracting(names), removed.union(names)) }
    }

    private static func joined(_ names: [String]) -> [String] {
        names.map { Name(Array($0.utf8)).joined }.filter { !$0.isEmpty }
    }

    /// Whether the app changed the words.
    var isChanged: Bool { !added.isEmpty || !removed.isEmpty }

    /// How much the name of a query or form item hides: there, a `code` is a secret too (RFC 6749, 4.1).
    func reach(ofItem name: [UInt8]) -> Reach {
        let isCode = name.elementsEqual("code".utf8) && !removed.contains("code")
        return isCode ? .everything : reach(of: name)
    }

    /// How much a name hides.
    func reach(of name: [UInt8]) -> Reach { reach(of: Name(name)) }

    private func reach(of name: Name) -> Reach {
        guard !name.words.isEmpty else { return .nothing }
        if isAdded(name) { return .everything }
        let joined = name.joined
        if removed.contains(joined) || joined == SensitiveNames.harmless { return .nothing }
        if let last = name.words.last, name.words.count > 1 {
            let before = name.words[name.words.count - 2]
            if SensitiveNames.descriptions.contains(last) { return .nothing }
            if last == "tokens", SensitiveNames.beforeTokens.contains(before) { return .nothing }
        }
        let isHidden =
            SensitiveNames.occurs(SensitiveNames.parts, in: name.lowered, except: removed)
            || SensitiveNames.occurs(SensitiveNames.compounds, in: Array(joined.utf8), except: removed)
        if isHidden { return .everything }
        for (index, word) in name.words.enumerated() where !removed.contains(word) {
            if SensitiveNames.words.contains(word) { return .value }
            if index > 0, word == "code" || word == "codes", SensitiveNames.beforeCode.contains(name.words[index - 1]) {
                return word == "codes" ? .everything : .value
            }
        }
        // Capitals are not always humps: DPoP.
        if SensitiveNames.words.contains(joined) { return .value }
        return name.hasSecondFactor && !removed.contains("fa") ? .value : .nothing
    }

    /// Whether a name contains one of the app's words.
    func isAdded(_ name: [UInt8]) -> Bool { !added.isEmpty && isAdded(Name(name)) }

    private func isAdded(_ name: Name) -> Bool {
        guard !added.isEmpty else { return false }
        return name.words.indices.contains { first in
            var run = ""
            return name.words[first...].prefix(SensitiveNames.wordLimit).contains { word in
                run += word
                return added.contains(run)
            }
        }
    }

    private typealias Part = (bytes: [UInt8], text: String)

    /// Words by their first letter: a name has a place for each of its letters where one may begin.
    private static func table(_ words: [String]) -> [[Part]] {
        let parts: [Part] = words.map { (Array($0.utf8), $0) }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter in parts.filter { $0.bytes[0] == letter } }
    }

    private static func occurs(_ parts: [[Part]], in name: [UInt8], except removed: Set<String>) -> Bool {
        name.indices.contains { start in
            let letter = Int(name[start]) - Int(UInt8(ascii: "a"))
            return parts.indices.contains(letter)
                && parts[letter].contains { part in
                    name[start...].starts(with: part.bytes) && !removed.contains(part.text)
                }
        }
    }

    /// A name, split into words: runs of letters, split at the humps of camel case (`userAPIKey`: user, API, Key).
    struct Name {
        let lowered: [UInt8]
        let words: [String]

        init(_ bytes: [UInt8]) {
            var words: [String] = []
            var start = 0
            for position in 0...bytes.count {
                let isEnd = position == bytes.count || !Name.isLetter(bytes[position])
                var isHump = false
                if !isEnd, position > start, Name.isUpper(bytes[position]) {
                    let beginsWord = position + 1 < bytes.count && (0x61...0x7A).contains(bytes[position + 1])
                    isHump = !Name.isUpper(bytes[position - 1]) || beginsWord
                }
                guard isEnd || isHump else { continue }
                if position > start {
                    words.append(String(decoding: bytes[start..<position], as: UTF8.self).lowercased())
                }
                start = isEnd ? position + 1 : position
            }
            self.words = words
            lowered = bytes.map { Name.isUpper($0) ? $0 | 0x20 : $0 }
        }

        var joined: String { words.joined() }

        /// Whether it has `2FA` in it, and not as a part of a number.
        var hasSecondFactor: Bool {
            lowered.indices.contains { place in
                lowered[place...].starts(with: [0x32, 0x66, 0x61])
                    && (place == 0 || !Name.isLetter(lowered[place - 1]) && !(0x30...0x39).contains(lowered[place - 1]))
                    && (place + 3 == lowered.count || !Name.isLetter(lowered[place + 3]))
            }
        }

        /// Bytes beyond ASCII count as letters, so that words of other languages stay whole.
        private static func isLetter(_ byte: UInt8) -> Bool {
            isUpper(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
        }

        private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    }
}
