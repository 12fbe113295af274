public import BackstopCore

/// Calls from code without async: the closures run on the main actor, unless another actor is given.
extension Client {
    /// Makes a call for code without async: exactly one of the three closures is called, and once, where all three are
    /// given.
    ///
    /// They are called on the main actor; ``perform(_:on:onSuccess:onFailure:onCancel:)`` calls them on another one.
    /// Once the task is cancelled, neither `onSuccess` nor `onFailure` is called any more, also where the response was
    /// there already: a cancellation made on the main actor is final.
    ///
    /// `onFailure` is told of a failure that is final: no handler that is asked after it can have the call sent anew
    /// (`FailureHandling.canRetry` tells it so). When `onFailure` is left out, the scopes and the registered defaults
    /// decide alone; they can have the call sent anew, and a failure in the end calls no closure. To be told of each
    /// end, also after "Try again", use ``perform(_:completion:)``.
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
    ///   - endpoint: What to ask the service.
    ///   - onSuccess: Gets the content.
    ///   - onFailure: Says whether it handled the failure; when not, the scopes and the registered defaults are asked.
    ///     Default: nil, they are asked at once.
    ///   - onCancel: Called when the call was cancelled before one of the others was. Default: nothing.
    /// - Returns: The task, for cancelling it.
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E,
        onSuccess: @escaping @MainActor (E.Content) async -> Void,
        onFailure: (@MainActor (Failure) async -> Bool)? = nil,
        onCancel: @escaping @MainActor () async -> Void = {}
    ) -> Task<Void, Never> {
        var whenFailed: (@Sendable (isolated MainActor, Failure) async -> Bool)?
        if let onFailure {
            whenFailed = { _, failure in await onFailure(failure) }
        }
        return perform(
            endpoint, on: MainActor.shared, onSuccess: { _, content in await onSuccess(content) },
            onFailure: whenFailed, onCancel: { _ in await onCancel() })
    }

    /// Makes a call for code without async, whose closures are called on an actor, and get it.
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
    ///   - endpoint: What to ask the service.
    ///   - actor: Where the closures are called.
    ///   - onSuccess: Gets the content.
    ///   - onFailure: Says whether it handled the failure, as in ``perform(_:onSuccess:onFailure:onCancel:)``.
    ///   - onCancel: Called when the call was cancelled before one of the others was. Default: nothing.
    /// - Returns: The task, for cancelling it.
    @discardableResult
    public func perform<E: Endpoint, A: Actor>(
        _ endpoint: E, on actor: A,
        onSuccess: @escaping @Sendable (isolated A, E.Content) async -> Void,
        onFailure: (@Sendable (isolated A, Failure) async -> Bool)? = nil,
        onCancel: @escaping @Sendable (isolated A) async -> Void = { _ in }
    ) -> Task<Void, Never> {
        Task {
            // Whether the caller was told of a failure; a cancellation while it was told is no news.
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
            switch await start(endpoint, own: own.map { [$0] } ?? []) {
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

    /// Makes a call from code without async; the closure gets the outcome on the main actor, exactly once.
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
    ///   - endpoint: What to ask the service.
    ///   - completion: Gets the outcome, when the scopes and the registered defaults have decided and nothing more is
    ///     sent.
    /// - Returns: The task, for cancelling it; the closure then gets `.cancelled`, unless the call was over already.
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, completion: @escaping @MainActor (Outcome<E.Content>) async -> Void
    ) -> Task<Void, Never> {
        perform(endpoint, on: MainActor.shared, completion: { _, outcome in await completion(outcome) })
    }

    /// Makes a call from code without async; the closure gets the outcome on an actor, exactly once.
    ///
    /// - Parameters:
    ///   - endpoint: What to ask the service.
    ///   - actor: Where the closure is called; it gets the actor.
    ///   - completion: Gets the outcome, when the scopes and the registered defaults have decided and nothing more is
    ///     sent.
    /// - Returns: The task, for cancelling it.
    @discardableResult
    public func perform<E: Endpoint, A: Actor>(
        _ endpoint: E, on actor: A, completion: @escaping @Sendable (isolated A, Outcome<E.Content>) async -> Void
    ) -> Task<Void, Never> {
        Task {
            await completion(actor, await start(endpoint))
        }
    }

    /// Calls a closure on its actor; nil when the task was cancelled by then. What is cancelled on the actor is so before
    /// this looks, or after the closure was called.
    private static func unlessCancelled<A: Actor, Value: Sendable>(
        on actor: isolated A, _ closure: @Sendable (isolated A) async -> Value
    ) async -> Value? {
        Task.isCancelled ? nil : await closure(actor)
    }
}
