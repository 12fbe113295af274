public import BackstopCore

extension Client {
    /// Makes a call and passes its failure to the handlers of scopes and the registered defaults. Never throws.
    ///
    /// - Returns: The outcome: exactly one.
    @concurrent
    @discardableResult
    public func perform<E: Endpoint>(_ endpoint: E) async -> Outcome<E.Content> {
        await start(endpoint)
    }

    /// Makes a call with its own handler, which is asked first and may return a value instead.
    ///
    /// A closure that returns nothing has handled the failure; it can also return whether it has.
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
        _ endpoint: E, returning _: Resolution<E.Content>.Type = Resolution<E.Content>.self,
        handle: @escaping @Sendable (Failure) async -> Resolution<E.Content>
    ) async -> Outcome<E.Content> {
        await start(endpoint, own: [.init("call", resolve: handle)])
    }

    // Without these, `await client.perform(endpoint) { error in show(error) }` is the completion of
    // `perform(_:completion:)`, which also runs on success. `On` says why some have the parameter `returning`; `always`
    // makes one the third choice, for content that is a `Bool`.

    /// Makes a call with its own handler, after which a failure counts as handled.
    @concurrent
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, handle: @escaping @Sendable (Failure) async -> Void
    ) async -> Outcome<E.Content> {
        await perform(endpoint) { failure -> Resolution<E.Content> in
            await handle(failure)
            return .handled
        }
    }

    /// Makes a call with its own handler, which returns whether it handled the failure.
    @concurrent
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, returning _: Bool.Type = Bool.self, handle: @escaping @Sendable (Failure) async -> Bool
    ) async -> Outcome<E.Content> {
        await perform(endpoint) { failure -> Resolution<E.Content> in await handle(failure) ? .handled : .unhandled }
    }

    /// Makes a call with its own handler, which returns a value in the place of the content.
    @concurrent
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, returning _: E.Content.Type = E.Content.self, always _: Bool = true,
        handle: @escaping @Sendable (Failure) async -> E.Content
    ) async -> Outcome<E.Content> {
        await perform(endpoint) { failure -> Resolution<E.Content> in .value(await handle(failure)) }
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
        await start(endpoint, own: handlers().map { .init($0) })
    }

    /// A call that begins here, in code without async, and whose task runs later: it is that of whoever is signed in now.
    package func begun() -> ContinuedCall? {
        chain.begun(options)
    }

    /// Leaves the caller's actor, as every call does.
    @concurrent
    func start<E: Endpoint>(
        _ endpoint: E, begun: ContinuedCall? = nil, own: [FailureHandling.OwnHandler<E.Content>] = []
    ) async -> Outcome<E.Content> {
        let call = RepeatedCall()
        // Of the first time only: whoever makes it again may be somebody else.
        var begun = begun
        return await handling.perform(clock: options.clock, own: own) { () async throws(Failure) -> E.Content in
            guard let continued = begun else {
                return try await run(endpoint, as: call)
            }
            begun = nil
            return try await FailureHandling.result(continuing: continued) { () async throws(Failure) in
                try await run(endpoint, as: call)
            }.get()
        }
    }
}
