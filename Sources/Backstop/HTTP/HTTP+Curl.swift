public import BackstopCore
internal import Foundation

extension HTTP.Request {
    /// A shell command that sends the same request.
    ///
    /// With the standard redaction, fill in the secrets by hand; with `Redaction.off`, the command is complete, and
    /// itself a secret. A body that is a stream, not text, or larger than 100,000 bytes is read from standard input.
    ///
    /// ```swift
    /// let request = try HTTP.Request(.get, "https://api.example.com/books")
    /// print(request.curlCommand())  // curl 'https://api.example.com/books'
    /// ```
    public func curlCommand(redaction: Redaction = .standard) -> String {
        var parts = ["curl"]
        switch method {
        case .get where body.isNone: break
        case .head: parts.append("--head")
        default:
            // A token may contain characters special to a shell, such as `, & and |.
            let isPlain = method.name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            parts += ["-X", isPlain ? method.name : Self.quoted(method.name)]
        }
        parts.append(Self.quoted(redaction.url(url.absoluteString)))
        for field in headers {
            // curl drops a header without a value unless it has a semicolon instead of the colon.
            let value = redaction.header(field.name.text, field.value)
            parts += ["-H", Self.quoted(field.name.text + (value.isEmpty ? ";" : ": " + value))]
        }
        if let type = impliedContentType {
            parts += ["-H", Self.quoted("Content-Type: " + type)]
        }
        switch body.original.source {
        case .none: break
        case .data(let data) where data.count <= 100_000 && data.withUnsafeBytes({ Excerpt.isText($0) }):
            let text = String(decoding: data, as: UTF8.self)
            let shown =
                redaction.hidesBodies
                ? Redaction.placeholder : redaction.body(text, contentType: headers[.contentType])
            parts += ["--data-raw", Self.quoted(shown)]
        case .file(let url): parts += ["--data-binary", Self.quoted("@" + url.path)]
        case .data, .stream: parts.append("--data-binary @-")
        }
        return parts.joined(separator: " ")
    }

    /// The text in single quotes, in which only the quote itself is special to a shell; on one line, so that nothing in
    /// it passes for a line of a log (`$'...'`: POSIX.1-2024, Shell Command Language, 2.2.4).
    private static func quoted(_ text: String) -> String {
        let isPlain = !text.unicodeScalars.contains(where: needsEscape)
        var quoted = isPlain ? "'" : "$'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'": quoted += isPlain ? "'\\''" : "\\'"
            case "\\" where !isPlain: quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where needsEscape(scalar):
                for byte in String(scalar).utf8 {
                    quoted += "\\" + String(0o1000 + Int(byte), radix: 8).dropFirst()
                }
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || Excerpt.isInvisible(scalar)
    }
}
