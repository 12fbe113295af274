/// The meaning of the text between `"""` and `"""` (specification 2.9.4, BlockStringValue).
enum BlockString {
    /// Takes away the indentation that all lines but the first share, and blank lines at both ends.
    static func value(of contents: [UInt8]) -> String {
        var lines = self.lines(of: contents)
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

    /// The lines, whose ends may be `\n`, `\r\n` or `\r`.
    private static func lines(of contents: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index < contents.count {
            let byte = contents[index]
            if byte == newline || byte == carriageReturn {
                lines.append(contents[start..<index])
                if byte == carriageReturn, index + 1 < contents.count, contents[index + 1] == newline { index += 1 }
                start = index + 1
            }
            index += 1
        }
        lines.append(contents[start...])
        return lines
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
