extension GraphQLDocument {
    /// A variable that an operation declares: `$first: Int = 10 @deprecated`.
    package struct VariableDefinition: Sendable, Hashable {
        /// The name, without `$`.
        package let name: String

        /// The text that describes the variable to people; nil when it has none.
        package let description: String?

        /// The type.
        package let type: TypeReference

        /// The value that holds when none is given; nil when there is none. It contains no variables.
        package let defaultValue: Value?

        /// The directives.
        package let directives: [Directive]

        /// Where the variable is declared.
        package let range: GraphQLRange
    }

    /// A type as a variable names it: `[Episode!]!`.
    package indirect enum TypeReference: Sendable, Hashable {
        case named(String)
        case list(TypeReference)

        /// A type that is never null; the type inside is not itself of this case.
        case nonNull(TypeReference)
    }
}

extension GraphQLDocument.TypeReference: CustomStringConvertible {
    /// The type as GraphQL writes it.
    package var description: String {
        switch self {
        case .named(let name): name
        case .list(let element): "[\(element)]"
        case .nonNull(let type): "\(type)!"
        }
    }
}
