internal import Backstop

/// The places of a bulkhead, of each key, and the calls that wait for them.
final class BulkheadPlaces: Sendable {
    typealias Entry = KeyedEntry<BulkheadState<Waiter>>

    /// How a wait ended.
    enum End: Sendable {
        /// With a place; of how many calls that ran and waited before it.
        case place(Entry, running: Int, waiting: Int)
        case full(running: Int, waiting: Int)
        case timedOut(running: Int, waiting: Int)
        case displaced(running: Int, waiting: Int)
        case cancelled
    }

    /// A call in the queue.
    struct Waiter {
        let continuation: CheckedContinuation<End, Never>
        /// How many calls ran and waited before it.
        let running: Int
        let waiting: Int
        /// Nil until it is set.
        var timer: LimitTimer?

        func finish(_ end: End) {
            timer?.cancel()
            continuation.resume(returning: end)
        }
    }

    fileprivate struct State {
        var byKey: KeyedStates<BulkheadState<Waiter>>
        /// The one state of calls without a key.
        let shared: Entry
        var lastNumber: UInt64 = 0
    }

    let limit: Int
    let queue: BulkheadQueue
    let log: RefusalLog
    /// Places and queues, guarded by the lock.
    private let state: Lock<State>

    init(limit: Int, queue: BulkheadQueue, keys: Int, lifetime: Duration, log: (any LogSink)?) {
        self.limit = limit
        self.queue = queue
        self.log = RefusalLog("The bulkhead", to: log)
        state = Lock(
            State(
                byKey: KeyedStates(limit: keys, lifetime: lifetime),
                shared: Entry(key: "", state: BulkheadState(limit: limit, queue: queue), now: .zero)))
    }

    private func make() -> BulkheadState<Waiter> {
        BulkheadState(limit: limit, queue: queue)
    }

    /// Takes a place if one is free; nil otherwise.
    func enter(_ key: String?, context: CallContext) -> Entry? {
        let now = key == nil ? .zero : context.clock.now
        let (entry, isRefusing) = state.withLock { state -> (Entry?, Bool) in
            let entry = state.entry(for: key, now: now, make)
            return entry.state.enter() ? (entry, entry.state.refusals.areOn) : (nil, false)
        }
        if let entry, isRefusing {
            admitted(entry, now: context.clock.now)
        }
        return entry
    }

    /// Waits for a place.
    ///
    /// - Throws: ``RejectionError`` with `.limit`, `CancellationError` when the task was cancelled; no place is then
    ///   taken.
    func wait(_ key: String?, context: CallContext) async throws -> Entry {
        let start = context.clock.now
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, number, continuation, now: start, context)
            }
        } onCancel: {
            finish(key, number) { _ in .cancelled }
        }
        context.endHold()
        let now = context.clock.now
        let waited = now - start
        switch end {
        case .place(let entry, let running, let waiting):
            guard !Task.isCancelled else {
                // The place came at the moment of the cancellation, and goes to the next.
                leave(entry)
                throw CancellationError()
            }
            admitted(entry, now: now)
            context.note("bulkhead", "waited \(waited.text) for a place: \(Self.text(running, waiting))")
            return entry
        case .full(let running, let waiting):
            throw refused(key, Self.text(running, waiting), now: now)
        case .timedOut(let running, let waiting):
            throw refused(
                key, "no place became free within \(queue.timeout.text): \(Self.text(running, waiting))", now: now)
        case .displaced(let running, let waiting):
            throw refused(
                key, "a newer call took its place in the queue after \(waited.text): \(Self.text(running, waiting))",
                now: now)
        case .cancelled:
            throw CancellationError()
        }
    }

    /// Counts a refused call.
    private func refused(_ key: String?, _ reason: String, now: Duration) -> RejectionError {
        state.withLock { state in
            let entry = state.entry(for: key, now: now, make)
            log.refuse(&entry.state.refusals, of: entry.key, reason, at: now)
        }
        log.write()
        return RejectionError(.limit, reason)
    }

    /// Ends the refusals if they are over.
    private func admitted(_ entry: Entry, now: Duration) {
        if state.withLock({ _ in log.admit(&entry.state.refusals, of: entry.key, at: now) }) {
            log.write()
        }
    }

    /// Gives a place back, to a waiting call if there is one.
    func leave(_ entry: Entry) {
        let next = state.withLock { _ in entry.state.leave() }
        next?.finish(.place(entry, running: next?.running ?? 0, waiting: next?.waiting ?? 0))
    }

    /// How many calls run and wait.
    func load(_ key: String?) -> (running: Int, waiting: Int) {
        state.withLock { state in
            guard let entry = key.map({ state.byKey.existing($0) }) ?? state.shared else {
                return (0, 0)
            }
            return (entry.state.running, entry.state.waiting)
        }
    }

    /// How many keys are known, and how many calls of all of them run and wait.
    var total: (keys: Int, running: Int, waiting: Int) {
        state.withLock { state in
            let own = (state.byKey.count, state.shared.state.running, state.shared.state.waiting)
            return state.byKey.all.reduce(own) { ($0.0, $0.1 + $1.state.running, $0.2 + $1.state.waiting) }
        }
    }

    /// Joins the queue, unless there is a place or no room.
    private func join(
        _ key: String?, _ number: UInt64, _ continuation: CheckedContinuation<End, Never>, now: Duration,
        _ context: CallContext
    ) {
        // A cancellation sets the flag before its handler takes the lock, so one of the two sees the other.
        let (end, displaced, load) = state.withLock { state -> (End?, Waiter?, String) in
            guard !Task.isCancelled else {
                return (.cancelled, nil, "")
            }
            let entry = state.entry(for: key, now: now, make)
            let (running, waiting) = (entry.state.running, entry.state.waiting)
            let waiter = Waiter(continuation: continuation, running: running, waiting: waiting)
            switch entry.state.enterOrWait(waiter, number: number) {
            case .runs: return (.place(entry, running: running, waiting: waiting), nil, "")
            case .waits(let displaced): return (nil, displaced, Self.text(running, waiting))
            case .refused: return (.full(running: running, waiting: waiting), nil, "")
            }
        }
        displaced?.finish(.displaced(running: limit, waiting: queue.limit))
        if let end {
            continuation.resume(returning: end)
            return
        }
        // Before the call resumes: it does so only after this closure.
        context.note("bulkhead", "waits for a place: \(load)")
        context.hold(
            Hold("waiting for a place in Bulkhead", detail: load, advice: "Allow more calls at once in Bulkhead"))
        let timer = LimitTimer(after: queue.timeout, clock: context.clock) {
            self.finish(key, number) { .timedOut(running: $0.state.running, waiting: $0.state.waiting) }
        }
        let waits = state.withLock { state in
            state.existing(key)?.state.update(number) { $0.timer = timer } ?? false
        }
        if !waits {
            timer.cancel()
        }
    }

    /// Ends the wait of a call, if it still waits.
    private func finish(_ key: String?, _ number: UInt64, with end: (Entry) -> End) {
        let ended = state.withLock { state -> (Waiter, End)? in
            guard let entry = state.existing(key), let waiter = entry.state.giveUp(number) else {
                return nil
            }
            return (waiter, end(entry))
        }
        if let (waiter, end) = ended {
            waiter.finish(end)
        }
    }

    private static func text(_ running: Int, _ waiting: Int) -> String {
        (running == 1 ? "1 call is running" : "\(running) calls are running")
            + (waiting == 0 ? "" : waiting == 1 ? " and 1 is waiting" : " and \(waiting) are waiting")
    }
}

extension BulkheadPlaces.State {
    mutating func entry(
        for key: String?, now: Duration, _ make: () -> BulkheadState<BulkheadPlaces.Waiter>
    ) -> BulkheadPlaces.Entry {
        guard let key else {
            return shared
        }
        return byKey.entry(for: key, now: now, make: make)
    }

    func existing(_ key: String?) -> BulkheadPlaces.Entry? {
        key.map { byKey.existing($0) } ?? shared
    }
}
