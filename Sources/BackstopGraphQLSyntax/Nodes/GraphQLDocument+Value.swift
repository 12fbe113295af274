extension GraphQLDocument {
    /// A value as it is written in an argument or as a default.
    package struct Value: Sendable, Hashable {
        /// What a value is.
        package enum Content: Sendable, Hashable {
            /// The name of a variable, without `$`.
            case variable(String)

            /// A whole number as written; it may be too large for any integer type.
            case int(String)

            /// A number with a fraction or an exponent, as written.
            case float(String)

            /// A string or a block string, with escapes and indentation resolved.
            case string(String)

            case boolean(Bool)
            case null

            /// The name of an enumeration's case.
            case enumeration(String)

            case list([Value])

            /// The fields of an input object in the order of the text.
            case object([Argument])
        }

        /// What the value is.
        package let content: Content

        /// Where the value is written.
        package let range: GraphQLRange
    }

    /// A name with a value: an argument of a field or of a directive, or a field of an input object.
    package struct Argument: Sendable, Hashable {
        /// The name.
        package let name: String

        /// The value.
        package let value: Value

        /// Where name and value are written.
        package let range: GraphQLRange
    }

    /// A directive: `@include(if: $pictures)`.
    package struct Directive: Sendable, Hashable {
        /// The name, without `@`.
        package let name: String

        /// The arguments in the order of the text.
        package let arguments: [Argument]

        /// Where the directive is written.
        package let range: GraphQLRange
    }
}
