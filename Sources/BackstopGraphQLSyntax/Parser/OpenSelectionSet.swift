/// A selection set whose closing brace has not been reached, and what it belongs to.
struct OpenSelectionSet {
    /// What a selection set belongs to.
    enum Owner {
        /// An operation or a named fragment.
        case definition
        case field(alias: String?, name: String, [GraphQLDocument.Argument], [GraphQLDocument.Directive])
        case inlineFragment(typeCondition: String?, [GraphQLDocument.Directive])
    }

    /// What the selection set belongs to.
    let owner: Owner

    /// Where the owner begins.
    let start: GraphQLLocation

    /// What has been selected so far.
    var selections: [GraphQLDocument.Selection] = []

    /// The owner with its selections; nil for an operation or a named fragment.
    func closed(_ range: GraphQLRange) -> GraphQLDocument.Selection? {
        switch owner {
        case .definition:
            nil
        case .field(let alias, let name, let arguments, let directives):
            .field(
                GraphQLDocument.Field(
                    alias: alias, name: name, arguments: arguments, directives: directives, selections: selections,
                    range: range))
        case .inlineFragment(let typeCondition, let directives):
            .inlineFragment(
                GraphQLDocument.InlineFragment(
                    typeCondition: typeCondition, directives: directives, selections: selections, range: range))
        }
    }
}
