public import BackstopCore
internal import Foundation

extension HTTP.Request {
    /// A shell command that sends the same request.
    ///
    /// With the standard redaction secrets have to be filled in by hand; with ``Redaction/off`` the command is whole,
    /// and a secret.
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
        default: parts.append("-X \(method)")
        }
        parts.append(Self.quoted(redaction.url(url.absoluteString)))
        for field in headers {
            parts.append("-H \(Self.quoted("\(field.name): \(redaction.header(field.name.text, field.value))"))")
        }
        switch body {
        case .none: break
        case .data(let data):
            let text = String(decoding: data.prefix(100_000), as: UTF8.self)
            parts.append("--data-raw \(Self.quoted(redaction.body(text, contentType: headers[.contentType])))")
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
