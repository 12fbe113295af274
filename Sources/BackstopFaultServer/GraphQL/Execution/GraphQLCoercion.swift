#if Demo
    import Foundation

    internal import BackstopGraphQLSyntax

    /// Turns what a client gives into values of the schema's types (GraphQL, 6.1.2 and 6.4.1).
    struct GraphQLCoercion: Sendable {
        /// Why a value does not fit its type.
        struct Problem: Error {
            let message: String
        }

        let schema: GraphQLSchema

        /// A value of a variable, as JSON.
        func value(_ value: GraphQLValue, as type: GraphQLType) throws(Problem) -> GraphQLValue {
            switch (type, value) {
            case (.nonNull, .null):
                throw Problem(message: "Expected non-nullable type \"\(type)\" not to be null.")
            case (.nonNull(let inner), _):
                return try self.value(value, as: inner)
            case (_, .null):
                return .null
            case (.list(let element), .array(let values)):
                var result: [GraphQLValue] = []
                for value in values { result.append(try self.value(value, as: element)) }
                return .array(result)
            case (.list(let element), _):
                return .array([try self.value(value, as: element)])
            case (.named(let name), _):
                return try named(value, name)
            }
        }

        func named(_ value: GraphQLValue, _ name: String) throws(Problem) -> GraphQLValue {
            switch schema.type(name)?.kind {
            case .scalar:
                return try scalar(value, name)
            case .enumeration(let cases):
                guard let text = value.text else {
                    throw Problem(message: "Enum \"\(name)\" cannot represent non-string value: \(value.shortJSON).")
                }
                guard cases.contains(text) else {
                    throw Problem(message: "Value \"\(text.prefix(40))\" does not exist in \"\(name)\" enum.")
                }
                return value
            case .input(let inputs):
                guard case .object(let object) = value else {
                    throw Problem(message: "Expected type \"\(name)\" to be an object.")
                }
                return try input(object, inputs, name)
            case .object, .abstract, nil:
                throw Problem(message: "\"\(name)\" is no type for values of a client.")
            }
        }

        private func input(
            _ object: GraphQLObject, _ inputs: [GraphQLInput], _ name: String
        ) throws(Problem) -> GraphQLValue {
            let unknown = object.members.first { member in !inputs.contains { $0.name == member.name } }
            if let unknown {
                throw Problem(message: "Field \"\(unknown.name.prefix(40))\" is not defined by type \"\(name)\".")
            }
            var result: GraphQLObject = [:]
            for input in inputs {
                if let value = object[input.name] ?? input.fallback {
                    result.append(input.name, try self.value(value, as: input.type))
                } else if input.isRequired {
                    let field = "Field \"\(input.name)\" of required type \"\(input.type)\""
                    throw Problem(message: "\(field) was not provided.")
                }
            }
            return .object(result)
        }

        func scalar(_ value: GraphQLValue, _ name: String) throws(Problem) -> GraphQLValue {
            switch (name, value) {
            case ("Int", .int(let number)):
                guard Int32(exactly: number) != nil else {
                    throw Problem(message: "Int cannot represent non 32-bit signed integer value: \(number)")
                }
                return value
            // 1.0 is a whole number as well.
            case ("Int", .double(let number)):
                guard let whole = Int32(exactly: number) else { break }
                return .int(Int(whole))
            case ("Float", .int(let number)): return .double(Double(number))
            case ("Float", .double(let number)) where number.isFinite: return value
            case ("String", .string), ("Boolean", .bool), ("ID", .string): return value
            case ("ID", .int(let number)): return .string(String(number))
            default: break
            }
            throw Problem(message: "\(name) cannot represent value: \(value.shortJSON)")
        }
    }

    extension GraphQLValue {
        /// The beginning of the JSON text, for messages.
        var shortJSON: String {
            let text = json
            return text.count > 80 ? text.prefix(80) + "…" : text
        }
    }
#endif
