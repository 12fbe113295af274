extension JSONScan {
    /// How deep objects and arrays may be nested.
    package static let depthLimit = 64

    /// Describes a text nested deeper.
    package static let tooDeep = "nested deeper than \(depthLimit) levels"

    /// Whether the bytes are nested deeper than ``depthLimit``; to be checked before a recursive decoder sees them.
    ///
    /// In UTF-8, it costs a small part of decoding, and nothing for bodies too short to be nested so deep. It does not validate:
    /// up to the first syntax error it counts as any parser does, and no parser goes beyond that.
    ///
    /// UTF-16 and UTF-32 are recognized by their zero bytes or byte order mark, as by `JSONDecoder`, which reads them
    /// although RFC 8259, 8.1 forbids them between systems.
    ///
    /// - Parameter isLenient: Whether the decoder accepts the comments and single quotes of JSON5, in which brackets do
    ///   not count, or top-level objects without braces.
    package static func isTooDeep(_ bytes: UnsafeRawBufferPointer, isLenient: Bool = false) -> Bool {
        guard bytes.count > depthLimit else { return false }
        guard let text = utf8(of: bytes) else { return nestsTooDeep(bytes, isLenient) }
        return text.withUnsafeBytes { nestsTooDeep($0, isLenient) }
    }
}

extension JSONScan {
    /// A text is nested deeper than ``depthLimit`` and was not passed to a decoder.
    package struct TooDeep: Error, CustomStringConvertible {
        package init() {}

        package var description: String { JSONScan.tooDeep }
    }

    /// Whether a text is in UTF-8, judging by its first bytes.
    package static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        encoding(of: bytes).width == 1
    }

    /// A text in UTF-16 or UTF-32 as UTF-8; nil when it is already UTF-8.
    package static func utf8(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        let (width, isLittleEndian, start) = encoding(of: bytes)
        guard width > 1 else { return nil }
        let units = stride(from: start, through: bytes.count - width, by: width).map { place in
            (0..<width).reduce(UInt32(0)) { unit, offset in
                unit << 8 | UInt32(bytes[place + (isLittleEndian ? width - 1 - offset : offset)])
            }
        }
        return width == 2
            ? Array(String(decoding: units.map { UInt16($0) }, as: UTF16.self).utf8)
            : Array(String(decoding: units, as: UTF32.self).utf8)
    }

    /// How many bytes an ASCII character has, whether the first of them has its value, and where the text begins, after
    /// a byte order mark; detected as by `JSONDecoder`.
    private static func encoding(of bytes: UnsafeRawBufferPointer) -> (width: Int, isLittleEndian: Bool, start: Int) {
        switch Array(bytes.prefix(4)) {
        case let first where first.starts(with: [0, 0, 0xFE, 0xFF]): (4, false, 4)
        case let first where first.starts(with: [0xFF, 0xFE, 0, 0]): (4, true, 4)
        case let first where first.starts(with: [0xFE, 0xFF]): (2, false, 2)
        case let first where first.starts(with: [0xFF, 0xFE]): (2, true, 2)
        case let first where first.starts(with: [0, 0, 0]): (4, false, 0)
        case let first where first.count == 4 && first[1...] == [0, 0, 0]: (4, true, 0)
        case let first where first.starts(with: [0]): (2, false, 0)
        case let first where first.count > 1 && first[1] == 0: (2, true, 0)
        default: (1, true, 0)
        }
    }
}

extension JSONScan {
    /// What a position is in.
    private enum Place {
        case text
        case string(quote: UInt8)
        case lineComment
        case comment
    }

    /// Counts the nesting of a text in UTF-8.
    private static func nestsTooDeep(_ bytes: UnsafeRawBufferPointer, _ isLenient: Bool) -> Bool {
        var depth = 0
        var place = Place.text
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            let next = position < bytes.count ? bytes[position] : 0
            switch (place, byte) {
            case (.text, JSONBytes.quote): place = .string(quote: byte)
            case (.text, 0x27) where isLenient: place = .string(quote: byte)
            case (.text, 0x2F) where isLenient && (next == 0x2F || next == 0x2A):
                position += 1
                place = next == 0x2F ? .lineComment : .comment
            case (.text, JSONBytes.openBrace), (.text, JSONBytes.openBracket):
                depth += 1
                if depth > depthLimit { return true }
            case (.text, JSONBytes.closeBrace), (.text, JSONBytes.closeBracket):
                depth -= 1
                // Only white space may follow the bracket that closes the outermost.
                if depth <= 0, !isLenient { return false }
            case (.string, JSONBytes.backslash): position += 1
            case (.string(let quote), byte) where quote == byte: place = .text
            case (.lineComment, 0x0A), (.lineComment, 0x0D): place = .text
            case (.comment, 0x2A) where next == 0x2F:
                position += 1
                place = .text
            default: continue
            }
        }
        return false
    }
}
