extension JSONScan {
    /// What was found at a place in a JSON text.
    package struct Located: Sendable {
        /// The bytes of the value; up to the end of a truncated body.
        package let range: Range<Int>
        /// How many elements of the path exist; fewer than the path has when only an ancestor was found.
        package let depth: Int
        /// The kind of value: `string`, `number`, `boolean`, `null`, `object`, `array`, or `nothing`.
        package let kind: String
        /// The value in a few words: `string "9,50"`, `number 12.5`, `true`, `array of 3`,
        /// `object with keys id, titel`.
        package let description: String
        /// The keys of an object, in order, at most ``JSONScan/keyLimit``; empty for anything else.
        package let keys: [String]
    }

    /// How many keys of an object are kept, and how many bytes of each.
    package static let keyLimit = 64

    /// Finds the value at a path, or its deepest ancestor that exists.
    ///
    /// A key matches exactly, or else the first that differs only in case, `_` and `-`: a decoder with a key strategy
    /// reports `firstName` if the text has `first_name`. An index into an object is treated as a key.
    ///
    /// ```
    /// let body = Array(#"{"items":[{"price":"9,50"}]}"#.utf8)
    /// let found = body.withUnsafeBytes { JSONScan.locate([.key("items"), .index(0), .key("price")], in: $0) }
    /// found?.description  // string "9,50"
    /// ```
    ///
    /// - Returns: Nil when there is only white space.
    package static func locate(_ path: [JSONPathElement], in bytes: UnsafeRawBufferPointer) -> Located? {
        var value = JSONReader(bytes)
        guard value.position < bytes.count else { return nil }
        var depth = 0
        for element in path {
            guard let child = value.child(element) else { break }
            value = child
            depth += 1
        }
        return value.located(in: bytes, depth: depth)
    }
}

extension JSONReader {
    /// The member of an object or the element of an array; nil when there is none.
    fileprivate func child(_ element: JSONPathElement) -> JSONReader? {
        let (name, wanted): (String?, Int?) =
            switch element {
            case .key(let key): (key, nil)
            case .index(let index): (String(index), index)
            }
        let loose = name.map(JSONReader.loose)
        var exact: JSONReader?
        var similar: JSONReader?
        var index = 0
        forEachChild { key, value in
            if key.map({ $0 == name }) ?? (index == wanted) {
                exact = value
            } else if similar == nil, let key, JSONReader.loose(key) == loose {
                similar = value
            }
            index += 1
            return exact == nil
        }
        return exact ?? similar
    }

    /// A key without `_` and `-`, in lower case.
    private static func loose(_ key: String) -> [UInt8] {
        key.utf8.filter { $0 != 0x5F && $0 != 0x2D }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    fileprivate func located(in bytes: UnsafeRawBufferPointer, depth: Int) -> JSONScan.Located {
        var keys: [String] = []
        var total = 0
        let container = forEachChild { key, _ in
            total += 1
            if let key, keys.count < JSONScan.keyLimit { keys.append(JSONReader.shortened(key, to: 64)) }
            return true
        }
        let range = valueRange
        let (kind, description) =
            switch container {
            case .beginObject?: ("object", JSONReader.described(keys: keys, of: total))
            case .beginArray?: ("array", total == 0 ? "empty array" : "array of \(total)")
            default: described(in: bytes, range)
            }
        return JSONScan.Located(range: range, depth: depth, kind: kind, description: description, keys: keys)
    }

    private static func described(keys: [String], of total: Int) -> String {
        if total == 0 { return "object without keys" }
        let shown = keys.prefix(12)
        let more = total > shown.count ? " and \(total - shown.count) more" : ""
        return "object with \(total == 1 ? "the key" : "keys") \(shown.joined(separator: ", "))\(more)"
    }

    private func described(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> (String, String) {
        var reader = self
        switch try? reader.next() {
        case .string(let content, let hasEscapes)?:
            return ("string", "string \"\(JSONReader.shortened(text(content, hasEscapes: hasEscapes), to: 60))\"")
        case .number?:
            return ("number", "number \(JSONReader.shortened(text(range, hasEscapes: false), to: 40))")
        case .bool(let bool)?: return ("boolean", "\(bool)")
        case .null?: return ("null", "null")
        default:
            let text = JSONReader.shortened(text(range, hasEscapes: false), to: 40)
            return ("nothing", text.isEmpty ? "nothing" : "\"\(text)\", which is not JSON")
        }
    }

    private static func shortened(_ text: String, to limit: Int) -> String {
        Excerpt.printable(Excerpt.cut(text, to: limit))
    }
}
