/// A selection set whose closing brace has not been reached.
struct OpenSelectionSet {
    /// Makes a selection of those within it.
    typealias Owner = (_ selections: [GraphQLDocument.Selection], _ range: GraphQLRange) -> GraphQLDocument.Selection

    /// Makes what the selection set belongs to; nil for an operation or a named fragment.
    let owner: Owner?

    /// Where the owner begins.
    let start: GraphQLLocation

    /// What has been selected so far.
    var selections: [GraphQLDocument.Selection] = []
}
