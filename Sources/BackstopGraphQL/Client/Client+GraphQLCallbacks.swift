public import Backstop
public import BackstopCore

/// GraphQL calls from code without async: the closures run on the main actor, unless another actor is given.
extension Client {
    /// Makes a GraphQL call from code without async: if you pass all three closures, exactly one of them runs, exactly
    /// once, on the main actor. Once the task is cancelled, neither `onSuccess` nor `onFailure` runs.
    ///
    /// ```swift
    /// func ask<Query: GraphQL.Operation>(_ client: Client, _ query: Query) {
    ///     client.perform(
    ///         query, onSuccess: { result in print(result.data, result.errors) },
    ///         onFailure: { failure in failure.isOffline })
    /// }
    /// ```
    /// - Parameters:
    ///   - operation: The operation.
    ///   - cachePolicy: Where the response may come from; nil for that of the options.
    ///   - options: The options of this call; nil for those of the client.
    ///   - onSuccess: Receives the result.
    ///   - onFailure: Returns whether it handled the failure; if not, the scopes and the registered defaults are asked.
    ///     Default: nil, they are asked at once and may repeat the call.
    ///   - onCancel: Runs instead when the call was cancelled. Default: nothing.
    /// - Returns: The task, for cancelling it.
    @_disfavoredOverload
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil,
        onSuccess: @escaping @MainActor (GraphQL.Result<Operation.Data>) async -> Void,
        onFailure: (@MainActor (Failure) async -> Bool)? = nil,
        onCancel: @escaping @MainActor () async -> Void = {}
    ) -> Task<Void, Never> {
        let prepared = prepared(operation, cachePolicy, options)
        return prepared.client.perform(
            prepared.endpoint, onSuccess: onSuccess, onFailure: onFailure, onCancel: onCancel)
    }

    /// Makes a GraphQL call from code without async, whose closures run on an actor and receive it.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - cachePolicy: Where the response may come from; nil for that of the options.
    ///   - options: The options of this call; nil for those of the client.
    ///   - actor: The actor that the closures run on.
    ///   - onSuccess: Receives the result.
    ///   - onFailure: Returns whether it handled the failure; if not, the scopes and the registered defaults are asked.
    ///     Default: nil, they are asked at once, and may repeat the call.
    ///   - onCancel: Runs instead when the call was cancelled. Default: nothing.
    /// - Returns: The task, for cancelling it.
    @discardableResult
    public func perform<Operation: GraphQL.Operation, A: Actor>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil, on actor: A,
        onSuccess: @escaping @Sendable (isolated A, GraphQL.Result<Operation.Data>) async -> Void,
        onFailure: (@Sendable (isolated A, Failure) async -> Bool)? = nil,
        onCancel: @escaping @Sendable (isolated A) async -> Void = { _ in }
    ) -> Task<Void, Never> {
        let prepared = prepared(operation, cachePolicy, options)
        return prepared.client.perform(
            prepared.endpoint, on: actor, onSuccess: onSuccess, onFailure: onFailure, onCancel: onCancel)
    }

    /// Makes a GraphQL call from code without async; the closure receives the outcome on the main actor, exactly once.
    ///
    /// ```swift
    /// func ask<Query: GraphQL.Operation>(_ client: Client, _ query: Query) {
    ///     client.perform(query, completion: { outcome in print(outcome.failure?.code ?? "answered") })
    /// }
    /// ```
    /// - Parameters:
    ///   - operation: The operation.
    ///   - cachePolicy: Where the response may come from; nil for that of the options.
    ///   - options: The options of this call; nil for those of the client.
    ///   - completion: Receives the outcome, once the scopes and the registered defaults have decided and nothing more
    ///     is sent.
    /// - Returns: The task, for cancelling it.
    @_disfavoredOverload
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil,
        completion: @escaping @MainActor (Outcome<GraphQL.Result<Operation.Data>>) async -> Void
    ) -> Task<Void, Never> {
        let prepared = prepared(operation, cachePolicy, options)
        return prepared.client.perform(prepared.endpoint, completion: completion)
    }

    /// In code without async, a closure has a label.
    @available(
        *, deprecated,
        message: "it runs after a failure only: write onSuccess: and onFailure:, or completion: for every outcome"
    )
    @discardableResult
    public func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil, options: GraphQL.Options? = nil,
        handle: @escaping @MainActor (Failure) async -> Void
    ) -> Task<Void, Never> {
        let prepared = prepared(operation, cachePolicy, options)
        return prepared.client.perform(prepared.endpoint, handle: handle)
    }

    /// Makes a GraphQL call from code without async; the closure receives the outcome on an actor, exactly once.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - cachePolicy: Where the response may come from; nil for that of the options.
    ///   - options: The options of this call; nil for those of the client.
    ///   - actor: The actor that the closure runs on and receives.
    ///   - completion: Receives the outcome, once the scopes and the registered defaults have decided and nothing more
    ///     is sent.
    /// - Returns: The task, for cancelling it.
    @discardableResult
    public func perform<Operation: GraphQL.Operation, A: Actor>(
        _ operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil,
        options: GraphQL.Options? = nil, on actor: A,
        completion: @escaping @Sendable (isolated A, Outcome<GraphQL.Result<Operation.Data>>) async -> Void
    ) -> Task<Void, Never> {
        let prepared = prepared(operation, cachePolicy, options)
        return prepared.client.perform(prepared.endpoint, on: actor, completion: completion)
    }
}
