public import BackstopCore

extension CallValues {
    /// Whose call it is, as ``TokenSet/account`` names accounts; nil for whoever is signed in when it begins. Default:
    /// nil.
    ///
    /// Set it in the client of a screen, and a call that a person repeats is never sent with another account's token:
    /// it fails with `rejected.accountChanged`.
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
    /// Notes that a call is that of whoever is signed in now.
    func bind(_ context: CallContext) {
        let binding = binding
        context.withValues { $0.bindings[ObjectIdentifier(self)] = binding }
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
        return try await ticket(
            insteadOf: refused, binding: &binding, account: values.account, clock: context.clock,
            deadline: context.isDeadlineEnforced ? nil : context.deadline, context: context)
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
            let value = try await operation(first.access)
            try confirm(first)
            return value
        } catch let error where !Task.isCancelled && isRefused(error) {
            guard
                let second = try await ticket(
                    insteadOf: first, binding: &binding, account: account, clock: clock, deadline: nil)
            else {
                throw error
            }
            let value = try await operation(second.access)
            try confirm(second)
            return value
        }
    }
}
