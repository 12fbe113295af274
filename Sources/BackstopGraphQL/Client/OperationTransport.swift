package import Backstop

/// A transport that knows what its server can do with GraphQL operations.
package protocol OperationTransport: HTTP.Transport {
    /// Whether a hash may stand for the text of an operation that has one.
    var persistsQueries: Bool { get }
}
