extension GraphQLDocument {
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

    /// Whether bytes are a text of nothing but spaces and comments, which is no document.
    package static func isBlank(utf8 bytes: [UInt8]) -> Bool {
        var lexer = Lexer(bytes)
        do throws(GraphQLSyntaxError) {
            try Lexer.checkUTF8(bytes)
            return try lexer.next().kind == .end
        } catch {
            return false
        }
    }

    private init(validUTF8 bytes: [UInt8], file: String, limits: GraphQLLimits) throws(GraphQLSyntaxError) {
        guard bytes.count <= limits.bytes else {
            let message = "the document has \(bytes.count) bytes, more than the \(limits.bytes) allowed"
            throw GraphQLSyntaxError(line: 1, column: 1, message: message)
        }
        var parser = try Parser(bytes, file: file, limits: limits)
        self.init(definitions: try parser.document())
    }
}
