internal import Backstop

/// The circuits of a circuit breaker, and those who watch them.
final class Circuits: Sendable {
    typealias Entry = KeyedEntry<Circuit>

    /// A call that went through.
    struct Ticket: Sendable {
        let entry: Entry
        let permit: Circuit.Permit
        /// When it did.
        let start: Duration
        /// Whether it was a probe, which was decided when its stream began.
        var wasProbe = false
    }

    fileprivate struct State {
        var byKey: KeyedStates<Circuit>
        /// What a person has set for every call, whatever its key; nil for nothing.
        var byHand: CircuitState?
        var watchers: [UInt64: AsyncStream<CircuitTransition>.Continuation] = [:]
        var lastWatcher: UInt64 = 0
    }

    let policy: CircuitBreakerPolicy
    let log: (any LogSink)?
    /// What ends calls at their limits, on the system's clock.
    private let limits: LimitScheduler
    /// The circuits and the watchers, guarded by the lock.
    private let state: Lock<State>
    /// The changes to tell.
    private let changes = EventsInOrder<CircuitTransition>()

    init(
        _ policy: CircuitBreakerPolicy, limit: Int, lifetime: Duration, log: (any LogSink)?,
        limits: LimitScheduler = .shared
    ) {
        self.policy = policy
        self.limits = limits
        self.log = log
        state = Lock(State(byKey: KeyedStates(limit: limit, lifetime: lifetime)))
    }

    /// Lets a call through.
    ///
    /// - Throws: ``RejectionError`` with `.breakerOpen`.
    func admit(_ key: String?, context: CallContext) throws -> Ticket {
        let now = context.clock.now
        let isHasty = context.deadline.map { $0 - now < CircuitCandidate.enough } ?? false
        let isPersonal = policy.admitsPeople && (context.isUserRetry || FailureHandling.isRepeating)
        var changed: CircuitTransition?
        var wouldRefuse = false
        let (entry, admission, circuit) = state.withLock { state -> (Entry, Circuit.Admission, CircuitState) in
            let entry = state.entry(for: key, now: now, policy)
            if let byHand = state.byHand, !entry.state.state.isByHand {
                let isIsolated = byHand == .isolated
                return (entry, isIsolated ? .refused(until: nil) : .admitted(entry.state.pass()), byHand)
            }
            if isPersonal, let permit = entry.state.admitPerson() {
                return (entry, .admitted(permit), entry.state.state)
            }
            let admission = entry.state.admit(now: now, isHasty: isHasty) { changed = append(entry, $0) }
            if case .refused = admission, entry.state.state == .halfOpen, RefreshingCredentials.isAny {
                // A probe waits for this call, which gets it a new token.
                return (entry, .admitted(entry.state.join()), .halfOpen)
            }
            if case .refused = admission, !policy.refusesCalls, entry.state.state != .isolated {
                wouldRefuse = true
                return (entry, .admitted(entry.state.join()), entry.state.state)
            }
            return (entry, admission, entry.state.state)
        }
        note(changed, context)
        if wouldRefuse {
            context.note("circuitBreaker", "would refuse the call: it is \(circuit)")
        }
        switch admission {
        case .admitted(let permit): return Ticket(entry: entry, permit: permit, start: now)
        case .refused(let end): throw Self.rejection(in: circuit, until: end, now: now)
        }
    }

    /// Takes back the permit of a call that was redirected, as one that succeeded, for a permit of the circuit that
    /// answers. If that one is not closed, the outcome changes nothing: only its own probes decide.
    ///
    /// - Returns: The ticket there, as of when the call began.
    func redirect(_ ticket: Ticket, to key: String, context: CallContext) -> Ticket {
        let now = context.clock.now
        let (permit, entry, changed) = state.withLock { state -> (Circuit.Permit, Entry, CircuitTransition?) in
            let changed = append(
                ticket.entry, ticket.entry.state.settle(ticket.permit, .success, isSlow: false, now: now))
            let entry = state.entry(for: key, now: now, policy)
            return (state.byHand == nil ? entry.state.join() : entry.state.pass(), entry, changed)
        }
        note(changed, context)
        return Ticket(entry: entry, permit: permit, start: ticket.start)
    }

    /// Takes note that a stream has begun. A probe is decided with that: it may go on for hours.
    ///
    /// - Returns: The ticket for its end, which counts only if the circuit is closed then.
    func begin(_ ticket: Ticket, context: CallContext) -> Ticket {
        let now = context.clock.now
        guard ticket.permit.probe != nil else {
            state.withLock { _ in ticket.entry.state.noteAnswer(at: now) }
            return ticket
        }
        let isSlow = isSlow(from: ticket.start, to: now)
        let unit = isSlow ? context.random.unit() : 0
        let (permit, wasProbe, changed) = state.withLock { state in
            let wasProbe = ticket.entry.state.decides(ticket.permit, isSlow: isSlow, now: now)
            let changed = append(
                ticket.entry, ticket.entry.state.settle(ticket.permit, .success, isSlow: isSlow, now: now, unit: unit))
            return (state.byHand == nil ? ticket.entry.state.join() : ticket.entry.state.pass(), wasProbe, changed)
        }
        note(changed, context)
        return Ticket(entry: ticket.entry, permit: permit, start: ticket.start, wasProbe: wasProbe)
    }

    /// Takes note that what has begun proves nothing: the end decides about a probe.
    func undo(_ ticket: Ticket) -> Ticket {
        guard ticket.wasProbe else {
            return ticket
        }
        let permit = state.withLock { _ in ticket.entry.state.doubt(ticket.permit) }
        return Ticket(entry: ticket.entry, permit: permit, start: ticket.start)
    }

    /// Takes back the permit of a call that failed, and judges the failure.
    ///
    /// - Parameters:
    ///   - moment: When the task was cancelled; nil when it was not, or nothing ends the call at its deadline.
    ///   - begun: When its stream began; nil for none.
    func settle(
        _ ticket: Ticket, failing error: any Error, cancelledAt moment: Duration?, begun: Duration? = nil,
        context: CallContext
    ) {
        guard
            let candidate = CircuitCandidate(
                failing: error, since: ticket.start, cancelledAt: moment, context, limits: limits)
        else {
            settle(ticket, .ignored, context: context)
            return
        }
        settle(
            ticket, policy.outcome(candidate),
            retryAfter: candidate.receivedResponse?.retryAfter(now: context.clock.date), begun: begun,
            context: context)
    }

    /// Takes back the permit of a call.
    ///
    /// - Parameter begun: When its stream began, which is what can be slow of it; nil for none.
    func settle(
        _ ticket: Ticket, _ outcome: CircuitOutcome, retryAfter: Duration? = nil, begun: Duration? = nil,
        context: CallContext
    ) {
        let now = context.clock.now
        // A process that was asleep makes all its calls slow.
        let isSlow =
            isSlow(from: ticket.start, to: begun ?? now)
            && !(context.clock is SystemClock && limits.wokeLate(since: ticket.start))
        // Drawn before the lock, because the source is the caller's.
        let unit = outcome == .failure || isSlow ? context.random.unit() : 0
        let changed = state.withLock { _ in
            append(
                ticket.entry,
                ticket.entry.state.settle(
                    ticket.permit, outcome, isSlow: isSlow, now: now, since: ticket.start, unit: unit,
                    retryAfter: retryAfter)
            )
        }
        note(changed, context)
    }

    private func isSlow(from start: Duration, to end: Duration) -> Bool {
        policy.slowCallDuration.map { end - start >= $0 } ?? false
    }

    /// Tells a change to those who want to know, and the trace of the call that caused it.
    private func note(_ changed: CircuitTransition?, _ context: CallContext) {
        if let changed {
            tell()
            context.note("circuitBreaker", changed.description)
        }
    }

    private static func rejection(in state: CircuitState, until end: Duration?, now: Duration) -> RejectionError {
        let rest = end.map { max(.zero, $0 - now) }
        return switch state {
        case .isolated:
            RejectionError(.breakerOpen, "The circuit breaker is isolated by hand, until reset(_:)")
        case .halfOpen:
            RejectionError(
                .breakerOpen,
                "The circuit breaker is half-open: it waits for the result of a probe")
        case .open, .closed, .disabled:
            RejectionError(
                .breakerOpen, "The circuit breaker is open" + (rest.map { " for another \($0.text)" } ?? ""),
                retryAfter: rest)
        }
    }
}

extension Circuits {
    /// The state of a circuit, as of its last call; without a key the worst of all.
    func current(_ key: String?) -> CircuitState {
        state.withLock { state in
            guard let key else {
                return state.byKey.all.reduce(state.byHand ?? .closed) { $0.worse(state.current($1)) }
            }
            return state.byKey.existing(key).map { state.current($0) } ?? state.byHand ?? .closed
        }
    }

    /// The states of all keys.
    var all: [String: CircuitState] {
        state.withLock { state in
            Dictionary(state.byKey.keyed.map { ($0.key, state.current($0)) }) { $1 }
        }
    }

    /// How many calls run, of all keys.
    var running: Int {
        state.withLock { $0.byKey.all.reduce(0) { $0 + $1.state.running } }
    }

    /// Rejects all calls of a key, or all calls.
    func isolate(_ key: String?) {
        set(.isolated, key) { $0.isolate() }
    }

    /// Lets all calls of a key through, or all calls.
    func disable(_ key: String?) {
        set(.disabled, key) { $0.disable() }
    }

    private func set(
        _ byHand: CircuitState, _ key: String?, _ change: (inout Circuit) -> CircuitTransition?
    ) {
        let isKnown = state.withLock { state in
            let isKnown = key == nil || state.byKey.existing(key) != nil
            if key == nil {
                state.byHand = byHand
                for entry in state.byKey.keyed {
                    // The last word of a person holds.
                    if entry.state.state.isByHand {
                        append(entry, change(&entry.state))
                    } else {
                        entry.state.forget()
                    }
                }
            }
            let entry = state.entry(for: key, now: .zero, policy)
            append(entry, change(&entry.state))
            return isKnown
        }
        tell()
        if !isKnown, let key {
            log?.write(
                .warning, "The circuit breaker", of: key,
                "no call has had this key yet (that of an origin has a port, as in https://api.example.com:443)")
        }
    }

    /// Closes the circuit of a key, or all of them.
    func reset(_ key: String?) {
        state.withLock { state in
            if key == nil {
                state.byHand = nil
            }
            for entry in state.byKey.all(of: key) {
                append(entry, entry.state.reset())
            }
        }
        tell()
    }

    /// The changes from now on.
    func transitions() -> AsyncStream<CircuitTransition> {
        let (stream, continuation) = AsyncStream<CircuitTransition>.makeStream(bufferingPolicy: .bufferingNewest(100))
        let id = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            return state.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in
            // Released outside the lock.
            let gone = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
            withExtendedLifetime(gone) {}
        }
        return stream
    }

    /// How many streams are open.
    var watcherCount: Int {
        state.withLock { $0.watchers.count }
    }

    /// Adds a change to those to tell, with its key; under the lock.
    @discardableResult
    private func append(_ entry: Entry, _ change: CircuitTransition?) -> CircuitTransition? {
        guard var change else {
            return nil
        }
        change.key = entry.key
        changes.add(change)
        return change
    }

    /// Tells the changes to watchers and log, in order and outside the lock.
    private func tell() {
        changes.tell { change in
            state.withLock { Array($0.watchers.values) }.forEach { $0.yield(change) }
            write(change)
        }
    }

    private func write(_ change: CircuitTransition) {
        let level: LogLevel = change.to == .closed || change.to == .halfOpen ? .info : .warning
        log?.write(
            level, "The circuit breaker", of: change.key,
            change.description + (policy.refusesCalls || change.to.isByHand ? "" : ", and only watches"))
    }
}

extension Circuits.State {
    /// What holds for an entry.
    func current(_ entry: Circuits.Entry) -> CircuitState {
        entry.state.state.isByHand ? entry.state.state : byHand ?? entry.state.state
    }

    mutating func entry(for key: String?, now: Duration, _ policy: CircuitBreakerPolicy) -> Circuits.Entry {
        byKey.entry(for: key, now: now) { Circuit(policy) }
    }
}

/// When a task was cancelled, by the clock of a call.
final class CancellationMoment: Sendable {
    private let clock: any CallClock
    /// Guarded by the lock.
    private let moment = Lock<Duration?>(nil)

    init(_ clock: any CallClock) {
        self.clock = clock
    }

    /// Nil when it was not.
    var time: Duration? {
        moment.withLock { $0 }
    }

    func record() {
        let now = clock.now
        moment.withLock { $0 = now }
    }
}
