extension Parser {
    /// Reads a selection set, which comes next, with all that are nested in it.
    ///
    /// A list of open sets takes the place of recursion: deep documents cost no stack, of which threads may have
    /// little.
    mutating func selectionSet() throws(GraphQLSyntaxError) -> [GraphQLDocument.Selection] {
        var open: [OpenSelectionSet] = []
        try begin(nil, from: token.range.start, &open)
        while true {
            if try takeIf("}") {
                leave()
                let closed = open.removeLast()
                guard let owner = closed.owner else { return closed.selections }
                open[open.count - 1].selections.append(owner(closed.selections, range(from: closed.start)))
            } else if token.isPunctuator("...") {
                try fragmentUse(&open)
            } else {
                guard token.kind == .name else { throw unexpected("a field, \"...\" or \"}\"") }
                try field(&open)
            }
        }
    }

    /// Reads an opening brace.
    private mutating func begin(
        _ owner: OpenSelectionSet.Owner?, from start: GraphQLLocation, _ open: inout [OpenSelectionSet]
    ) throws(GraphQLSyntaxError) {
        try enter()
        try take("{", "for the selection set")
        if token.isPunctuator("}") {
            throw GraphQLSyntaxError(at: token.range.start, "a selection set needs at least one field")
        }
        open.append(OpenSelectionSet(owner: owner, start: start))
    }

    /// Reads a field, up to its opening brace if it has one.
    private mutating func field(_ open: inout [OpenSelectionSet]) throws(GraphQLSyntaxError) {
        let start = token.range.start
        let first = try take().text
        let isAlias = try takeIf(":")
        let name = isAlias ? try takeName("the name of a field after its alias") : first
        let alias = isAlias ? first : nil
        let arguments = try arguments(isConstant: false)
        let directives = try directives(isConstant: false)
        let owner: OpenSelectionSet.Owner = { selections, range in
            let field = GraphQLDocument.Field(
                alias: alias, name: name, arguments: arguments, directives: directives, selections: selections,
                range: range)
            return .field(field)
        }
        guard token.isPunctuator("{") else {
            return open[open.count - 1].selections.append(owner([], range(from: start)))
        }
        try begin(owner, from: start, &open)
    }

    /// Reads what begins with `...`, up to its opening brace if it has one.
    private mutating func fragmentUse(_ open: inout [OpenSelectionSet]) throws(GraphQLSyntaxError) {
        let start = token.range.start
        try take()
        if token.kind == .name, token.text != "on" {
            let name = try take().text
            let directives = try directives(isConstant: false)
            let range = range(from: start)
            let spread = GraphQLDocument.FragmentSpread(name: name, directives: directives, range: range)
            open[open.count - 1].selections.append(.spread(spread))
            return
        }
        var typeCondition: String?
        if token.isName("on") {
            try take()
            typeCondition = try takeName("the name of a type after \"on\"")
        }
        let directives = try directives(isConstant: false)
        guard token.isPunctuator("{") else {
            let isBare = typeCondition == nil && directives.isEmpty
            throw unexpected(
                isBare ? "the name of a fragment, \"on\" or \"{\" after \"...\"" : "\"{\" for the selection set")
        }
        let owner: OpenSelectionSet.Owner = { [typeCondition] selections, range in
            let fragment = GraphQLDocument.InlineFragment(
                typeCondition: typeCondition, directives: directives, selections: selections, range: range)
            return .inlineFragment(fragment)
        }
        try begin(owner, from: start, &open)
    }
}
