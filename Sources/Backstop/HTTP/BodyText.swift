internal import BackstopCore
internal import Foundation

/// Makes the beginning of a body, and other texts of a message, fit to be shown.
enum BodyText {
    /// A text on one line, with a limited number of scalars, and nothing that could rewrite the terminal.
    static func line(_ text: String, limit: Int) -> String {
        var out = String.UnicodeScalarView()
        // In scalars: one character may have any number of them.
        for (count, scalar) in text.unicodeScalars.enumerated() {
            guard count < limit else {
                out.append("…")
                break
            }
            switch scalar {
            case "\n", "\r", "\t": out.append(" ")
            default:
                let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                out.append(isControl || Excerpt.isInvisible(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return String(out)
    }

    /// The first characters of a text body, redacted, after a colon, or another remark; empty for an empty body.
    static func suffix(_ data: Data, contentType: String?, limit: Int, redaction: Redaction) -> String {
        guard !data.isEmpty else {
            return ""
        }
        guard !redaction.hidesBodies else {
            return ": \(Redaction.placeholder)"
        }
        // A few times the limit is redacted, so that a secret cut by the limit is recognized.
        let bytes = data.prefix(limit * 4 + 4096)
        guard bytes.withUnsafeBytes({ Excerpt.isText($0) }) else {
            return " (not text)"
        }
        let shown = redaction.body(String(decoding: bytes, as: UTF8.self), contentType: contentType)
        let line = line(shown, limit: limit)
        return ": \(line)" + (bytes.count < data.count && !line.hasSuffix("…") ? "…" : "")
    }
}
