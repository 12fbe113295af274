extension GraphQL {
    /// The text of an operation, with its name, kind and hash.
    ///
    /// The plugin `PersistedOperations` makes them of `.graphql` files; by hand they are written so:
    ///
    /// ```swift
    /// let document = GraphQL.Document(
    ///     name: "HeroName", kind: .query, text: "query HeroName { hero { name } }", hash: nil)
    /// ```
    public struct Document: Sendable, Hashable {
        /// The operation's name, as in the text; empty when it has none there.
        public let name: String
        /// The kind of operation.
        public let kind: Kind
        /// The text, fragments included, as it is sent; nil when only the server knows it (safelisting).
        public let text: String?
        /// The identifier of the text at the server: in lower-case hex, its SHA-256; nil when it is not known.
        public let hash: String?

        /// Makes a document from its text.
        ///
        /// - Parameters:
        ///   - name: The operation's name, as in the text.
        ///   - kind: What the operation does.
        ///   - text: The text, fragments included.
        ///   - hash: The SHA-256 of the UTF-8 bytes of the text, in lower-case hex; nil to have it computed when it is
        ///     needed.
        public init(name: String, kind: Kind, text: String, hash: String? = nil) {
            self.name = name
            self.kind = kind
            self.text = text
            self.hash = hash
        }

        /// Makes a document whose text only the server knows; a server that does not know it is a failure at once.
        ///
        /// - Parameters:
        ///   - name: The name of the operation.
        ///   - kind: What the operation does.
        ///   - id: The identifier under which the server keeps the text, mostly its SHA-256 in lower-case hex.
        public init(name: String, kind: Kind, knownToServerAs id: String) {
            self.name = name
            self.kind = kind
            text = nil
            hash = id
        }
    }
}
