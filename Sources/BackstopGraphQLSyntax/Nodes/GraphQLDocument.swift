/// An executable GraphQL document: operations and fragments, as the specification of September 2025 has them (2.3 to
/// 2.13).
///
/// ```text
/// let document = try GraphQLDocument(parsing: "query Hero { hero { ...Name } } fragment Name on Character { name }")
/// document.operation(named: "Hero")?.selections.first   // the field `hero`
/// ```
///
/// Type definitions belong to schemas and are refused.
package struct GraphQLDocument: Sendable, Hashable {
    /// Operations and fragments in the order of the text.
    package let definitions: [Definition]

    /// An operation or a fragment.
    package enum Definition: Sendable, Hashable {
        case operation(Operation)
        case fragment(Fragment)
    }

    /// The operations in the order of the text.
    package var operations: [Operation] {
        definitions.compactMap { definition in
            if case .operation(let operation) = definition { operation } else { nil }
        }
    }

    /// The fragments in the order of the text.
    package var fragments: [Fragment] {
        definitions.compactMap { definition in
            if case .fragment(let fragment) = definition { fragment } else { nil }
        }
    }

    /// Makes a document of its definitions.
    init(definitions: [Definition]) {
        self.definitions = definitions
    }

    /// All operations and fragments of several documents, such as the files of one target, as one document.
    package init(joining documents: [GraphQLDocument]) {
        definitions = documents.flatMap(\.definitions)
    }
}
