/// Why a text is not an executable GraphQL document, and where.
package struct GraphQLSyntaxError: Error, Sendable, Hashable {
    /// The line, counted from 1.
    package let line: Int

    /// The column, counted in Unicode scalars from 1.
    package let column: Int

    /// What was expected and what was found, in words: `expected a name after "fragment", found "{"`.
    package let message: String

    /// An error at a line and a column.
    package init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    /// An error at a place in the text.
    init(at location: GraphQLLocation, _ message: String) {
        self.init(line: location.line, column: location.column, message: message)
    }
}

extension GraphQLSyntaxError: CustomStringConvertible {
    /// `1:10: expected a name after "fragment", found "{"`
    package var description: String {
        "\(line):\(column): \(message)"
    }
}
