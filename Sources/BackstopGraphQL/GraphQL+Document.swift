/// The namespace of GraphQL.
public enum GraphQL {
    /// What an operation does.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case query
        case mutation
        case subscription
    }

    /// The text of an operation with its fragments, and the hash under which a server knows it.
    public struct Document: Sendable, Hashable {
        /// The operation's name.
        public let name: String

        /// Query, mutation or subscription.
        public let kind: Kind

        /// The text as it is sent.
        public let text: String

        /// The SHA-256 of the text in lower-case hexadecimal digits; nil when it was not computed ahead of time.
        public let hash: String?

        /// A document whose text, and perhaps whose hash, are known.
        public init(name: String, kind: Kind, text: String, hash: String?) {
            self.name = name
            self.kind = kind
            self.text = text
            self.hash = hash
        }
    }
}
