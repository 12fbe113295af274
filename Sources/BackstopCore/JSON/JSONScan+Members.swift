extension JSONScan {
    /// Finds members of the top-level object, in one pass.
    ///
    /// Use it to read each part of an envelope in its own way. It does not validate: a value's range is correct if the
    /// text is JSON, and within the bytes in any case. Of members with the same key, the first counts, as for
    /// `JSONDecoder`.
    ///
    /// ```
    /// let body = Array(#"{"data":{"a":1},"errors":[]}"#.utf8)
    /// body.withUnsafeBytes { JSONScan.topLevelMembers(["data", "errors"], in: $0) }  // "data" is 8..<15
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys to find, compared byte for byte after their escapes are resolved.
    ///   - bytes: The body, UTF-8.
    /// - Returns: The bytes of the members that exist; nil when the bytes do not begin as an object.
    package static func topLevelMembers(
        _ keys: [String], in bytes: UnsafeRawBufferPointer
    ) -> [String: Range<Int>]? {
        let json = JSONBytes(bytes)
        let start = json.start
        guard json.byte(at: start) == JSONBytes.openBrace else { return nil }
        var found: [String: Range<Int>] = [:]
        json.forEachMember(ofObjectAt: start) { range, hasEscapes, value in
            let end = json.endOfValue(from: value)
            if let key = keys.first(where: { json.key(range, hasEscapes: hasEscapes, is: $0) }) {
                found[key] = found[key] ?? value..<end
            }
            return end
        }
        return found
    }
}
