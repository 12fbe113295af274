public import Backstop
public import BackstopCore
internal import Foundation

extension Client {
    /// The client's GraphQL options, the same as `options.values.graphQL`.
    ///
    /// Change them for all calls of a client, or pass a changed copy to one call: ``GraphQL/Options/changing(_:)``.
    public var graphQLOptions: GraphQL.Options {
        get { options.values.graphQL }
        set { options.values.graphQL = newValue }
    }

    /// Makes a GraphQL call; returns its data, errors, extensions and HTTP response. For the data alone, use
    /// ``data(for:cachePolicy:options:)``.
    ///
    /// Data with errors is a result; with `failsOnPartialData` it is a failure, and so is a mutation whose fields all failed.
    ///
    /// ```swift
    /// struct HeroName: GraphQL.Operation {
    ///     struct Data: Decodable, Sendable {
    ///         struct Hero: Decodable, Sendable { var name: String }
    ///         var hero: Hero?
    ///     }
    ///     var document: GraphQL.Document { .init(text: "query HeroName { hero { name } }") }
    /// }
    /// func name(_ client: Client) async throws(Failure) -> String? {
    ///     try await client.fetch(HeroName()).data.hero?.name
    /// }
    /// ```
    /// - Parameters:
    ///   - operation: The operation.
    ///   - cachePolicy: What the chain's cache, if any, does for this call; nil for that of the options.
    ///   - options: The options of this call: a changed copy of ``graphQLOptions``; nil for those of the client.
    /// - Throws: The failure; `failure.graphQL` and `failure.graphQLErrors` have what the service reported.
    @concurrent
    public func fetch<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil
    ) async throws(Failure) -> GraphQL.Result<Operation.Data> {
        let prepared = prepared(operation, cachePolicy, options)
        return try await prepared.client.send(prepared.endpoint)
    }

    /// An operation is fetched.
    @available(*, unavailable, renamed: "fetch(_:)")
    public func send<Operation: GraphQL.Operation>(
        _ operation: Operation
    ) async throws(Failure) -> GraphQL.Result<Operation.Data> {
        try await fetch(operation)
    }

    /// Makes a GraphQL call and returns its result or its failure; nothing is thrown, and no handler runs.
    ///
    /// ```swift
    /// func ask<Query: GraphQL.Operation>(_ client: Client, _ query: Query) async -> Query.Data? {
    ///     switch await client.result(of: query) {
    ///     case .success(let result): result.data
    ///     case .failure(let failure): failure.graphQL?.data(of: Query.self)
    ///     }
    /// }
    /// ```
    /// - Parameters: As for ``fetch(_:cachePolicy:options:)``.
    @concurrent
    public func result<Operation: GraphQL.Operation>(
        of operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil
    ) async -> Swift.Result<GraphQL.Result<Operation.Data>, Failure> {
        let prepared = prepared(operation, cachePolicy, options)
        return await prepared.client.result(of: prepared.endpoint)
    }

    /// Makes a GraphQL call; returns only its data.
    ///
    /// Errors beside the data are dropped, with a note in the trace. Use this if your code treats partial data as
    /// complete, or with `failsOnPartialData`; otherwise use ``fetch(_:cachePolicy:options:)``, which returns both.
    ///
    /// - Throws: The failure.
    @concurrent
    public func data<Operation: GraphQL.Operation>(
        for operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil
    ) async throws(Failure) -> Operation.Data {
        let prepared = prepared(operation, cachePolicy, options)
        let client = prepared.client.deriving { $0.prepending(DroppedErrors()) }
        return try await client.send(prepared.endpoint).data
    }

    /// Makes a GraphQL call and passes its failure to the handlers of scopes and the registered defaults. Never throws.
    @concurrent
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil
    ) async -> Outcome<GraphQL.Result<Operation.Data>> {
        let prepared = prepared(operation, cachePolicy, options)
        return await prepared.client.perform(prepared.endpoint)
    }

    /// Makes a GraphQL call with its own handler, which is asked first and may return a result instead.
    @concurrent
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil,
        returning _: Resolution<GraphQL.Result<Operation.Data>>.Type = Resolution<GraphQL.Result<Operation.Data>>.self,
        handle: @escaping @Sendable (Failure) async -> Resolution<GraphQL.Result<Operation.Data>>
    ) async -> Outcome<GraphQL.Result<Operation.Data>> {
        let prepared = prepared(operation, cachePolicy, options)
        return await prepared.client.perform(prepared.endpoint, handle: handle)
    }

    /// Makes a GraphQL call with its own handler, after which a failure counts as handled.
    @concurrent
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil,
        handle: @escaping @Sendable (Failure) async -> Void
    ) async -> Outcome<GraphQL.Result<Operation.Data>> {
        let prepared = prepared(operation, cachePolicy, options)
        return await prepared.client.perform(prepared.endpoint, handle: handle)
    }

    /// Makes a GraphQL call with its own handler, which returns whether it handled the failure.
    @concurrent
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil, returning _: Bool.Type = Bool.self,
        handle: @escaping @Sendable (Failure) async -> Bool
    ) async -> Outcome<GraphQL.Result<Operation.Data>> {
        let prepared = prepared(operation, cachePolicy, options)
        return await prepared.client.perform(prepared.endpoint, handle: handle)
    }

    /// Makes a GraphQL call with its own handlers, which are asked first, in order.
    ///
    /// ```swift
    /// func ask<Query: GraphQL.Operation>(_ client: Client, _ query: Query) async {
    ///     await client.perform(query) {
    ///         On(graphQLCode: "UNAUTHENTICATED") { _ in print("Please sign in.") }
    ///     }
    /// }
    /// ```
    @concurrent
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil,
        @HandlerBuilder handlers: @Sendable () -> [any FailureHandler]
    ) async -> Outcome<GraphQL.Result<Operation.Data>> {
        let prepared = prepared(operation, cachePolicy, options)
        return await prepared.client.perform(prepared.endpoint, handlers: handlers)
    }

    /// Forgets what it learned about servers: which of them persist queries, and which documents they know.
    ///
    /// It is for clients that persist queries themselves (`isAPQClientEnabled`), and affects all clients derived from
    /// the same one; the interceptor ``PersistedQueries`` has its own ``PersistedQueries/reset()``. Call it after a
    /// service has changed, so that the next calls try hashes again.
    ///
    /// ```swift
    /// func serviceWasUpdated(_ client: Client) {
    ///     client.resetPersistedQueries()
    /// }
    /// ```
    public func resetPersistedQueries() {
        ownPersistedQueries.reset()
    }

    /// The interceptor of a client that persists queries itself.
    private var ownPersistedQueries: PersistedQueries {
        memory.value { PersistedQueries() }
    }

    /// The endpoint of an operation, and a client whose values carry the operation to the interceptors.
    ///
    /// - Parameter isStream: Whether the results are read while they arrive.
    package func prepared<Operation: GraphQL.Operation>(
        _ operation: Operation, _ cachePolicy: GraphQL.CachePolicy?, _ given: GraphQL.Options?, isStream: Bool = false
    ) -> (client: Client, endpoint: OperationEndpoint<Operation>) {
        var options = given ?? graphQLOptions
        if let cachePolicy {
            options.cachePolicy = cachePolicy
        }
        let document = operation.document
        if document.text != nil, (chain.transport as? any OperationTransport)?.persistsQueries == false {
            (options.isAPQInterceptorEnabled, options.isAPQClientEnabled) = (false, false)
        }
        let roles = chain.roles
        let persistsItself = options.isAPQClientEnabled && !roles.contains(.persistedQueries)
        if persistsItself {
            // That switch is for the interceptor of the chain, which has none.
            options.isAPQInterceptorEnabled = true
        }
        let call = Swift.Result {
            var call = try OperationCall(
                operation, document, options: options, encoder: self.options.values.encoder)
            if let cache = roles.firstIndex(of: .cache), let inner = roles.lastIndex(of: .authentication) {
                call.isAuthenticatedInside = inner > cache
            }
            return call
        }
        var client = withOptions {
            $0.values.graphQL = options
            $0.values[OperationCall.self] = try? call.get()
            // A response in GraphQL's own media type is judged by its body, whatever its status.
            $0.values.judgesResponse = ResponseRule.judge
        }
        if case .failure(let error) = call {
            client = client.deriving { $0.prepending(Refusal(error: error)) }
        }
        if persistsItself {
            let interceptor = ownPersistedQueries
            // Where it belongs: inside everything that reads responses, outside the attempt timeout.
            client = client.deriving {
                (try? $0.inserting(interceptor, outside: .attemptTimeout)) ?? $0.appending(interceptor)
            }
        }
        if options.cachePolicy == .cacheOnly, document.kind == .query,
            !chain.interceptors.contains(where: { $0 is ResponseCache })
        {
            // Innermost, so that an app's own cache may still answer.
            client = client.deriving { $0.appending(NothingSent(subject: document.subject)) }
        }
        let own = operation.coders.decoder
        let decoder = ClientCoders.isClients(own) ? options.decoder ?? self.options.values.decoder ?? own : own
        let endpoint = OperationEndpoint<Operation>(
            name: document.name, call: call, options: options, decoder: decoder, isStream: isStream)
        return (client, endpoint)
    }
}

/// Refuses to send a cache-only call.
private struct NothingSent: HTTP.Interceptor {
    let subject: String

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        throw RejectionError(
            .noCache,
            "\(subject) was to be answered from the cache only, but the chain has none: add a ResponseCache, or choose another "
                + "cache policy")
    }
}

extension RejectionError.Code {
    /// Only the cache may be asked, and the chain has none.
    public static let noCache = Self(
        "noCache", explanation: "Only the cache may be asked, and the chain has none.")
}

/// Notes in the trace that errors beside the data are dropped.
private struct DroppedErrors: HTTP.Interceptor {
    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        let response = try await next(request)
        let result = response.decodedContent(for: context) as? any AnyResult
        let count = result?.errors.count ?? ResponseRule.errors(in: response).count
        if count > 0 {
            context.note(
                "graphQL",
                "\(count == 1 ? "1 error" : "\(count) errors") came with the data, dropped by data(for:); fetch "
                    + "gives both"
            )
        }
        return response
    }
}

/// Ends a call whose message could not be created, before any other interceptor sees it.
///
/// If the endpoint threw the error, it would become a `RequestError`.
private struct Refusal: HTTP.Interceptor {
    let error: any Error

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        throw error
    }
}
