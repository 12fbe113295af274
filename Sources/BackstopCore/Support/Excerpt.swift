/// Makes text fit for one line.
package enum Excerpt {
    /// The text with every run of white space and control characters as one space, and without signs that are not seen
    /// but change how others are shown, such as those that turn the direction of writing.
    package static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var pending = false
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            guard !isControl, !scalar.properties.isWhitespace else {
                pending = true
                continue
            }
            if isInvisible(scalar) { continue }
            if pending {
                result.append(" ")
                pending = false
            }
            result.append(scalar)
        }
        if pending { result.append(" ") }
        return String(result)
    }

    /// Whether a sign only formats others, or ends a line; those that join letters and emoji, or keep them apart, do not.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0xAD, scalar != "\u{200C}", scalar != "\u{200D}" else { return false }
        return switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether bytes are text: no zero bytes, and hardly any that are not UTF-8 (the last character may be cut).
    package static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.contains(0) else { return false }
        let broken = String(decoding: bytes, as: UTF8.self).unicodeScalars.count { $0 == "\u{FFFD}" }
        return broken <= 1 + bytes.count / 20
    }

    /// The first scalars of a text, none for a limit below 1, with an ellipsis when there are more.
    package static func cut(_ text: String, to limit: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: max(0, limit), limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
