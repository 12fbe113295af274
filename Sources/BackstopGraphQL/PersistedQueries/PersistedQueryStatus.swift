public import BackstopCore

extension GraphQL {
    /// What persisted queries did for a call; later versions may add more.
    public struct PersistedQueryStatus: Sendable, Hashable, CustomStringConvertible {
        /// The status as a word, for logs.
        public let description: String

        /// The operation was sent in full, without a hash.
        public static let off = PersistedQueryStatus(description: "off")
        /// The server knew the hash: it executed the operation.
        public static let hit = PersistedQueryStatus(description: "hit")
        /// The server did not know the hash, and learned it.
        public static let registered = PersistedQueryStatus(description: "registered")
        /// The server does not support persisted queries; the operation was sent in full and executed.
        public static let unsupported = PersistedQueryStatus(description: "unsupported")
        /// None of the others: no response, a second miss, a 401, a 503, a proxy's page, an error of the whole request.
        public static let undecided = PersistedQueryStatus(description: "undecided")
    }
}

private enum StatusKey: CallKey {
    static let defaultValue = GraphQL.PersistedQueryStatus.off
}

private enum HashInVainKey: CallKey {
    static let defaultValue = false
}

private enum HashMissedKey: CallKey {
    static let defaultValue = false
}

extension CallValues {
    /// What persisted queries did for the call; `off` when they were not involved.
    public internal(set) var persistedQuery: GraphQL.PersistedQueryStatus {
        get { self[StatusKey.self] }
        set { self[StatusKey.self] = newValue }
    }

    /// Whether a server failed because of the hash in an attempt of this call, so that further attempts send the text.
    var isHashInVain: Bool {
        get { self[HashInVainKey.self] }
        set { self[HashInVainKey.self] = newValue }
    }

    /// Whether a server has missed the text in an attempt of this call, so that further attempts send it with the hash.
    var isHashMissed: Bool {
        get { self[HashMissedKey.self] }
        set { self[HashMissedKey.self] = newValue }
    }
}
