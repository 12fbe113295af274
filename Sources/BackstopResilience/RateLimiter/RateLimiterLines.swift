internal import Backstop

/// The buckets of a rate limiter, of each key, and the calls that wait for tokens.
final class RateLimiterLines: Sendable {
    typealias Entry = KeyedEntry<Line>

    /// A call in a line. What ends its wait may come at any time; who gives it a token finds out.
    typealias Waiter = OneShot<Void, Void>

    /// A state, and the timer for its next token.
    struct Line: KeyedState {
        var state: RateLimiterState<Waiter>
        /// Sleeps until the next token comes; nil while nobody waits.
        var timer: Task<Void, Never>?
        /// Tells the timer from those before.
        var timerNumber: UInt64 = 0
        var refusals = Refusals()

        func use(at now: Duration) -> StateUse {
            state.isIdle(at: now) ? .atRest : state.waiting > 0 ? .kept : .inUse
        }
    }

    private struct State {
        var byKey: KeyedStates<Line>
        var lastNumber: UInt64 = 0
    }

    let rate: TokenBucket.Rate
    /// What the tokens stand for, in texts.
    private let unit: String
    let maximumWait: Duration
    let log: RefusalLog
    /// Buckets and lines, guarded by the lock.
    private let state: Lock<State>

    init(
        _ rate: TokenBucket.Rate, of unit: String, maximumWait: Duration, keys: Int, lifetime: Duration,
        log: (any LogSink)?
    ) {
        self.rate = rate
        self.unit = unit
        self.maximumWait = maximumWait
        self.log = RefusalLog("The rate limiter", to: log)
        // A bucket that is forgotten is full again, so those that are not full are kept as long as memory allows.
        state = Lock(State(byKey: KeyedStates(limit: keys, inUse: keys * 100, lifetime: lifetime)))
    }

    private func make(at now: Duration) -> Line {
        Line(state: RateLimiterState(rate, now: now))
    }

    /// Takes tokens if there are as many; nil otherwise.
    func enter(_ tokens: Int, _ key: String?, context: CallContext) -> Entry? {
        let now = context.clock.now
        let (entry, isOver) = state.withLock { state -> (Entry?, Bool) in
            let entry = state.byKey.entry(for: key, now: now) { make(at: now) }
            guard entry.state.state.enter(tokens, now: now) else {
                return (nil, false)
            }
            return (entry, log.admit(&entry.state.refusals, of: entry.key, at: now))
        }
        if isOver {
            log.write()
        }
        return entry
    }

    /// Waits for tokens.
    ///
    /// - Throws: ``RejectionError`` with `.rateLimit`, `CancellationError` when the task was cancelled; no token is then
    ///   taken.
    func wait(_ tokens: Int, _ key: String?, context: CallContext) async throws -> Entry {
        try Task.checkCancellation()
        let clock = context.clock
        let start = clock.now
        guard tokens <= rate.burst else {
            let reason = "The call takes \(tokens) tokens, and the bucket holds \(rate.burst): raise the burst"
            let entry = state.withLock { $0.byKey.entry(for: key, now: start) { make(at: start) } }
            throw refused(entry, reason, for: nil, at: start)
        }
        // A wait that would end at the deadline is not begun.
        let instant = Duration(secondsComponent: 0, attosecondsComponent: 1)
        let rest = context.deadline.map { $0.subtracting(start) - instant }
        let turn = Waiter()
        let (entry, number, admission) = state.withLock { state in
            state.lastNumber += 1
            let entry = state.byKey.entry(for: key, now: start) { make(at: start) }
            let admission = entry.state.state.enterOrWait(
                turn, tokens, number: state.lastNumber, now: start, patience: min(maximumWait, rest ?? maximumWait))
            if case .waits = admission, entry.state.timer == nil {
                setTimer(entry, now: start, clock)
            }
            return (entry, state.lastNumber, admission)
        }
        switch admission {
        case .goes: break
        case .refused(let wait):
            let isPastDeadline = wait <= maximumWait && rest.map { wait > $0 } ?? false
            throw refused(entry, for: wait, isPastDeadline: isPastDeadline, at: start)
        case .waits(let wait):
            let (why, isPaused) = why(entry, from: start, to: start + wait, at: start)
            context.note("rateLimiter", "waits for its turn: \(why)")
            context.hold(
                Hold(
                    "waiting for its turn in RateLimiter", detail: why,
                    advice: isPaused
                        ? "Send fewer calls, or ask the service for a higher rate" : "Allow more calls in RateLimiter"))
            defer {
                context.endHold()
            }
            try await turn.value(leaving: {
                _ = self.state.withLock { _ in entry.state.state.giveUp(number) }
                // Those behind may need fewer tokens.
                self.giveBack(0, entry, clock: clock)
            })
        }
        guard !Task.isCancelled else {
            // They came at the moment of the cancellation, and go to the next.
            giveBack(tokens, entry, clock: clock)
            throw CancellationError()
        }
        let now = clock.now
        if state.withLock({ _ in log.admit(&entry.state.refusals, of: entry.key, at: now) }) {
            log.write()
        }
        // A pause may have begun since.
        let (why, _) = why(entry, from: start, to: now, at: now)
        context.note("rateLimiter", "waited \((now - start).text): \(why)")
        return entry
    }

    private func refused(
        _ entry: Entry, for wait: Duration, isPastDeadline: Bool = false, at now: Duration
    ) -> RejectionError {
        let reason =
            "\(why(entry, from: now, to: now.adding(wait), at: now).text), and \(unit == "call" ? "the next" : "this call") may start in \(wait.text)"
            + (isPastDeadline ? ", after the deadline of the call" : "")
        return refused(entry, reason, for: wait, at: now)
    }

    /// - Parameter wait: How long it is refused; nil for good.
    private func refused(_ entry: Entry, _ reason: String, for wait: Duration?, at now: Duration) -> RejectionError {
        state.withLock { _ in log.refuse(&entry.state.refusals, of: entry.key, reason, at: now) }
        log.write()
        return RejectionError(.rateLimit, reason, isTransient: wait != nil, retryAfter: wait)
    }

    /// Lets nobody through while the service's own limit is used up, and rejects those who would wait too long now.
    ///
    /// - Parameter time: How long that is, as the service says. It is believed for a minute: what it said of one request
    ///   may not be true of others.
    func pause(_ entry: Entry, for time: Duration, context: CallContext) {
        let (now, limit) = (context.clock.now, Duration.seconds(60))
        guard let late = state.withLock({ _ in entry.state.state.pause(for: time, atMost: limit, now: now) }) else {
            return
        }
        context.note(
            "rateLimiter", "lets nobody through for \(min(time, limit).text): the service's rate limit is used up")
        for (waiter, wait) in late {
            waiter.end(with: .failure(refused(entry, for: wait, at: now)))
        }
        if !late.isEmpty {
            // Nobody may be left to wait for.
            giveBack(0, entry, clock: context.clock)
        }
    }

    /// How many calls wait.
    func waiting(_ key: String?) -> Int {
        key == nil ? total.waiting : state.withLock { $0.byKey.existing(key)?.state.state.waiting ?? 0 }
    }

    /// How many keys, waiting calls and timers there are.
    var total: (keys: Int, waiting: Int, timers: Int) {
        state.withLock { state in
            let entries = state.byKey.all
            return (
                state.byKey.count, entries.reduce(0) { $0 + $1.state.state.waiting },
                entries.count { $0.state.timer != nil }
            )
        }
    }

    /// How many whole tokens there are.
    func tokens(_ key: String?, at now: Duration) -> Int {
        state.withLock { $0.byKey.existing(key)?.state.state.tokens(at: now) ?? rate.burst }
    }

    /// Why calls wait so long: for the most part for what is allowed, or for what the service says.
    private func why(
        _ entry: Entry, from start: Duration, to end: Duration, at now: Duration
    ) -> (text: String, isPaused: Bool) {
        let pause = state.withLock { _ in entry.state.state.pause(from: start, to: end, now: now) }
        let isPaused = pause > (end - start) / 2
        return (isPaused ? "The service says that its rate limit is used up" : text, isPaused)
    }

    /// What is allowed.
    var text: String {
        "\(rate.count == 1 ? "1 \(unit)" : "\(rate.count) \(unit)s") per \(rate.period.text) "
            + (rate.count == 1 ? "is allowed" : "are allowed")
    }

    /// Starts the timer for the next token; under the lock.
    private func setTimer(_ entry: Entry, now: Duration, _ clock: any CallClock) {
        guard let wait = entry.state.state.nextToken(now: now) else {
            entry.state.timer = nil
            return
        }
        entry.state.timerNumber += 1
        let number = entry.state.timerNumber
        // The task may begin late, and the clock have moved by then.
        let end = now.adding(wait)
        entry.state.timer = Task.detached {
            if (try? await clock.sleep(until: end)) != nil,
                self.state.withLock({ _ in entry.state.timerNumber == number })
            {
                self.giveBack(0, entry, clock: clock)
            }
        }
    }

    /// Gives those who wait the tokens that have come, and some that were not used.
    func giveBack(_ unused: Int, _ entry: Entry, clock: any CallClock) {
        let now = clock.now
        var unused = unused
        repeat {
            let (granted, timer) = state.withLock { _ in
                entry.state.state.giveBack(unused)
                let granted = entry.state.state.grant(now: now)
                let timer = entry.state.timer
                setTimer(entry, now: now, clock)
                return (granted, timer)
            }
            timer?.cancel()
            // The wait of some may have ended at this moment.
            unused = granted.reduce(0) { $0 + ($1.waiter.end(with: .success(())) ? 0 : $1.tokens) }
        } while unused > 0
    }
}
