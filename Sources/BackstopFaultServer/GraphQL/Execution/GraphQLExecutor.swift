#if Demo
    internal import BackstopGraphQLSyntax

    /// Executes one operation, which validation has found to be good.
    struct GraphQLExecutor {
        /// How many fields a document may ask for, with those of all elements of lists.
        static let fieldLimit = 10_000

        let schema: GraphQLSchema
        let store: GraphQLStore
        let fragments: [String: GraphQLDocument.Fragment]
        let variables: [String: GraphQLValue]
        /// Whether the fields of the root are never null, so that one of them that fails makes `data` null.
        let hasStrictRoot: Bool

        /// The errors of fields, in the order in which they came up.
        private(set) var faults: [GraphQLFault] = []
        /// Why the whole operation is given up; nil while it is not.
        private(set) var fatal: GraphQLFault?
        private var fieldCount = 0

        init(
            schema: GraphQLSchema, store: GraphQLStore, fragments: [String: GraphQLDocument.Fragment],
            variables: [String: GraphQLValue], hasStrictRoot: Bool
        ) {
            self.schema = schema
            self.store = store
            self.fragments = fragments
            self.variables = variables
            self.hasStrictRoot = hasStrictRoot
        }

        /// What becomes of a value.
        private enum Completion {
            case value(GraphQLValue)
            case null
            /// There is an entry in `errors` already.
            case failed
        }

        /// The fields that share a key of the answer.
        private struct Group {
            let key: String
            var fields: [GraphQLDocument.Field]
        }

        /// Where a value belongs.
        private struct Spot {
            /// The type and the field, for messages: `Human.name`.
            let name: String
            /// The fields that share the key; never empty.
            let fields: [GraphQLDocument.Field]
            let path: [GraphQLFault.PathElement]
        }

        /// Returns `data`: null when an error has reached the root.
        mutating func data(of operation: GraphQLDocument.Operation) -> GraphQLValue {
            let root: StarWarsObject = operation.kind == .mutation ? .mutation : .query
            guard case .value(let data) = object(root, [operation.selections], path: [], isRoot: true) else {
                return .null
            }
            return data
        }

        private mutating func object(
            _ object: StarWarsObject, _ selections: [[GraphQLDocument.Selection]], path: [GraphQLFault.PathElement],
            isRoot: Bool = false
        ) -> Completion {
            var groups: [Group] = []
            var places: [String: Int] = [:]
            var visited: Set<String> = []
            for selections in selections {
                collect(selections, on: object.typeName, into: &groups, &places, &visited)
            }
            var result: [GraphQLMember] = []
            for group in groups {
                guard fatal == nil, let first = group.fields.first else { return .failed }
                if first.name == "__typename" {
                    result.append(GraphQLMember(name: group.key, value: .string(object.typeName)))
                    continue
                }
                guard let definition = schema.type(object.typeName)?.fields[first.name] else { continue }
                let type = isRoot && hasStrictRoot ? .nonNull(definition.type.nullable) : definition.type
                let spot = Spot(
                    name: "\(object.typeName).\(first.name)", fields: group.fields, path: path + [.field(group.key)])
                switch complete(resolve(definition, of: object, first), as: type, at: spot) {
                case .value(let value): result.append(GraphQLMember(name: group.key, value: value))
                case .failed where type.isNonNull: return .failed
                case .null, .failed: result.append(GraphQLMember(name: group.key, value: .null))
                }
            }
            return .value(.object(GraphQLObject(result)))
        }

        private func resolve(
            _ definition: GraphQLField, of object: StarWarsObject, _ field: GraphQLDocument.Field
        ) -> GraphQLResult {
            do throws(GraphQLCoercion.Problem) {
                let arguments = try GraphQLCoercion(schema: schema).arguments(
                    field.arguments, for: definition.arguments, variables: variables)
                do throws(GraphQLFieldProblem) {
                    return try definition.resolve(object, arguments, store)
                } catch {
                    return .problem(error)
                }
            } catch {
                return .problem(GraphQLFieldProblem(message: error.message, code: "BAD_USER_INPUT"))
            }
        }

        private mutating func complete(_ result: GraphQLResult, as type: GraphQLType, at spot: Spot) -> Completion {
            if case .nonNull(let inner) = type {
                let completion = complete(result, as: inner, at: spot)
                guard case .null = completion else { return completion }
                fail("Cannot return null for non-nullable field \(spot.name).", "INTERNAL_SERVER_ERROR", at: spot)
                return .failed
            }
            switch result {
            case .null:
                return .null
            case .problem(let problem):
                fail(problem.message, problem.code, at: spot)
                return .failed
            case .leaf(let value):
                return .value(value)
            case .object(let object):
                return self.object(object, spot.fields.map(\.selections), path: spot.path)
            case .list(let elements):
                guard case .list(let elementType) = type else { return .null }
                return list(elements, of: elementType, at: spot)
            }
        }

        private mutating func list(
            _ elements: [GraphQLResult], of type: GraphQLType, at spot: Spot
        ) -> Completion {
            var values: [GraphQLValue] = []
            for (index, element) in elements.enumerated() {
                let spot = Spot(name: spot.name, fields: spot.fields, path: spot.path + [.index(index)])
                switch complete(element, as: type, at: spot) {
                case .value(let value): values.append(value)
                case .failed where type.isNonNull: return .failed
                case .null, .failed: values.append(.null)
                }
            }
            return .value(.array(values))
        }

        private mutating func fail(_ message: String, _ code: String, at spot: Spot) {
            let places = spot.fields.prefix(1).map { GraphQLFault.Place($0.range) }
            faults.append(GraphQLFault(message: message, places: places, path: spot.path, code: code))
        }

        // MARK: Which fields are asked for

        private mutating func collect(
            _ selections: [GraphQLDocument.Selection], on type: String, into groups: inout [Group],
            _ places: inout [String: Int], _ visited: inout Set<String>
        ) {
            for selection in selections {
                fieldCount += 1
                guard fieldCount <= Self.fieldLimit else {
                    fatal = fatal ?? .invalid("The answer would have more than \(Self.fieldLimit) fields.")
                    return
                }
                guard isIncluded(selection.directives) else { continue }
                switch selection {
                case .field(let field):
                    append(field, to: &groups, &places)
                case .inlineFragment(let fragment):
                    guard isType(type, fragment.typeCondition) else { continue }
                    collect(fragment.selections, on: type, into: &groups, &places, &visited)
                case .spread(let spread):
                    guard let fragment = fragments[spread.name], isType(type, fragment.typeCondition),
                        visited.insert(spread.name).inserted
                    else { continue }
                    collect(fragment.selections, on: type, into: &groups, &places, &visited)
                }
            }
        }

        private mutating func append(
            _ field: GraphQLDocument.Field, to groups: inout [Group], _ places: inout [String: Int]
        ) {
            guard let place = places[field.responseKey] else {
                places[field.responseKey] = groups.count
                groups.append(Group(key: field.responseKey, fields: [field]))
                return
            }
            if let first = groups[place].fields.first, !first.asksTheSame(as: field) {
                fatal = .invalid(
                    "Fields \"\(field.responseKey)\" conflict: they are different fields or have different "
                        + "arguments. Use different aliases on the fields to fetch both.", at: field.range)
            }
            groups[place].fields.append(field)
        }

        private func isType(_ type: String, _ condition: String?) -> Bool {
            condition.map { schema.possibleTypes(of: $0).contains(type) } ?? true
        }

        private func isIncluded(_ directives: [GraphQLDocument.Directive]) -> Bool {
            directives.allSatisfy { directive in
                let arguments = try? GraphQLCoercion(schema: schema).arguments(
                    directive.arguments, for: GraphQLValidator.conditionInputs, variables: variables)
                return arguments?["if"] == .bool(directive.name == "include")
            }
        }
    }
#endif
