/// Makes text fit for one line.
package enum Excerpt {
    /// The text with each run of white space and control characters as one space.
    package static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var pending = false
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            guard !isControl, !scalar.properties.isWhitespace else {
                pending = true
                continue
            }
            if pending {
                result.append(" ")
                pending = false
            }
            result.append(scalar)
        }
        if pending { result.append(" ") }
        return String(result)
    }

    /// The first scalars of a text, with an ellipsis if there are more.
    package static func cut(_ text: String, to limit: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
