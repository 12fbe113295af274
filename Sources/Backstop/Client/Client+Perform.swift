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

    /// Makes a call with its own handler, which is asked first and may return a value instead.
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

    /// Leaves the caller's actor, as every call does.
    @concurrent
    func start<E: Endpoint>(
        _ endpoint: E, own: [FailureHandling.OwnHandler<E.Content>] = []
    ) async -> Outcome<E.Content> {
        await perform(endpoint, own: own)
    }

    private func perform<E: Endpoint>(
        _ endpoint: E, own: [FailureHandling.OwnHandler<E.Content>]
    ) async -> Outcome<E.Content> {
        let keys = KeptKeys()
        let maker = KeptCall.Maker()
        return await handling.perform(clock: options.clock, own: own) { () async throws(Failure) -> E.Content in
            keys.begin()
            return try await run(endpoint, as: keys.call(by: maker))
        }
    }
}
