import BackstopGraphQLSyntax

/// What a part of a document says, without where and how it is written: equal outlines mean equal documents.
func outline(of node: Any) -> String {
    let mirror = Mirror(reflecting: node)
    let children = mirror.children.filter { child in
        !["range", "nameRange", "text", "file"].contains(child.label ?? "")
    }
    switch mirror.displayStyle {
    case .optional: return children.first.map { outline(of: $0.value) } ?? "nil"
    case .collection: return "[" + children.map { outline(of: $0.value) }.joined(separator: " ") + "]"
    case .enum:
        guard let child = children.first else { return "\(node)" }
        return "\(child.label ?? "")(\(outline(of: child.value)))"
    case .struct where !(node is String):
        return "(" + children.map { "\($0.label ?? "")=\(outline(of: $0.value))" }.joined(separator: " ") + ")"
    default: return String(reflecting: node)
    }
}

/// What a document says, in short: how GraphQL writes it with nothing that could be left out.
func compact(_ document: GraphQLDocument) -> String {
    document.definitions.map { definition in
        switch definition {
        case .operation(let operation):
            let variables = operation.variables.map { variable in
                let value = variable.defaultValue.map { "=\(compact($0))" } ?? ""
                return "$\(variable.name):\(variable.type)\(value)\(compact(variable.directives))"
            }
            return operation.kind.rawValue + (operation.name.map { " \($0)" } ?? "")
                + (variables.isEmpty ? "" : "(\(variables.joined(separator: ",")))")
                + compact(operation.directives) + compact(operation.selections)
        case .fragment(let fragment):
            return "fragment \(fragment.name) on \(fragment.typeCondition)" + compact(fragment.directives)
                + compact(fragment.selections)
        }
    }.joined(separator: " ")
}

private func compact(_ selections: [GraphQLDocument.Selection]) -> String {
    guard !selections.isEmpty else { return "" }
    let parts = selections.map { selection in
        switch selection {
        case .field(let field):
            (field.alias.map { "\($0):" } ?? "") + field.name + compact(field.arguments) + compact(field.directives)
                + compact(field.selections)
        case .spread(let spread): "...\(spread.name)" + compact(spread.directives)
        case .inlineFragment(let fragment):
            "..." + (fragment.typeCondition.map { "on \($0)" } ?? "") + compact(fragment.directives)
                + compact(fragment.selections)
        }
    }
    return "{\(parts.joined(separator: " "))}"
}

private func compact(_ directives: [GraphQLDocument.Directive]) -> String {
    directives.map { "@\($0.name)" + compact($0.arguments) }.joined()
}

private func compact(_ arguments: [GraphQLDocument.Argument]) -> String {
    arguments.isEmpty ? "" : "(\(arguments.map { "\($0.name):\(compact($0.value))" }.joined(separator: ",")))"
}

private func compact(_ value: GraphQLDocument.Value) -> String {
    switch value.content {
    case .variable(let name): "$\(name)"
    case .int(let text), .float(let text), .enumeration(let text): text
    case .string(let text): text.debugDescription
    case .boolean(let value): "\(value)"
    case .null: "null"
    case .list(let values): "[\(values.map(compact).joined(separator: ","))]"
    case .object(let fields): "{\(fields.map { "\($0.name):\(compact($0.value))" }.joined(separator: ","))}"
    }
}
