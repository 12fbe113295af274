public import Backstop
public import BackstopCore
public import Foundation

extension GraphQL {
    /// The options of GraphQL calls: for all calls of a client, or for one.
    ///
    /// ```swift
    /// func strict(_ client: Client) -> Client {
    ///     client.withOptions { $0.values.graphQL.failsOnPartialData = true }
    /// }
    /// ```
    public struct Options: Sendable {
        /// The path of the GraphQL endpoint below the client's base URL. Default: empty, the base URL itself.
        public var path = ""
        /// Whether data with errors is a failure. Default: false: a result with both. (Apollo: `shouldFailOnRecoverableError`.)
        public var failsOnPartialData = false
        /// Whether queries are sent by GET, with their text or with their hash; mutations are always sent by POST.
        /// Default: false.
        public var usesGETForQueries = false
        /// Whether the interceptor `PersistedQueries` takes part, where the chain has one. Default: true.
        public var isAPQInterceptorEnabled = true
        /// Whether the client persists queries by itself where the chain has no such interceptor. Default: false.
        ///
        /// What it learns of servers belongs to the client and to those derived from it;
        /// ``Backstop/Client/resetPersistedQueries()`` forgets it.
        public var isAPQClientEnabled = false
        /// Whether a query's hash is sent by GET, which caches between here and the server can keep, and its text by
        /// POST. Default: false.
        public var usesGETForHashedQueries = false
        /// Additional request headers. Default: none.
        public var headers = HTTP.Headers()
        /// What the cache interceptor does with queries, where the chain has one. Default: network only.
        public var cachePolicy: CachePolicy = .networkOnly
        /// How variables are encoded, for operations that do not say it themselves; nil for a `JSONEncoder` with its
        /// default settings. Default: nil.
        public var encoder: JSONEncoder?
        /// How `data` is decoded, for operations that do not say it themselves; nil for a `JSONDecoder` with its
        /// default settings. Default: nil.
        ///
        /// ```swift
        /// func dated(_ client: Client) -> Client {
        ///     client.withOptions { options in
        ///         let decoder = JSONDecoder()
        ///         decoder.dateDecodingStrategy = .iso8601
        ///         options.values.graphQL.decoder = decoder
        ///     }
        /// }
        /// ```
        public var decoder: JSONDecoder?

        /// Makes the default options.
        public init() {}

        /// A copy with some options changed, for one call.
        ///
        /// ```swift
        /// func byGET<Query: GraphQL.Operation>(_ client: Client, _ query: Query) async throws(Failure) -> Query.Data {
        ///     try await client.data(for: query, options: client.graphQLOptions.changing { $0.usesGETForQueries = true
        ///     })
        /// }
        /// ```
        public func changing(_ change: (inout Options) throws -> Void) rethrows -> Options {
            var options = self
            try change(&options)
            return options
        }

        /// Whether a hash alone is sent by GET.
        var sendsHashesByGET: Bool {
            usesGETForHashedQueries || usesGETForQueries
        }
    }

    /// Where the response to a query may come from, when the chain has a ``ResponseCache``. Mutations go past it.
    public enum CachePolicy: Sendable, Hashable, CaseIterable {
        /// From the service only.
        case networkOnly
        /// From the cache, and from the service when the cache has nothing.
        case cacheFirst
        /// From the service, and from the cache when that cannot be reached or is out of order: failures of the
        /// connection, time limits, 500, 502, 503, 504 and 520 to 530. What the service refuses (401, 403, errors that
        /// say so with any status, such as UNAUTHENTICATED) and what cannot be decoded fails as it is, and so does
        /// everything when the cache has nothing.
        case networkFirst
        /// From the cache only; a miss is the failure `rejected.cacheMiss`, and a chain without a ``ResponseCache`` the
        /// failure `rejected.noCache`. Nothing is sent.
        case cacheOnly
    }
}

private enum OptionsKey: CallKey {
    static let defaultValue = GraphQL.Options()
}

extension CallValues {
    /// The options of GraphQL calls.
    public var graphQL: GraphQL.Options {
        get { self[OptionsKey.self] }
        set { self[OptionsKey.self] = newValue }
    }
}
