public import BackstopCore

extension Client {
    /// Makes a call and passes its failure to the handlers of scopes and the registered defaults. Never throws.
    ///
    /// - Returns: The outcome: exactly one.
    @concurrent
    @discardableResult
    public func perform<E: Endpoint>(_ endpoint: E) async -> Outcome<E.Content> {
        await perform(endpoint, own: [])
    }

    /// Makes a call with its own handler, which is asked first and may give a value instead.
    ///
    /// ```swift
    /// struct Hits: JSONEndpoint {
    ///     typealias Content = [String]
    ///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "hits") }
    /// }
    /// func hits(_ client: Client) async -> [String] {
    ///     let outcome = await client.perform(Hits()) { failure in
    ///         failure.statusCode == 404 ? .value([]) : .unhandled
    ///     }
    ///     return outcome.value ?? []
    /// }
    /// ```
    @concurrent
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, handle: @escaping @Sendable (Failure) async -> Resolution<E.Content>
    ) async -> Outcome<E.Content> {
        await perform(endpoint, own: [.init("call", resolve: handle)])
    }

    /// Makes a call with its own handlers, which are asked first, in order.
    ///
    /// ```swift
    /// struct Ping: EmptyEndpoint {
    ///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
    /// }
    /// func ping(_ client: Client) async {
    ///     await client.perform(Ping()) {
    ///         On(.offline) { _ in print("Later, then.") }
    ///         On(status: 401) { _ in print("Please sign in.") }
    ///     }
    /// }
    /// ```
    @concurrent
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, @HandlerBuilder handlers: @Sendable () -> [any FailureHandler]
    ) async -> Outcome<E.Content> {
        await perform(endpoint, own: handlers().map { .init($0) })
    }

    /// Makes a call from code without async; the closure gets the outcome, exactly once.
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
    /// - Returns: The task, for cancelling it.
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, completion: @escaping @Sendable (Outcome<E.Content>) async -> Void
    ) -> Task<Void, Never> {
        Task {
            await completion(await perform(endpoint))
        }
    }

    /// Makes a call for code without async: exactly one of the three closures is called, and once, where all three are
    /// given.
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
        onSuccess: @escaping @Sendable (E.Content) async -> Void,
        onFailure: (@Sendable (Failure) async -> Bool)? = nil,
        onCancel: @escaping @Sendable () async -> Void = {}
    ) -> Task<Void, Never> {
        Task {
            // Whether the caller was told of a failure; a cancellation while it was told is no news.
            let isTold = Lock(false)
            let own = onFailure.map { onFailure in
                FailureHandling.OwnHandler<E.Content>("call", endsRetries: true) { failure in
                    isTold.withLock { $0 = true }
                    return await onFailure(failure) ? .handled : .unhandled
                }
            }
            switch await start(endpoint, own: own) {
            case .value(let content): await onSuccess(content)
            case .cancelled where !isTold.withLock({ $0 }): await onCancel()
            case .cancelled, .handled, .unhandled: break
            }
        }
    }

    /// Leaves the caller's actor, as every call does.
    @concurrent
    private func start<E: Endpoint>(
        _ endpoint: E, own: FailureHandling.OwnHandler<E.Content>?
    ) async -> Outcome<E.Content> {
        await perform(endpoint, own: own.map { [$0] } ?? [])
    }

    private func perform<E: Endpoint>(
        _ endpoint: E, own: [FailureHandling.OwnHandler<E.Content>]
    ) async -> Outcome<E.Content> {
        let key = KeptKey()
        return await handling.perform(clock: options.clock, own: own) { () async throws(Failure) -> E.Content in
            try await run(endpoint, keeping: key)
        }
    }
}
