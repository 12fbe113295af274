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
    let end: Int
    /// Whether the text was encoded inside another: then encoded text in it is not examined again.
    let isNested: Bool
    var isURL = false
    var secrets: [Secret] = []
    var position = 0
    /// After the last quote; the key that the next quote may close begins there.
    var keyStart = 0
    /// The end of the container in which everything is secret.
    var everythingEnd = 0
    /// The end of the container of messages about fields.
    var messagesEnd = 0
    /// The end of a GraphQL document.
    var documentEnd = 0
    /// The end of the element in which everything is secret.
    var elementEnd = 0
    /// The end of the string of JSON in which the last such element began.
    var stringEnd = 0
    /// Whether the text is part of an exchange that issues tokens (RFC 6749), in which a `code` is a secret; nil while
    /// nobody asked.
    var issuesTokens: Bool?

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

    func backslashes(before place: Int) -> Int {
        var start = place
        while start > 0, bytes[start - 1] == JSONBytes.backslash { start -= 1 }
        return place - start
    }

    /// Skips white space, also that of JSON inside strings: `\n`.
    func skippingSpace(from start: Int) -> Int {
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
