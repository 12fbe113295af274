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
            parts.append("-X \(isPlain ? method.name : Self.quoted(method.name))")
        }
        parts.append(Self.quoted(redaction.url(url.absoluteString)))
        for field in headers {
            // curl drops a header without a value unless it has a semicolon instead of the colon.
            let value = redaction.header(field.name.text, field.value)
            parts.append("-H \(Self.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        if let type = impliedContentType {
            parts.append("-H 'Content-Type: \(type)'")
        }
        switch body.source {
        case .none: break
        case .data(let data) where data.count <= 100_000 && BodyText.isText(data):
            let text = String(decoding: data, as: UTF8.self)
            let shown =
                redaction.hidesBodies
                ? Redaction.placeholder : redaction.body(text, contentType: headers[.contentType])
            parts.append("--data-raw \(Self.quoted(shown))")
        case .data: parts.append("--data-binary @-")
        case .file(let url): parts.append("--data-binary \(Self.quoted("@\(url.path)"))")
        case .stream: parts.append("--data-binary @-")
        }
        return parts.joined(separator: " ")
    }

    /// The text in single quotes, in which only the quote itself is special to a shell; on one line, so that nothing in
    /// it passes for a line of a log (`$'...'`: POSIX.1-2024, Shell Command Language, 2.2.4).
    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: needsEscape) else {
            return "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
        }
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\n": "\\n"
            case "\\", "'": "\\\(scalar)"
            case _ where needsEscape(scalar):
                String(scalar).utf8.map { "\\" + String(0o1000 + Int($0), radix: 8).dropFirst() }.joined()
            default: String(scalar)
            }
        }
        return "$'" + escaped.joined() + "'"
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || Excerpt.isInvisible(scalar)
    }
}
