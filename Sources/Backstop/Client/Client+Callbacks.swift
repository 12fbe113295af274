public import BackstopCore

/// Calls from code without async: the closures run on the main actor, unless another actor is given.
extension Client {
    /// Makes a call from code without async: if you pass all three closures, exactly one of them runs, exactly once.
    ///
    /// They run on the main actor; with ``perform(_:on:onSuccess:onFailure:onCancel:)``, on another one. Once the task
    /// is cancelled, neither `onSuccess` nor `onFailure` runs, even if the response has already arrived: cancelling on
    /// the main actor is final.
    ///
    /// The failure that `onFailure` receives is final: no later handler can repeat the call (`FailureHandling.canRetry`
    /// is then false). If it is nil, the scopes and the registered defaults decide alone and may repeat the
    /// call; a final failure then runs no closure. For a closure that runs at every end, even after "Try again", use
    /// ``perform(_:completion:)``.
    ///
    /// ```swift
    /// struct Ping: EmptyEndpoint {
    ///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
    /// }
    /// func ping(_ client: Client) {
    ///     client.perform(Ping(), onSuccess: { print("pong") }, onFailure: { failure in failure.isOffline })
    /// }
    /// ```
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - onSuccess: Receives the content.
    ///   - onFailure: Returns whether it handled the failure; if not, the scopes and the registered defaults are asked.
    ///     Default: nil, they are asked at once.
    ///   - onCancel: Runs when the call was cancelled before one of the others ran. Default: nothing.
    /// - Returns: The task, for cancelling it.
    @_disfavoredOverload
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E,
        onSuccess: @escaping @MainActor (E.Content) async -> Void,
        onFailure: (@MainActor (Failure) async -> Bool)? = nil,
        onCancel: @escaping @MainActor () async -> Void = {}
    ) -> Task<Void, Never> {
        // The second choice: a closure without a label that fits both is the completion.
        var whenFailed: (@Sendable (isolated MainActor, Failure) async -> Bool)?
        if let onFailure {
            whenFailed = { _, failure in await onFailure(failure) }
        }
        return perform(
            endpoint, on: MainActor.shared, onSuccess: { _, content in await onSuccess(content) },
            onFailure: whenFailed, onCancel: { _ in await onCancel() })
    }

    /// Makes a call from code without async, whose closures run on an actor and receive it.
    ///
    /// ```swift
    /// actor Inbox {
    ///     private(set) var unread = 0
    ///     func add(_ count: Int) { unread += count }
    /// }
    /// func refresh(_ inbox: Inbox, with client: Client) {
    ///     client.perform(.get("unread", as: Int.self), on: inbox, onSuccess: { inbox, count in inbox.add(count) })
    /// }
    /// ```
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - actor: The actor that the closures run on.
    ///   - onSuccess: Receives the content.
    ///   - onFailure: Returns whether it handled the failure, as in ``perform(_:onSuccess:onFailure:onCancel:)``.
    ///   - onCancel: Runs when the call was cancelled before one of the others ran. Default: nothing.
    /// - Returns: The task, for cancelling it.
    @_disfavoredOverload
    @discardableResult
    public func perform<E: Endpoint, A: Actor>(
        _ endpoint: E, on actor: A,
        onSuccess: @escaping @Sendable (isolated A, E.Content) async -> Void,
        onFailure: (@Sendable (isolated A, Failure) async -> Bool)? = nil,
        onCancel: @escaping @Sendable (isolated A) async -> Void = { _ in }
    ) -> Task<Void, Never> {
        // The second choice: a closure without a label that fits both is the completion.
        let begun = begun()
        return Task {
            // Whether the caller received a failure; a later cancellation is not reported.
            let isTold = Lock(false)
            let own = onFailure.map { onFailure in
                FailureHandling.OwnHandler<E.Content>("call", endsRetries: true) { failure in
                    let isHandled = await Self.unlessCancelled(on: actor) { actor in
                        isTold.withLock { $0 = true }
                        return await onFailure(actor, failure)
                    }
                    return isHandled == true ? .handled : .unhandled
                }
            }
            switch await start(endpoint, begun: begun, own: own.map { [$0] } ?? []) {
            case .value(let content):
                let called: Void? = await Self.unlessCancelled(on: actor) { await onSuccess($0, content) }
                if called == nil {
                    await onCancel(actor)
                }
            case .cancelled where !isTold.withLock({ $0 }): await onCancel(actor)
            case .cancelled, .handled, .unhandled: break
            }
        }
    }

    /// Makes a call from code without async; the closure receives the outcome on the main actor, exactly once.
    ///
    /// ```swift
    /// struct Ping: EmptyEndpoint {
    ///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
    /// }
    /// func ping(_ client: Client) {
    ///     client.perform(Ping(), completion: { outcome in print(outcome.failure?.code ?? "pong") })
    /// }
    /// ```
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - completion: Receives the outcome, once the scopes and the registered defaults have decided and nothing more
    ///     is sent.
    /// - Returns: The task, for cancelling it; the closure then receives `.cancelled`, unless the call was already
    ///   over.
    @_disfavoredOverload
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, completion: @escaping @MainActor (Outcome<E.Content>) async -> Void
    ) -> Task<Void, Never> {
        // The second choice: a closure without a label that fits a failure as well is a guess.
        perform(endpoint, on: MainActor.shared, completion: { _, outcome in await completion(outcome) })
    }

    /// Makes a call from code without async; the closure receives the outcome on an actor, exactly once.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - actor: The actor that the closure runs on and receives.
    ///   - completion: Receives the outcome, once the scopes and the registered defaults have decided and nothing more
    ///     is sent.
    /// - Returns: The task, for cancelling it.
    @discardableResult
    public func perform<E: Endpoint, A: Actor>(
        _ endpoint: E, on actor: A, completion: @escaping @Sendable (isolated A, Outcome<E.Content>) async -> Void
    ) -> Task<Void, Never> {
        let begun = begun()
        return Task {
            await completion(actor, await start(endpoint, begun: begun))
        }
    }

    /// Runs a closure on its actor; nil when the task is already cancelled. A cancellation on that actor comes either
    /// before this check or after the closure has run.
    private static func unlessCancelled<A: Actor, Value: Sendable>(
        on actor: isolated A, _ closure: @Sendable (isolated A) async -> Value
    ) async -> Value? {
        Task.isCancelled ? nil : await closure(actor)
    }
}
