public import Backstop
public import BackstopCore

extension Client {
    /// Makes a GraphQL call and gives data, errors, extensions and the HTTP response.
    ///
    /// Data that comes with errors is a result; set `shouldFailOnRecoverableError` to have it thrown.
    ///
    /// ```swift
    /// struct HeroName: GraphQL.Operation {
    ///     struct Data: Decodable, Sendable {
    ///         struct Hero: Decodable, Sendable { var name: String }
    ///         var hero: Hero?
    ///     }
    ///     var document: GraphQL.Document {
    ///         .init(name: "HeroName", kind: .query, text: "query HeroName { hero { name } }")
    ///     }
    /// }
    /// func name(_ client: Client) async throws(Failure) -> String? {
    ///     try await client.fetch(HeroName()).data.hero?.name
    /// }
    /// ```
    /// - Parameters:
    ///   - operation: What is asked.
    ///   - change: Options for this call, beyond those of the client (`client.options.values.graphQL`).
    /// - Throws: The failure; `failure.graphQL` and `failure.graphQLErrors` say what the service says.
    public func fetch<Operation: GraphQL.Operation>(
        _ operation: Operation, options change: (inout GraphQL.Options) -> Void = { _ in }
    ) async throws(Failure) -> GraphQL.Result<Operation.Data> {
        let prepared = prepared(operation, change)
        return try await prepared.client.send(prepared.endpoint)
    }

    /// Makes a GraphQL call and gives its data alone.
    ///
    /// - Throws: The failure. Errors that come with data are lost here; use ``fetch(_:options:)`` to see them.
    public func data<Operation: GraphQL.Operation>(
        for operation: Operation, options change: (inout GraphQL.Options) -> Void = { _ in }
    ) async throws(Failure) -> Operation.Data {
        try await fetch(operation, options: change).data
    }

    /// Makes a GraphQL call and shows its failure to the scopes and the registered defaults. Never throws.
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, options change: (inout GraphQL.Options) -> Void = { _ in }
    ) async -> Outcome<GraphQL.Result<Operation.Data>> {
        let prepared = prepared(operation, change)
        return await prepared.client.perform(prepared.endpoint)
    }

    /// Makes a GraphQL call with a handler of its own, which is asked first and may give a result instead.
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, options change: (inout GraphQL.Options) -> Void = { _ in },
        handle: @escaping @Sendable (Failure) async -> Resolution<GraphQL.Result<Operation.Data>>
    ) async -> Outcome<GraphQL.Result<Operation.Data>> {
        let prepared = prepared(operation, change)
        return await prepared.client.perform(prepared.endpoint, handle: handle)
    }

    /// Makes a GraphQL call with handlers of its own, which are asked first, in order.
    ///
    /// ```swift
    /// func ask<Query: GraphQL.Operation>(_ client: Client, _ query: Query) async {
    ///     await client.perform(query) {
    ///         On(graphQLCode: "UNAUTHENTICATED") { _ in print("Please sign in.") }
    ///     }
    /// }
    /// ```
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, options change: (inout GraphQL.Options) -> Void = { _ in },
        @HandlerBuilder handlers: @Sendable () -> [any FailureHandler]
    ) async -> Outcome<GraphQL.Result<Operation.Data>> {
        let prepared = prepared(operation, change)
        return await prepared.client.perform(prepared.endpoint, handlers: handlers)
    }

    /// The endpoint of an operation, and a client whose values carry the call to the links.
    private func prepared<Operation: GraphQL.Operation>(
        _ operation: Operation, _ change: (inout GraphQL.Options) -> Void
    ) -> (client: Client, endpoint: OperationEndpoint<Operation>) {
        var options = self.options.values.graphQL
        change(&options)
        let call = Swift.Result { try OperationCall(operation, options: options) }
        var client = self
        client.options.values.graphQL = options
        client.options.values[OperationCall.self] = try? call.get()
        // A response in GraphQL's own media type is judged by its body, whatever its status is.
        client.options.values.judgesResponse = { try ResponseRule.judge($0) }
        if case .failure(let error) = call {
            client = client.deriving { $0.prepending(Refusal(error: error)) }
        }
        if options.isAPQClientEnabled, options.isAPQInterceptorEnabled, !chain.roles.contains(.persistedQueries) {
            let link = memory.value { PersistedQueries(hasher: .available) }
            client = client.deriving { $0.insertingPersistedQueries(link) }
        }
        return (client, OperationEndpoint(name: operation.document.name, call: call, options: options))
    }
}

/// Ends a call whose message could not be made, before any other link sees it.
///
/// Thrown by the endpoint, the error would be reduced to a `RequestError`.
private struct Refusal: HTTP.Interceptor {
    let error: any Error

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        throw error
    }
}

extension HTTP.Chain {
    /// Puts the link where it belongs: inside everything that reads responses, outside the limit of an attempt.
    fileprivate func insertingPersistedQueries(_ link: PersistedQueries) -> HTTP.Chain {
        if let chain = try? inserting(link, outside: .attemptTimeout) {
            return chain
        }
        return appending(link)
    }
}
