public import BackstopCore

/// The tokens of whoever is signed in: hands them to calls, and refreshes them once for all that need them.
///
/// Pass it to `BearerAuthentication`; for anything that is not HTTP, use ``withToken(account:clock:isRefused:_:)``.
///
/// ```swift
/// struct Keychain: TokenStore {
///     func load() async throws -> TokenSet? { nil }
///     func save(_ tokens: TokenSet?) async throws {}
/// }
///
/// func makeCredentials(renew: @escaping @Sendable (String) async throws -> TokenSet?) throws -> Credentials {
///     try Credentials(store: Keychain()) { tokens in
///         try await renew(tokens.refresh ?? "")  // nil when the server refuses the refresh token for good
///     }
/// }
/// ```
/// * At most one refresh runs. While the old token is valid, calls go on with it; once it has expired or was refused,
///   they wait, and those that were sent with it are sent again with the new one.
/// * A refresh that fails fails the calls that wait for it because their own token was refused or has expired, each once,
///   with ``TokenRefreshError``; the others go on with the old token. The next call tries anew.
/// * A call that is cancelled stops waiting, and the refresh continues, even if no call is left: the server may have
///   replaced the refresh token already, and without the answer the account would be signed out.
/// * A call stays with the account that it began with. After a sign-out, or when somebody else signs in, it fails with
///   `rejected.accountChanged`, also if its answer arrives then, and a refresh that ends late changes nothing.
/// * A failure within a refresh shows nothing of the bodies, which contain tokens, but the words of an error.
/// * Between calls it holds no task, and a lock of its own guards all its state.
public final class Credentials: Sendable {
    /// How often a refresh may give a new token. Default: ``TokenRefreshLimit/standard``.
    public let refreshLimit: TokenRefreshLimit
    /// How long before its expiry a token is refreshed, or in the last half of its life if that is shorter; 0 for not
    /// before. Range: 0 or more. Default: 30 s, the limit of an attempt in the standard chain, so that a token does not
    /// expire on its way.
    public let refreshMargin: Duration
    /// How long a refresh may take. Range: more than 0; up to ``refreshMargin`` or 10 s, whichever is more, unless the
    /// margin is 0: an early refresh that fails then does so before the token expires. Default: 30 s, or the most that
    /// the margin allows.
    public let refreshTimeout: Duration

    let store: (any TokenStore)?
    let renew: @Sendable (TokenSet) async throws -> TokenSet?
    /// Tokens, flight and waiters, guarded by the lock.
    let state: Lock<CredentialsState>
    /// The last write to the store, guarded by the lock; nil once it has ended.
    let lastSave = Lock<(version: Int, task: Task<Void, any Error>)?>(nil)

    /// Makes credentials.
    ///
    /// - Parameters:
    ///   - tokens: The tokens of whoever is signed in; nil to load them from the store, or when nobody is.
    ///   - store: Where the tokens are kept between launches. Default: in memory only.
    ///   - refreshLimit: How often a refresh may give a new token.
    ///   - refreshMargin: How long before its expiry a token is refreshed, 0 or more.
    ///   - refreshTimeout: How long a refresh may take, more than 0, and not more than the margin or 10 s, unless the
    ///     margin is 0; nil for 30 s, or the most that the margin allows.
    ///   - refresh: Returns new tokens for the old ones; nil when the refresh token is refused for good. Calls then fail
    ///     with their own 401, until the next sign-in. A call of the closure through a client with these credentials
    ///     is sent without a token.
    /// - Throws: `ConfigurationError` when a value is out of its range.
    public init(
        _ tokens: TokenSet? = nil, store: (any TokenStore)? = nil, refreshLimit: TokenRefreshLimit = .standard,
        refreshMargin: Duration = .seconds(30), refreshTimeout: Duration? = nil,
        refresh: @escaping @Sendable (_ expired: TokenSet) async throws -> TokenSet?
    ) throws(ConfigurationError) {
        try ConfigurationError.require(
            refreshMargin >= .zero, "Credentials.refreshMargin", "must not be negative, but is \(refreshMargin)",
            fix: "Set how long before its expiry a token is refreshed, for example .seconds(30)")
        let longest: Duration? = refreshMargin == .zero ? nil : max(refreshMargin, .seconds(10))
        let timeout = refreshTimeout ?? min(.seconds(30), longest ?? .seconds(30))
        try ConfigurationError.require(
            timeout > .zero, "Credentials.refreshTimeout", "must be more than 0, but is \(timeout)",
            fix: "Set how long calls wait for a refresh, for example .seconds(30)")
        if let longest, timeout > longest {
            throw ConfigurationError(
                setting: "Credentials.refreshTimeout",
                problem: "must be at most \(longest), but is \(timeout): the token would expire while an early refresh "
                    + "runs",
                fix: "Set a refreshMargin that is at least as long, or 0 for no early refresh")
        }
        self.store = store
        self.refreshLimit = refreshLimit
        self.refreshMargin = refreshMargin
        self.refreshTimeout = timeout
        renew = refresh
        state = Lock(
            CredentialsState(
                tokens, isLoaded: tokens != nil || store == nil, limit: refreshLimit, margin: refreshMargin))
    }

    /// A copy that asks neither the store nor a server: each refresh gives a new token. Until the store
    /// has been read, somebody counts as signed in.
    package init(rehearsing original: Credentials) {
        store = nil
        refreshLimit = original.refreshLimit
        refreshMargin = original.refreshMargin
        refreshTimeout = original.refreshTimeout
        renew = { _ in TokenSet(access: "renewed") }
        var tokens = original.state.withLock { $0.isLoaded ? $0.tokens : TokenSet(access: "loaded") }
        tokens?.expiry = nil
        state = Lock(CredentialsState(tokens, isLoaded: true, limit: refreshLimit, margin: refreshMargin))
    }

    /// The tokens in use; nil when nobody is signed in, and until the store has been read (``load()``).
    public var tokens: TokenSet? {
        state.withLock { $0.tokens }
    }

    /// Whose tokens they are; nil when nobody is signed in, until the store has been read (``load()``), and when the
    /// account has no name.
    public var account: String? {
        tokens?.account
    }

    /// Reads the store, unless that was done: then ``tokens`` and ``account`` say who is signed in.
    ///
    /// Calls load by themselves. Await it when the app starts, before a screen's client is bound to the account
    /// (`CallValues.account`).
    ///
    /// - Throws: `RejectionError` with `.tokenStore` when it cannot be read; the next call, or this one, tries again.
    public func load() async throws {
        let question = CredentialsState.Question(isOnlyLoading: true, now: .zero, date: .zero)
        while !state.withLock({ $0.isLoaded }) {
            if let error = try await wait(question, clock: SystemClock()) {
                throw error
            }
        }
    }

    /// Takes the tokens of a sign-in, and saves them.
    ///
    /// Calls of the same named account (``TokenSet/account``) continue with the new token. Those of anybody else fail
    /// with `rejected.accountChanged`; a refresh that is running no longer counts, and is cancelled.
    ///
    /// - Throws: What the store threw, or `RejectionError` with `.tokenStore` if it has not saved them within
    ///   ``refreshTimeout``. The tokens are in use nevertheless.
    public func signIn(_ tokens: TokenSet) async throws {
        try await wait(for: replaceNow(with: tokens))
    }

    /// Forgets the tokens, and removes them from the store.
    ///
    /// Calls that were made with them fail with `rejected.accountChanged`, even if they are answered later, so tell
    /// the server first. A refresh that is running no longer counts, and is cancelled.
    ///
    /// - Throws: What the store threw, or `RejectionError` with `.tokenStore` if it has not removed them within
    ///   ``refreshTimeout``. The tokens are out of use nevertheless.
    public func signOut() async throws {
        try await wait(for: replaceNow(with: nil))
    }

    /// The change itself, which takes effect at once.
    ///
    /// - Returns: The saving; nil without a store.
    func replaceNow(with tokens: TokenSet?) -> Task<Void, any Error>? {
        let (task, resumptions, version) = state.withLock { state in
            let (task, resumptions) = state.replace(with: tokens)
            return (task, resumptions, state.version)
        }
        task?.cancel()
        let saving = save(tokens, version: version)
        resumptions.forEach { $0() }
        // A stream that waits for a silent server ends now, and not with the next byte.
        AccountChanges.tell()
        return saving
    }

    /// Whose a call is that begins now.
    var binding: CredentialsState.Binding {
        state.withLock { $0.binding }
    }

    /// Whose call it is that began before this was asked: of nobody who is signed in now, if that has changed since.
    func binding(since call: ContinuedCall) -> CredentialsState.Binding {
        state.withLock { $0.binding(since: call.accountChanges) }
    }

    /// Why there is no new token for a call whose token was refused, in words; nil while the refresh token is good.
    package func refusal(of ticket: CredentialsState.Ticket) -> String? {
        state.withLock { $0.refusal(of: ticket) }
    }

    /// How many calls wait, and whether something runs; for tests.
    var load: (waiting: Int, isBusy: Bool) {
        state.withLock { ($0.flight?.waiters.count ?? 0, $0.flight != nil) }
    }
}

extension Credentials {
    /// The ticket for the next request of a call, and whose call it is.
    ///
    /// - Parameters:
    ///   - refused: The ticket that was refused; nil before the first request.
    ///   - binding: Whose call it is; nil in its first request.
    ///   - deadline: When a wait ends with `timeout.deadline`; nil when something else ends it.
    ///   - context: The call's, which says what it waits for; nil for none.
    /// - Returns: Nil when there is no token for this call: nobody was signed in, or none can be had.
    nonisolated(nonsending) func ticket(
        insteadOf refused: CredentialsState.Ticket?, binding: inout CredentialsState.Binding?, account: String?,
        clock: any CallClock, deadline: Duration?, context: CallContext? = nil
    ) async throws -> CredentialsState.Ticket? {
        var question = CredentialsState.Question(
            refused: refused, binding: binding, account: account, now: clock.now, date: clock.date)
        defer { binding = question.binding }
        while true {
            question.isFromRefresh = RefreshingCredentials.current.contains(ObjectIdentifier(self))
            let step = state.withLock { state -> CredentialsState.Step in
                let step = state.step(&question)
                if case .early(_, let tokens) = step {
                    state.start(now: question.now, isNeeded: false, isEarly: true) {
                        refreshing(tokens, $0, clock: clock)
                    }
                }
                return step
            }
            switch step {
            case .ready(let ticket): return ticket
            case .early(let ticket, _): return ticket
            case .failed(let error): throw error
            case .wait, .refresh:
                context?.note("authentication", "waits for a new token")
                context?.hold(
                    Hold("waiting for a new token", advice: "Find out why the refresh of the token takes so long"))
            case .load:
                context?.hold(
                    Hold("waiting for the store of the tokens", advice: "Find out why the app's TokenStore is slow"))
            }
            // A limit that ends the wait leaves what was said of it, for the words of the failure.
            let failed = try await wait(
                question, refused == nil ? step.patience : nil, clock: clock, until: deadline)
            context?.endHold()
            if let error = failed {
                throw error
            }
            if case .load = step {} else { question.hasWaited = true }
            question.now = clock.now
            question.date = clock.date
        }
    }

    /// Waits, but not beyond the deadline.
    ///
    /// - Parameter patience: After how long it asks again, although nothing has ended; nil for never.
    private nonisolated(nonsending) func wait(
        _ question: CredentialsState.Question, _ patience: Duration?, clock: any CallClock, until deadline: Duration?
    ) async throws -> (any Error)? {
        let rest = deadline?.subtracting(clock.now)
        guard let limit = [rest, patience].compactMap({ $0 }).min() else {
            return try await wait(question, clock: clock)
        }
        do {
            let timeout = TimeoutError(limit == rest ? .deadline : .tokenRefresh, after: limit)
            return try await withTimeLimit(limit, clock: clock, throwing: timeout) {
                try await self.wait(question, clock: clock)
            }
        } catch let error as TimeoutError where error.kind == .tokenRefresh {
            return nil
        }
    }

    /// Joins what is running, or starts it.
    ///
    /// - Returns: Why it failed; nil to ask again.
    private nonisolated(nonsending) func wait(
        _ question: CredentialsState.Question, clock: any CallClock
    ) async throws -> (any Error)? {
        let turn = CredentialsState.Turn()
        let id = state.withLock { $0.nextID() }
        let early = try state.withLock { state -> Result<(any Error)?, Never>? in
            try Task.checkCancellation()
            var question = question
            switch state.step(&question) {
            case .ready, .early: return .success(nil)
            case .failed(let error): return .success(error)
            case .wait: break
            case .load: state.start(isNeeded: true) { loading($0, clock: clock) }
            case .refresh(let tokens, let isNeeded):
                state.start(now: question.now, isNeeded: isNeeded) { refreshing(tokens, $0, clock: clock) }
            }
            state.flight?.waiters[id] = CredentialsState.Waiter(turn: turn, isRefused: question.refused != nil)
            return nil
        }
        if let early {
            return early.get()
        }
        return try await turn.value(leaving: { _ = self.state.withLock { $0.flight?.waiters.removeValue(forKey: id) } })
    }

    /// Checks that the account is still that of a request which was answered.
    ///
    /// - Throws: `RejectionError` with `.accountChanged`.
    package func confirm(_ ticket: CredentialsState.Ticket) throws {
        try state.withLock { try $0.confirm(ticket) }
    }

    /// A request whose token was refused is not sent again, so the next call refreshes before it sends.
    package func mark(_ refused: CredentialsState.Ticket) {
        state.withLock { $0.mark(refused) }
    }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// That there are credentials; no token is shown.
    public var description: String { "credentials (hidden)" }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["credentials": "hidden"], displayStyle: .class)
    }
}
