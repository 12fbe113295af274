extension GraphQL {
    /// The text of an operation, with its name, kind and hash.
    ///
    /// The plugin `PersistedOperations` generates them from `.graphql` files. By hand:
    ///
    /// ```swift
    /// let document = GraphQL.Document(text: "query HeroName { hero { name } }")
    /// ```
    public struct Document: Sendable, Hashable {
        /// The operation's name; empty when it has none.
        public let name: String
        /// The kind of operation.
        public let kind: Kind
        /// The text, fragments included, as sent; nil when only the server has it (safelisting).
        public let text: String?
        /// The server's identifier of the text: its SHA-256, in lower-case hex; nil when unknown.
        public let hash: String?
        /// Why it cannot be sent, as a sentence; nil when it can.
        let mistake: String?
        /// The variables without which it cannot run, as far as the text is known.
        let required: [String]
        /// The response keys of a mutation's fields, in the order in which they run; empty when its text is not known.
        let fields: [String]

        /// Makes a document from its text, which says the operation's kind and name.
        ///
        /// A text without an operation, with an open bracket or string, or with several operations of which none is
        /// chosen, is refused as `request.invalid` before anything is sent.
        ///
        /// - Parameters:
        ///   - text: The text, fragments included.
        ///   - name: The name of the operation to run. Needed only for a text with several.
        ///   - hash: The SHA-256 of the UTF-8 bytes of the text, in lower-case hex; nil to compute it when needed. A
        ///     wrong one is refused as `request.invalid` before it is sent.
        public init(text: String, name: String? = nil, hash: String? = nil) {
            self.text = text
            self.hash = hash
            do throws(DocumentScan.Mistake) {
                let operation = try DocumentScan.operation(name, in: text)
                (self.name, kind, mistake) = (operation.name, operation.kind, nil)
                (required, fields) = (operation.required, operation.fields)
            } catch {
                // It is never sent. Of all kinds, a mutation is what the fewest things are done with.
                (self.name, kind, mistake) = (name ?? "", .mutation, error.message)
                (required, fields) = ([], [])
            }
        }

        /// Makes a document whose text only the server has; if the server does not know it, the call fails at once.
        ///
        /// - Parameters:
        ///   - name: The name of the operation.
        ///   - kind: What the operation does. It decides whether the call may be repeated and sent by GET.
        ///   - id: The server's identifier of the text, usually its SHA-256 in lower-case hex.
        public init(name: String, kind: Kind, knownToServerAs id: String) {
            self.name = name
            self.kind = kind
            text = nil
            hash = id
            mistake = nil
            (required, fields) = ([], [])
        }

        /// What sentences call it: its name, or "the operation" when it has none.
        var subject: String {
            name.isEmpty ? "the operation" : name
        }
    }
}
