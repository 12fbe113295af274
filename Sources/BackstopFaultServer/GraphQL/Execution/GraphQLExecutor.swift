#if Demo
    internal import BackstopGraphQLSyntax

    /// Executes one operation: asks ``StarWars`` for one field after the other.
    struct GraphQLExecutor {
        /// How many fields a response may have, how deep it may be, and how long a key may be, in bytes.
        private static let (fieldLimit, depthLimit, keyLimit) = (10_000, 50, 256)

        let inputs: GraphQLInputs
        let fragments: FragmentIndex
        /// Whether the fields of the root are never null, so that one of them that fails makes `data` null.
        let hasStrictRoot: Bool
        /// All there are; those that the operation adds come last.
        var reviews: [StarWars.Record]
        /// The errors of fields, in the order in which they came up.
        var faults: [GraphQLFault] = []
        var fieldCount = 0

        /// An object as JSON; null when a field that is never null has no value, for which there is an error.
        /// - Parameter type: the type that the document knows of: the object's own, or an interface.
        /// - Throws: why the whole document is refused.
        mutating func object(
            _ record: StarWars.Record, as type: String, _ selections: [GraphQLDocument.Selection],
            at path: [String] = []
        ) throws(GraphQLFault) -> String {
            let fields = try fields(selections, of: record, as: type, depth: path.count)
            var groups = Dictionary(grouping: fields) { $0.field.responseKey }
            var members: [(name: String, json: String?)] = []
            for (field, type) in fields {
                // Fields that share a key are one.
                guard let group = groups.removeValue(forKey: field.responseKey) else { continue }
                if group.count > 1, Set(group.map { inputs.identity(of: $0.field) }).count > 1 {
                    let message = "Fields \"\(field.responseKey)\" conflict: they are different fields, or have"
                    throw .invalid("\(message) differing arguments. Use different aliases.", at: field.range.start)
                }
                guard field.name != "__typename" else {
                    members.append((field.responseKey, LiteralJSON.string(record.type)))
                    continue
                }
                let definition = try definition(of: field, on: type)
                let path = path + [LiteralJSON.string(field.responseKey)]
                let faultCount = faults.count
                let value = try value(of: field, definition, group.flatMap(\.field.selections), record, at: path)
                if value == "null", definition.isNonNull || (hasStrictRoot && path.count == 1) {
                    let message = "Cannot return null for non-nullable field \(record.type).\(field.name)."
                    if faults.count == faultCount {
                        fail(GraphQLFault(message, code: "INTERNAL_SERVER_ERROR"), field, path)
                    }
                    return "null"
                }
                members.append((field.responseKey, value))
            }
            return LiteralJSON.object(members)
        }

        private func definition(
            of field: GraphQLDocument.Field, on type: String
        ) throws(GraphQLFault) -> StarWars.Field {
            guard let definition = StarWars.types[type]?[field.name] else {
                throw .invalid("Cannot query field \"\(field.name)\" on type \"\(type)\".", at: field.range.start)
            }
            let isLeaf = StarWars.types[definition.typeName] == nil
            guard isLeaf == field.selections.isEmpty else {
                let message = "Field \"\(field.name)\" of type \"\(definition.type)\" must \(isLeaf ? "not " : "")have"
                throw .invalid("\(message) a selection of subfields.", at: field.range.start)
            }
            return definition
        }

        /// The value of a field as JSON; null also when there is an error for it.
        private mutating func value(
            of field: GraphQLDocument.Field, _ definition: StarWars.Field, _ selections: [GraphQLDocument.Selection],
            _ record: StarWars.Record, at path: [String]
        ) throws(GraphQLFault) -> String {
            let arguments = try inputs.arguments(of: field, as: definition.arguments)
            let result: StarWars.Result
            do throws(GraphQLFault) {
                result = try StarWars.result(of: field.name, of: record, arguments, &reviews)
            } catch {
                fail(error, field, path)
                return "null"
            }
            switch result {
            case .json(let json):
                return json
            case .records(let records):
                var values: [String] = []
                for record in records {
                    let path = definition.isList ? path + ["\(values.count)"] : path
                    if let problem = record.problem {
                        fail(problem, field, path)
                        values.append("null")
                    } else {
                        values.append(try object(record, as: definition.typeName, selections, at: path))
                    }
                }
                return definition.isList ? LiteralJSON.list(values) : values.first ?? "null"
            }
        }

        private mutating func fail(_ fault: GraphQLFault, _ field: GraphQLDocument.Field, _ path: [String]) {
            var fault = fault
            fault.place = (field.range.start.line, field.range.start.column)
            fault.path = path
            faults.append(fault)
        }

        /// The fields that an object has to give, those of fragments, too, each with the type on which it is selected.
        private mutating func fields(
            _ selections: [GraphQLDocument.Selection], of record: StarWars.Record, as type: String, depth: Int
        ) throws(GraphQLFault) -> [(field: GraphQLDocument.Field, type: String)] {
            guard StarWars.types[type] != nil else { throw .invalid("Unknown type \"\(type)\".") }
            guard depth < Self.depthLimit else { throw .invalid("The document is too deep.") }
            guard StarWars.isType(record.type, type) else { return [] }
            var fields: [(field: GraphQLDocument.Field, type: String)] = []
            for selection in selections {
                fieldCount += 1
                guard fieldCount <= Self.fieldLimit else { throw .invalid("The response would have too many fields.") }
                switch selection {
                case .field(let field):
                    guard field.responseKey.utf8.count <= Self.keyLimit else { throw .invalid("A key is too long.") }
                    if try inputs.areIncluded(field.directives) { fields.append((field, type)) }
                case .inlineFragment(let fragment) where try inputs.areIncluded(fragment.directives):
                    let type = fragment.typeCondition ?? type
                    fields += try self.fields(fragment.selections, of: record, as: type, depth: depth + 1)
                case .spread(let spread):
                    guard let fragment = fragments[spread.name], try inputs.areIncluded(spread.directives) else {
                        continue
                    }
                    let type = fragment.typeCondition
                    fields += try self.fields(fragment.selections, of: record, as: type, depth: depth + 1)
                case .inlineFragment: break
                }
            }
            return fields
        }
    }
#endif
