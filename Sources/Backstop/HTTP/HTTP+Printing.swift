internal import BackstopCore
internal import Foundation

// What `print` and `dump` show of values that may contain secrets.

extension HTTP.Body: CustomStringConvertible, CustomReflectable {
    /// The kind of body and its length, but not its content.
    public var description: String {
        switch source {
        case .none: "no body"
        case .data(let data): ByteCount.text(data.count)
        case .file(let url): "the file \(url.lastPathComponent)"
        case .stream(let stream):
            stream.body?.description ?? "a stream of " + (length.map { ByteCount.text($0) } ?? "unknown length")
        }
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["body": description], displayStyle: .struct)
    }
}

extension HTTP.Query: CustomStringConvertible, CustomReflectable {
    /// The items, secrets redacted.
    public var description: String {
        let texts = items.map { item in Redaction.standard.url("?" + item.name + (item.value.map { "=" + $0 } ?? "")) }
        return texts.map { String($0.dropFirst()) }.joined(separator: "&")
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["query": description], displayStyle: .struct)
    }
}
