/// The secrets of one call, found in all texts in one pass (Aho and Corasick, 1975): a server chooses texts and values.
final class SecretValues: Sendable {
    private struct Node {
        let parent: Int
        let byte: UInt8
        let depth: Int
        var isEnd = false
        /// The node of the longest end of this one's text that begins a secret.
        var fallback = 0
        /// The nearest of them at which a secret ends; 0 for none.
        var shorter = 0
    }

    private let nodes: [Node]
    /// The node that a byte leads to from another.
    private let edges: [Int: Int]
    /// The nodes after the first.
    private let firstNodes: [Int]

    /// A shorter secret counts only as a whole word; otherwise `1234` would hide a part of any number.
    private static let freeLength = 8
    /// How much must be there of a secret that is cut off at the end of a text.
    private static let cutLength = 6
    private static let ellipsis = Array("…".utf8)

    /// - Parameter secrets: As ``CanonicalText/secret(_:)`` has them.
    init(_ secrets: some Collection<[UInt8]>) {
        var nodes = [Node(parent: 0, byte: 0, depth: 0)]
        var edges: [Int: Int] = [:]
        for secret in secrets {
            var node = 0
            for byte in secret {
                if let next = edges[node << 8 | Int(byte)] {
                    node = next
                } else {
                    edges[node << 8 | Int(byte)] = nodes.count
                    nodes.append(Node(parent: node, byte: byte, depth: nodes[node].depth + 1))
                    node = nodes.count - 1
                }
            }
            nodes[node].isEnd = true
        }
        // By depth: what a node falls back to is complete before it.
        for node in nodes.indices.ordered(by: { nodes[$0].depth < nodes[$1].depth }) where nodes[node].depth > 1 {
            var candidate = nodes[nodes[node].parent].fallback
            while candidate != 0, edges[candidate << 8 | Int(nodes[node].byte)] == nil {
                candidate = nodes[candidate].fallback
            }
            let fallback = edges[candidate << 8 | Int(nodes[node].byte)] ?? 0
            nodes[node].fallback = fallback
            nodes[node].shorter = nodes[fallback].isEnd ? fallback : nodes[fallback].shorter
        }
        self.nodes = nodes
        self.edges = edges
        firstNodes = (0..<256).map { edges[$0] ?? 0 }
    }

    var isEmpty: Bool { nodes.count == 1 }

    /// Where the secrets are in a text, in any encoding.
    func secrets(in text: UnsafeRawBufferPointer) -> [SecretScan.Secret] {
        guard !isEmpty else { return [] }
        let plain = CanonicalText(text)
        let bytes = plain.bytes
        var found: [SecretScan.Secret] = []
        func hide(_ range: Range<Int>) {
            let end = range.upperBound < bytes.count ? plain.starts[range.upperBound] : text.count
            found.append(.init(range: plain.starts[range.lowerBound]..<end))
        }
        func isFree(_ range: Range<Int>) -> Bool {
            range.count >= SecretValues.freeLength
                || !(range.lowerBound > 0 && SecretValues.isOfWord(bytes[range.lowerBound - 1]))
                    && !(range.upperBound < bytes.count && SecretValues.isOfWord(bytes[range.upperBound]))
        }
        var node = 0
        for (position, byte) in bytes.enumerated() {
            if byte == SecretValues.ellipsis[0], nodes[node].depth >= SecretValues.cutLength,
                bytes[position...].starts(with: SecretValues.ellipsis)
            {
                hide((position - nodes[node].depth)..<position)
            }
            node = self.node(behind: node, byte)
            var end = nodes[node].isEnd ? node : nodes[node].shorter
            while end != 0 {
                let range = (position + 1 - nodes[end].depth)..<(position + 1)
                if isFree(range) {
                    hide(range)
                    break
                }
                end = nodes[end].shorter
            }
        }
        if nodes[node].depth >= SecretValues.cutLength { hide((bytes.count - nodes[node].depth)..<bytes.count) }
        return found
    }

    private func node(behind node: Int, _ byte: UInt8) -> Int {
        var node = node
        while node != 0 {
            if let next = edges[node << 8 | Int(byte)] { return next }
            node = nodes[node].fallback
        }
        return firstNodes[Int(byte)]
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
    private var secrets: Set<[UInt8]> = []
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

    init(_ names: SensitiveNames) {
        self.names = names
    }

    static func values(in carriers: [any Sendable], named names: SensitiveNames) -> SecretValues {
        var collector = SecretCollector(names)
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
        guard let slash = bytes.firstIndex(of: 0x2F), bytes[slash...].starts(with: [0x2F, 0x2F]) else { return }
        let authority = bytes[(slash + 2)...].prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        guard let at = authority.lastIndex(of: 0x40) else { return }
        let userInfo = SecretScan.percentDecoded(Array(authority[..<at]))
        add(Base64.encoded(userInfo))
        addPassword(of: userInfo)
    }

    package mutating func header(_ name: String, _ value: String) {
        let reach = names.reach(of: name.utf8)
        guard reach != .nothing else { return search(Array(value.utf8), Redaction.format(ofHeader: name)) }
        add(value.utf8, isWeak: reach == .value)
        if name.lowercased().hasSuffix("cookie") {
            // Of a cookie that was set, the rest are its attributes.
            let pairs = value.split(separator: ";").prefix(name.lowercased() == "cookie" ? .max : 1)
            for pair in pairs {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                // The names are the server's; a short value that none of them calls a secret is a setting.
                if parts[1].utf8.count >= 8 || names.match(parts[0].utf8) { add(parts[1].utf8) }
            }
            return
        }
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return }
        add(words[1].utf8, isWeak: reach == .value)
        if words[0].lowercased() == "basic" { addPassword(of: Base64.decoded(words[1].utf8)) }
        for parameter in words[1].split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard let equals = parameter.firstIndex(of: "=") else { continue }
            let name = parameter[..<equals]
            // The others say what is asked for: the URL, the realm, the names of headers.
            guard names.reach(of: name.utf8) == .everything || ["response", "mac"].contains(name.lowercased()) else {
                continue
            }
            add(parameter[equals...].drop { $0 == "=" || $0 == "\"" }.prefix { $0 != "\"" }.utf8)
        }
    }

    package mutating func body(_ bytes: some Collection<UInt8>, contentType: String?) {
        let bytes = Array(bytes.prefix(SecretCollector.bodyLimit))
        search(bytes, Redaction.format(of: bytes, contentType))
    }

    private mutating func search(_ bytes: [UInt8], _ format: SecretScan.Format, isNested: Bool = false) {
        let found = bytes.withUnsafeBytes { bytes in
            var scan = SecretScan(bytes, names, isNested: isNested)
            scan.run(format)
            return scan.secrets
        }
        for secret in found {
            let value = bytes[secret.range]
            // A server may say what is in a secret, such as JSON, without the rest.
            if !isNested { search(SecretScan.decoded(value), .document, isNested: true) }
            guard !secret.isEncoded else { continue }
            add(value, isWeak: secret.isWeak)
            if let at = value.firstIndex(of: 0x3A), secret.range.upperBound < bytes.count,
                bytes[secret.range.upperBound] == 0x40
            {
                add(value[(at + 1)...])
            }
        }
    }

    private mutating func addPassword(of userInfo: [UInt8]) {
        guard let colon = userInfo.firstIndex(of: 0x3A) else { return }
        add(userInfo)
        add(userInfo[(colon + 1)...])
    }

    private mutating func add(_ value: some Collection<UInt8>, isWeak: Bool = false) {
        var secret = CanonicalText.secret(value.prefix(room))
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
            if secrets.insert(piece).inserted { room -= piece.count }
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
    static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
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
