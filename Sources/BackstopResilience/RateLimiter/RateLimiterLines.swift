internal import Backstop

/// The buckets of a rate limiter, of each key, and the calls that wait for tokens.
final class RateLimiterLines: Sendable {
    typealias Entry = KeyedEntry<Line>

    /// How a wait ended.
    enum End: Sendable {
        case token(Entry)
        case tooLate(Duration)
        case cancelled
    }

    typealias Waiter = CheckedContinuation<End, Never>

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

    fileprivate struct State {
        var byKey: KeyedStates<Line>
        /// The one line of calls without a key; nil before the first.
        var shared: Entry?
        var lastNumber: UInt64 = 0
    }

    let rate: TokenBucket.Rate
    let maximumWait: Duration
    let log: RefusalLog
    /// Buckets and lines, guarded by the lock.
    private let state: Lock<State>

    init(_ rate: TokenBucket.Rate, maximumWait: Duration, keys: Int, lifetime: Duration, log: (any LogSink)?) {
        self.rate = rate
        self.maximumWait = maximumWait
        self.log = RefusalLog("The rate limiter", to: log)
        state = Lock(State(byKey: KeyedStates(limit: keys, lifetime: lifetime)))
    }

    /// Takes a token if there is one; nil otherwise.
    func enter(_ key: String?, context: CallContext) -> Entry? {
        let now = context.clock.now
        let (entry, isOver) = state.withLock { state -> (Entry?, Bool) in
            let entry = state.entry(for: key, now: now, rate)
            guard entry.state.state.enter(now: now) else {
                return (nil, false)
            }
            return (entry, log.admit(&entry.state.refusals, of: entry.key, at: now))
        }
        if isOver {
            log.write()
        }
        return entry
    }

    /// Waits for a token.
    ///
    /// - Throws: ``RejectionError`` with `.rateLimit`, `CancellationError` when the task was cancelled; no token is then
    ///   taken.
    func wait(_ key: String?, context: CallContext) async throws -> Entry {
        let clock = context.clock
        let start = clock.now
        // A wait that would end at the deadline is not begun.
        let instant = Duration(secondsComponent: 0, attosecondsComponent: 1)
        let rest = context.deadline.map { $0.subtracting(start) - instant }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, number, continuation, now: start, patience: min(maximumWait, rest ?? maximumWait), context)
            }
        } onCancel: {
            leave(key, number)
        }
        context.endHold()
        switch end {
        case .token(let entry):
            guard !Task.isCancelled else {
                // The token came at the moment of the cancellation, and goes to the next.
                giveBack(entry, clock: clock)
                throw CancellationError()
            }
            let now = clock.now
            if state.withLock({ _ in log.admit(&entry.state.refusals, of: entry.key, at: now) }) {
                log.write()
            }
            context.note("rateLimiter", "waited \((now - start).text): \(text)")
            return entry
        case .tooLate(let wait):
            let isTooLong = wait > maximumWait
            let reason =
                "\(text), and the next may start in \(wait.text)"
                + (isTooLong ? "" : ", after the deadline of the call")
            state.withLock { state in
                let entry = state.entry(for: key, now: start, rate)
                log.refuse(&entry.state.refusals, of: entry.key, reason, at: start)
            }
            log.write()
            throw RejectionError(.rateLimit, reason, retryAfter: wait)
        case .cancelled:
            throw CancellationError()
        }
    }

    /// Puts a token back that was not used, for a waiting call if there is one.
    func giveBack(_ entry: Entry, clock: any CallClock) {
        let now = clock.now
        let granted = state.withLock { _ in
            entry.state.state.giveBack()
            return entry.state.state.grant(now: now)
        }
        tell(granted, of: entry)
        stopIfIdle(entry)
    }

    /// How many calls wait.
    func waiting(_ key: String?) -> Int {
        state.withLock { $0.existing(key)?.state.state.waiting ?? 0 }
    }

    /// How many keys, waiting calls and timers there are.
    var total: (keys: Int, waiting: Int, timers: Int) {
        state.withLock { state in
            let entries = Array(state.byKey.all) + [state.shared].compactMap { $0 }
            return (
                state.byKey.count, entries.reduce(0) { $0 + $1.state.state.waiting },
                entries.count { $0.state.timer != nil }
            )
        }
    }

    /// How many whole tokens there are.
    func tokens(_ key: String?, at now: Duration) -> Int {
        state.withLock { $0.existing(key)?.state.state.tokens(at: now) ?? rate.burst }
    }

    private var text: String {
        "\(rate.count == 1 ? "1 call" : "\(rate.count) calls") per \(rate.period.text) "
            + (rate.count == 1 ? "is allowed" : "are allowed")
    }

    /// Joins the line, unless there is a token or it would come too late.
    private func join(
        _ key: String?, _ number: UInt64, _ continuation: Waiter, now: Duration, patience: Duration,
        _ context: CallContext
    ) {
        // A cancellation sets the flag before its handler takes the lock, so one of the two sees the other.
        let end = state.withLock { state -> End? in
            guard !Task.isCancelled else {
                return .cancelled
            }
            let entry = state.entry(for: key, now: now, rate)
            switch entry.state.state.enterOrWait(continuation, number: number, now: now, patience: patience) {
            case .goes: return .token(entry)
            case .refused(let wait): return .tooLate(wait)
            case .waits:
                if entry.state.timer == nil {
                    setTimer(entry, now: now, context.clock)
                }
                return nil
            }
        }
        if let end {
            continuation.resume(returning: end)
            return
        }
        // Before the call resumes: it does so only after this closure.
        context.note("rateLimiter", "waits for its turn: \(text)")
        context.hold(
            Hold("waiting for its turn in RateLimiter", detail: text, advice: "Allow more calls in RateLimiter"))
    }

    /// Ends the wait of a cancelled call, if it still waits.
    private func leave(_ key: String?, _ number: UInt64) {
        let (waiter, timer) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let entry = state.existing(key), let waiter = entry.state.state.giveUp(number) else {
                return (nil, nil)
            }
            return (waiter, entry.state.takeIdleTimer())
        }
        timer?.cancel()
        waiter?.resume(returning: .cancelled)
    }

    /// Starts the timer for the next token; under the lock.
    private func setTimer(_ entry: Entry, now: Duration, _ clock: any CallClock) {
        guard let wait = entry.state.state.nextToken(now: now) else {
            entry.state.timer = nil
            return
        }
        entry.state.timerNumber += 1
        let number = entry.state.timerNumber
        entry.state.timer = Task.detached {
            guard (try? await clock.sleep(for: wait)) != nil else {
                return
            }
            self.fire(entry, number, clock)
        }
    }

    /// Gives out the tokens that have come.
    private func fire(_ entry: Entry, _ number: UInt64, _ clock: any CallClock) {
        let now = clock.now
        let granted = state.withLock { _ -> [Waiter] in
            guard entry.state.timerNumber == number, entry.state.timer != nil else {
                return []
            }
            let granted = entry.state.state.grant(now: now)
            setTimer(entry, now: now, clock)
            return granted
        }
        tell(granted, of: entry)
    }

    private func tell(_ granted: [Waiter], of entry: Entry) {
        for waiter in granted {
            waiter.resume(returning: .token(entry))
        }
    }

    private func stopIfIdle(_ entry: Entry) {
        state.withLock { _ in entry.state.takeIdleTimer() }?.cancel()
    }
}

extension RateLimiterLines.Line {
    /// The timer, if nobody waits for it any more.
    mutating func takeIdleTimer() -> Task<Void, Never>? {
        guard state.waiting == 0 else {
            return nil
        }
        defer {
            timer = nil
        }
        return timer
    }
}

extension RateLimiterLines.State {
    mutating func entry(for key: String?, now: Duration, _ rate: TokenBucket.Rate) -> RateLimiterLines.Entry {
        if let key {
            return byKey.entry(for: key, now: now) { RateLimiterLines.Line(state: RateLimiterState(rate, now: now)) }
        }
        if let shared {
            return shared
        }
        let made = RateLimiterLines.Entry(
            key: "", state: RateLimiterLines.Line(state: RateLimiterState(rate, now: now)), now: now)
        shared = made
        return made
    }

    func existing(_ key: String?) -> RateLimiterLines.Entry? {
        key.map { byKey.existing($0) } ?? shared
    }
}
