/// How large a document may be, so that a hostile one costs little before it is refused.
package struct GraphQLLimits: Sendable, Hashable {
    /// The greatest length of the text, in bytes of UTF-8. 1 MiB unless told; a document of people has a few KiB.
    package let bytes: Int

    /// How deep selection sets, lists and input objects may nest. 200 unless told; an introspection query needs 14.
    package let depth: Int

    /// The greatest number of tokens. 100,000 unless told; an introspection query has about 300.
    package let tokens: Int

    /// The limits that hold when none are given.
    package static let standard = GraphQLLimits()

    /// Limits for documents from a certain source. A limit below 1 refuses every document.
    package init(bytes: Int = 1 << 20, depth: Int = 200, tokens: Int = 100_000) {
        self.bytes = bytes
        self.depth = depth
        self.tokens = tokens
    }
}
