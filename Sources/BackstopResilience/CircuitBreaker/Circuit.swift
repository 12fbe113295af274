internal import Backstop

/// The state machine of one circuit: which calls go through, and what their results change.
///
/// It is a value without clock, lock or random source: all of them are arguments. Each admission has the generation of
/// the state that it was admitted in, and a result counts only in that state: a call that began before the last change
/// never decides anything.
package struct Circuit: Sendable {
    /// What an admitted call gives back with its result.
    package struct Permit: Sendable, Hashable {
        /// The generation of the state that admitted it.
        let generation: UInt64
        /// The number of the probe; nil for a call of a closed circuit.
        package let probe: UInt64?
    }

    /// The answer to a call that wants to go through.
    package enum Admission: Sendable, Hashable {
        case admitted(Permit)
        /// Not before a moment; nil when that is unknown.
        case refused(until: Duration?)
    }

    /// How long a full window of 100 calls or more must have had too many failures before it opens: at hundreds a second,
    /// 100 calls are a moment.
    private static let patience = Duration.seconds(2)
    /// How far the readings of calls that run at the same time may be apart.
    private static let tolerance = Duration.seconds(10)

    private struct Probe: Sendable {
        let number: UInt64
        let leaseEnd: Duration
        let isHasty: Bool
    }

    /// The state, as of the last call.
    package private(set) var state = CircuitState.closed
    /// Grows with each change of the state.
    package private(set) var generation: UInt64 = 0
    /// How many admitted calls have not ended yet, of any generation.
    package private(set) var running = 0
    /// Why it opened last.
    package private(set) var cause: CircuitTransition.Cause?

    private let policy: CircuitBreakerPolicy
    private var counts: CircuitCounts
    /// When it last had too few failures to open.
    private var calm = Duration.zero
    /// When a call last succeeded.
    private var answered: Duration?
    /// How many openings in a row.
    private var openings = 0
    /// How long the current break lasts.
    private var breakLength = Duration.zero
    private var lastClosed: Duration?
    private var probes: [Probe] = []
    private var succeededProbes = 0
    private var lastProbe: UInt64 = 0
    /// When it was let through.
    private var probed = Duration.zero

    package init(_ policy: CircuitBreakerPolicy) {
        self.policy = policy
        counts = CircuitCounts(policy.window)
    }

    /// How many probes run whose lease has not ended.
    package func runningProbes(at now: Duration) -> Int {
        state == .halfOpen ? probes.count { $0.leaseEnd > now } : 0
    }

    /// Admits a call, or refuses it.
    ///
    /// - Parameter isHasty: Whether its own deadline leaves it so little time that it may prove nothing: as a probe, it
    ///   takes no place from others.
    package mutating func admit(now: Duration, isHasty: Bool = false, changes: (CircuitTransition) -> Void) -> Admission
    {
        if case .open(let end) = state, end > now.adding(breakLength) {
            // The clock went back: a break is never longer than it was when it began.
            state = .open(until: now.adding(breakLength))
        }
        let end: Duration? = if case .open(let end) = state { end } else { state == .halfOpen ? probed : nil }
        if let end, now - end > CallGrouping<Never>.lifetime {
            // Nobody has asked for so long, perhaps asleep, that the outage of that time says nothing.
            lastClosed = nil
            changes(change(to: .closed, because: .breakOver))
        }
        switch state {
        case .closed:
            running += 1
            return .admitted(Permit(generation: generation, probe: nil))
        case .isolated:
            return .refused(until: nil)
        case .disabled:
            return .admitted(pass())
        case .open(let end) where now < end:
            return .refused(until: end)
        case .open:
            changes(change(to: .halfOpen, because: .breakOver))
        case .halfOpen:
            // A probe that hangs loses its place; so does one from before the clock went back.
            probes.removeAll { $0.leaseEnd <= now || $0.leaseEnd > now.adding(policy.probeLease + Self.tolerance) }
        }
        let others = isHasty ? probes.count : probes.count { !$0.isHasty }
        guard others + succeededProbes < policy.probes else {
            // The probes say when: at any moment, or not before their leases end.
            return .refused(until: nil)
        }
        lastProbe += 1
        probed = now
        probes.append(Probe(number: lastProbe, leaseEnd: now.adding(policy.probeLease), isHasty: isHasty))
        running += 1
        return .admitted(Permit(generation: generation, probe: lastProbe))
    }

    /// Notes that the service has answered.
    mutating func noteAnswer(at now: Duration) {
        answered = now
    }

    /// A permit for a call that counts for nothing.
    mutating func pass() -> Permit {
        running += 1
        // No probe has the number 0.
        return Permit(generation: generation, probe: 0)
    }

    /// A permit for a call that came here by a redirect. It counts only if the circuit is closed.
    mutating func join() -> Permit {
        running += 1
        // No probe has the number 0, so a circuit that is not closed does not know it.
        return Permit(generation: generation, probe: state == .closed ? nil : 0)
    }

    /// Whether a success of a call with this permit, which is not of a closed circuit, counts as that of a probe.
    func decides(_ permit: Permit, isSlow: Bool, now: Duration) -> Bool {
        permit.generation == generation
            && (isLateSuccess(of: permit.probe ?? 0, isSlow: isSlow)
                || probes.contains { $0.number == permit.probe && $0.leaseEnd > now })
    }

    /// Whether a success decides although it comes late, or is a person's: where each call takes longer than a probe may,
    /// nothing else would close the circuit.
    private func isLateSuccess(of number: UInt64, isSlow: Bool) -> Bool {
        !isSlow && number > 0 && number != Self.doubted
    }

    /// The permit of a probe whose stream has begun and proved nothing: it has no place any more, and how it ends decides.
    mutating func doubt(_ permit: Permit) -> Permit {
        guard permit.generation == generation, state == .closed || succeededProbes > 0 else {
            return permit
        }
        succeededProbes -= state == .closed ? 0 : 1
        return Permit(generation: generation, probe: Self.doubted)
    }

    /// A permit for a call that a person waits for, whatever the state; nil when it is isolated. Its success closes the
    /// circuit, its failure changes nothing.
    package mutating func admitPerson() -> Permit? {
        guard state != .isolated, state != .disabled else {
            return nil
        }
        running += 1
        return Permit(generation: generation, probe: state == .closed ? nil : Self.person)
    }

    /// The number of the probes of people. Others count from 1.
    private static let person = UInt64.max
    /// The number of those whose streams have proved nothing.
    private static let doubted = person - 1

    /// Takes the permit of a call that ended, and counts its result.
    ///
    /// - Parameters:
    ///   - outcome: What the call says about the service.
    ///   - isSlow: Whether it was slow.
    ///   - start: When it was let through; nil for a call that ends as it begins.
    ///   - unit: A random number from 0 up to, but not including, 1, for the length of a break.
    ///   - retryAfter: The wait that the server asked for; nil for none.
    /// - Returns: The change that follows, if any.
    package mutating func settle(
        _ permit: Permit, _ outcome: CircuitOutcome, isSlow: Bool, now: Duration, since start: Duration? = nil,
        unit: Double = 0, retryAfter: Duration? = nil
    ) -> CircuitTransition? {
        running -= 1
        if outcome == .success {
            noteAnswer(at: now)
        }
        guard permit.generation == generation else {
            return nil
        }
        guard let number = permit.probe else {
            // Of calls that begin together, those that run out of time end last: the service answers others.
            if policy.countsInRow, outcome == .failure, let answered, let start, answered > start {
                return nil
            }
            return count(outcome, isSlow: isSlow, now: now, unit: unit, retryAfter: retryAfter)
        }
        if number == Self.person, outcome == .success, !isSlow {
            return close(now: now, after: 1)
        }
        if number != Self.doubted {
            let index = probes.firstIndex { $0.number == number }
            let isInTime = index.map { probes.remove(at: $0).leaseEnd > now } ?? false
            guard isInTime || outcome == .success && isLateSuccess(of: number, isSlow: isSlow) else {
                return nil
            }
        }
        switch outcome {
        case .ignored:
            return nil
        case .success where state == .closed:
            return count(outcome, isSlow: isSlow, now: now, unit: unit, retryAfter: retryAfter)
        case .failure where state == .closed && counts.calls > counts.failures:
            // Others have shown meanwhile that the service answers.
            return count(outcome, isSlow: isSlow, now: now, unit: unit, retryAfter: retryAfter)
        case .success where !isSlow:
            succeededProbes += 1
            guard succeededProbes >= policy.probes else {
                return nil
            }
            return close(now: now, after: policy.probes)
        case .success, .failure:
            return open(because: .probeFailed, now: now, unit: unit, retryAfter: retryAfter)
        }
    }

    private mutating func close(now: Duration, after probes: Int) -> CircuitTransition {
        lastClosed = now
        return change(to: .closed, because: .probesSucceeded(probes))
    }

    private mutating func count(
        _ outcome: CircuitOutcome, isSlow: Bool, now: Duration, unit: Double, retryAfter: Duration?
    ) -> CircuitTransition? {
        guard outcome != .ignored else {
            return nil
        }
        counts.add(isFailure: outcome == .failure, isSlow: isSlow, now: now)
        guard let cause = tooMany else {
            calm = now
            return nil
        }
        // A quick success never opens, be it the one that makes the calls enough to judge.
        guard outcome == .failure || isSlow, !counts.isFullOfMany || now - calm >= Self.patience else {
            return nil
        }
        return open(because: cause, now: now, unit: unit, retryAfter: retryAfter)
    }

    /// What it opens for; nil if that does not hold.
    private var tooMany: CircuitTransition.Cause? {
        let all = counts.calls
        if all < policy.minimumThroughput {
            return nil
        }
        if Double(counts.failures) / Double(all) >= policy.failureRatio {
            return .failures(counts.failures, of: all)
        }
        if policy.slowCallDuration != nil, Double(counts.slow) / Double(all) >= policy.slowCallRatio {
            return .slowCalls(counts.slow, of: all)
        }
        return nil
    }

    private mutating func open(
        because cause: CircuitTransition.Cause, now: Duration, unit: Double, retryAfter: Duration?
    ) -> CircuitTransition {
        let isRepeated = state == .halfOpen || lastClosed.map { now - $0 < policy.maximumBreakDuration } ?? false
        openings = isRepeated ? openings + 1 : 1
        let length = policy.breakDuration(openings: openings, unit: unit, asked: retryAfter)
        self.cause = cause
        breakLength = length
        return change(to: .open(until: now.adding(length)), because: cause, lasting: length)
    }

    /// Forgets the calls that run: what comes of them changes nothing.
    mutating func forget() {
        generation += 1
        counts.clear()
        probes.removeAll(keepingCapacity: true)
        succeededProbes = 0
    }

    /// Rejects all calls until it is reset.
    package mutating func isolate() -> CircuitTransition? {
        state == .isolated ? nil : change(to: .isolated, because: .isolated)
    }

    /// Lets all calls through until it is reset.
    package mutating func disable() -> CircuitTransition? {
        state == .disabled ? nil : change(to: .disabled, because: .disabled)
    }

    /// Closes the circuit and forgets what it counted.
    package mutating func reset() -> CircuitTransition? {
        lastClosed = nil
        guard state != .closed else {
            // Calls that run do not count either: they began before.
            counts.clear()
            generation += 1
            return nil
        }
        return change(to: .closed, because: .reset)
    }

    private mutating func change(
        to next: CircuitState, because cause: CircuitTransition.Cause, lasting length: Duration? = nil
    ) -> CircuitTransition {
        forget()
        defer {
            state = next
        }
        return CircuitTransition(
            key: "", from: state, to: next, cause: cause, generation: generation, breakDuration: length)
    }
}

extension Circuit: KeyedState {
    /// Open circuits and those with running calls are in use; what a person has set is kept.
    func use(at now: Duration) -> StateUse {
        switch state {
        case .isolated, .disabled: .kept
        case .closed where running == 0: .atRest
        case .open(let end) where running == 0 && end <= now: .atRest
        case .closed, .open, .halfOpen: .inUse
        }
    }
}
