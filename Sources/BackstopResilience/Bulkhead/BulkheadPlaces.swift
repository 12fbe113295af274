internal import Backstop

/// The places of a bulkhead, of each key, and the calls that wait for them.
final class BulkheadPlaces: Sendable {
    typealias Entry = KeyedEntry<BulkheadState<Waiter>>

    /// A place that a call has.
    struct Place: Sendable {
        let entry: Entry
        /// What judges its result.
        let mark: AdaptiveLimit.Mark
    }

    /// How a wait ended.
    enum End: Sendable {
        case place, timedOut, displaced
    }

    /// A call in the queue. What ends its wait may come at any time; who gives it a place finds out.
    typealias Waiter = OneShot<End, Void>

    private struct State {
        var byKey: KeyedStates<BulkheadState<Waiter>>
        var lastNumber: UInt64 = 0
    }

    let limit: Int
    /// How many calls may run in any case, if the limit adapts; nil when it does not.
    let minimum: Int?
    let queue: BulkheadQueue
    let log: RefusalLog
    /// Places and queues, guarded by the lock.
    private let state: Lock<State>

    init(
        limit: Int, minimum: Int?, queue: BulkheadQueue, keys: Int, lifetime: Duration, log: (any LogSink)?
    ) {
        self.limit = limit
        self.minimum = minimum
        self.queue = queue
        self.log = RefusalLog("The bulkhead", to: log)
        state = Lock(State(byKey: KeyedStates(limit: keys, lifetime: lifetime)))
    }

    private func make() -> BulkheadState<Waiter> {
        BulkheadState(limit: limit, adaptive: minimum.map(AdaptiveLimit.init), queue: queue)
    }

    /// Takes a place if one is free; nil otherwise.
    func enter(_ key: String?, context: CallContext) -> Place? {
        let now = key == nil ? .zero : context.clock.now
        let (place, isRefusing) = state.withLock { state -> (Place?, Bool) in
            let entry = state.byKey.entry(for: key, now: now, make: make)
            return entry.state.enter()
                ? (Place(entry: entry, mark: entry.state.mark), entry.state.refusals.areOn) : (nil, false)
        }
        if let place, isRefusing {
            admitted(place.entry, now: context.clock.now)
        }
        return place
    }

    /// Waits for a place.
    ///
    /// - Throws: ``RejectionError`` with `.limit`, `CancellationError` when the task was cancelled; no place is then
    ///   taken.
    func wait(_ key: String?, context: CallContext) async throws -> Place {
        try Task.checkCancellation()
        let start = context.clock.now
        let turn = Waiter()
        if minimum != nil {
            // Nobody overtakes those who wait for a limit that is gone.
            let entry = state.withLock { $0.byKey.entry(for: key, now: start, make: make) }
            pass(
                entry,
                to: state.withLock { _ in
                    entry.state.renew(at: start)
                    return entry.state.admit()
                })
        }
        let (entry, number, admission, load) = state.withLock { state in
            state.lastNumber += 1
            let entry = state.byKey.entry(for: key, now: start, make: make)
            let load = (entry.state.running, entry.state.waiting)
            return (entry, state.lastNumber, entry.state.enterOrWait(turn, number: state.lastNumber), load)
        }
        var end: End? = .place
        switch admission {
        case .runs: break
        case .refused: throw refused(key, Self.text(load), now: start)
        case .waits(let displaced):
            displaced?.end(with: .success(.displaced))
            context.note("bulkhead", "waits for a place: \(Self.text(load))")
            context.hold(
                Hold(
                    "waiting for a place in Bulkhead", detail: Self.text(load),
                    advice: minimum == nil
                        ? "Allow more calls at once in Bulkhead" : "Find out why the service answers nothing in time"))
            end = try? await turn.value(
                within: queue.timeout, clock: context.clock, or: .success(.timedOut),
                leaving: { _ = self.state.withLock { _ in entry.state.giveUp(number) } })
            context.endHold()
        }
        let now = context.clock.now
        let (left, mark) = state.withLock { _ in ((entry.state.running, entry.state.waiting), entry.state.mark) }
        switch end {
        case .place:
            guard !Task.isCancelled else {
                // The place came at the moment of the cancellation, and goes to the next.
                leave(Place(entry: entry, mark: mark))
                throw CancellationError()
            }
            admitted(entry, now: now)
            context.note("bulkhead", "waited \((now - start).text) for a place: \(Self.text(load))")
            return Place(entry: entry, mark: mark)
        case .timedOut:
            throw refused(key, "no place became free within \(queue.timeout.text): \(Self.text(left))", now: now)
        case .displaced:
            throw refused(
                key,
                "a newer call took its place in the queue after \((now - start).text): "
                    + Self.text((left.0, queue.limit)), now: now)
        case nil: throw CancellationError()
        }
    }

    /// Counts a refused call.
    private func refused(_ key: String?, _ reason: String, now: Duration) -> RejectionError {
        state.withLock { state in
            let entry = state.byKey.entry(for: key, now: now, make: make)
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

    /// Gives a place back, to a waiting call if there is one; to several, if the limit has grown.
    func leave(_ place: Place) {
        pass(place.entry, to: state.withLock { _ in place.entry.state.leave() })
    }

    private func pass(_ entry: Entry, to first: Waiter?) {
        var next = first
        while let waiter = next {
            let isTaken = waiter.end(with: .success(.place))
            // Past those whose wait ended at this moment.
            next = state.withLock { _ in isTaken ? entry.state.admit() : entry.state.leave() }
        }
    }

    /// Counts the result of a call, for a limit that adapts, and gives its place back.
    func leave(_ place: Place, isTimeout: Bool, context: CallContext) {
        let now = context.clock.now
        let (timeouts, limit) = state.withLock { _ in
            (place.entry.state.count(isTimeout: isTimeout, since: place.mark, now: now), place.entry.state.limit)
        }
        if let timeouts {
            context.note(
                "bulkhead",
                "lets \(limit) calls run at once from now on: \(timeouts) in a row have run out of time")
        }
        leave(place)
    }

    /// How many calls may run at once now.
    func limit(of key: String?) -> Int {
        state.withLock { $0.byKey.existing(key)?.state.limit } ?? limit
    }

    /// How many keys are known, and how many calls run and wait, of one key or of all.
    func load(_ key: String?) -> (keys: Int, running: Int, waiting: Int) {
        state.withLock { state in
            state.byKey.all(of: key).reduce((state.byKey.count, 0, 0)) {
                ($0.0, $0.1 + $1.state.running, $0.2 + $1.state.waiting)
            }
        }
    }

    /// The same for all keys.
    var total: (keys: Int, running: Int, waiting: Int) { load(nil) }

    private static func text(_ load: (running: Int, waiting: Int)) -> String {
        let (running, waiting) = load
        return (running == 1 ? "1 call is running" : "\(running) calls are running")
            + (waiting == 0 ? "" : waiting == 1 ? " and 1 is waiting" : " and \(waiting) are waiting")
    }
}
