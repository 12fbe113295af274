/// What all contexts of one call share.
final class CallRecord: Sendable {
    /// Everything that changes while the call runs.
    struct State {
        var values: CallValues
        var request: (any CallRequest)?
        var response: (any CallResponse)?
        var attempts: [Attempt] = []
        var open: OpenAttempt?
        var stopped: StopReason?
        var events: [Trace.Event] = []
        var droppedEvents = 0
        /// The links that contexts of this call point into.
        var links: [any AnyObject & Sendable] = []
    }

    struct OpenAttempt {
        var number: Int
        var start: Duration
        var wait: Duration
        var waitReason: String?
    }

    /// How many events a trace keeps.
    static let eventLimit = 1000

    private static let counter = Counter()

    let id: UInt64
    let options: CallOptions
    let start: Duration
    /// The state of the call, guarded by this lock; links of one call may run side by side.
    let state: Lock<State>

    init(options: CallOptions) {
        self.options = options
        id = Self.counter.next()
        start = options.clock.now
        state = Lock(
            State(values: options.values, open: OpenAttempt(number: 1, start: .zero, wait: .zero, waitReason: nil)))
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

    func endAttempt(failing error: any Error) {
        let code = Failure.Reason(classifying: error).code
        let now = elapsed
        state.withLock { $0.closeAttempt(at: now, result: .failed(code: code)) }
    }

    func beginAttempt(after error: any Error, waited wait: Duration, because reason: String) -> Int {
        let code = Failure.Reason(classifying: error).code
        let now = elapsed
        return state.withLock { state in
            state.closeAttempt(at: now - wait, result: .failed(code: code))
            let number = (state.attempts.last?.number ?? 0) + 1
            state.open = OpenAttempt(number: number, start: now, wait: wait, waitReason: reason)
            state.response = nil
            return number
        }
    }

    /// Closes what is open and tells the observers.
    func finish(failure: Failure?) {
        if failure == nil, !options.observers.isEmpty {
            let now = elapsed
            state.withLock { $0.closeAttempt(at: now, result: .ok) }
        }
        guard !options.observers.isEmpty else {
            return
        }
        let (request, response, values) = state.withLock { ($0.request, $0.response, $0.values) }
        let call = FinishedCall(
            name: options.name, id: id, trace: trace(outcome: failure?.code ?? "ok"),
            request: failure?.sentRequest ?? request, response: failure?.receivedResponse ?? response,
            failure: failure, values: values)
        for observer in options.observers {
            observer.callFinished(call)
        }
    }

    func trace(outcome: String?) -> Trace {
        let now = elapsed
        return state.withLock { state in
            var copy = state
            if let open = copy.open, outcome == nil {
                copy.attempts.append(open.closed(at: now, result: .running))
            }
            return Trace(
                name: options.name, id: id, duration: now, outcome: outcome, attempts: copy.attempts,
                events: copy.events, droppedEvents: copy.droppedEvents)
        }
    }

    func failure(from error: any Error, asked: (any CallRequest)?) -> Failure {
        var reason = Failure.Reason(classifying: error)
        // A cancelled call ends as cancelled, whatever the transport made of it.
        if Task.isCancelled {
            reason = .cancelled
        }
        let now = elapsed
        let snapshot = state.withLock { state -> State in
            state.closeAttempt(at: now, result: .failed(code: reason.code))
            return state
        }
        let stopped: StopReason
        if case .cancelled = reason {
            stopped = .cancelled
        } else {
            stopped = snapshot.stopped ?? .noRetry
        }
        let inner = error as? Failure
        return Failure(
            reason: reason,
            underlying: inner?.underlying ?? error,
            attempts: snapshot.attempts,
            stopped: stopped,
            values: snapshot.values,
            name: options.name,
            id: id,
            sentRequest: snapshot.request ?? inner?.sentRequest ?? asked,
            receivedResponse: (snapshot.response ?? inner?.receivedResponse)?
                .bounded(to: max(0, options.failureBodyLimit)),
            trace: Trace(
                name: options.name, id: id, duration: now, outcome: reason.code, attempts: snapshot.attempts,
                events: snapshot.events, droppedEvents: snapshot.droppedEvents),
            redaction: options.redaction)
    }
}

extension CallRecord.State {
    /// Ends the open attempt; does nothing when none is open.
    mutating func closeAttempt(at time: Duration, result: Attempt.Result) {
        guard let open else {
            return
        }
        attempts.append(open.closed(at: time, result: result))
        self.open = nil
    }
}

extension CallRecord.OpenAttempt {
    func closed(at time: Duration, result: Attempt.Result) -> Attempt {
        Attempt(
            number: number, start: start, duration: max(.zero, time - start), wait: wait, waitReason: waitReason,
            result: result)
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
