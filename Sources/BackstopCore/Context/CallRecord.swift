/// What all contexts of one call share.
final class CallRecord: Sendable {
    /// Everything that changes while the call runs.
    struct State {
        var values: CallValues
        /// How often the values were changed; an edit that began before a change is made again.
        var valuesVersion: UInt64 = 0
        /// The edits under way, by thread; mostly none.
        var edits: [ValuesEdit] = []
        /// One record for each attempt, in the order in which they began.
        var attempts: [AttemptRecord]
        var stopped: Stop?
        var events: [Trace.Event] = []
        var droppedEvents = 0
        /// Whether the call has failed for good: nothing may be sent for it any more.
        var isOver = false
        /// The links that contexts of this call point into.
        var links: [any AnyObject & Sendable] = []
    }

    /// Why no further attempt is made, and how many there were when that was said.
    struct Stop {
        let reason: StopReason
        let attempts: Int
    }

    /// How many events a trace keeps.
    static let eventLimit = 1000

    private static let counter = Counter()

    let id: UInt64
    let options: CallOptions
    let start: Duration
    /// The state of the call, guarded by this lock; links of one call may run side by side. Code of the caller never
    /// runs under it, and what the caller gave is let go outside of it.
    let state: Lock<State>

    init(options: CallOptions) {
        self.options = options
        id = Self.counter.next()
        start = options.clock.now
        state = Lock(
            State(
                values: options.values,
                attempts: [AttemptRecord(number: 1, start: .zero, wait: .zero, waitReason: nil)]))
    }

    var elapsed: Duration {
        options.clock.now - start
    }

    func append(_ event: Trace.Event) {
        state.withLock { state in
            guard state.events.count < Self.eventLimit else {
                state.droppedEvents += 1
                return
            }
            state.events.append(event)
        }
    }

    /// Says why no further attempt is made; the first word about an attempt counts.
    func stop(_ reason: StopReason) {
        state.withLock { state in
            guard state.stopped?.attempts != state.attempts.count else {
                return
            }
            state.stopped = Stop(reason: reason, attempts: state.attempts.count)
        }
    }

    /// Ends an attempt, or the one that took its place.
    func endAttempt(_ position: Int, at time: Duration, failing error: any Error) {
        let code = Failure.Reason(classifying: error, isCancelled: Task.isCancelled).code
        state.withLock { $0.attempts[$0.deciding(position)].close(at: time, .failed(code: code)) }
    }

    /// Begins an attempt.
    ///
    /// - Parameter replaced: The position of the attempt whose place it takes; nil for one beside the others.
    /// - Returns: Its position.
    func beginAttempt(replacing replaced: Int?, at now: Duration, waited wait: Duration, because reason: String) -> Int
    {
        state.withLock { state in
            let position = state.attempts.count
            let predecessor = replaced.map { state.deciding($0) }
            state.attempts.append(
                AttemptRecord(
                    number: position + 1, start: now, wait: wait, waitReason: reason, predecessor: predecessor))
            if let predecessor {
                state.attempts[predecessor].successor = position
            }
            return position
        }
    }

    /// Takes an attempt back that never sent anything: the one before it decides again.
    func abandonAttempt(_ position: Int, at now: Duration, failing error: any Error) {
        let code = Failure.Reason(classifying: error).code
        state.withLock { state in
            state.attempts[position].close(at: now, .failed(code: code))
            if let predecessor = state.attempts[position].predecessor {
                state.attempts[predecessor].successor = nil
            }
        }
    }

    /// Records a request of an attempt.
    func addHop(_ request: any CallRequest, to position: Int) {
        let old = state.withLock { state -> [AttemptRecord] in
            let isFirst = state.attempts[position].hops.isEmpty
            var old = isFirst ? [] : [state.attempts[position]]
            state.attempts[position].add(request)
            // A response may be large, and nobody asks for that of an attempt whose place was taken.
            if let predecessor = state.attempts[position].predecessor {
                old.append(state.attempts[predecessor])
                state.attempts[predecessor].response = nil
                state.attempts[predecessor].progress = nil
            }
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Closes what is open and tells the observers.
    func finish(failure: Failure?) {
        guard !options.observers.isEmpty else {
            return
        }
        if failure == nil {
            let now = elapsed
            state.withLock { $0.closeAttempts(at: now, .ok) }
        }
        let (last, values) = state.withLock { ($0.attempts[$0.deciding(0)], $0.values) }
        let call = FinishedCall(
            name: options.name, id: id, trace: trace(outcome: failure?.code ?? "ok"),
            request: failure?.sentRequest ?? last.hops.last, response: failure?.receivedResponse ?? last.response,
            failure: failure, values: values)
        for observer in options.observers {
            observer.callFinished(call)
        }
    }

    func trace(outcome: String?) -> Trace {
        let now = elapsed
        let (attempts, events, dropped) = state.withLock { ($0.attempts, $0.events, $0.droppedEvents) }
        return Trace(
            name: options.name, id: id, duration: now, outcome: outcome, attempts: attempts.map { $0.attempt(at: now) },
            events: events, droppedEvents: dropped)
    }

    func failure(from error: any Error, asked: (any CallRequest)?) -> Failure {
        let isCancelled = Task.isCancelled
        var reason = Failure.Reason(classifying: error, isCancelled: isCancelled)
        // A cancelled call ends as cancelled, whatever the transport made of it.
        if isCancelled {
            reason = .cancelled
        }
        let now = elapsed
        let snapshot = state.withLock { state -> (state: State, wasOver: Bool) in
            let wasOver = state.attempts[state.deciding(0)].end != nil
            state.isOver = true
            state.closeAttempts(at: now, .failed(code: reason.code))
            return (state, wasOver)
        }
        let state = snapshot.state
        let last = state.attempts[state.deciding(0)]
        let stopped: StopReason
        if case .cancelled = reason {
            stopped = .cancelled
        } else {
            stopped = state.stopped.flatMap { $0.attempts == state.attempts.count ? $0.reason : nil } ?? .noRetry
        }
        let inner = error as? Failure
        // The response of the error is the one that a link judged; the record has the one that the transport gave.
        let complete = (error as? StatusError)?.response ?? last.response
        let progress = complete == nil ? last.progress?() ?? inner?.progress : nil
        let response = complete ?? progress?.response ?? inner?.receivedResponse
        let attempts = state.attempts.map { $0.attempt(at: now) }
        return Failure(
            reason: reason,
            underlying: inner?.underlying ?? error,
            attempts: attempts,
            stopped: stopped,
            values: state.values,
            name: options.name,
            id: id,
            askedRequest: asked ?? inner?.askedRequest,
            sentRequests: last.hops.isEmpty ? inner?.sentRequests ?? [] : last.hops,
            receivedResponse: response?.bounded(to: max(0, options.failureBodyLimit)),
            progress: progress.map { TransferProgress($0.phase, bytesReceived: $0.bytesReceived) },
            endedInWait: snapshot.wasOver,
            trace: Trace(
                name: options.name, id: id, duration: now, outcome: reason.code, attempts: attempts,
                events: state.events, droppedEvents: state.droppedEvents),
            redaction: options.redaction)
    }
}

extension CallRecord.State {
    /// The position of the attempt that decides in the place of another: itself, or the last that took its place.
    func deciding(_ position: Int) -> Int {
        var position = position
        while let successor = attempts[position].successor {
            position = successor
        }
        return position
    }

    /// Ends the attempt that decided, and whatever still runs beside it, which nobody waits for.
    mutating func closeAttempts(at time: Duration, _ result: Attempt.Result) {
        attempts[deciding(0)].close(at: time, result)
        for position in attempts.indices {
            attempts[position].close(at: time, .failed(code: "cancelled"))
        }
    }
}

/// Numbers the calls of a process.
private final class Counter: Sendable {
    /// The last number given, guarded by the lock.
    private let last = Lock<UInt64>(0)

    func next() -> UInt64 {
        last.withLock { last in
            last &+= 1
            return last
        }
    }
}
