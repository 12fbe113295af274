/// The secrets of one call, found in all texts at a cost that is linear in them: a server chooses texts and values.
final class SecretValues: Sendable {
    /// In order, so that those with one beginning are together.
    private let secrets: [[UInt8]]
    /// Where those are that begin with a byte.
    private let byFirst: [Range<Int>]

    /// A shorter secret counts only as a whole word; otherwise `1234` would hide a part of any number.
    private static let freeLength = 8
    /// How much must be there of a secret that is cut off at the end of a text.
    private static let cutLength = 6
    private static let ellipsis = Array("…".utf8)

    /// - Parameter secrets: As ``CanonicalText/secret(_:)`` has them.
    init(_ secrets: [[UInt8]]) {
        let all = secrets.ordered { $0.lexicographicallyPrecedes($1) }
        self.secrets = all
        var end = 0
        byFirst = (0...UInt8.max).map { byte in
            let start = end
            while end < all.count, all[end][0] == byte { end += 1 }
            return start..<end
        }
    }

    /// Where the secrets are in a text, in any encoding.
    func secrets(in text: UnsafeRawBufferPointer) -> [SecretScan.Secret] {
        guard !secrets.isEmpty else { return [] }
        let plain = CanonicalText(text)
        let starts = plain.starts + [text.count]
        return plain.bytes.indices.compactMap { start in
            length(at: start, in: plain.bytes).map { .init(range: starts[start]..<starts[start + $0]) }
        }
    }

    /// How long the longest secret is that begins at a place, or what is left of one that is cut off there; nil for none.
    private func length(at start: Int, in bytes: [UInt8]) -> Int? {
        var candidates = byFirst[Int(bytes[start])]
        var found: Int?
        var length = 1
        while !candidates.isEmpty {
            let end = start + length
            let isCut =
                end == bytes.count
                || bytes[end] == SecretValues.ellipsis[0] && bytes[end...].starts(with: SecretValues.ellipsis)
            if isCut, length >= SecretValues.cutLength { found = length }
            if secrets[candidates.lowerBound].count == length {
                if isFree(start..<end, in: bytes) { found = length }
                candidates.removeFirst()
            }
            guard end < bytes.count else { break }
            while let first = candidates.first, secrets[first][length] < bytes[end] { candidates.removeFirst() }
            while let last = candidates.last, secrets[last][length] > bytes[end] { candidates.removeLast() }
            length += 1
        }
        return found
    }

    private func isFree(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        range.count >= SecretValues.freeLength
            || !(range.lowerBound > 0 && SecretValues.isOfWord(bytes[range.lowerBound - 1]))
                && !(range.upperBound < bytes.count && SecretValues.isOfWord(bytes[range.upperBound]))
    }

    private static func isOfWord(_ byte: UInt8) -> Bool { SecretShapes.isAlphanumeric(byte) || byte >= 0x80 }
}

/// Knows what a call sent and received.
protocol SecretSource: AnyObject, Sendable {
    /// The secrets in it. They are looked for when a text is made, never before.
    func values(named names: SensitiveNames) -> SecretValues
}

/// The secrets of a call that is over. It keeps only what is searched, because a trace may be kept for long.
final class CallSecrets: SecretSource {
    let carriers: [any SecretCarrier]
    /// What was found, guarded by the lock: a failure has many texts.
    private let found = Lock<(names: SensitiveNames, values: SecretValues)?>(nil)

    init(_ carriers: [any Sendable]) {
        self.carriers = SecretCollector.searched(carriers).map(\.bounded)
    }

    func values(named names: SensitiveNames) -> SecretValues {
        if let found = found.withLock({ $0 }), found.names == names { return found.values }
        let values = SecretCollector.values(in: carriers, named: names)
        found.withLock { $0 = (names, values) }
        return values
    }
}

/// A request or a response that secrets can be found in.
package protocol SecretCarrier: Sendable {
    /// Whether the call sent it.
    var isSent: Bool { get }
    /// The same with no more of the body than is searched.
    var bounded: any SecretCarrier { get }
    /// Adds the values of sensitive names, and what is a secret by its shape.
    func addSecrets(to collector: inout SecretCollector)
}

/// Finds the secrets in what a call sent and received.
package struct SecretCollector {
    private let names: SensitiveNames
    private var secrets: [[UInt8]] = []
    /// How many bytes may still be added.
    private var room = 16_384

    /// Shorter ones would hide too much that is harmless.
    private static let minimum = 4
    /// Longer ones are looked for in pieces of this length.
    private static let pieceLength = 64
    /// How many are looked for, and how much of a body is read.
    private static let countLimit = 256
    package static let bodyLimit = 65_536
    private static let sentLimit = 12
    private static let receivedLimit = 4
    /// Values under a sensitive name that are not secrets.
    private static let harmless: Set<String> = [
        "true", "false", "null", "none", "undefined", "bearer", "basic", "token", "password", "secret", "string",
        "number", Redaction.placeholder,
    ]

    static func values(in carriers: [any Sendable], named names: SensitiveNames) -> SecretValues {
        var collector = SecretCollector(names: names)
        for carrier in searched(carriers) { carrier.addSecrets(to: &collector) }
        return SecretValues(collector.secrets)
    }

    /// What is searched, in this order: what was sent comes first, so that a server cannot use up the room.
    static func searched(_ carriers: [any Sendable]) -> [any SecretCarrier] {
        let carriers = carriers.compactMap { $0 as? any SecretCarrier }
        // The last ones are those that texts speak of, and the first is the app's own.
        var sent = carriers.filter(\.isSent)
        if sent.count > sentLimit { sent.removeSubrange(1...(sent.count - sentLimit)) }
        return sent + carriers.filter { !$0.isSent }.suffix(receivedLimit)
    }

    package mutating func url(_ text: String) {
        search(Array(text.utf8), .url)
        // The user info as it is sent: in base64.
        let bytes = Array(text.utf8)
        guard let slash = bytes.firstIndex(of: 0x2F), bytes[slash...].dropFirst().first == 0x2F else { return }
        let authority = bytes[(slash + 2)...].prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        guard let at = authority.lastIndex(of: 0x40) else { return }
        let userInfo = SecretScan.percentDecoded(Array(authority[..<at]))
        add(Base64.encoded(userInfo))
        addPassword(of: userInfo)
    }

    package mutating func header(_ name: String, _ value: String) {
        let reach = names.reach(of: Array(name.utf8))
        let bytes = Array(value.utf8)
        guard reach != .nothing else { return search(bytes, Redaction.format(ofHeader: name)) }
        add(bytes, isWeak: reach == .value)
        let name = name.lowercased()
        if name.hasSuffix("cookie") {
            // Of a cookie that was set, the rest are its attributes.
            for pair in bytes.split(separator: 0x3B).prefix(name == "cookie" ? .max : 1) {
                guard let equals = pair.firstIndex(of: 0x3D) else { continue }
                let content = Array(pair[(equals + 1)...])
                // The names are the server's; a short value that none of them calls a secret is a setting.
                if content.count >= 8 || names.reach(of: Array(pair[..<equals])) != .nothing { add(content) }
            }
            return
        }
        let words = bytes.split(separator: 0x20, maxSplits: 1)
        guard words.count == 2 else { return }
        add(Array(words[1]), isWeak: reach == .value)
        if String(decoding: words[0], as: UTF8.self).lowercased() == "basic" {
            addPassword(of: Base64.decoded(Array(words[1])))
        }
        for parameter in words[1].split(whereSeparator: { $0 == 0x2C || $0 == 0x20 }) {
            guard let equals = parameter.firstIndex(of: 0x3D) else { continue }
            let name = Array(parameter[..<equals])
            // The others say what is asked for: the URL, the realm, the names of headers.
            let isProof = ["response", "mac"].contains(String(decoding: name, as: UTF8.self).lowercased())
            guard isProof || names.reach(of: name) == .everything else { continue }
            add(Array(parameter[equals...].drop { $0 == 0x3D || $0 == 0x22 }.prefix { $0 != 0x22 }))
        }
    }

    package mutating func body(_ bytes: some Collection<UInt8>, contentType: String?) {
        let bytes = Array(bytes.prefix(SecretCollector.bodyLimit))
        search(bytes, bytes.withUnsafeBytes { Redaction.format(of: $0, contentType) })
    }

    private mutating func search(_ bytes: [UInt8], _ format: SecretScan.Format, isNested: Bool = false) {
        let found = bytes.withUnsafeBytes { bytes in
            var scan = SecretScan(bytes, names, isNested: isNested)
            scan.run(format)
            return scan.secrets
        }
        for secret in found {
            let value = Array(bytes[secret.range])
            // A server may say what is in a secret, such as JSON, without the rest.
            if !isNested { search(SecretScan.decoded(value), .document, isNested: true) }
            guard !secret.isEncoded else { continue }
            add(value, isWeak: secret.isWeak)
            if let at = value.firstIndex(of: 0x3A), secret.range.upperBound < bytes.count,
                bytes[secret.range.upperBound] == 0x40
            {
                add(Array(value[(at + 1)...]))
            }
        }
    }

    private mutating func addPassword(of userInfo: [UInt8]) {
        guard let colon = userInfo.firstIndex(of: 0x3A) else { return }
        add(userInfo)
        add(Array(userInfo[(colon + 1)...]))
    }

    private mutating func add(_ value: [UInt8], isWeak: Bool = false) {
        var secret = CanonicalText.secret(Array(value.prefix(room)))
        // The padding of base64, which is often left out.
        while secret.last == 0x3D { secret.removeLast() }
        guard secret.count >= SecretCollector.minimum, secrets.count < SecretCollector.countLimit,
            !isWeak || SecretShapes.looksLikeSecret(secret),
            secret.contains(where: { SecretShapes.isAlphanumeric($0) || $0 >= 0x80 }),
            secret.count > 16
                || !SecretCollector.harmless.contains(String(decoding: secret, as: UTF8.self).lowercased())
        else { return }
        var start = 0
        while start < secret.count {
            let end = min(start + SecretCollector.pieceLength, secret.count)
            // The last piece is as long as the others.
            let piece = Array(secret[max(0, start == 0 ? 0 : end - SecretCollector.pieceLength)..<end])
            if !secrets.contains(piece) {
                secrets.append(piece)
                room -= piece.count
            }
            start = end
        }
    }
}

/// Base64 (RFC 4648, 4) for user info.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Without padding.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start...].prefix(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0...group.count { result.append(digits[bits >> (18 - 6 * index) & 63]) }
        }
        return result
    }

    /// As far as it is base64.
    static func decoded(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var bits = 0
        var count = 0
        for byte in text {
            guard let digit = digits.firstIndex(of: byte) else { break }
            bits = (bits << 6 | digit) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(bits >> count & 0xFF))
            }
        }
        return result
    }
}
