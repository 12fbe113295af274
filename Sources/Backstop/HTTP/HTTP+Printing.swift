internal import BackstopCore
internal import Foundation

// What `print` and `dump` show of values that may contain secrets.

extension HTTP.Body: DescribedInDumps {
    /// The kind of body and its length, but not its content.
    public var description: String {
        switch original.source {
        case .none: "no body"
        case .data(let data): ByteCount.text(data.count)
        case .file(let url): "the file \(Redaction.standard.text(Excerpt.printable(url.lastPathComponent)))"
        // Its length is known once its files are open.
        case .stream(let stream) where stream.searched != nil: "a form with files"
        case .stream: "a stream of " + (length.map { ByteCount.text($0) } ?? "unknown length")
        }
    }
}

extension HTTP.Query: DescribedInDumps {
    /// The items, secrets redacted.
    public var description: String {
        let texts = items.map { item in Redaction.standard.url("?" + item.name + (item.value.map { "=" + $0 } ?? "")) }
        return texts.map { String($0.dropFirst()) }.joined(separator: "&")
    }
}
