extension GraphQLDocument.Operation {
    /// The uses of named fragments at any depth, in the order of the text.
    package var spreads: [GraphQLDocument.FragmentSpread] {
        GraphQLDocument.spreads(in: selections)
    }
}

extension GraphQLDocument.Fragment {
    /// The uses of named fragments at any depth, in the order of the text.
    package var spreads: [GraphQLDocument.FragmentSpread] {
        GraphQLDocument.spreads(in: selections)
    }
}

extension GraphQLDocument {
    fileprivate static func spreads(in selections: [Selection]) -> [FragmentSpread] {
        var found: [FragmentSpread] = []
        var open = Array(selections.reversed())
        while let selection = open.popLast() {
            switch selection {
            case .field(let field): open += field.selections.reversed()
            case .inlineFragment(let fragment): open += fragment.selections.reversed()
            case .spread(let spread): found.append(spread)
            }
        }
        return found
    }
}
