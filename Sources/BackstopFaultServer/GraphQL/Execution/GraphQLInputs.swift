#if Demo
    internal import BackstopGraphQLSyntax
    import Foundation

    /// What a client gives: variables, and with them arguments, as `JSONSerialization` reads values.
    struct GraphQLInputs {
        /// The variables that have a value.
        private var variables: [String: Any] = [:]

        /// - Throws: that a variable needs a value, and has none.
        init(_ operation: GraphQLDocument.Operation, _ given: [String: Any]) throws(GraphQLFault) {
            for variable in operation.variables {
                var value = given[variable.name] ?? variable.defaultValue.flatMap(json)
                if case .nonNull = variable.type, value == nil || value is NSNull {
                    let subject = "Variable \"$\(variable.name)\" of required type \"\(variable.type)\""
                    throw .badInput("\(subject) was not provided.", at: variable.range.start)
                }
                // JSON has no names; only the type tells that one is meant.
                let isEpisode = variable.type.description.hasPrefix("Episode")
                if isEpisode, let text = value as? String { value = Name(text: text) }
                variables[variable.name] = value
            }
        }

        /// A case of an enumeration, which a text is not.
        private struct Name {
            let text: String
        }

        /// The arguments of a field.
        /// - Throws: the first one that does not fit.
        func arguments(
            of field: GraphQLDocument.Field, as types: [String: String]
        ) throws(GraphQLFault) -> [String: Any] {
            try Self.typed(json(field.arguments), as: types, of: field.name, at: field.range.start)
        }

        /// What tells apart the fields that one key stands for: the field's name, and its arguments.
        func identity(of field: GraphQLDocument.Field) -> String {
            let arguments = field.arguments.map { "\($0.name): \(json($0.value).map { String(reflecting: $0) } ?? "")" }
            return "\(field.name)(\(arguments.sorted().joined(separator: ", ")))"
        }

        /// Whether `@skip` and `@include` let a selection be.
        func areIncluded(_ directives: [GraphQLDocument.Directive]) throws(GraphQLFault) -> Bool {
            for directive in directives {
                guard ["skip", "include"].contains(directive.name) else {
                    throw .invalid("Unknown directive \"@\(directive.name)\".", at: directive.range.start)
                }
                let values = try Self.typed(
                    json(directive.arguments), as: ["if": "Boolean!"], of: directive.name, at: directive.range.start)
                guard values["if"] as? Bool == (directive.name == "include") else { return false }
            }
            return true
        }

        private func json(_ arguments: [GraphQLDocument.Argument]) -> [String: Any] {
            Dictionary(arguments.map { ($0.name, json($0.value)) }) { $1 }.compactMapValues { $0 }
        }

        /// A value as it is written in the document; nil for a variable without one.
        private func json(_ value: GraphQLDocument.Value) -> Any? {
            switch value.content {
            case .variable(let name): variables[name]
            case .int(let text), .float(let text): Int(text) ?? Double(text)
            case .string(let text): text
            case .enumeration(let text): Name(text: text)
            case .boolean(let value): value
            case .null: NSNull()
            case .list(let values): values.compactMap(json)
            case .object(let fields): json(fields)
            }
        }

        private static func typed(
            _ given: [String: Any], as types: [String: String], of subject: String, at location: GraphQLLocation
        ) throws(GraphQLFault) -> [String: Any] {
            if let name = given.keys.first(where: { types[$0] == nil }) {
                throw .badInput("Unknown argument \"\(name)\" on \"\(subject)\".", at: location)
            }
            var values: [String: Any] = [:]
            for (name, type) in types {
                let argument = "Argument \"\(name)\" of \"\(subject)\""
                if let value = given[name], !(value is NSNull) {
                    values[name] = try typed(value, as: type.filter(\.isLetter), at: location)
                    if values[name] == nil { throw .badInput("\(argument) is not of type \"\(type)\".", at: location) }
                } else if type.hasSuffix("!") {
                    throw .badInput("\(argument) of type \"\(type)\" was not provided.", at: location)
                }
            }
            return values
        }

        /// The value; nil when it does not fit the type.
        private static func typed(
            _ value: Any, as type: String, at location: GraphQLLocation
        ) throws(GraphQLFault) -> Any? {
            // `as?` makes numbers of truth values, and the other way round.
            let isBoolean = (value as? NSNumber)?.objCType.pointee == CChar(UInt8(ascii: "c"))
            switch type {
            case "Boolean": return isBoolean ? value as? Bool : nil
            case _ where isBoolean: return nil
            case "ID": return value as? String ?? (value as? Int).map(String.init)
            case "Int": return (value as? Int).flatMap { Int32(exactly: $0) == nil ? nil : $0 }
            case "String": return value as? String
            case "Episode": return StarWars.episodes.first { $0 == (value as? Name)?.text }
            default:
                guard let members = value as? [String: Any], let types = StarWars.inputs[type] else { return nil }
                return try typed(members, as: types, of: type, at: location)
            }
        }
    }
#endif
