/// Examines JSON bytes without decoding them.
///
/// Every scan takes time linear in the bytes and does not recurse, so it may run on anything a server sends.
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
    ///   - keys: The keys, compared after their escapes are resolved. An empty list matches every object.
    ///   - bytes: The body, UTF-8.
    package static func hasTopLevelKeys(_ keys: [String], in bytes: UnsafeRawBufferPointer) -> Bool {
        var missing = Set(keys)
        let container = JSONReader(bytes).forEachChild { key, _ in
            if let key { missing.remove(key) }
            return !missing.isEmpty
        }
        return container == .beginObject && missing.isEmpty
    }
}
