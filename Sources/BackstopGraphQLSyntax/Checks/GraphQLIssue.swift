/// Something wrong with operations and fragments that each are well written.
package struct GraphQLIssue: Error, Sendable, Hashable {
    /// What is wrong.
    package enum Kind: Sendable, Hashable {
        case namelessOperation
        case duplicateName
        case unknownFragment
        case fragmentCycle
        case unusedFragment
        case duplicateVariable
        case undefinedVariable
        case unusedVariable
        case duplicateArgument
    }

    /// What is wrong.
    package let kind: Kind

    /// The file that was named when the document was read; empty when there was none.
    package let file: String

    /// Where the trouble begins.
    package let location: GraphQLLocation

    /// What is wrong, in words.
    package let message: String
}

extension GraphQLIssue: CustomStringConvertible {
    /// `Hero.graphql:4:12: error: no fragment is named "Nam"`, as compilers write it.
    package var description: String {
        "\(file.isEmpty ? "" : "\(file):")\(location): error: \(message)"
    }
}
