public import BackstopCore

extension GraphQL {
    /// What persisting queries did for a call.
    public enum PersistedQueryStatus: String, Sendable, Hashable, CaseIterable {
        /// The operation was sent in full, without a hash.
        case off
        /// The server knew the hash.
        case hit
        /// The server did not know the hash, and learned it.
        case registered
        /// The server does not know persisted queries; the operation was sent in full.
        case unsupported
    }
}

private enum StatusKey: CallKey {
    static let defaultValue = GraphQL.PersistedQueryStatus.off
}

extension CallValues {
    /// What persisting queries did for the call; `off` where nothing did.
    public internal(set) var persistedQuery: GraphQL.PersistedQueryStatus {
        get { self[StatusKey.self] }
        set { self[StatusKey.self] = newValue }
    }
}
