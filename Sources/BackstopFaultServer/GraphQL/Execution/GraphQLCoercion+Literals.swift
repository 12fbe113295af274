#if Demo
    internal import BackstopGraphQLSyntax

    extension GraphQLCoercion {
        /// The coerced arguments of a field or a directive; variables that have no value leave their argument out.
        func arguments(
            _ arguments: [GraphQLDocument.Argument], for inputs: [GraphQLInput], variables: [String: GraphQLValue]
        ) throws(Problem) -> GraphQLArguments {
            var result: GraphQLArguments = [:]
            for input in inputs {
                let argument = arguments.first { $0.name == input.name }
                let given = try argument.flatMap { argument throws(Problem) in
                    try literal(argument.value, as: input.type, variables)
                }
                if let value = given ?? input.fallback {
                    guard value != .null || !input.type.isNonNull else {
                        throw Problem(message: "\"\(input.name)\" of type \"\(input.type)\" must not be null.")
                    }
                    result[input.name] = value
                } else if input.isRequired {
                    throw Problem(
                        message: "\"\(input.name)\" of required type \"\(input.type)\" was not provided.")
                }
            }
            return result
        }

        /// A literal as a value of a type; nil when it is a variable without a value.
        func literal(
            _ literal: GraphQLDocument.Value, as type: GraphQLType, _ variables: [String: GraphQLValue]
        ) throws(Problem) -> GraphQLValue? {
            switch (type, literal.content) {
            // Variables are coerced already, to a type that validation has found to fit.
            case (_, .variable(let name)):
                return variables[name]
            case (.nonNull, .null):
                throw Problem(message: "Expected value of type \"\(type)\", found null.")
            case (.nonNull(let inner), _):
                return try self.literal(literal, as: inner, variables)
            case (_, .null):
                return .null
            case (.list(let element), .list(let values)):
                var result: [GraphQLValue] = []
                for value in values { result.append(try self.literal(value, as: element, variables) ?? .null) }
                return .array(result)
            case (.list(let element), _):
                return try self.literal(literal, as: element, variables).map { .array([$0]) }
            case (.named(let name), _):
                return try named(literal, name, variables)
            }
        }

        private func named(
            _ literal: GraphQLDocument.Value, _ name: String, _ variables: [String: GraphQLValue]
        ) throws(Problem) -> GraphQLValue {
            switch (schema.type(name)?.kind, literal.content) {
            case (.scalar, .int(let text)):
                return try scalar(Int(text).map { .int($0) } ?? .double(Double(text) ?? .infinity), name)
            case (.scalar, .float(let text)):
                return try scalar(.double(Double(text) ?? .infinity), name)
            case (.scalar, .string(let text)):
                return try scalar(.string(text), name)
            case (.scalar, .boolean(let value)):
                return try scalar(.bool(value), name)
            case (.enumeration, .enumeration(let text)):
                return try self.named(.string(text), name)
            case (.input(let inputs), .object(let fields)):
                return .object(try object(fields, inputs, name, variables))
            default:
                throw Problem(message: "Expected value of type \"\(name)\", found \(literal.shortText).")
            }
        }

        private func object(
            _ fields: [GraphQLDocument.Argument], _ inputs: [GraphQLInput], _ name: String,
            _ variables: [String: GraphQLValue]
        ) throws(Problem) -> GraphQLObject {
            if let unknown = fields.first(where: { field in !inputs.contains { $0.name == field.name } }) {
                throw Problem(message: "Field \"\(unknown.name.prefix(40))\" is not defined by type \"\(name)\".")
            }
            var object: GraphQLObject = [:]
            for input in inputs {
                // A variable that may be missing has been found to fit, so it is missing where that is allowed.
                let field = fields.first { $0.name == input.name }
                guard field != nil || !input.isRequired else {
                    throw Problem(
                        message: "Field \"\(input.name)\" of required type \"\(input.type)\" was not provided.")
                }
                let given = try field.flatMap { field throws(Problem) in
                    try literal(field.value, as: input.type, variables)
                }
                if let value = given ?? input.fallback { object.append(input.name, value) }
            }
            return object
        }
    }

    extension GraphQLDocument.Value {
        /// The beginning of the value as GraphQL writes it, for messages.
        var shortText: String {
            let text = text
            return text.count > 80 ? text.prefix(80) + "…" : text
        }

        /// The value as GraphQL writes it; equal for values that are the same in different places.
        var text: String {
            switch content {
            case .variable(let name): "$\(name)"
            case .int(let text), .float(let text), .enumeration(let text): text
            case .string(let text): JSONText.string(text)
            case .boolean(let value): "\(value)"
            case .null: "null"
            case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
            case .object(let fields):
                "{" + fields.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ") + "}"
            }
        }
    }
#endif
