#if Demo
    /// The types that documents are checked against, and how their fields get values.
    struct GraphQLSchema: Sendable {
        private let types: [String: GraphQLTypeDefinition]

        init(_ types: [GraphQLTypeDefinition]) {
            self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The type with this name; nil when the schema has none.
        func type(_ name: String) -> GraphQLTypeDefinition? { types[name] }

        /// The names of the objects that a value of this type can be; empty when it is no object, interface or union.
        func possibleTypes(of name: String) -> Set<String> {
            switch types[name]?.kind {
            case .object: [name]
            case .abstract(let possible): Set(possible)
            default: []
            }
        }
    }

    /// A type of a schema.
    struct GraphQLTypeDefinition: Sendable {
        enum Kind: Sendable {
            case scalar
            case enumeration([String])
            case input([GraphQLInput])
            case object
            /// An interface or a union: the objects that it can be.
            case abstract([String])
        }

        let name: String
        let kind: Kind
        let fields: [String: GraphQLField]

        init(_ name: String, _ kind: Kind, fields: [GraphQLField] = []) {
            self.name = name
            self.kind = kind
            self.fields = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// Whether a field of this type has no selection of its own.
        var isLeaf: Bool {
            switch kind {
            case .scalar, .enumeration: true
            case .input, .object, .abstract: false
            }
        }

        /// Whether a variable or an argument can have this type.
        var isInput: Bool {
            if case .input = kind { true } else { isLeaf }
        }
    }

    /// A field of an object or an interface.
    struct GraphQLField: Sendable {
        typealias Resolver =
            @Sendable (StarWarsObject, GraphQLArguments, GraphQLStore) throws(GraphQLFieldProblem)
            -> GraphQLResult

        let name: String
        let type: GraphQLType
        let arguments: [GraphQLInput]
        let resolve: Resolver

        init(_ name: String, _ type: String, _ arguments: [GraphQLInput] = [], resolve: @escaping Resolver) {
            self.name = name
            self.type = GraphQLType(type)
            self.arguments = arguments
            self.resolve = resolve
        }
    }

    /// An argument of a field, or a field of an input object.
    struct GraphQLInput: Sendable {
        let name: String
        let type: GraphQLType
        /// The value when none is given; nil when there is none.
        let fallback: GraphQLValue?

        init(_ name: String, _ type: String, default fallback: GraphQLValue? = nil) {
            self.name = name
            self.type = GraphQLType(type)
            self.fallback = fallback
        }

        /// Whether leaving it out is an error.
        var isRequired: Bool { type.isNonNull && fallback == nil }
    }

    /// The coerced arguments of a field; those that were not given and have no default are absent.
    typealias GraphQLArguments = [String: GraphQLValue]

    /// What a resolver returns.
    indirect enum GraphQLResult: Sendable {
        case null
        case leaf(GraphQLValue)
        case object(StarWarsObject)
        case list([GraphQLResult])
        /// An element of a list that has no value.
        case problem(GraphQLFieldProblem)
    }

    /// Why a field has no value.
    struct GraphQLFieldProblem: Error {
        let message: String
        /// What `extensions.code` says.
        let code: String
    }
#endif
