extension [GraphQLDocument.Selection] {
    /// The uses of named fragments at any depth, in the order of the text.
    var spreads: [GraphQLDocument.FragmentSpread] {
        nested.compactMap { if case .spread(let spread) = $0 { spread } else { nil } }
    }

    /// All selections at any depth, in the order of the text; found without recursion, because they may be deep.
    var nested: [GraphQLDocument.Selection] {
        var found: [GraphQLDocument.Selection] = []
        var open = Array(reversed())
        while let selection = open.popLast() {
            found.append(selection)
            switch selection {
            case .field(let field): open += field.selections.reversed()
            case .inlineFragment(let fragment): open += fragment.selections.reversed()
            case .spread: break
            }
        }
        return found
    }
}
