/// The namespace of the GraphQL types: operations, results, errors, options.
public enum GraphQL {
    /// What an operation does.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Reads; it may be repeated, and sent by GET.
        case query
        /// Changes something; always sent by POST, and never retried by default.
        case mutation
        /// A stream of results; it cannot be sent as one HTTP request.
        case subscription
    }
}
