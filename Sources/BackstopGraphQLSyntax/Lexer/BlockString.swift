/// The meaning of the text between `"""` and `"""` (specification 2.9.4, BlockStringValue).
enum BlockString {
    /// Takes away the indentation that all lines but the first share, and blank lines at both ends.
    static func value(of contents: [UInt8]) -> String {
        var lines = contents.withNewlines.split(separator: newline, omittingEmptySubsequences: false)
        let indents = lines.dropFirst().compactMap(indent)
        if let common = indents.min(), common > 0 {
            for index in lines.indices.dropFirst() {
                lines[index] = lines[index].dropFirst(common)
            }
        }
        let first = lines.firstIndex { !isBlank($0) } ?? lines.endIndex
        let last = lines.lastIndex { !isBlank($0) } ?? lines.startIndex
        guard first <= last, first < lines.endIndex else { return "" }
        return String(decoding: Array(lines[first...last].joined(separator: [newline])), as: UTF8.self)
    }

    /// How many spaces and tabs a line begins with; nil when it has nothing else.
    private static func indent(_ line: ArraySlice<UInt8>) -> Int? {
        line.firstIndex { !isSpace($0) }.map { $0 - line.startIndex }
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy(isSpace)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

extension Collection<UInt8> {
    /// The text with `\n` at the end of each line, where `\n`, `\r\n` or `\r` may be.
    var withNewlines: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var previous: UInt8 = 0
        for byte in self {
            if byte == carriageReturn {
                result.append(newline)
            } else if byte != newline || previous != carriageReturn {
                result.append(byte)
            }
            previous = byte
        }
        return result
    }
}
