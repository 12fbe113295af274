internal import BackstopCore

extension JSONScan {
    /// Finds members of the top-level object, in one pass.
    ///
    /// Use it to read each part of an envelope in its own way. In a text that is not JSON, the last value ends with
    /// the text. Of members with the same key, the first counts, as for `JSONDecoder`.
    ///
    /// ```
    /// let body = Array(#"{"data":{"a":1},"errors":[]}"#.utf8)
    /// body.withUnsafeBytes { JSONScan.topLevelMembers(["data", "errors"], in: $0) }  // "data" is 8..<15
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys to find, compared after their escapes are resolved.
    ///   - bytes: The body, UTF-8.
    /// - Returns: The bytes of the members that exist; nil when the bytes do not begin as an object.
    package static func topLevelMembers(
        _ keys: [String], in bytes: UnsafeRawBufferPointer
    ) -> [String: Range<Int>]? {
        var found: [String: Range<Int>] = [:]
        let container = JSONReader(bytes).forEachChild { key, value in
            if let key, found[key] == nil, keys.contains(key) { found[key] = value.valueRange }
            return true
        }
        return container == .beginObject ? found : nil
    }
}
