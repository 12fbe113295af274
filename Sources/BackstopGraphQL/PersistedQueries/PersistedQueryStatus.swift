public import BackstopCore

extension GraphQL {
    /// What persisted queries did for a call.
    public enum PersistedQueryStatus: String, Sendable, Hashable, CaseIterable {
        /// The operation was sent in full, without a hash.
        case off
        /// The server knew the hash: it executed the operation.
        case hit
        /// The server did not know the hash, and learned it.
        case registered
        /// The server does not know persisted queries; the operation was sent in full and executed.
        case unsupported
        /// The answer does not show whether the server knows the hash: a 401, a 503, a page of a proxy, an error of the
        /// request as a whole.
        case undecided
    }
}

private enum StatusKey: CallKey {
    static let defaultValue = GraphQL.PersistedQueryStatus.off
}

private enum HashInVainKey: CallKey {
    static let defaultValue = false
}

extension CallValues {
    /// What persisted queries did for the call; `off` when they took no part.
    public internal(set) var persistedQuery: GraphQL.PersistedQueryStatus {
        get { self[StatusKey.self] }
        set { self[StatusKey.self] = newValue }
    }

    /// Whether a server tripped over the hash in an attempt of this call, so that further attempts send the text.
    var isHashInVain: Bool {
        get { self[HashInVainKey.self] }
        set { self[HashInVainKey.self] = newValue }
    }
}
