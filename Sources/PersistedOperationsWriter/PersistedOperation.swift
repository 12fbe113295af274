import BackstopGraphQLSyntax
import BackstopHash

/// An operation as it is sent: with its fragments, under its hash.
struct PersistedOperation: Sendable, Hashable {
    /// The operation's name.
    let name: String

    /// Query, mutation or subscription.
    let kind: GraphQLDocument.Operation.Kind

    /// The text of the operation and its fragments, as ``FragmentIndex/source(of:)`` joins them.
    let text: String

    /// The path of the file that the operation is written in.
    let file: String

    /// Where its name is written.
    let location: GraphQLLocation

    /// The SHA-256 of the text, under which a server knows the operation.
    var hash: String { SHA256.hexDigest(of: text) }

    /// `FILE:LINE:COLUMN: error: message`, at the operation's name.
    func error(_ message: String) -> String {
        "\(file):\(location): error: \(message)"
    }
}
