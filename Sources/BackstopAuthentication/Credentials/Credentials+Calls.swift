public import BackstopCore

extension CallValues {
    /// Whose call it is, as ``TokenSet/account`` names accounts; nil for whoever is signed in when it begins. Default:
    /// nil.
    ///
    /// Set it in the client of a screen, and a call that a person repeats is never sent with another account's token:
    /// it fails with `rejected.accountChanged`. The tokens have to name their account, and to be loaded
    /// (``Credentials/load()``). All tokens of a chain are compared with it: those of a service need a client of their own.
    ///
    /// ```swift
    /// func options(for credentials: Credentials) -> CallOptions {
    ///     var options = CallOptions()
    ///     options.values.account = credentials.account
    ///     return options
    /// }
    /// ```
    public var account: String? {
        get { self[AccountKey.self] }
        set { self[AccountKey.self] = newValue }
    }

    private enum AccountKey: CallKey {
        static let defaultValue: String? = nil
    }

    /// Whose call it is, for each of the credentials it has asked for a token.
    fileprivate var bindings: [ObjectIdentifier: CredentialsState.Binding] {
        get { self[BindingsKey.self] }
        set { self[BindingsKey.self] = newValue }
    }

    private enum BindingsKey: CallKey {
        static let defaultValue: [ObjectIdentifier: CredentialsState.Binding] = [:]
    }
}

extension Credentials {
    /// Notes that a call is that of whoever is signed in now, or whose the call was that it continues.
    func bind(_ context: CallContext) {
        let id = ObjectIdentifier(self)
        let continued = ContinuedCall.current
        let binding = continued.map { $0.values.bindings[id] ?? self.binding(since: $0) } ?? self.binding
        context.withValues { $0.bindings[id] = binding }
    }

    /// The ticket for the first request of an attempt; nil when there is no token for the call.
    ///
    /// A call stays with the account that it began with. A wait is in the trace, and ends at the call's deadline.
    nonisolated(nonsending) package func ticket(for context: CallContext) async throws -> CredentialsState.Ticket? {
        let start = context.clock.now
        let ticket = try await ticket(insteadOf: nil, context)
        let waited = context.clock.now - start
        if waited > .milliseconds(1) {
            context.note("authentication", "waited \(waited.text) for the token")
        }
        return ticket
    }

    /// A ticket with a new token, after one was refused.
    ///
    /// - Returns: Nil when there is none until the next sign-in: the server's answer is then the call's.
    nonisolated(nonsending) package func ticket(
        insteadOf refused: CredentialsState.Ticket?, _ context: CallContext
    ) async throws -> CredentialsState.Ticket? {
        let values = context.values
        let id = ObjectIdentifier(self)
        var binding = values.bindings[id]
        let known = binding
        defer {
            if binding != known {
                context.withValues { [binding] in $0.bindings[id] = binding }
            }
        }
        do {
            return try await ticket(
                insteadOf: refused, binding: &binding, account: values.account, clock: context.clock,
                deadline: context.isDeadlineEnforced ? nil : context.deadline, context: context)
        } catch let error as TokenRefreshError {
            if case .rejected = error.classifiedReason {
                throw error
            }
            // Without it, a failure of the network would read as one of this service.
            context.remark("renewal", error.words)
            throw error
        }
    }

    /// Runs an operation that needs a token, and repeats it once with a new one if the token is refused: for anything
    /// that is not HTTP, or not through a client.
    ///
    /// ```swift
    /// struct Unauthorized: Error {}
    ///
    /// func rows(_ credentials: Credentials, query: (String) async throws -> [String]) async throws -> [String] {
    ///     try await credentials.withToken(isRefused: { $0 is Unauthorized }) { token in
    ///         try await query(token ?? "")
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - account: Whose operation it is; nil for whoever is signed in now.
    ///   - clock: The clock that says whether the token has expired.
    ///   - isRefused: Whether an error means that the token was refused, and the operation has had no effect.
    ///   - operation: Gets the access token; nil when nobody is signed in.
    /// - Throws: What the operation threw; ``TokenRefreshError``; `RejectionError` with `.accountChanged`,
    ///   `.tokenRefreshLimit` or `.tokenStore`.
    nonisolated(nonsending) public func withToken<Value: Sendable>(
        account: String? = nil, clock: any CallClock = SystemClock(), isRefused: (any Error) -> Bool,
        _ operation: nonisolated(nonsending) (_ token: String?) async throws -> Value
    ) async throws -> Value {
        var binding: CredentialsState.Binding?
        guard
            let first = try await ticket(
                insteadOf: nil, binding: &binding, account: account, clock: clock, deadline: nil)
        else {
            return try await operation(nil)
        }
        do {
            return try await run(operation, first)
        } catch let error where !Task.isCancelled && isRefused(error) {
            guard
                let second = try await ticket(
                    insteadOf: first, binding: &binding, account: account, clock: clock, deadline: nil)
            else {
                throw error
            }
            return try await run(operation, second)
        }
    }

    /// Runs an operation; what comes of it counts only as long as the account is that of the ticket.
    private nonisolated(nonsending) func run<Value: Sendable>(
        _ operation: nonisolated(nonsending) (String?) async throws -> Value, _ ticket: CredentialsState.Ticket
    ) async throws -> Value {
        do {
            let value = try await operation(ticket.access)
            try confirm(ticket)
            return value
        } catch  where !Task.isCancelled {
            try confirm(ticket)
            throw error
        }
    }
}
