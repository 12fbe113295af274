#if Demo
    internal import BackstopGraphQLSyntax

    extension GraphQLValidator {
        /// Notes the variables in a value.
        func collect(
            _ value: GraphQLDocument.Value, as type: GraphQLType, hasFallback: Bool, _ references: inout References
        ) {
            switch value.content {
            case .variable(let name):
                references.variables.append(
                    VariableUse(name: name, type: type, hasFallback: hasFallback, range: value.range))
            case .list(let values):
                guard case .list(let element) = type.nullable else { return }
                for value in values { collect(value, as: element, hasFallback: false, &references) }
            case .object(let fields):
                guard case .input(let inputs) = schema.type(type.name)?.kind else { return }
                for field in fields {
                    guard let input = inputs.first(where: { $0.name == field.name }) else { continue }
                    collect(field.value, as: input.type, hasFallback: input.fallback != nil, &references)
                }
            default:
                break
            }
        }

        /// Checks that variables and their uses fit, and returns the names of the fragments that the operation reaches.
        mutating func checkVariables(
            of operation: GraphQLDocument.Operation, _ own: References, _ fragments: [String: References]
        ) -> Set<String> {
            var uses = own.variables
            var reached: Set<String> = []
            var waiting = own.fragments
            while let name = waiting.popLast() {
                guard reached.insert(name).inserted, let references = fragments[name] else { continue }
                uses += references.variables
                waiting += references.fragments
            }
            let subject = operation.name.map { "operation \"\($0)\"" } ?? "the operation"
            let variables = Dictionary(
                operation.variables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            for variable in operation.variables { check(variable) }
            for use in uses {
                guard let variable = variables[use.name] else {
                    report("Variable \"$\(use.name)\" is not defined by \(subject).", at: use.range)
                    continue
                }
                guard !fits(variable, use) else { continue }
                let position = "used in position expecting type \"\(use.type)\""
                report("Variable \"$\(use.name)\" of type \"\(variable.type)\" \(position).", at: use.range)
            }
            let used = Set(uses.map(\.name))
            for variable in operation.variables where !used.contains(variable.name) {
                report("Variable \"$\(variable.name)\" is never used in \(subject).", at: variable.range)
            }
            return reached
        }

        private mutating func check(_ variable: GraphQLDocument.VariableDefinition) {
            guard schema.type(variable.type.name)?.isInput ?? false else {
                report(
                    "Variable \"$\(variable.name)\" cannot be of type \"\(variable.type)\".", at: variable.range)
                return
            }
            for directive in variable.directives {
                report("Directive \"@\(directive.name)\" may not be used here.", at: directive.range)
            }
            guard let value = variable.defaultValue else { return }
            do throws(GraphQLCoercion.Problem) {
                _ = try GraphQLCoercion(schema: schema).literal(value, as: variable.type, [:])
            } catch {
                report(error.message, at: value.range)
            }
        }

        private func fits(_ variable: GraphQLDocument.VariableDefinition, _ use: VariableUse) -> Bool {
            if variable.type.fits(use.type) { return true }
            // A default stands in for null, so the nullable variable fits all the same (GraphQL, 5.8.5).
            let hasDefault = variable.defaultValue.map { $0.content != .null } ?? false
            return (hasDefault || use.hasFallback) && variable.type.fits(use.type.nullable)
        }
    }
#endif
