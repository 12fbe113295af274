extension Parser {
    /// Reads the directives that come next, if any.
    /// - Parameter isConstant: Whether variables are out of place.
    mutating func directives(isConstant: Bool) throws(GraphQLSyntaxError) -> [GraphQLDocument.Directive] {
        var directives: [GraphQLDocument.Directive] = []
        while token.isPunctuator("@") {
            let start = token.range.start
            try take()
            let name = try takeName("a name after \"@\"")
            let arguments = try arguments(isConstant: isConstant)
            directives.append(GraphQLDocument.Directive(name: name, arguments: arguments, range: range(from: start)))
        }
        return directives
    }

    /// Reads the arguments in parentheses that come next, if any.
    /// - Parameter isConstant: Whether variables are out of place.
    mutating func arguments(isConstant: Bool) throws(GraphQLSyntaxError) -> [GraphQLDocument.Argument] {
        guard try takeIf("(") else { return [] }
        if token.isPunctuator(")") {
            throw GraphQLSyntaxError(at: token.range.start, "parentheses need at least one argument")
        }
        var arguments: [GraphQLDocument.Argument] = []
        repeat {
            arguments.append(try argument("an argument or \")\"", isConstant: isConstant))
        } while try !takeIf(")")
        return arguments
    }

    private mutating func argument(
        _ expected: String, isConstant: Bool
    ) throws(GraphQLSyntaxError) -> GraphQLDocument.Argument {
        let start = token.range.start
        let name = try takeName(expected)
        try take(":", "after the name \"\(name.prefix(40))\"")
        let value = try value(isConstant: isConstant)
        return GraphQLDocument.Argument(name: name, value: value, range: range(from: start))
    }

    /// Reads a value.
    /// - Parameter isConstant: Whether variables are out of place.
    mutating func value(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLDocument.Value {
        let start = token.range.start
        let content = try content(isConstant: isConstant)
        return GraphQLDocument.Value(content: content, range: range(from: start))
    }

    private mutating func content(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLDocument.Value.Content {
        switch token.kind {
        case .int: return .int(try take().text)
        case .float: return .float(try take().text)
        case .string: return .string(try take().text)
        case .name: return Self.named(try take().text)
        case .punctuator where token.text == "$": return try variable(isConstant: isConstant)
        case .punctuator where token.text == "[": return try list(isConstant: isConstant)
        case .punctuator where token.text == "{": return try object(isConstant: isConstant)
        case .punctuator, .end: throw unexpected("a value")
        }
    }

    private static func named(_ name: String) -> GraphQLDocument.Value.Content {
        switch name {
        case "true": .boolean(true)
        case "false": .boolean(false)
        case "null": .null
        default: .enumeration(name)
        }
    }

    private mutating func variable(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLDocument.Value.Content {
        if isConstant {
            throw GraphQLSyntaxError(
                at: token.range.start, "a declaration of variables cannot use the value of another variable")
        }
        try take()
        return .variable(try takeName("a name after \"$\""))
    }

    private mutating func list(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLDocument.Value.Content {
        try enter()
        try take()
        var values: [GraphQLDocument.Value] = []
        while try !takeIf("]") {
            if token.kind == .end { throw unexpected("a value or \"]\"") }
            values.append(try value(isConstant: isConstant))
        }
        leave()
        return .list(values)
    }

    private mutating func object(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLDocument.Value.Content {
        try enter()
        try take()
        var fields: [GraphQLDocument.Argument] = []
        while try !takeIf("}") {
            fields.append(try argument("the name of a field or \"}\"", isConstant: isConstant))
        }
        leave()
        return .object(fields)
    }
}
