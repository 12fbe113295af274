internal import BackstopCore

/// The state machine behind ``Credentials``: which token a call gets, whether it waits, and what a refresh changes.
///
/// A value without a lock, a clock or tasks, so that tests drive it step by step.
package struct CredentialsState {
    private(set) var tokens: TokenSet?
    private(set) var isLoaded: Bool
    /// Grows with each change of account, so that no call continues as another's.
    private(set) var generation = 0
    /// The number of the last change of the account, among those of all credentials.
    private var lastChange = 0
    /// Grows with each change of tokens.
    private(set) var version = 0
    /// How many refreshes have ended.
    private(set) var rounds = 0
    /// The failure of the last refresh; nil after one that succeeded, and after a sign-in.
    private var lastFailure: (error: any Error, date: Duration)?
    /// Why the refresh token is not sent again; nil while it is good.
    private var refusal: TokenRefusedForGood?
    /// Whether a request that could not be sent again found the token refused: the next call refreshes first.
    private var isMarked = false
    /// When the token is refreshed before it expires; nil until a call asks, and when it does not say when it expires.
    private var dueDate: Duration?
    /// When the refreshes began that gave a new token, within the window; without those of tokens that have lived.
    private var starts: [Duration] = []
    /// Whether the last of them gave the token in use.
    private var isLastInUse = false
    private var lastID = 0
    var flight: Flight?

    let limit: TokenRefreshLimit
    let margin: Duration

    init(_ tokens: TokenSet?, isLoaded: Bool, limit: TokenRefreshLimit, margin: Duration) {
        self.tokens = tokens
        self.isLoaded = isLoaded
        self.limit = limit
        self.margin = margin
    }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// Whose a call is that begins now.
    var binding: Binding {
        Binding(generation: generation, round: rounds, isAnonymous: isLoaded && tokens == nil)
    }

    /// The same for a call that began when accounts had changed as often as given.
    func binding(since accountChanges: Int) -> Binding {
        lastChange <= accountChanges ? binding : Binding(generation: generation - 1, round: rounds)
    }

    /// What a call does next.
    mutating func step(_ question: inout Question) -> Step {
        let binding = question.binding ?? binding
        question.binding = binding
        guard !question.isFromRefresh else {
            return .ready(nil)
        }
        guard isLoaded else {
            return flight == nil ? .load : .wait(isNeeded: true)
        }
        guard !question.isOnlyLoading else {
            return .ready(nil)
        }
        guard question.account == nil || question.account == tokens?.account else {
            return .failed(Self.accountChanged)
        }
        guard !binding.isAnonymous else {
            return .ready(nil)
        }
        guard binding.generation == generation else {
            return .failed(Self.accountChanged)
        }
        guard let tokens else {
            // The store had not been read when the call began.
            question.binding?.isAnonymous = true
            return .ready(nil)
        }
        return question.refused.map { renew(tokens, after: $0, question) } ?? begin(tokens, &question)
    }

    /// Checks that the account is still that of a ticket.
    func confirm(_ ticket: Ticket) throws {
        guard ticket.generation == generation else {
            throw Self.accountChanged
        }
    }

    /// Why there is no new token for a call, in words, and whether the server was asked for one during it.
    func refusal(of ticket: Ticket) -> String? {
        refusal.map { refusal in
            let isAsked = refusal.isAsked && ticket.firstRound < rounds
            return "\(isAsked ? "a new token was asked for" : "no new token"): \(refusal.cause)"
        }
    }

    /// The first request of an attempt.
    private mutating func begin(_ tokens: TokenSet, _ question: inout Question) -> Step {
        let isExpired = isExpired(tokens, question)
        if let flight {
            guard isExpired || !flight.isEarly && !question.hasWaited else {
                return .ready(ticket(tokens, question))
            }
            question.round = rounds
            return .wait(isNeeded: isExpired)
        }
        let isMarked = isMarked && !question.hasWaited
        guard refusal == nil, isExpired || isMarked || isDue(tokens, question.date) else {
            return .ready(ticket(tokens, question))
        }
        if let error = pauseError(question.date) {
            return isExpired ? .failed(error) : .ready(ticket(tokens, question))
        }
        // The limit is for a server whose tokens are refused at once. One that has lived is no sign of that.
        if !isMarked, isLastInUse, let last = starts.last, question.now - last >= Self.life {
            starts.removeLast()
            isLastInUse = false
        }
        if let end = limitEnd(question.now) {
            return isExpired ? .failed(limitReached(until: end, question.now)) : .ready(ticket(tokens, question))
        }
        guard isExpired || isMarked else {
            return .early(ticket(tokens, question), tokens)
        }
        question.round = rounds
        return .refresh(tokens, isNeeded: isExpired)
    }

    /// The request after one whose token was refused.
    private mutating func renew(_ tokens: TokenSet, after refused: Ticket, _ question: Question) -> Step {
        guard refused.version == version else {
            return .ready(ticket(tokens, question))
        }
        guard flight == nil else {
            flight?.isEarly = false
            return .wait(isNeeded: true)
        }
        guard refusal == nil else {
            return .ready(nil)
        }
        // A refresh that has just ended, during the request, counts for it, even if it failed.
        if refused.round < rounds, let lastFailure, (.zero..<Self.herd).contains(question.date - lastFailure.date) {
            return .failed(lastFailure.error)
        }
        if let error = pauseError(question.date) {
            return .failed(error)
        }
        if let end = limitEnd(question.now) {
            return .failed(limitReached(until: end, question.now))
        }
        // Calls whose tokens nobody refused wait for it too, but need not fail with it.
        return .refresh(tokens, isNeeded: isExpired(tokens, question))
    }

    /// How long after a failed refresh the calls that it was for are refused, too.
    private static let herd = Duration.seconds(1)
    /// How long a token has lived that its server accepts.
    private static let life = Duration.seconds(1)

    private func isExpired(_ tokens: TokenSet, _ question: Question) -> Bool {
        tokens.expiry.map { $0 <= question.date } ?? false
    }

    private func ticket(_ tokens: TokenSet, _ question: Question) -> Ticket {
        Ticket(
            access: tokens.access, version: version, round: question.round ?? rounds,
            firstRound: question.binding?.round ?? rounds,
            generation: generation)
    }

    /// Starts loading, or a refresh.
    ///
    /// - Parameter task: Makes the task of the flight with this number.
    mutating func start(
        now: Duration = .zero, isNeeded: Bool, isEarly: Bool = false, _ task: (Int) -> Task<Void, Never>
    ) {
        let id = nextID()
        flight = Flight(id: id, start: now, isNeeded: isNeeded, isEarly: isEarly, task: task(id))
    }

    // MARK: Time

    private mutating func isDue(_ tokens: TokenSet, _ date: Duration) -> Bool {
        guard let expiry = tokens.expiry else {
            return false
        }
        // By the margin, but not in the first half of what remains: a token may live for less than the margin.
        let time = dueDate ?? expiry - min(margin, max(.zero, expiry - date) / 2)
        dueDate = time
        return time <= date
    }

    /// The failure of the last refresh, while the server wants no other (`Retry-After`), a minute at most; else nil.
    private func pauseError(_ date: Duration) -> (any Error)? {
        guard let lastFailure, var error = lastFailure.error as? TokenRefreshError else {
            return nil
        }
        error.age = date - lastFailure.date
        return error.pause(after: date - lastFailure.date) == nil ? nil : error
    }

    /// When the limit allows the next refresh; nil when it does now.
    private mutating func limitEnd(_ now: Duration) -> Duration? {
        starts.removeAll { $0 + limit.window <= now }
        isLastInUse = isLastInUse && !starts.isEmpty
        return starts.count < limit.count ? nil : starts.first.map { $0 + limit.window }
    }

    private func limitReached(until end: Duration, _ now: Duration) -> RejectionError {
        RejectionError(
            .tokenRefreshLimit,
            "The token was refreshed \(limit.count) times in \(limit.window.text); the next refresh is possible in "
                + "\((end - now).text).",
            retryAfter: end - now)
    }

    // MARK: Changes

    /// A request that cannot be sent again found this token refused.
    mutating func mark(_ refused: Ticket) {
        guard refused.version == version, tokens != nil else {
            return
        }
        isMarked = true
        flight?.isEarly = false
    }

    /// Ends loading. What was loaded is not used if somebody signed in or out meanwhile.
    mutating func endLoading(_ id: Int, with result: Result<TokenSet?, any Error>) -> [Resumption] {
        guard let flight, flight.id == id else {
            return []
        }
        self.flight = nil
        switch result {
        case .success(let loaded):
            tokens = loaded
            isLoaded = true
            return flight.resumptions(nil)
        case .failure(let error):
            return flight.resumptions(error)
        }
    }

    /// Ends a refresh; a late one, after a sign-in or sign-out, changes nothing.
    ///
    /// - Parameter result: The new tokens; nil when the refresh token is refused for good.
    /// - Returns: Whom to wake.
    mutating func endRefresh(_ id: Int, with result: Result<TokenSet?, any Error>, date: Duration) -> [Resumption] {
        guard let flight, flight.id == id, let old = tokens else {
            return []
        }
        self.flight = nil
        rounds += 1
        isMarked = false
        let isRepeated = lastFailure.map { date - $0.date < .seconds(60) } ?? false
        lastFailure = nil
        switch result {
        case .success(let renewed?):
            var renewed = renewed
            // RFC 6749, 6: without a new refresh token, the old one stays valid.
            renewed.refresh = renewed.refresh ?? old.refresh
            renewed.account = renewed.account ?? old.account
            // One that has expired on arrival means that a clock is wrong: it is refreshed only once it is refused.
            renewed.expiry = renewed.expiry.flatMap { $0 > date ? $0 : nil }
            tokens = renewed
            starts.append(flight.start)
            isLastInUse = true
            version += 1
            dueDate = nil
            _ = isDue(renewed, date)
        case .success(nil): refusal = TokenRefusedForGood("the refresh token was refused")
        case .failure(let error as TokenRefusedForGood): refusal = error
        case .failure(let error):
            lastFailure = (error, date)
            if var error = error as? TokenRefreshError {
                error.isRepeated = isRepeated
                lastFailure = (error, date)
            }
            if let expiry = old.expiry, expiry > date {
                // At half of the limit's rate: not with each call, while the old token is still good.
                dueDate = date + max((expiry - date) / 2, limit.window * 2 / limit.count)
            }
        }
        return flight.resumptions(lastFailure?.error)
    }

    /// Takes the tokens of a sign-in, or none for a sign-out.
    ///
    /// - Returns: The refresh that no longer counts, and whom to wake.
    mutating func replace(with new: TokenSet?) -> (task: Task<Void, Never>?, [Resumption]) {
        let isSame = isLoaded && new?.account != nil && new?.account == tokens?.account
        if !isSame {
            generation += 1
            lastChange = AccountChanges.next()
        }
        tokens = new
        isLoaded = true
        version += 1
        lastFailure = nil
        refusal = nil
        isMarked = false
        dueDate = nil
        starts = []
        isLastInUse = false
        defer { flight = nil }
        return (flight?.task, flight?.resumptions(nil) ?? [])
    }

    /// Wakes one that waits; outside of the lock.
    typealias Resumption = () -> Void

    private static let accountChanged = RejectionError(
        .accountChanged, "The call was made for an account that is no longer signed in.")
}

extension CredentialsState.Flight {
    fileprivate func resumptions(_ error: (any Error)?) -> [CredentialsState.Resumption] {
        waiters.sorted { $0.key < $1.key }.map { _, waiter in
            { waiter.turn.end(with: .success(isNeeded || waiter.isRefused ? error : nil)) }
        }
    }
}
