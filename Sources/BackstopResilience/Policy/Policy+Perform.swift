public import Backstop

extension Policy {
    /// Runs an operation as `run` does, and passes its failure to handlers, as `client.perform` does: to these first, then
    /// to the scopes of ``handling``, then to the registered defaults. Never throws.
    ///
    /// Use it around the calls of a client that you keep. A handler's `.retry`, and "Try again" of a presenter, run the
    /// operation anew.
    ///
    /// ```swift
    /// struct Database: Sendable {
    ///     func query(_ text: String) async throws -> [String] { [text] }
    /// }
    /// func titles(_ policy: Policy, _ database: Database) async -> [String] {
    ///     let outcome = await policy.perform("load titles", isIdempotent: true) {
    ///         try await database.query("SELECT title FROM books")
    ///     } handlers: {
    ///         On(.timeout) { _ in print("The database is slow.") }
    ///     }
    ///     return outcome.value ?? []
    /// }
    /// ```
    /// - Parameters:
    ///   - name: The name in logs, traces and reports. Default: that of the options.
    ///   - destination: Where the operation goes, if the policy is for several places. Default: one place.
    ///   - isIdempotent: Whether running it twice has the effect of running it once, as for a query. Default: false;
    ///     the operation is then repeated only when a person or a handler asks for it.
    ///   - operation: The work. It never runs on the caller's actor, so that it may take its time.
    ///   - handlers: The run's own handlers, asked first, in order. Default: none.
    /// - Returns: The outcome: exactly one.
    @concurrent
    @discardableResult
    public func perform<Value: Sendable>(
        _ name: String = "", to destination: String = "", isIdempotent: Bool = false,
        operation: @escaping @Sendable () async throws -> Value,
        @HandlerBuilder handlers: @Sendable () -> [any FailureHandler] = { [] }
    ) async -> Outcome<Value> {
        await perform(name, to: destination, isIdempotent, operation, own: handlers().map { .init($0) })
    }

    /// Runs an operation with its own handler, which is asked first and may return a value instead, as
    /// `client.perform` does.
    ///
    /// ```swift
    /// func titles(_ policy: Policy, _ query: @escaping @Sendable () async throws -> [String]) async -> [String]? {
    ///     let outcome = await policy.perform("load titles", isIdempotent: true) {
    ///         try await query()
    ///     } handle: { failure in
    ///         failure.isOffline ? .value([]) : .unhandled
    ///     }
    ///     return outcome.value
    /// }
    /// ```
    /// - Parameters:
    ///   - name: The name in logs, traces and reports. Default: that of the options.
    ///   - destination: Where the operation goes, if the policy is for several places. Default: one place.
    ///   - isIdempotent: Whether running it twice has the effect of running it once. Default: false.
    ///   - operation: The work. It never runs on the caller's actor, so that it may take its time.
    ///   - handle: The run's own handler.
    /// - Returns: The outcome: exactly one.
    @concurrent
    @discardableResult
    public func perform<Value: Sendable>(
        _ name: String = "", to destination: String = "", isIdempotent: Bool = false,
        operation: @escaping @Sendable () async throws -> Value,
        handle: @escaping @Sendable (Failure) async -> Resolution<Value>
    ) async -> Outcome<Value> {
        await perform(name, to: destination, isIdempotent, operation, own: [.init("call", resolve: handle)])
    }

    private func perform<Value: Sendable>(
        _ name: String, to destination: String, _ isIdempotent: Bool,
        _ operation: @escaping @Sendable () async throws -> Value, own: [FailureHandling.OwnHandler<Value>]
    ) async -> Outcome<Value> {
        await handling.perform(clock: options.clock, own: own) { () async throws(Failure) -> Value in
            try await runUnobserved(
                request(name, destination, isIdempotent: isIdempotent) { _ in try await operation() })
        }
    }
}
