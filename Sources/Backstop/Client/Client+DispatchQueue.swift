public import Dispatch

extension Client {
    /// Makes a call from code without async; the closure receives the outcome on a queue, exactly once.
    ///
    /// ```swift
    /// import Dispatch
    ///
    /// struct Ping: EmptyEndpoint {
    ///     func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
    /// }
    /// func ping(_ client: Client, on queue: DispatchQueue) {
    ///     client.perform(Ping(), on: queue) { outcome in print(outcome.failure?.code ?? "pong") }
    /// }
    /// ```
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - queue: The queue that the closure runs on.
    ///   - completion: Receives the outcome, once the scopes and the registered defaults have decided and nothing more
    ///     is sent.
    /// - Returns: The task, for cancelling it; the closure then receives `.cancelled`, unless the call was already
    ///   over.
    @discardableResult
    public func perform<E: Endpoint>(
        _ endpoint: E, on queue: DispatchQueue, completion: @escaping @Sendable (Outcome<E.Content>) -> Void
    ) -> Task<Void, Never> {
        let begun = begun()
        return Task {
            let outcome = await start(endpoint, begun: begun)
            queue.async { completion(outcome) }
        }
    }
}
