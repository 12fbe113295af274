#if Demo
    internal import BackstopGraphQLSyntax

    extension GraphQLValidator {
        /// Checks what operations and fragments ask for, and what they refer to.
        mutating func checkDefinitions() {
            var references: [String: References] = [:]
            for fragment in document.fragments {
                guard let type = composite(fragment.typeCondition, at: fragment.range) else { continue }
                checkDirectives(fragment.directives, allowed: [])
                var own = References()
                check(fragment.selections, on: type, &own)
                references[fragment.name] = own
            }
            var used: Set<String> = []
            for operation in document.operations {
                checkDirectives(operation.directives, allowed: [])
                var own = References()
                let root = operation.kind == .mutation ? "Mutation" : "Query"
                if operation.kind == .subscription {
                    report("Subscriptions are not served over HTTP.", at: operation.range)
                } else if let type = schema.type(root) {
                    check(operation.selections, on: type, &own)
                }
                used.formUnion(checkVariables(of: operation, own, references))
            }
            for fragment in document.fragments where !used.contains(fragment.name) {
                report("Fragment \"\(fragment.name)\" is never used.", at: fragment.range)
            }
        }

        /// The type of a fragment; nil, and an error, when it has no fields to select.
        private mutating func composite(_ name: String, at range: GraphQLRange) -> GraphQLTypeDefinition? {
            guard let type = schema.type(name) else {
                report("Unknown type \"\(name)\".", at: range)
                return nil
            }
            guard !schema.possibleTypes(of: name).isEmpty else {
                report("Fragment cannot condition on non composite type \"\(name)\".", at: range)
                return nil
            }
            return type
        }

        private mutating func check(
            _ selections: [GraphQLDocument.Selection], on type: GraphQLTypeDefinition, _ references: inout References
        ) {
            for selection in selections {
                checkDirectives(selection.directives, allowed: ["skip", "include"], &references)
                switch selection {
                case .field(let field):
                    check(field, on: type, &references)
                case .inlineFragment(let fragment):
                    guard let name = fragment.typeCondition else {
                        check(fragment.selections, on: type, &references)
                        continue
                    }
                    guard let inner = composite(name, at: fragment.range) else { continue }
                    checkOverlap(inner, type, "Fragment", at: fragment.range)
                    check(fragment.selections, on: inner, &references)
                case .spread(let spread):
                    references.fragments.append(spread.name)
                    guard let fragment = fragments[spread.name] else {
                        report("Unknown fragment \"\(spread.name)\".", at: spread.range)
                        continue
                    }
                    guard let inner = schema.type(fragment.typeCondition) else { continue }
                    checkOverlap(inner, type, "Fragment \"\(spread.name)\"", at: spread.range)
                }
            }
        }

        private mutating func checkOverlap(
            _ inner: GraphQLTypeDefinition, _ outer: GraphQLTypeDefinition, _ subject: String, at range: GraphQLRange
        ) {
            let possible = schema.possibleTypes(of: inner.name)
            guard possible.isDisjoint(with: schema.possibleTypes(of: outer.name)), !possible.isEmpty else { return }
            let reason = "objects of type \"\(outer.name)\" can never be of type \"\(inner.name)\""
            report("\(subject) cannot be spread here as \(reason).", at: range)
        }

        private mutating func check(
            _ field: GraphQLDocument.Field, on type: GraphQLTypeDefinition, _ references: inout References
        ) {
            if ["__schema", "__type"].contains(field.name) {
                report("There is no introspection here beyond __typename.", at: field.range)
                return
            }
            if field.responseKey.utf8.count > Self.keyLimit {
                report("A name is longer than \(Self.keyLimit) bytes.", at: field.range)
            }
            let typeName = GraphQLField("__typename", "String!") { _, _, _ in .null }
            guard let definition = field.name == "__typename" ? typeName : type.fields[field.name] else {
                report("Cannot query field \"\(field.name.prefix(80))\" on type \"\(type.name)\".", at: field.range)
                return
            }
            checkArguments(
                field.arguments, of: definition.arguments, "field \"\(type.name).\(field.name)\"", at: field.range,
                &references)
            guard let result = schema.type(definition.type.name) else { return }
            switch (result.isLeaf, field.selections.isEmpty) {
            case (true, false):
                let reason = "since type \"\(definition.type)\" has no subfields"
                report("Field \"\(field.name)\" must not have a selection \(reason).", at: field.range)
            case (false, true):
                let subject = "Field \"\(field.name)\" of type \"\(definition.type)\""
                report("\(subject) must have a selection of subfields.", at: field.range)
            case (false, false):
                check(field.selections, on: result, &references)
            case (true, true):
                break
            }
        }

        // MARK: Arguments and directives

        private mutating func checkDirectives(_ directives: [GraphQLDocument.Directive], allowed: Set<String>) {
            var references = References()
            checkDirectives(directives, allowed: allowed, &references)
        }

        private mutating func checkDirectives(
            _ directives: [GraphQLDocument.Directive], allowed: Set<String>, _ references: inout References
        ) {
            for directive in directives {
                guard ["skip", "include"].contains(directive.name) else {
                    report("Unknown directive \"@\(directive.name)\".", at: directive.range)
                    continue
                }
                guard allowed.contains(directive.name) else {
                    report("Directive \"@\(directive.name)\" may not be used here.", at: directive.range)
                    continue
                }
                checkArguments(
                    directive.arguments, of: Self.conditionInputs, "directive \"@\(directive.name)\"",
                    at: directive.range, &references)
            }
        }

        private mutating func checkArguments(
            _ arguments: [GraphQLDocument.Argument], of inputs: [GraphQLInput], _ subject: String,
            at range: GraphQLRange, _ references: inout References
        ) {
            var names: Set<String> = []
            for argument in arguments {
                guard let input = inputs.first(where: { $0.name == argument.name }) else {
                    report("Unknown argument \"\(argument.name)\" on \(subject).", at: argument.range)
                    continue
                }
                if !names.insert(argument.name).inserted {
                    report("There can be only one argument named \"\(argument.name)\".", at: argument.range)
                }
                do throws(GraphQLCoercion.Problem) {
                    _ = try GraphQLCoercion(schema: schema).literal(argument.value, as: input.type, [:])
                } catch {
                    report(error.message, at: argument.value.range)
                }
                collect(argument.value, as: input.type, hasFallback: input.fallback != nil, &references)
            }
            for input in inputs where input.isRequired && !names.contains(input.name) {
                let reason = "of type \"\(input.type)\" is required, but it was not provided"
                report("Argument \"\(input.name)\" of \(subject) \(reason).", at: range)
            }
        }
    }
#endif
