#if Demo
    /// A JSON value whose object keeps the order of its members, as GraphQL responses promise it.
    indirect enum GraphQLValue: Sendable, Hashable {
        case null
        case bool(Bool)
        case int(Int)
        /// A number with a fraction, an exponent, or too many digits for `int`.
        case double(Double)
        case string(String)
        case array([GraphQLValue])
        case object(GraphQLObject)
        /// JSON text that is written as it is, for answers that must be odd to the letter.
        case raw(String)

        /// The member of an object; nil when there is none, or this is no object.
        subscript(name: String) -> GraphQLValue? {
            guard case .object(let object) = self else { return nil }
            return object[name]
        }

        /// The text of a string; nil for everything else.
        var text: String? {
            guard case .string(let text) = self else { return nil }
            return text
        }

        /// The value as JSON text.
        var json: String {
            switch self {
            case .null: "null"
            case .bool(let value): value ? "true" : "false"
            case .int(let value): String(value)
            // As most servers write it, in JavaScript: 77 and not 77.0. JSON has no words for infinity.
            case .double(let value): Int(exactly: value).map(String.init) ?? (value.isFinite ? "\(value)" : "null")
            case .string(let value): JSONText.string(value)
            case .array(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
            case .object(let object): object.json
            case .raw(let text): text
            }
        }
    }

    /// The members of a JSON object, in order.
    struct GraphQLObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
        /// Names may repeat only when an answer is broken on purpose.
        private(set) var members: [GraphQLMember] = []

        init(dictionaryLiteral elements: (String, GraphQLValue)...) {
            members = elements.map { GraphQLMember(name: $0.0, value: $0.1) }
        }

        init(_ members: [GraphQLMember]) {
            self.members = members
        }

        /// The first member with this name. Setting replaces it or appends; nil removes all with this name.
        subscript(name: String) -> GraphQLValue? {
            get { members.first { $0.name == name }?.value }
            set {
                guard let newValue else { return members.removeAll { $0.name == name } }
                if let index = members.firstIndex(where: { $0.name == name }) {
                    members[index].value = newValue
                } else {
                    members.append(GraphQLMember(name: name, value: newValue))
                }
            }
        }

        /// Adds a member, also when there is one with this name.
        mutating func append(_ name: String, _ value: GraphQLValue) {
            members.append(GraphQLMember(name: name, value: value))
        }

        var json: String {
            "{" + members.map { "\(JSONText.string($0.name)):\($0.value.json)" }.joined(separator: ",") + "}"
        }
    }

    /// A name and a value.
    struct GraphQLMember: Sendable, Hashable {
        var name: String
        var value: GraphQLValue
    }
#endif
