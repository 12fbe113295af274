package import Backstop

/// A transport for GraphQL operations alone, which knows what its server can do.
package protocol OperationTransport: HTTP.Transport {
    /// Whether a hash may stand for the text of an operation that has one.
    var persistsQueries: Bool { get }
}
