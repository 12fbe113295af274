extension Parser {
    /// Reads the whole document.
    mutating func document() throws(GraphQLSyntaxError) -> [GraphQLDocument.Definition] {
        var definitions: [GraphQLDocument.Definition] = []
        repeat {
            definitions.append(try definition())
        } while token.kind != .end
        return definitions
    }

    private mutating func definition() throws(GraphQLSyntaxError) -> GraphQLDocument.Definition {
        let description = try description()
        if token.isPunctuator("{"), description == nil {
            return .operation(try operation(nil, nil))
        }
        if token.isName("fragment") {
            return .fragment(try fragment(description))
        }
        if token.kind == .name, let kind = GraphQLDocument.Operation.Kind(rawValue: token.text) {
            return .operation(try operation(kind, description))
        }
        if token.kind == .name, Self.schemaWords.contains(token.text) {
            throw GraphQLSyntaxError(
                at: token.range.start,
                "expected an operation or a fragment, found \(token.found): "
                    + "type definitions belong in a schema, not among operations")
        }
        throw unexpected(description == nil ? "an operation or a fragment" : "a definition after its description")
    }

    private static let schemaWords: Set<String> = [
        "schema", "scalar", "type", "interface", "union", "enum", "input", "directive", "extend",
    ]

    /// Reads the description of a definition, if there is one.
    private mutating func description() throws(GraphQLSyntaxError) -> String? {
        guard token.kind == .string else { return nil }
        return try take().text
    }

    /// Reads an operation.
    /// - Parameter kind: What its keyword says, which comes next; nil for a query of nothing but its selection set.
    private mutating func operation(
        _ kind: GraphQLDocument.Operation.Kind?, _ description: String?
    ) throws(GraphQLSyntaxError) -> GraphQLDocument.Operation {
        let start = token.range.start
        if kind != nil { try take() }
        let hasName = kind != nil && token.kind == .name
        let nameRange = hasName ? token.range : GraphQLRange(start: start, end: start)
        let name = hasName ? try take().text : nil
        let variables = try variables()
        let directives = try directives(isConstant: false)
        if let kind, !token.isPunctuator("{") {
            let isBare = name == nil && variables.isEmpty && directives.isEmpty
            throw unexpected(isBare ? "a name or \"{\" after \"\(kind.rawValue)\"" : "\"{\" for the selection set")
        }
        let selections = try selectionSet()
        return GraphQLDocument.Operation(
            kind: kind ?? .query, name: name, description: description, variables: variables, directives: directives,
            selections: selections, text: text(from: start), file: file, range: range(from: start),
            nameRange: nameRange)
    }

    private mutating func fragment(_ description: String?) throws(GraphQLSyntaxError) -> GraphQLDocument.Fragment {
        let start = token.range.start
        try take()
        if token.isName("on") {
            throw GraphQLSyntaxError(at: token.range.start, "a fragment cannot have the name \"on\"")
        }
        let nameRange = token.range
        let name = try takeName("a name after \"fragment\"")
        guard token.isName("on") else { throw unexpected("\"on\" after the name of the fragment") }
        try take()
        let typeCondition = try takeName("the name of a type after \"on\"")
        let directives = try directives(isConstant: false)
        guard token.isPunctuator("{") else { throw unexpected("\"{\" for the selection set") }
        let selections = try selectionSet()
        return GraphQLDocument.Fragment(
            name: name, description: description, typeCondition: typeCondition, directives: directives,
            selections: selections, text: text(from: start), file: file, range: range(from: start),
            nameRange: nameRange)
    }

    private mutating func variables() throws(GraphQLSyntaxError) -> [GraphQLDocument.VariableDefinition] {
        guard try takeIf("(") else { return [] }
        var variables: [GraphQLDocument.VariableDefinition] = []
        repeat {
            variables.append(try variable())
        } while try !takeIf(")")
        return variables
    }

    private mutating func variable() throws(GraphQLSyntaxError) -> GraphQLDocument.VariableDefinition {
        let description = try description()
        let start = token.range.start
        guard try takeIf("$") else { throw unexpected("a variable such as \"$id\"") }
        let name = try takeName("a name after \"$\"")
        try take(":", "after the name of the variable")
        let type = try type()
        let defaultValue = try takeIf("=") ? try value(isConstant: true) : nil
        let directives = try directives(isConstant: true)
        return GraphQLDocument.VariableDefinition(
            name: name, description: description, type: type, defaultValue: defaultValue, directives: directives,
            range: range(from: start))
    }

    private mutating func type() throws(GraphQLSyntaxError) -> GraphQLDocument.TypeReference {
        try enter()
        var lists = 0
        while try takeIf("[") {
            lists += 1
            try enter()
        }
        var type = GraphQLDocument.TypeReference.named(try takeName("a type"))
        leave()
        if try takeIf("!") { type = .nonNull(type) }
        for _ in 0..<lists {
            try take("]", "after the type of the list's elements")
            leave()
            type = try takeIf("!") ? .nonNull(.list(type)) : .list(type)
        }
        return type
    }
}
