extension GraphQLDocument {
    /// A named fragment: selections that several operations share.
    package struct Fragment: Sendable, Hashable {
        /// The name; never `on`.
        package let name: String

        /// The text that describes the fragment to people; nil when it has none.
        package let description: String?

        /// The name of the type that the fragment selects from.
        package let typeCondition: String

        /// The directives behind the type.
        package let directives: [Directive]

        /// What the fragment selects; never empty.
        package let selections: [Selection]

        /// The fragment as it is written, without its description and with `\n` at the end of each line.
        package let text: String

        /// The file that was named when the document was read; empty when there was none.
        package let file: String

        /// Where the fragment is written.
        package let range: GraphQLRange

        /// Where its name is written.
        package let nameRange: GraphQLRange
    }
}
