/// Removes the values of sensitive keys, and values next to such a name, from JSON, whether whole, truncated or
/// malformed.
///
/// It does not parse: anything between two quotes and before a colon is a key. That works wherever the text was cut,
/// even inside a string, where a parser would confuse strings with what is between them.
struct JSONRedactor {
    let names: SensitiveNames

    private static let mark = Array("\"\(Redaction.placeholder)\"".utf8)

    /// The bytes with a mark in place of each sensitive value.
    func redacted(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        redacted(bytes, within: 0..<bytes.count)
    }

    /// A part of the bytes with a mark in place of each sensitive value.
    ///
    /// The text before the part is read for its keys, to recognize a part of a sensitive value.
    func redacted(_ bytes: UnsafeRawBufferPointer, within part: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(part.count)
        var copied = part.lowerBound
        func hide(_ value: Range<Int>) {
            guard value.upperBound > copied else { return }
            if value.lowerBound > copied { result += bytes[copied..<value.lowerBound] }
            result += JSONRedactor.mark
            copied = value.upperBound
        }
        var echoes = JSONEchoes(names: names, json: JSONBytes(bytes)).values(in: part)[...]
        forEachSensitiveValue(in: bytes, upTo: part.upperBound) { value in
            while let echo = echoes.first, echo.lowerBound < value.lowerBound {
                hide(echo)
                echoes = echoes.dropFirst()
            }
            hide(value)
        }
        echoes.forEach(hide)
        if copied < part.upperBound { result += bytes[copied..<part.upperBound] }
        return result
    }

    private func forEachSensitiveValue(in bytes: UnsafeRawBufferPointer, upTo end: Int, _ body: (Range<Int>) -> Void) {
        let json = JSONBytes(bytes)
        var position = 0
        // After the last quote; the key that the next quote may close begins there.
        var key = 0
        while position < end {
            let (quote, _) = json.endOfString(from: position)
            guard quote < end else { return }
            let next = json.skippingSpace(from: quote + 1)
            guard json.byte(at: next) == JSONBytes.colon, isSensitive(json, key..<quote) else {
                position = quote + 1
                key = position
                continue
            }
            let value = json.skippingSpace(from: next + 1)
            let valueEnd = self.end(ofValueAt: value, json)
            if value < valueEnd, !isHarmless(json, value..<valueEnd) { body(value..<valueEnd) }
            position = max(valueEnd, value)
            key = position
        }
    }

    private func isSensitive(_ json: JSONBytes, _ key: Range<Int>) -> Bool {
        let name = UnsafeRawBufferPointer(rebasing: json.bytes[key])
        return name.contains(JSONBytes.backslash) ? names.match(JSONText.unescaped(name).utf8) : names.match(name)
    }

    /// In malformed text a bare word may contain anything, so it extends to the next comma, bracket or line end.
    private func end(ofValueAt position: Int, _ json: JSONBytes) -> Int {
        switch json.byte(at: position) {
        case nil: return json.count
        case JSONBytes.quote: return end(ofStringAt: position, json)
        case JSONBytes.openBrace, JSONBytes.openBracket: return json.endOfValue(from: position)
        default:
            var end = position
            while let byte = json.byte(at: end), byte != JSONBytes.comma, byte | 0x20 != JSONBytes.closeBrace,
                byte != 0x0A, byte != 0x0D
            { end += 1 }
            return end
        }
    }

    /// A quote that nothing fitting follows is one that the server failed to escape, and the string continues.
    private func end(ofStringAt position: Int, _ json: JSONBytes) -> Int {
        var end = position + 1
        while true {
            end = min(json.endOfString(from: end).end + 1, json.count)
            let next = json.skippingSpace(from: end)
            guard let byte = json.byte(at: next), byte != JSONBytes.comma, byte | 0x20 != JSONBytes.closeBrace else {
                return end
            }
        }
    }

    /// `true`, `false` and `null` tell much to a developer and nothing to a thief.
    private func isHarmless(_ json: JSONBytes, _ range: Range<Int>) -> Bool {
        guard range.count <= 16 else { return false }
        var end = range.upperBound
        while end > range.lowerBound, JSONBytes.isSpace(json.bytes[end - 1]) { end -= 1 }
        let word = String(decoding: json.bytes[range.lowerBound..<end], as: UTF8.self)
        return word == "true" || word == "false" || word == "null"
    }
}
