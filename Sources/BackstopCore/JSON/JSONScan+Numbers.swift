extension JSONScan {
    /// How large a body may be for a search that decodes it several times.
    private static let searchLimit = 128 << 10

    /// Finds the number that does not fit the type that it is decoded into.
    ///
    /// Foundation's decoder calls JSON with such a number (`1.5` or 10^20 for an `Int`) invalid and does not say where
    /// it is, and the types are not known here. So this tries: with all numbers up to the one searched for replaced by
    /// 0, the decoder no longer refuses the body. It searches by halves, at most 16 times.
    ///
    /// - Parameter isRefused: Whether the decoder refuses a body as it did this one.
    /// - Returns: The path; empty for the body itself, and in a large one. Nil when the body is no JSON, or is not
    ///   refused for a number.
    package static func unfitNumber(
        in bytes: UnsafeRawBufferPointer, isRefused: ([UInt8]) -> Bool
    ) -> [JSONPathElement]? {
        var numbers: [Range<Int>] = []
        // Any type has room for up to two digits, and small numbers may decide what is decoded.
        let isJSON = forEachNumber(in: bytes) { range, _ in
            if range.count > 2 || bytes[range.lowerBound] == 0x2D { numbers.append(range) }
        }
        func refuses(without count: Int) -> Bool {
            var body = Array(bytes)
            for number in numbers.prefix(count) {
                for position in number { body[position] = position == number.lowerBound ? 0x30 : 0x20 }
            }
            return isRefused(body)
        }
        guard isJSON, !numbers.isEmpty, !refuses(without: numbers.count) else { return nil }
        guard bytes.count <= searchLimit else { return [] }
        var refused = 0
        var accepted = numbers.count
        while accepted - refused > 1 {
            let middle = (refused + accepted) / 2
            if refuses(without: middle) { refused = middle } else { accepted = middle }
        }
        var found: [JSONPathElement]?
        _ = forEachNumber(in: bytes) { range, path in
            if range == numbers[refused] { found = path }
        }
        return found
    }

    /// Calls `body` with the place of each number.
    ///
    /// - Returns: Whether the bytes are JSON.
    private static func forEachNumber(
        in bytes: UnsafeRawBufferPointer, _ body: (Range<Int>, [JSONPathElement]) -> Void
    ) -> Bool {
        var reader = JSONReader(bytes)
        // The current member or element of each open object or array.
        var path: [JSONPathElement] = []
        func next() {
            if case .index(let index)? = path.last { path[path.count - 1] = .index(index + 1) }
        }
        while let token = try? reader.next() {
            switch token {
            case .key(let range, let hasEscapes):
                path[path.count - 1] = .key(reader.text(range, hasEscapes: hasEscapes))
            case .beginObject, .beginArray:
                next()
                path.append(token == .beginObject ? .key("") : .index(-1))
            case .endObject, .endArray: path.removeLast()
            case .number(let range):
                next()
                body(range, path)
            case .string, .bool, .null: next()
            case .end: return true
            }
        }
        return false
    }
}
