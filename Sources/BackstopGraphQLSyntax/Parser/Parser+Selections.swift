extension Parser {
    /// Reads a selection set, which comes next.
    mutating func selectionSet() throws(GraphQLSyntaxError) -> [GraphQLDocument.Selection] {
        try enter()
        try take("{", "for the selection set")
        if token.isPunctuator("}") {
            throw GraphQLSyntaxError(at: token.range.start, "a selection set needs at least one field")
        }
        var selections: [GraphQLDocument.Selection] = []
        repeat {
            selections.append(try selection())
        } while try !takeIf("}")
        leave()
        return selections
    }

    private mutating func selection() throws(GraphQLSyntaxError) -> GraphQLDocument.Selection {
        if token.isPunctuator("...") {
            return try fragmentUse()
        }
        guard token.kind == .name else { throw unexpected("a field, \"...\" or \"}\"") }
        return .field(try field())
    }

    private mutating func field() throws(GraphQLSyntaxError) -> GraphQLDocument.Field {
        let start = token.range.start
        let first = try take().text
        let isAlias = try takeIf(":")
        let name = isAlias ? try takeName("the name of a field after its alias") : first
        let arguments = try arguments(isConstant: false)
        let directives = try directives(isConstant: false)
        let selections = token.isPunctuator("{") ? try selectionSet() : []
        return GraphQLDocument.Field(
            alias: isAlias ? first : nil, name: name, arguments: arguments, directives: directives,
            selections: selections, range: range(from: start))
    }

    /// Reads what begins with `...`.
    private mutating func fragmentUse() throws(GraphQLSyntaxError) -> GraphQLDocument.Selection {
        let start = token.range.start
        try take()
        if token.kind == .name, token.text != "on" {
            let name = try take().text
            let directives = try directives(isConstant: false)
            let range = range(from: start)
            return .spread(GraphQLDocument.FragmentSpread(name: name, directives: directives, range: range))
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
        let selections = try selectionSet()
        return .inlineFragment(
            GraphQLDocument.InlineFragment(
                typeCondition: typeCondition, directives: directives, selections: selections,
                range: range(from: start)))
    }
}
