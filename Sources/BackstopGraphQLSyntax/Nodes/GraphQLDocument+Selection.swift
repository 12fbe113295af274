extension GraphQLDocument {
    /// One thing that a selection set asks for.
    package enum Selection: Sendable, Hashable {
        case field(Field)
        case spread(FragmentSpread)
        case inlineFragment(InlineFragment)
    }

    /// A field: `smallPicture: picture(size: 64) @include(if: $pictures) { url }`.
    package struct Field: Sendable, Hashable {
        /// The name under which the answer comes; nil when it is the field's own.
        package let alias: String?

        /// The field's name.
        package let name: String

        /// The arguments in the order of the text.
        package let arguments: [Argument]

        /// The directives.
        package let directives: [Directive]

        /// What is selected of the field's value; empty for a field without braces.
        package let selections: [Selection]

        /// Where the field is written.
        package let range: GraphQLRange

        /// The key of the field in the answer: its alias, or else its name.
        package var responseKey: String {
            alias ?? name
        }
    }

    /// The use of a named fragment: `...Name`.
    package struct FragmentSpread: Sendable, Hashable {
        /// The fragment's name.
        package let name: String

        /// The directives.
        package let directives: [Directive]

        /// Where the spread is written.
        package let range: GraphQLRange
    }

    /// Selections for one type, or under a directive: `... on Droid { primaryFunction }`.
    package struct InlineFragment: Sendable, Hashable {
        /// The name of the type; nil when the type around it is meant.
        package let typeCondition: String?

        /// The directives.
        package let directives: [Directive]

        /// What is selected; never empty.
        package let selections: [Selection]

        /// Where the inline fragment is written.
        package let range: GraphQLRange
    }
}
