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
            let start = token.range.start
            let name = try nameWithColon("an argument or \")\"")
            let value = try value(isConstant: isConstant)
            arguments.append(GraphQLDocument.Argument(name: name, value: value, range: range(from: start)))
        } while try !takeIf(")")
        return arguments
    }

    private mutating func nameWithColon(_ expected: String) throws(GraphQLSyntaxError) -> String {
        let name = try takeName(expected)
        try take(":", "after the name \"\(name.prefix(40))\"")
        return name
    }

    /// Reads a value with all that are nested in it, without recursion.
    /// - Parameter isConstant: Whether variables are out of place.
    mutating func value(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLDocument.Value {
        var open: [OpenValue] = []
        while true {
            guard let value = try nextValue(isConstant: isConstant, &open) else { continue }
            guard !open.isEmpty else { return value }
            open[open.count - 1].values.append(value)
        }
    }

    /// Reads a value, or the end of the innermost list or object, or its beginning: then there is no value yet.
    private mutating func nextValue(
        isConstant: Bool, _ open: inout [OpenValue]
    ) throws(GraphQLSyntaxError) -> GraphQLDocument.Value? {
        if !open.isEmpty {
            if try takeIf(open[open.count - 1].isList ? "]" : "}") {
                leave()
                let closed = open.removeLast()
                return GraphQLDocument.Value(content: closed.content, range: range(from: closed.start))
            }
            if !open[open.count - 1].isList {
                let start = token.range.start
                let name = try nameWithColon("the name of a field or \"}\"")
                open[open.count - 1].fields.append((name, start))
            } else if token.kind == .end {
                throw unexpected("a value or \"]\"")
            }
        }
        let start = token.range.start
        if token.isPunctuator("[") || token.isPunctuator("{") {
            try enter()
            open.append(OpenValue(isList: try take().text == "[", start: start))
            return nil
        }
        let content = try scalar(isConstant: isConstant)
        return GraphQLDocument.Value(content: content, range: range(from: start))
    }

    private mutating func scalar(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLDocument.Value.Content {
        switch token.kind {
        case .int: return .int(try take().text)
        case .float: return .float(try take().text)
        case .string: return .string(try take().text)
        case .name: return Self.named(try take().text)
        case .punctuator where token.text == "$": return try variable(isConstant: isConstant)
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
}
