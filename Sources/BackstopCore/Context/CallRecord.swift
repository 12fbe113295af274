/// What all contexts of one call share.
final class CallRecord: Sendable {
    /// Everything that changes during the call.
    struct State {
        var values: CallValues
        /// How often the values were changed; an edit that began before a change runs again.
        var valuesVersion: UInt64 = 0
        /// One record for each attempt, in the order in which they began.
        var attempts: [AttemptRecord]
        var stopped: Stop?
        var events: [Trace.Event] = []
        var droppedEvents = 0
        /// Further lines for the report, at most ten: what became of each fallback that did not answer, and of a token.
        var remarks: [(label: String, text: String)] = []
        /// Whether the call has failed: nothing more may be sent for it.
        var isOver = false
        /// The caller's idempotency key, once the call is over; nil for none.
        var keyAtEnd: String?
        /// How often something was sent or received.
        var exchanges = 0
        /// The secrets that were found, when a text was last made.
        var secrets: (exchanges: Int, names: SensitiveNames, values: SecretValues)?
    }

    /// Why no further attempt is made, and how many there were at that point.
    struct Stop {
        let reason: StopReason
        let attempts: Int
    }

    /// How many events a trace keeps.
    static let eventLimit = 1000

    private static let counter = Counter()

    let id: UInt64
    let options: CallOptions
    /// What is called; nil without a client.
    let subject: (any CallSubject)?
    let start: Duration
    /// The retry budgets of the client; nil without a client.
    let retryLedger: RetryLedger?
    /// The state of the call, guarded by this lock; interceptors of one call may run in parallel. The caller's code
    /// never runs under it, and the caller's values are released outside it.
    let state: Lock<State>

    init(options: CallOptions, subject: (any CallSubject)? = nil, retryLedger: RetryLedger? = nil) {
        var options = options
        if RefreshingCredentials.isAny {
            options.redaction = options.redaction.hidingBodies
        }
        self.options = options
        self.retryLedger = retryLedger
        self.subject = subject
        id = Self.counter.next()
        start = options.clock.now
        state = Lock(
            State(
                values: options.values,
                attempts: [AttemptRecord(number: 1, start: .zero, wait: .zero, waitReason: nil)]))
    }

    /// The call's name: that of the options, or else that of what is called, which is made only when needed.
    var name: String {
        options.name.isEmpty ? subject?.name ?? "" : options.name
    }

    /// What the texts of the call hide.
    var redaction: Redaction { options.redaction.knowing(self) }

    /// The name, fit to be shown.
    private var shownName: String {
        CallOptions.shown(name, redaction: options.redaction)
    }

    var elapsed: Duration {
        options.clock.now.subtracting(start)
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

    /// Records why no further attempt is made; the first reason after an attempt counts, unless another replaces it.
    func stop(_ reason: StopReason, replacing: Bool = false) {
        state.withLock { state in
            guard replacing || state.stopped?.attempts != state.attempts.count else {
                return
            }
            state.stopped = Stop(reason: reason, attempts: state.attempts.count)
        }
    }

    /// Ends the attempt that decides for an interceptor.
    func endAttempt(_ view: AttemptView, at time: Duration, failing error: any Error, waiting: Bool) {
        endAttempt(view, at: time, code: Failure.Reason(classifying: error).code, waiting: waiting)
    }

    /// Same, with the code of the failure.
    func endAttempt(_ view: AttemptView, at time: Duration, code: String, waiting: Bool) {
        state.withLock { state in
            let position = state.deciding(view)
            state.attempts[position].close(at: time, .failed(code: code))
            state.attempts[position].isWaitedAfter = waiting
        }
    }

    /// Begins an attempt.
    ///
    /// - Parameters:
    ///   - view: The interceptor that starts it.
    ///   - isParallel: Whether it runs parallel to the interceptor's attempt, instead of replacing it.
    ///   - isRetry: Whether everything sent before may be sent again.
    ///   - repeatsUnsafe: Whether it may repeat what is not idempotent beside the attempts parallel to it.
    /// - Returns: Its position.
    func beginAttempt(
        in view: AttemptView, isParallel: Bool = false, at now: Duration, waited wait: Duration, because reason: String,
        isRetry: Bool = false, repeatsUnsafe: Bool = false
    ) -> Int {
        state.withLock { state in
            let position = state.attempts.count
            let predecessor = isParallel ? nil : state.deciding(view)
            state.attempts.append(
                AttemptRecord(
                    number: position + 1, start: now, wait: wait, waitReason: reason, predecessor: predecessor,
                    origin: view, isParallel: isParallel, isRetry: isRetry, repeatsUnsafe: repeatsUnsafe))
            if let predecessor {
                state.attempts[predecessor].successors.append(.init(depth: view.depth, position: position))
            }
            return position
        }
    }

    /// Removes an attempt that never sent anything: the one before it decides again.
    func abandonAttempt(_ position: Int, at now: Duration, failing error: any Error) {
        let code = Failure.Reason(classifying: error).code
        state.withLock { state in
            state.attempts[position].close(at: now, .failed(code: code))
            if let predecessor = state.attempts[position].predecessor {
                state.attempts[predecessor].successors.removeAll { $0.position == position }
                state.attempts[predecessor].isWaitedAfter = false
            }
        }
    }

    /// Records what is about to be sent for an interceptor, in the attempt that decides for it.
    ///
    /// - Parameter key: The key that the request must have; nil for any.
    /// - Returns: The position of the attempt.
    /// - Throws: ``KeyChangedError`` if the request would be a second order, `CancellationError` if it is not idempotent
    ///   and the call has already failed.
    func send(_ request: any CallRequest, in view: AttemptView, requiring key: String?) throws -> Int {
        let safety = RepeatSafety([request])
        let (position, released) = try state.withLock { state in
            guard !state.isOver || state.allowsAfterEnd(safety) else {
                throw CancellationError()
            }
            let position = state.deciding(view)
            try state.check(safety, at: position, requiring: key)
            return (position, state.add(request, safety, to: position))
        }
        withExtendedLifetime(released) {}
        return position
    }

    /// Records a further request of an attempt, which is never refused.
    func addHop(_ request: any CallRequest, to position: Int) {
        let safety = RepeatSafety([request])
        let released = state.withLock { $0.add(request, safety, to: position) }
        withExtendedLifetime(released) {}
    }

    /// Replaces a request with what the transport made of it.
    func replaceHop(of position: Int, with request: any CallRequest) {
        let released = state.withLock { state in
            state.exchanges += 1
            return state.attempts[position].replaceLastHop(with: request)
        }
        withExtendedLifetime(released) {}
    }

    /// Records the response of the attempt that a closure chooses.
    func setResponse(_ response: any CallResponse, of choose: (State) -> Int) {
        let released = state.withLock { state in
            let position = choose(state)
            state.exchanges += 1
            defer {
                state.attempts[position].response = response
                state.attempts[position].progress = nil
            }
            return AttemptRecord.Released(
                response: state.attempts[position].response, progress: state.attempts[position].progress, hops: [])
        }
        withExtendedLifetime(released) {}
    }

    /// Ends what is still open and tells the observers.
    func finish(failure: Failure?, response: (any CallResponse)? = nil) {
        guard !options.observers.isEmpty else {
            return
        }
        if failure == nil {
            let now = elapsed
            state.withLock { $0.closeAttempts(at: now, .ok) }
        }
        let (last, values) = state.withLock { ($0.attempts[$0.deciding(.whole)], $0.values) }
        let request = failure?.sentRequests.last ?? last.hops.last
        let response = failure?.receivedResponse ?? last.response.map { response ?? $0 }
        var trace = trace(outcome: failure?.code ?? "ok", stopReason: failure?.stopReason)
        if let failure { trace.redaction = failure.redaction }
        let call = FinishedCall(
            name: name, id: id, trace: trace, request: request, response: response, failure: failure, values: values)
        for observer in options.observers {
            observer.callFinished(call)
        }
    }

    func trace(outcome: String?, stopReason: StopReason? = nil) -> Trace {
        let now = elapsed
        let (attempts, events, dropped) = state.withLock { ($0.attempts, $0.events, $0.droppedEvents) }
        // Not the record itself, which a trace that is kept would keep.
        let secrets = CallSecrets(attempts.flatMap(\.messages))
        return Trace(
            name: shownName, id: id, duration: now, outcome: outcome, stopReason: stopReason,
            attempts: attempts.map { $0.attempt(at: now) },
            events: events, droppedEvents: dropped, redaction: options.redaction.knowing(secrets))
    }

    func failure(from error: any Error, asked: (any CallRequest)?, retries: Bool) -> Failure {
        let isCancelled = Task.isCancelled
        var reason = redaction.whileExplaining {
            Failure.Reason(classifying: error, isCancelled: isCancelled)
        }
        // A cancelled call ends as cancelled, whatever the transport threw.
        if isCancelled {
            reason = .cancelled
        }
        let now = elapsed
        let key = asked?.idempotencyKey
        let state = self.state.withLock { state in
            state.isOver = true
            state.keyAtEnd = key
            state.closeAttempts(at: now, .failed(code: reason.code))
            return state
        }
        let deciding = state.attempts[state.deciding(.whole)].number
        let last = state.attempts[state.telling(.whole)]
        let stopReason: StopReason
        if case .cancelled = reason {
            stopReason = .cancelled
        } else {
            let recorded = state.stopped.flatMap { $0.attempts == state.attempts.count ? $0.reason : nil }
            stopReason = recorded ?? (retries ? reason.kind == "request" ? .notRetryable : .outsideRetry : .noRetry)
        }
        let limit = max(0, options.failureBodyLimit)
        let inner = error as? Failure
        // An error's response is the one that was checked; a nested client throws its own failure; otherwise the record
        // has the transport's response.
        let complete = reason.response ?? inner?.receivedResponse ?? last.response
        let progress = complete == nil ? last.progress?() ?? inner?.progress : nil
        let response = (complete ?? progress?.response)?.bounded(to: limit)
        let sent = last.hops + (inner?.sentRequests ?? [])
        let attempts = state.attempts.map { $0.attempt(at: now) }
        var end = CallEnd(
            isInWait: last.isWaitedAfter, attempt: deciding, sender: last.number == deciding ? nil : last.number,
            remarks: state.remarks)
        if case .timeout = reason {
            end.hold = last.hold ?? inner?.end.hold
        }
        var safety = state.repeatSafety
        if let inner {
            safety.add(inner.repeatSafety)
        }
        return Failure(
            reason: reason.bounded(to: limit),
            underlying: inner?.underlying ?? (error as? StatusError)?.bounded(to: limit) ?? error,
            attempts: attempts,
            stopReason: stopReason,
            values: state.values,
            name: name,
            id: id,
            askedRequest: asked ?? inner?.askedRequest,
            sentRequests: sent,
            repeatSafety: safety,
            receivedResponse: response,
            progress: progress.map {
                TransferProgress(
                    $0.phase, bytesReceived: $0.bytesReceived, response: $0.response == nil ? nil : response)
            },
            end: end,
            trace: Trace(
                name: shownName, id: id, duration: now, outcome: reason.code, stopReason: stopReason,
                attempts: attempts, events: state.events, droppedEvents: state.droppedEvents),
            redaction: options.redaction,
            secrets: CallSecrets(
                [asked].compactMap { $0 } + state.attempts.flatMap(\.messages) + (inner?.secrets.carriers ?? [])
                    + [response].compactMap { $0 }),
            date: options.clock.date)
    }
}

extension CallRecord: SecretSource {
    func values(named names: SensitiveNames) -> SecretValues {
        let (known, exchanges, carriers) = state.withLock { state in
            (state.secrets, state.exchanges, state.attempts.flatMap(\.messages))
        }
        if let known, known.exchanges == exchanges, known.names == names {
            return known.values
        }
        let values = SecretCollector.values(in: carriers, named: names)
        state.withLock { $0.secrets = (exchanges, names, values) }
        return values
    }
}

/// How an interceptor sees the attempts: the position of its own, and how many interceptors outside it start attempts.
struct AttemptView {
    let position: Int
    let depth: Int

    /// The view of the whole call.
    static let whole = AttemptView(position: 0, depth: 0)
}

extension CallRecord.State {
    /// The position of the attempt that decides for an interceptor: its own, or the last that replaced it for
    /// interceptors at this depth or further in.
    func deciding(_ view: AttemptView) -> Int {
        var position = view.position
        while let next = attempts[position].successor(from: view.depth) {
            position = next
        }
        return position
    }

    /// Whether everything sent in all attempts may be sent again.
    var repeatSafety: RepeatSafety {
        var safety = attempts[0].safety
        for attempt in attempts.dropFirst() {
            safety.add(attempt.safety)
        }
        return safety
    }

    /// Ends the attempt that decided, and any parallel ones still running, which nothing waits for.
    mutating func closeAttempts(at time: Duration, _ result: Attempt.Result) {
        attempts[deciding(.whole)].close(at: time, result)
        for position in attempts.indices {
            attempts[position].close(at: time, .failed(code: "cancelled"))
        }
    }
}

/// What a client calls, as the core sees it: it gives a call its name, and the client finds its own type in it.
package protocol CallSubject: AnyObject, Sendable {
    /// The call's name, if its options have none.
    var name: String { get }
}

/// Numbers the calls of a process.
private final class Counter: Sendable {
    /// The last number, guarded by the lock.
    private let last = Lock<UInt64>(0)

    func next() -> UInt64 {
        last.withLock { last in
            last &+= 1
            return last
        }
    }
}
