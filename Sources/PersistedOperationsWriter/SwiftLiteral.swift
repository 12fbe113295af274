/// String literals of Swift that mean exactly a given text, whatever it contains.
enum SwiftLiteral {
    /// A raw literal of several lines, which shows the text as it is.
    /// - Parameters:
    ///   - text: What the literal means.
    ///   - indentation: What each line and the closing delimiter begin with.
    static func multiline(_ text: String, indentation: String) -> String {
        let delimiter = String(repeating: "#", count: delimiterLength(for: text))
        var result = "\(delimiter)\"\"\"\n\(indentation)"
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                result += "\n\(indentation)"
            } else if isShownAsIs(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\\(delimiter)u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return result + "\n\(indentation)\"\"\"\(delimiter)"
    }

    /// One more `#` than stand anywhere in the text behind a quotation mark or a backslash; at least one.
    private static func delimiterLength(for text: String) -> Int {
        var longest = 0
        var current: Int?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): current = 0
            case UInt8(ascii: "#"): current = current.map { $0 + 1 }
            default: current = nil
            }
            longest = max(longest, current ?? 0)
        }
        return longest + 1
    }

    /// Whether a character may stand in a literal: it is visible or a space, and no editor or compiler changes it.
    private static func isShownAsIs(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .spaceSeparator: false
        default: true
        }
    }
}
