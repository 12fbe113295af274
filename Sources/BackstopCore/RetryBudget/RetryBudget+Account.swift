extension RetryBudget {
    /// What a client knows of one destination: the retries it took, and whether calls go there at all.
    ///
    /// A value without clock, lock or randomness of its own, so that a simulation can keep a million of them. A new one
    /// is at rest: a full bucket, and no timeouts.
    package struct Account: Sendable, Hashable {
        /// The retries taken and not given back.
        private var spent = 0.0
        /// When something was last noted; long after it, everything is forgotten.
        private(set) var lastUse = Duration.zero
        /// When the last timeout that counted was noted. Attempts begun before say nothing new.
        private var lastTimeout = Duration.zero
        /// When the silence ends; after it, one call at a time is a probe.
        private var silentUntil = Duration.zero
        /// When the place of the current probe or scout is free again, even if it never ends; zero when it is free.
        private var probeEnds = Duration.zero
        /// The timeouts in a row.
        private var timeouts: UInt8 = 0
        /// The silences in a row; 0 while calls go out as usual.
        private var silences: UInt8 = 0
        /// The calls refused in this silence.
        private var refused: UInt8 = 0
        /// The resource whose calls were not answered, as a hash of its name.
        private var resource = 0
        /// Whether those of others were not answered either, so that no call goes out.
        private var isWide = false
        /// Whether a call for another resource was answered meanwhile, so that those go out as usual.
        private var answersOthers = false

        package init() {}

        /// Whether it equals a new one.
        var isAtRest: Bool {
            spent == 0 && timeouts == 0
        }

        /// Whether it was not used for so long that a new one may take its place.
        func isForgotten(at now: Duration) -> Bool {
            now - max(lastUse, silentUntil) > RetryBudget.lifetime
        }
    }

    /// How an attempt goes out, if it does.
    package enum Admission: Sendable, Hashable {
        /// As usual.
        case call
        /// The one that finds out whether the service answers again.
        case probe
        /// The same, because a person asked for it; it takes no other's place.
        case personalProbe
        /// For another resource than the one that does not answer: it finds out whether the whole service is silent.
        case scout
        /// Not at all, for this long.
        case refused(Duration)
    }

    /// What an attempt says about the service.
    package enum Sign: Sendable, Hashable {
        /// It answered, even if with a failure.
        case answer
        /// It did not answer within this limit.
        case timeout(limit: Duration?)
        /// Nothing: a network fault, an error of a gateway, a cancellation, a refusal before anything was sent.
        case none
    }

    /// How long an unused account is kept.
    static var lifetime: Duration { .seconds(600) }
    /// How many timeouts in a row begin a silence.
    private static var timeoutLimit: UInt8 { 2 }
    /// How many refused calls show that a client is busy.
    private static var busyRefusals: UInt8 { 20 }
    /// By how much a busy client shortens its silence.
    private static var busyPart: Int { 12 }
    /// After how many silences in a row the next ones last twice as long.
    private static var plainSilences: UInt8 { 3 }
    /// How long a probe keeps its place if it never ends.
    private static var probeLease: Duration { .seconds(60) }
}

extension RetryBudget.Account {
    /// Whether an attempt may go out now.
    ///
    /// While all timeouts came from one resource, only its calls are refused. Of the others one goes out at a time, until
    /// one was answered; if it is not, the silence is that of the whole destination.
    ///
    /// - Parameters:
    ///   - resource: What is asked for, as a hash of its name.
    ///   - isPersonal: Whether a person asked for it.
    package mutating func admit(
        _ resource: Int = 0, isPersonal: Bool, at now: Duration
    ) -> RetryBudget.Admission {
        note(at: now)
        guard silences > 0 else {
            return .call
        }
        guard !isPersonal else {
            return .personalProbe
        }
        guard !isOther(resource) else {
            return admitOther(at: now)
        }
        guard !isSilent(at: now) else {
            refused = refused == .max ? refused : refused + 1
            return .refused(silentUntil - now)
        }
        guard probeEnds <= now else {
            return .refused(probeEnds - now)
        }
        probeEnds = now.adding(RetryBudget.probeLease)
        return .probe
    }

    /// Whether a resource is not the one that is silent.
    private func isOther(_ resource: Int) -> Bool {
        silences > 0 && !isWide && resource != self.resource
    }

    private mutating func admitOther(at now: Duration) -> RetryBudget.Admission {
        guard !answersOthers else {
            return .call
        }
        guard probeEnds <= now else {
            return .refused(probeEnds - now)
        }
        probeEnds = now + RetryBudget.probeLease
        return .scout
    }

    private func isSilent(at now: Duration) -> Bool {
        guard now < silentUntil else {
            return false
        }
        let isBusy = refused >= RetryBudget.busyRefusals
        return !isBusy || now < lastTimeout + (silentUntil - lastTimeout) / RetryBudget.busyPart
    }

    /// Notes a success.
    package mutating func succeed(_ resource: Int = 0, at now: Duration, _ budget: RetryBudget) {
        note(at: now)
        // Not a rest of a rounding error, which would keep the account from being at rest.
        spent = spent - budget.refill < 1e-9 ? 0 : spent - budget.refill
        noteAnswer(resource)
    }

    /// Notes that it answered, without a success of its own: it redirected to another destination.
    package mutating func answer(_ resource: Int = 0, at now: Duration) {
        note(at: now)
        noteAnswer(resource)
    }

    /// Notes an attempt that failed.
    ///
    /// - Parameters:
    ///   - sign: What it says about the service.
    ///   - resource: What was asked for, as a hash of its name.
    ///   - start: When it began.
    ///   - isTransient: Whether the failure is transient.
    ///   - unit: A random number from 0 up to 1, for the length of a silence.
    package mutating func fail(
        _ sign: RetryBudget.Sign, of resource: Int = 0, admitted admission: RetryBudget.Admission, start: Duration,
        isTransient: Bool, at now: Duration, _ budget: RetryBudget, unit: Double
    ) {
        note(at: now)
        release(admission)
        if budget.chargesFailures, isTransient {
            spent = min(budget.capacity, spent + 1)
        }
        switch sign {
        case .none: break
        case .answer: noteAnswer(resource)
        case .timeout(let limit): noteTimeout(of: resource, limit: limit, start: start, at: now, budget, unit: unit)
        }
    }

    /// Gives back the place of a probe that says nothing, such as a cancelled one.
    package mutating func release(_ admission: RetryBudget.Admission) {
        if admission == .probe || admission == .scout {
            probeEnds = .zero
        }
    }

    /// Takes a retry from the bucket.
    ///
    /// - Returns: Why there is none; nil when there was one.
    package mutating func takeRetry(
        _ resource: Int = 0, at now: Duration, _ budget: RetryBudget
    ) -> StopReason? {
        note(at: now)
        guard silences == 0 || isOther(resource) || !isSilent(at: now) else {
            return .silence(silentUntil - now)
        }
        let left = budget.capacity - spent
        if budget.chargesFailures {
            return left > budget.reserve ? nil : .budget
        }
        guard left > 1 - 1e-9 else {
            return .budget
        }
        spent += budget.capacity.isFinite ? 1 : 0
        return nil
    }

    /// Takes a retry for a copy of a request that is under way. There is none beside a probe, which goes out alone.
    ///
    /// - Returns: Why there is none; nil when there was one.
    mutating func takeCopy(_ resource: Int = 0, at now: Duration, _ budget: RetryBudget) -> StopReason? {
        note(at: now)
        let isOther = isOther(resource)
        guard silences == 0 || isOther && answersOthers else {
            return .silence(max(.zero, (isOther ? probeEnds : max(silentUntil, probeEnds)) - now))
        }
        return takeRetry(resource, at: now, budget)
    }

    /// Gives back a retry that was taken and not made.
    package mutating func giveBackRetry(_ budget: RetryBudget) {
        if !budget.chargesFailures {
            spent = max(0, spent - 1)
        }
    }

    private mutating func noteTimeout(
        of resource: Int, limit: Duration?, start: Duration, at now: Duration, _ budget: RetryBudget, unit: Double
    ) {
        guard let range = budget.silence else {
            return
        }
        if noteResource(resource) {
            // What began before the silence shows how far it reaches, but is no reason for a longer one.
            if start >= lastTimeout {
                beginSilence(range, at: now, unit: unit)
            }
            return
        }
        // Several at once are one observation. After a silence, only what began after it says something new.
        let isLater = silences == 0 && limit.map { now - lastTimeout >= $0 / 10 } ?? false
        guard timeouts == 0 || start >= lastTimeout || isLater else {
            return
        }
        // A person's probe changes nothing: the next one may go out at once.
        guard silences == 0 || !isOther(resource) && !isSilent(at: now) else {
            return
        }
        timeouts = timeouts == .max ? timeouts : timeouts + 1
        lastTimeout = now
        guard timeouts >= RetryBudget.timeoutLimit else {
            return
        }
        silences = silences == .max ? silences : silences + 1
        beginSilence(range, at: now, unit: unit)
    }

    /// Notes which resource was not answered.
    ///
    /// - Returns: Whether a silence that was of one resource is now of the whole destination.
    private mutating func noteResource(_ resource: Int) -> Bool {
        guard timeouts > 0 else {
            self.resource = resource
            return false
        }
        guard resource != self.resource, !isWide else {
            return false
        }
        // Others were answered meanwhile: one of them has to find that out again.
        isWide = !answersOthers
        answersOthers = false
        return isWide && silences > 0
    }

    private mutating func beginSilence(_ range: ClosedRange<Duration>, at now: Duration, unit: Double) {
        lastTimeout = now
        refused = 0
        // A probe that is still out has lost its place: what it finds out comes too late.
        probeEnds = .zero
        let span = range.upperBound - range.lowerBound
        let drawn = range.lowerBound + span.scaled(by: unit, limit: span)
        silentUntil = now.adding(silences > RetryBudget.plainSilences ? drawn.adding(drawn) : drawn)
    }

    private mutating func noteAnswer(_ resource: Int) {
        guard isOther(resource) else {
            return endSilence()
        }
        if !answersOthers {
            answersOthers = true
            probeEnds = .zero
        }
    }

    private mutating func endSilence() {
        timeouts = 0
        silences = 0
        refused = 0
        resource = 0
        isWide = false
        answersOthers = false
        lastTimeout = .zero
        silentUntil = .zero
        probeEnds = .zero
    }

    private mutating func note(at now: Duration) {
        if isForgotten(at: now) {
            self = Self()
        }
        if now < lastTimeout {
            // The clock went back: a silence is never longer than it was when it began.
            silentUntil = silentUntil == .zero ? .zero : now.adding(silentUntil - lastTimeout)
            lastTimeout = now
        }
        probeEnds = min(probeEnds, now.adding(RetryBudget.probeLease))
        lastUse = max(lastUse, now)
    }
}
