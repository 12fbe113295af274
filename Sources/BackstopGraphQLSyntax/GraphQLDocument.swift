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

    /// Reads a document.
    /// - Parameters:
    ///   - text: The document.
    ///   - file: The name of its file, kept in its operations and fragments; empty when there is none.
    ///   - limits: How large it may be.
    /// - Throws: The first place where the text is not a document.
    package init(
        parsing text: String, file: String = "", limits: GraphQLLimits = .standard
    ) throws(GraphQLSyntaxError) {
        try self.init(validUTF8: Array(text.utf8), file: file, limits: limits)
    }

    /// Reads a document from the bytes of a file, which may turn out not to be UTF-8.
    /// - Parameters:
    ///   - bytes: The document in UTF-8, with or without a byte order mark.
    ///   - file: The name of its file, kept in its operations and fragments; empty when there is none.
    ///   - limits: How large it may be.
    /// - Throws: The first place where the bytes are not UTF-8, or else the first where the text is not a document.
    package init(
        parsingUTF8 bytes: [UInt8], file: String = "", limits: GraphQLLimits = .standard
    ) throws(GraphQLSyntaxError) {
        if bytes.count <= limits.bytes {
            try Lexer.checkUTF8(bytes)
        }
        try self.init(validUTF8: bytes, file: file, limits: limits)
    }

    /// All operations and fragments of several documents, such as the files of one target, as one document.
    package init(joining documents: [GraphQLDocument]) {
        definitions = documents.flatMap(\.definitions)
    }

    private init(validUTF8 bytes: [UInt8], file: String, limits: GraphQLLimits) throws(GraphQLSyntaxError) {
        guard bytes.count <= limits.bytes else {
            let message = "the document has \(bytes.count) bytes, more than the \(limits.bytes) allowed"
            throw GraphQLSyntaxError(line: 1, column: 1, message: message)
        }
        var parser = try Parser(bytes, file: file, limits: limits)
        definitions = try parser.document()
    }
}
