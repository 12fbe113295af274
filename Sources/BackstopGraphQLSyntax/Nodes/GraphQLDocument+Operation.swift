extension GraphQLDocument {
    /// A query, a mutation or a subscription.
    package struct Operation: Sendable, Hashable {
        /// What an operation does.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case query
            case mutation
            case subscription
        }

        /// Query, mutation or subscription.
        package let kind: Kind

        /// The name; nil when the operation has none.
        package let name: String?

        /// The text that describes the operation to people; nil when it has none.
        package let description: String?

        /// The variables in the order of the text.
        package let variables: [VariableDefinition]

        /// The directives behind the name and the variables.
        package let directives: [Directive]

        /// What the operation selects; never empty.
        package let selections: [Selection]

        /// The operation as it is written, without its description and with `\n` at the end of each line.
        ///
        /// How lines end has no meaning in GraphQL, not even in block strings, but would change with the settings
        /// of a checkout, and with it the hash.
        package let text: String

        /// The file that was named when the document was read; empty when there was none.
        package let file: String

        /// Where the operation is written.
        package let range: GraphQLRange

        /// Where its name is written; the beginning of the operation when it has no name.
        package let nameRange: GraphQLRange
    }
}
