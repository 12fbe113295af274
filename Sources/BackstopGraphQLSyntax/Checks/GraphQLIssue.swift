/// Something wrong with operations and fragments that each are well written.
package struct GraphQLIssue: Error, Sendable, Hashable {
    /// Whether the document can be used all the same.
    package enum Severity: String, Sendable, Hashable {
        case warning
        case error
    }

    /// Whether the document can be used all the same.
    package let severity: Severity

    /// The file that was named when the document was read; empty when there was none.
    package let file: String

    /// Where the trouble begins.
    package let location: GraphQLLocation

    /// What is wrong, in words.
    package let message: String
}

extension GraphQLIssue: CustomStringConvertible {
    /// `Hero.graphql:4:12: error: no fragment has the name "Nam"`, as compilers write it.
    package var description: String {
        "\(file.isEmpty ? "" : "\(file):")\(location): \(severity.rawValue): \(message)"
    }
}
