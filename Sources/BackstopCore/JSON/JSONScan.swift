/// Examines JSON bytes without decoding them.
///
/// Every scan takes time linear in the bytes, allocates nothing that grows with them and does not recurse, so it may
/// run on anything a server sends.
package enum JSONScan {
    /// Whether the bytes are a JSON object with all these keys at its top level.
    ///
    /// It runs on every successful response, to find out cheaply that an error type need not be decoded: it ends as
    /// soon as it has seen all keys, and at once if the bytes do not begin with `{`. It does not validate, so `true`
    /// means "worth decoding".
    ///
    /// ```
    /// let body = Array(#"{"error":true,"reason":"Username is too short."}"#.utf8)
    /// body.withUnsafeBytes { JSONScan.hasTopLevelKeys(["error", "reason"], in: $0) }  // true
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys, compared byte for byte after their escapes are resolved. An empty list matches every object.
    ///   - bytes: The body, UTF-8.
    package static func hasTopLevelKeys(_ keys: [String], in bytes: UnsafeRawBufferPointer) -> Bool {
        let json = JSONBytes(bytes)
        var position = json.start
        guard json.byte(at: position) == JSONBytes.openBrace else { return false }
        position += 1
        // One bit for each key still missing; keys beyond 64 take another pass.
        let round = keys.prefix(64)
        var missing: UInt64 = round.count == 64 ? .max : (1 << UInt64(round.count)) - 1
        // One bit for each key length, so that most keys are skipped without comparing text.
        let lengths = round.reduce(into: 0 as UInt64) { $0 |= 1 << UInt64(min($1.utf8.count, 63)) }
        while missing != 0 {
            position = json.skippingSpace(from: position)
            guard json.byte(at: position) == JSONBytes.quote else { return false }
            let key = position + 1
            let (end, hasEscapes) = json.endOfString(from: key)
            guard end < json.count else { return false }
            if hasEscapes || lengths & (1 << UInt64(min(end - key, 63))) != 0 {
                for (index, wanted) in round.enumerated() where missing & (1 << UInt64(index)) != 0 {
                    if json.key(key..<end, hasEscapes: hasEscapes, is: wanted) { missing &= ~(1 << UInt64(index)) }
                }
            }
            position = json.skippingSpace(from: end + 1)
            guard json.byte(at: position) == JSONBytes.colon else { return false }
            if missing == 0 { break }
            position = json.endOfValue(from: json.skippingSpace(from: position + 1))
            position = json.skippingSpace(from: position)
            guard json.byte(at: position) == JSONBytes.comma else { return false }
            position += 1
        }
        return keys.count <= 64 || hasTopLevelKeys(Array(keys.dropFirst(64)), in: bytes)
    }
}

extension JSONBytes {
    /// Compares a key with an expected one, byte for byte.
    @inline(__always)
    func key(_ range: Range<Int>, hasEscapes: Bool, is wanted: String) -> Bool {
        if hasEscapes { return text(range).utf8.elementsEqual(wanted.utf8) }
        guard range.count == wanted.utf8.count else { return false }
        var position = range.lowerBound
        for byte in wanted.utf8 {
            guard bytes[position] == byte else { return false }
            position += 1
        }
        return true
    }
}
