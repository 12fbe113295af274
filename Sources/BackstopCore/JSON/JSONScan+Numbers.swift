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
        var reader = JSONReader(bytes)
        var last: JSONReader.Token?
        while last != .end, let token = try? reader.next() {
            last = token
            // Any type has room for up to two digits, and small numbers may decide what is decoded.
            if case .number(let range) = token, range.count > 2 || bytes[range.lowerBound] == 0x2D {
                numbers.append(range)
            }
        }
        func refuses(without count: Int) -> Bool {
            var body = Array(bytes)
            for number in numbers.prefix(count) {
                for position in number { body[position] = position == number.lowerBound ? 0x30 : 0x20 }
            }
            return isRefused(body)
        }
        guard last == .end, !numbers.isEmpty, !refuses(without: numbers.count) else { return nil }
        guard bytes.count <= searchLimit else { return [] }
        var refused = 0
        var accepted = numbers.count
        while accepted - refused > 1 {
            let middle = (refused + accepted) / 2
            if refuses(without: middle) { refused = middle } else { accepted = middle }
        }
        return JSONReader(bytes).path(to: numbers[refused].lowerBound)
    }
}

extension JSONReader {
    /// The path to the innermost value around a byte.
    fileprivate func path(to offset: Int) -> [JSONPathElement] {
        var path: [JSONPathElement] = []
        var value: JSONReader? = self
        while let container = value {
            value = nil
            var index = 0
            container.forEachChild { key, child in
                guard child.valueRange.contains(offset) else {
                    index += 1
                    return true
                }
                path.append(key.map { .key($0) } ?? .index(index))
                value = child
                return false
            }
        }
        return path
    }
}
