public import Backstop
public import BackstopCore

extension GraphQL {
    /// How GraphQL calls are made: by all calls of a client, or by one.
    ///
    /// ```swift
    /// func strict(_ client: Client) -> Client {
    ///     client.configured { $0.values.graphQL.shouldFailOnRecoverableError = true }
    /// }
    /// ```
    public struct Options: Sendable {
        /// The path of the endpoint below the client's base URL. Default: empty, the base URL itself.
        public var path = ""
        /// Whether data that comes with errors is a failure. Default: false, a result with both.
        public var shouldFailOnRecoverableError = false
        /// Whether queries are sent by GET, with their text or with their hash; mutations are always sent by POST.
        /// Default: false.
        public var usesGETForQueries = false
        /// Whether the link `PersistedQueries` takes part, where the chain has one. Default: true.
        public var isAPQInterceptorEnabled = true
        /// Whether the client persists queries by itself where the chain has no such link. Default: false.
        ///
        /// What it learns of servers belongs to the client and to those derived from it.
        public var isAPQClientEnabled = false
        /// Whether a query's hash is sent by GET, which caches between here and the server can keep, and its text by POST.
        /// Default: false.
        public var usesGETForHashedQueries = false
        /// Headers of the request, beyond those that GraphQL needs. Default: none.
        public var headers = HTTP.Headers()
        /// What the cache link does, where the chain has one. Default: network only.
        public var cachePolicy: CachePolicy = .networkOnly

        /// Makes the default options.
        public init() {}

        /// Whether a hash alone is sent by GET.
        var sendsHashesByGET: Bool {
            usesGETForHashedQueries || usesGETForQueries
        }
    }

    /// Where a response may come from, when the chain has a ``ResponseCache``.
    public enum CachePolicy: Sendable, Hashable, CaseIterable {
        /// From the service only.
        case networkOnly
        /// From the cache, and from the service when the cache has nothing.
        case cacheFirst
        /// From the service, and from the cache when that fails. When the cache has nothing, the service's failure counts.
        case networkFirst
        /// From the cache only; a miss is the failure `rejected.cacheMiss`.
        case cacheOnly
    }
}

private enum OptionsKey: CallKey {
    static let defaultValue = GraphQL.Options()
}

extension CallValues {
    /// How GraphQL calls are made.
    public var graphQL: GraphQL.Options {
        get { self[OptionsKey.self] }
        set { self[OptionsKey.self] = newValue }
    }
}
