extension GraphQLDocument {
    /// What is wrong with the variables and the arguments.
    func inputIssues(_ index: FragmentIndex) -> [GraphQLIssue] {
        var issues: [GraphQLIssue] = []
        // Each fragment is read once, however many operations use it.
        var inputs: [String: Inputs] = [:]
        for fragment in fragments {
            let read = Inputs(fragment.selections, fragment.directives, file: fragment.file)
            issues += read.duplicates
            inputs[fragment.name] = inputs[fragment.name] ?? read
        }
        for operation in operations {
            let own = Inputs(
                operation.selections, operation.directives + operation.variables.flatMap(\.directives),
                defaults: operation.variables.compactMap(\.defaultValue), file: operation.file)
            let reached = index.reached(from: operation)
            let uses = own.uses + reached.fragments.flatMap { inputs[$0.name]?.uses ?? [] }
            issues += own.duplicates
            issues += Self.variableIssues(of: operation, uses, isWhole: reached.isWhole)
        }
        return issues
    }

    private static func variableIssues(
        of operation: Operation, _ uses: [Inputs.Use], isWhole: Bool
    ) -> [GraphQLIssue] {
        let owner = operation.name.map { "the operation \"\($0)\"" } ?? "the operation"
        var issues: [GraphQLIssue] = []
        let used = Set(uses.map(\.name))
        var known: Set<String> = []
        for variable in operation.variables {
            func add(_ kind: GraphQLIssue.Kind, _ words: String) {
                issues.append(
                    GraphQLIssue(kind: kind, file: operation.file, location: variable.range.start, message: words))
            }
            if !known.insert(variable.name).inserted {
                add(.duplicateVariable, "\(owner) declares the variable \"$\(variable.name)\" twice")
            } else if isWhole, !used.contains(variable.name) {
                add(.unusedVariable, "\(owner) does not use its variable \"$\(variable.name)\"")
            }
        }
        // Of several uses of an unknown one, the first counts.
        for use in uses where known.insert(use.name).inserted {
            let message = "\(owner) does not declare the variable \"$\(use.name)\""
            issues.append(
                GraphQLIssue(kind: .undefinedVariable, file: use.file, location: use.location, message: message))
        }
        return issues
    }
}

/// The variables that a definition uses, and the arguments and fields of input objects that it gives twice.
private struct Inputs {
    struct Use {
        let name: String
        let file: String
        let location: GraphQLLocation
    }

    private(set) var uses: [Use] = []
    private(set) var duplicates: [GraphQLIssue] = []
    private let file: String

    /// Reads the inputs at any depth.
    init(
        _ selections: [GraphQLDocument.Selection], _ directives: [GraphQLDocument.Directive],
        defaults: [GraphQLDocument.Value] = [], file: String
    ) {
        self.file = file
        read(directives)
        for value in defaults { read(value) }
        for selection in selections.nested {
            switch selection {
            case .field(let field):
                read(field.arguments)
                read(field.directives)
            case .inlineFragment(let fragment): read(fragment.directives)
            case .spread(let spread): read(spread.directives)
            }
        }
    }

    private mutating func read(_ directives: [GraphQLDocument.Directive]) {
        for directive in directives { read(directive.arguments) }
    }

    private mutating func read(_ arguments: [GraphQLDocument.Argument]) {
        checkNames(arguments, "argument")
        for argument in arguments { read(argument.value) }
    }

    private mutating func read(_ value: GraphQLDocument.Value) {
        var open = [value]
        while let value = open.popLast() {
            switch value.content {
            case .variable(let name): uses.append(Use(name: name, file: file, location: value.range.start))
            case .list(let values): open += values.reversed()
            case .object(let fields):
                checkNames(fields, "field")
                open += fields.reversed().map(\.value)
            default: break
            }
        }
    }

    private mutating func checkNames(_ arguments: [GraphQLDocument.Argument], _ kind: String) {
        var names: Set<String> = []
        for argument in arguments where !names.insert(argument.name).inserted {
            duplicates.append(
                GraphQLIssue(
                    kind: .duplicateArgument, file: file, location: argument.range.start,
                    message: "the \(kind) \"\(argument.name)\" is given twice"))
        }
    }
}
