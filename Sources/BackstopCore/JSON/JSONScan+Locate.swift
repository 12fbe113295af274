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
        let json = JSONBytes(bytes)
        var position = json.start
        guard position < json.count else { return nil }
        var depth = 0
        for element in path {
            guard let next = json.child(element, ofValueAt: position) else { break }
            position = next
            depth += 1
        }
        return json.located(at: position, depth: depth)
    }
}

extension JSONBytes {
    /// The position of an object's member or an array's element; nil when there is none.
    fileprivate func child(_ element: JSONPathElement, ofValueAt position: Int) -> Int? {
        switch (byte(at: position), element) {
        case (JSONBytes.openBrace, .key(let key)): member(key, ofObjectAt: position)
        case (JSONBytes.openBrace, .index(let index)): member(String(index), ofObjectAt: position)
        case (JSONBytes.openBracket, .index(let index)): self.element(index, ofArrayAt: position)
        default: nil
        }
    }

    private func member(_ wanted: String, ofObjectAt position: Int) -> Int? {
        var similar: Int?
        let loose = JSONBytes.loose(wanted.utf8)
        var exact: Int?
        forEachMember(ofObjectAt: position) { key, hasEscapes, value in
            if self.key(key, hasEscapes: hasEscapes, is: wanted) {
                exact = value
                return false
            }
            if similar == nil, !hasEscapes, isLoosely(key, loose) { similar = value }
            return true
        }
        return exact ?? similar
    }

    private func element(_ wanted: Int, ofArrayAt position: Int) -> Int? {
        var found: Int?
        var index = 0
        forEachElement(ofArrayAt: position) { value in
            guard index == wanted else {
                index += 1
                return true
            }
            found = value
            return false
        }
        return found
    }

    /// Calls `body` with each member's key, whether that has escapes, and the position of its value, until it returns
    /// false.
    private func forEachMember(ofObjectAt start: Int, _ body: (Range<Int>, Bool, Int) -> Bool) {
        forEachMember(ofObjectAt: start) { key, hasEscapes, value in
            body(key, hasEscapes, value) ? endOfValue(from: value) : nil
        }
    }

    /// Calls `body` with each member's key, whether that has escapes, and the position of its value. It returns the end
    /// of the value, or nil to stop.
    func forEachMember(ofObjectAt start: Int, _ body: (Range<Int>, Bool, Int) -> Int?) {
        var position = start + 1
        while true {
            position = skippingSpace(from: position)
            guard byte(at: position) == JSONBytes.quote else { return }
            let key = position + 1
            let (end, hasEscapes) = endOfString(from: key)
            position = skippingSpace(from: end + 1)
            guard byte(at: position) == JSONBytes.colon else { return }
            position = skippingSpace(from: position + 1)
            guard position < count, let valueEnd = body(key..<end, hasEscapes, position) else { return }
            position = skippingSpace(from: valueEnd)
            guard byte(at: position) == JSONBytes.comma else { return }
            position += 1
        }
    }

    /// Calls `body` with the position of each element, until it returns false.
    private func forEachElement(ofArrayAt start: Int, _ body: (Int) -> Bool) {
        var position = skippingSpace(from: start + 1)
        guard let first = byte(at: position), first != JSONBytes.closeBracket else { return }
        while position < count {
            guard body(position) else { return }
            position = skippingSpace(from: endOfValue(from: position))
            guard byte(at: position) == JSONBytes.comma else { return }
            position = skippingSpace(from: position + 1)
        }
    }

    /// A key without `_` and `-`, in lower case (ASCII).
    private static func loose(_ key: some Sequence<UInt8>) -> [UInt8] {
        key.compactMap { loose($0) }
    }

    @inline(__always)
    private static func loose(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x5F, 0x2D: nil
        case 0x41...0x5A: byte | 0x20
        default: byte
        }
    }

    private func isLoosely(_ range: Range<Int>, _ wanted: [UInt8]) -> Bool {
        guard range.count >= wanted.count else { return false }
        var matched = 0
        for position in range {
            guard let byte = JSONBytes.loose(bytes[position]) else { continue }
            guard matched < wanted.count, wanted[matched] == byte else { return false }
            matched += 1
        }
        return matched == wanted.count
    }

    fileprivate func located(at position: Int, depth: Int) -> JSONScan.Located {
        let end = endOfValue(from: position)
        let range = position..<end
        var keys: [String] = []
        let kind: String
        let description: String
        switch byte(at: position) {
        case JSONBytes.quote:
            let content = endOfString(from: position + 1).end
            kind = "string"
            description = "string \"\(shortened((position + 1)..<content, to: 60))\""
        case JSONBytes.openBrace:
            var total = 0
            forEachMember(ofObjectAt: position) { key, _, _ in
                total += 1
                if keys.count < JSONScan.keyLimit { keys.append(shortened(key, to: 64)) }
                return true
            }
            kind = "object"
            description = JSONBytes.described(keys: keys, of: total)
        case JSONBytes.openBracket:
            var total = 0
            forEachElement(ofArrayAt: position) { _ in
                total += 1
                return true
            }
            kind = "array"
            description = total == 0 ? "empty array" : "array of \(total)"
        default:
            (kind, description) = describedWord(range)
        }
        return JSONScan.Located(range: range, depth: depth, kind: kind, description: description, keys: keys)
    }

    private static func described(keys: [String], of total: Int) -> String {
        if total == 0 { return "object without keys" }
        let shown = keys.prefix(12)
        let more = total > shown.count ? " and \(total - shown.count) more" : ""
        return "object with \(total == 1 ? "the key" : "keys") \(shown.joined(separator: ", "))\(more)"
    }

    private func describedWord(_ range: Range<Int>) -> (kind: String, description: String) {
        let word = shortened(range, to: 40)
        switch word {
        case "null": return ("null", "null")
        case "true", "false": return ("boolean", word)
        default:
            guard let first = word.utf8.first, first == 0x2D || (0x30...0x39).contains(first) else {
                return ("nothing", word.isEmpty ? "nothing" : "\"\(word)\", which is not JSON")
            }
            return ("number", "number \(word)")
        }
    }

    /// The unescaped text of a range, cut to a number of bytes, with an ellipsis if cut, and with spaces for control
    /// bytes.
    private func shortened(_ range: Range<Int>, to limit: Int) -> String {
        guard range.count > limit else { return Excerpt.printable(text(range)) }
        let cut = String(text(range.lowerBound..<(range.lowerBound + limit)).unicodeScalars.dropLast())
        return Excerpt.printable(cut) + "…"
    }
}
