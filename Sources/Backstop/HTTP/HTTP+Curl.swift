public import BackstopCore
internal import Foundation

extension HTTP.Request {
    /// A shell command that sends the same request.
    ///
    /// With the standard redaction secrets have to be filled in by hand; with `Redaction.off` the command is whole,
    /// and a secret. A body that is a stream, is not text or has more than 100,000 bytes is left to standard input.
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
            // A token may have characters that a shell reads, such as `, & and |.
            let isPlain = method.name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            parts.append("-X \(isPlain ? method.name : Self.quoted(method.name))")
        }
        parts.append(Self.quoted(redaction.url(url.absoluteString)))
        for field in headers {
            // curl leaves out a header without a value unless a semicolon stands in the place of the colon.
            let value = redaction.header(field.name.text, field.value)
            parts.append("-H \(Self.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        switch body {
        case .none: break
        case .data(let data) where data.count <= 100_000 && BodyText.isText(data):
            let text = String(decoding: data, as: UTF8.self)
            parts.append("--data-raw \(Self.quoted(redaction.body(text, contentType: headers[.contentType])))")
        case .data: parts.append("--data-binary @-")
        case .file(let url): parts.append("--data-binary \(Self.quoted("@\(url.path)"))")
        case .stream: parts.append("--data-binary @-")
        }
        return parts.joined(separator: " ")
    }

    /// The text in single quotes, in which a shell reads nothing but the quote itself.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
