extension GraphQL {
    /// The text of an operation, with its name, kind and hash.
    ///
    /// The plugin `PersistedOperations` generates them from `.graphql` files. By hand:
    ///
    /// ```swift
    /// let document = GraphQL.Document(
    ///     name: "HeroName", kind: .query, text: "query HeroName { hero { name } }", hash: nil)
    /// ```
    public struct Document: Sendable, Hashable {
        /// The operation's name, as in the text; empty when it has none.
        public let name: String
        /// The kind of operation.
        public let kind: Kind
        /// The text, fragments included, as sent; nil when only the server has it (safelisting).
        public let text: String?
        /// The server's identifier of the text: its SHA-256, in lower-case hex; nil when unknown.
        public let hash: String?

        /// Makes a document from its text.
        ///
        /// - Parameters:
        ///   - name: The operation's name, as in the text.
        ///   - kind: What the operation does.
        ///   - text: The text, fragments included.
        ///   - hash: The SHA-256 of the UTF-8 bytes of the text, in lower-case hex; nil to compute it when needed.
        public init(name: String, kind: Kind, text: String, hash: String? = nil) {
            self.name = name
            self.kind = kind
            self.text = text
            self.hash = hash
        }

        /// Makes a document whose text only the server has; if the server does not know it, the call fails at once.
        ///
        /// - Parameters:
        ///   - name: The name of the operation.
        ///   - kind: What the operation does.
        ///   - id: The server's identifier of the text, usually its SHA-256 in lower-case hex.
        public init(name: String, kind: Kind, knownToServerAs id: String) {
            self.name = name
            self.kind = kind
            text = nil
            hash = id
        }

        /// What sentences call it: its name, or "the operation" when it has none.
        var subject: String {
            name.isEmpty ? "the operation" : name
        }
    }
}
