/// A place in the text of a document.
package struct GraphQLLocation: Sendable, Hashable {
    /// The line, counted from 1. `\n`, `\r\n` and `\r` each end a line.
    package let line: Int

    /// The column, counted in Unicode scalars from 1.
    package let column: Int

    /// The distance from the beginning of the text, in bytes of UTF-8.
    package let offset: Int
}

extension GraphQLLocation: CustomStringConvertible {
    /// `4:12`: line and column.
    package var description: String {
        "\(line):\(column)"
    }
}
