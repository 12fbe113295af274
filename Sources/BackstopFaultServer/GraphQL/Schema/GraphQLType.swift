#if Demo
    internal import BackstopGraphQLSyntax

    /// A type as a schema or a document names it, for example `[Character]!`.
    typealias GraphQLType = GraphQLDocument.TypeReference

    extension GraphQLType {
        /// - Parameter text: as in a schema, without white space.
        init(_ text: some StringProtocol) {
            if text.hasSuffix("!") {
                self = .nonNull(Self(text.dropLast()))
            } else if text.hasPrefix("["), text.hasSuffix("]") {
                self = .list(Self(text.dropFirst().dropLast()))
            } else {
                self = .named(String(text))
            }
        }

        /// The name inside of all lists.
        var name: String {
            switch self {
            case .named(let name): name
            case .list(let inner), .nonNull(let inner): inner.name
            }
        }

        var isNonNull: Bool {
            if case .nonNull = self { true } else { false }
        }

        /// The same without the mark of a type that is never null.
        var nullable: Self {
            if case .nonNull(let inner) = self { inner } else { self }
        }

        /// Whether a variable of this type may be used where the other one is expected (GraphQL, 5.8.5).
        func fits(_ expected: Self) -> Bool {
            switch (self, expected) {
            case (.nonNull(let mine), .nonNull(let other)): mine.fits(other)
            case (_, .nonNull): false
            case (.nonNull(let mine), _): mine.fits(expected)
            case (.list(let mine), .list(let other)): mine.fits(other)
            case (.named(let mine), .named(let other)): mine == other
            default: false
            }
        }
    }
#endif
