internal import BackstopCore
internal import Foundation

/// Shows the first part of a body to people.
enum BodyText {
    /// The first characters of a text body, redacted; nil when the body is empty or not a text.
    static func excerpt(_ data: Data, contentType: String?, limit: Int, redaction: Redaction) -> String? {
        guard !data.isEmpty, limit > 0 else {
            return nil
        }
        // A few times the limit is redacted, so that a secret which the limit cuts is seen whole.
        let bytes = data.prefix(limit * 4 + 4096)
        guard !bytes.contains(0) else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let shown = redaction.body(text, contentType: contentType)
        let line = shown.prefix(limit)
        var out = ""
        for scalar in line.unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t": out += " "
            default:
                // Control characters could rewrite the terminal.
                out.unicodeScalars.append(
                    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? "\u{FFFD}" : scalar)
            }
        }
        return shown.count > limit || bytes.count < data.count ? out + "…" : out
    }

    /// The same after a colon, or what else there is to say.
    static func suffix(_ data: Data, contentType: String?, limit: Int, redaction: Redaction) -> String {
        guard !data.isEmpty else {
            return ""
        }
        guard let text = excerpt(data, contentType: contentType, limit: limit, redaction: redaction) else {
            return " that are not text"
        }
        return ": \(text)"
    }
}
