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
        /// The path of the GraphQL endpoint, relative to the client's base URL. Default: empty, the base URL itself.
        public var path = ""
        /// Whether data with errors is a failure (elsewhere `shouldFailOnRecoverableError`). Default: false, a result
        /// with both, because a page that lacks one field is usually better than none.
        public var failsOnPartialData = false
        /// Whether queries are sent by GET, as text or hash; mutations always use POST. Default: false, because URLs
        /// are limited in length and end up in logs.
        public var usesGETForQueries = false
        /// Whether the chain's ``PersistedQueries`` interceptor, if any, is active. Default: true.
        public var isAPQInterceptorEnabled = true
        /// Whether the client persists queries itself, if the chain has no ``PersistedQueries`` interceptor. Default:
        /// false.
        ///
        /// Use it to turn persisted queries on without touching the chain, or for single calls; use the interceptor in
        /// a chain that you write out, if you need its settings, or to share what it learns among clients. With this
        /// switch, what is learned about servers belongs to the client and those derived from it;
        /// ``Backstop/Client/resetPersistedQueries()`` forgets it.
        public var isAPQClientEnabled = false
        /// Whether a query's hash is sent by GET, which intermediate caches can store, and its text by POST. Default:
        /// false.
        public var usesGETForHashedQueries = false
        /// Additional request headers. Default: none.
        public var headers = HTTP.Headers()
        /// What the chain's ``ResponseCache`` interceptor, if any, does with queries. Default: network only.
        public var cachePolicy: CachePolicy = .networkOnly
        /// How to encode variables, unless the operation says so itself; nil for that of the client's other calls.
        /// Dates are ISO 8601 unless it has a strategy for them. Default: nil.
        public var encoder: JSONEncoder?
        /// How to decode `data`, unless the operation says so itself; nil for that of the client's other calls, else
        /// one that reads dates in ISO 8601. Default: nil.
        ///
        /// ```swift
        /// func dated(_ client: Client) -> Client {
        ///     client.withOptions { options in
        ///         let decoder = JSONDecoder()
        ///         decoder.dateDecodingStrategy = .secondsSince1970
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
            try changed(self, change)
        }

        /// Whether a hash without text is sent by GET.
        var sendsHashesByGET: Bool {
            usesGETForHashedQueries || usesGETForQueries
        }
    }

    /// Where the response to a query may come from, if the chain has a ``ResponseCache``. A mutation is always sent, and
    /// makes all stored responses stale, unless its policy is ``bypass``.
    public enum CachePolicy: Sendable, Hashable, CaseIterable {
        /// From the service only; the response is stored.
        case networkOnly
        /// From the cache, or as ``networkFirst`` on a miss, or if the stored response is stale.
        case cacheFirst
        /// From the service, or from the cache, even stale, if the service cannot be reached or is out of order:
        /// connection failures, time limits of attempts, 500, 502, 503, 504 and 520 to 530. Refusals (401, 403, errors
        /// with any status that say so, such as UNAUTHENTICATED) and decoding failures are thrown, and so are a deadline
        /// and every failure on a cache miss.
        case networkFirst
        /// From the cache only. A miss is the failure `rejected.cacheMiss`; in a chain without a ``ResponseCache``, it
        /// is `rejected.noCache`. Nothing is sent.
        case cacheOnly
        /// From the service only, and the cache is left alone: neither read nor written, and not made stale by a
        /// mutation.
        case bypass
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
