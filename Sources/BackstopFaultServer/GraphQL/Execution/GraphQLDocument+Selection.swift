#if Demo
    internal import BackstopGraphQLSyntax

    extension GraphQLDocument.Selection {
        var directives: [GraphQLDocument.Directive] {
            switch self {
            case .field(let field): field.directives
            case .spread(let spread): spread.directives
            case .inlineFragment(let fragment): fragment.directives
            }
        }

        var range: GraphQLRange {
            switch self {
            case .field(let field): field.range
            case .spread(let spread): spread.range
            case .inlineFragment(let fragment): fragment.range
            }
        }
    }

    extension GraphQLDocument.Field {
        /// Whether both have the same name and arguments, so that one answer serves both.
        func asksTheSame(as other: Self) -> Bool {
            guard name == other.name, arguments.count == other.arguments.count else { return false }
            return arguments.allSatisfy { argument in
                other.arguments.contains { $0.name == argument.name && $0.value.text == argument.value.text }
            }
        }
    }
#endif
