/// Identifiers of documents (GraphQL over HTTP, Appendix A: Persisted Documents).
enum DocumentIdentifier {
    private static let prefix = "sha256:"

    /// A SHA-256 with its prefix; any other identifier is the server's own and is unchanged.
    static func prefixed(_ id: String) -> String {
        isDigest(id) ? prefix + id : id
    }

    /// Whether it is a SHA-256, with or without the prefix.
    static func isHash(_ id: String) -> Bool {
        isDigest(bare(id))
    }

    private static func isDigest(_ id: String) -> Bool {
        id.utf8.count == 64 && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The identifier without the prefix, as in `sha256Hash`.
    static func bare(_ id: String) -> String {
        id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
    }
}
