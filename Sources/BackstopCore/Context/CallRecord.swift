/// What all contexts of one call share.
final class CallRecord: Sendable {
    /// Everything that changes during the call.
    struct State {
        var values: CallValues
        /// How often the values were changed; an edit that began before a change runs again.
        var valuesVersion: UInt64 = 0
        /// One record for each attempt, in the order in which they began.
        var attempts = [AttemptRecord()]
        /// Why no further attempt is made; one that is made discards it.
        var stopReason: StopReason?
        var events: [RecordedEvent] = []
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

    /// How many events a trace keeps.
    static let eventLimit = 1000

    /// The last number of a call of the process.
    private static let counter = Lock<UInt64>(0)

    let id: UInt64
    private let shared: Shared<CallOptions>
    var options: CallOptions { _read { yield shared.value } }
    /// What is called; nil without a client.
    let subject: (any CallSubject)?
    let start: Duration
    /// The retry budgets of the client; nil without a client.
    let retryLedger: RetryLedger?
    /// The number of the shared connection that was lost with the call that this one continues; nil for none.
    let continuedConnection: UInt64?
    /// The state of the call, guarded by this lock; interceptors of one call may run in parallel. The caller's code
    /// never runs under it, and the caller's values are released outside it.
    let state: Lock<State>

    init(
        options: Shared<CallOptions>, subject: (any CallSubject)? = nil, retryLedger: RetryLedger? = nil,
        continuing connection: UInt64? = nil
    ) {
        shared = RefreshingCredentials.isAny ? options.hidingBodies : options
        self.retryLedger = retryLedger
        continuedConnection = connection
        self.subject = subject
        id = Self.counter.withLock { last in
            last &+= 1
            return last
        }
        start = shared.value.clock.now
        state = Lock(State(values: shared.value.values))
    }

    /// The call's name: that of the options, or else that of what is called, which is made only when needed.
    var name: String {
        options.name.isEmpty ? subject?.name ?? "" : options.name
    }

    /// What the texts of the call hide.
    var redaction: Redaction { options.redaction.knowing(self) }

    /// The name, fit to be shown.
    private var shownName: String {
        options.redaction.forOthers.text(name)
    }

    var elapsed: Duration {
        options.clock.now.subtracting(start)
    }

    /// - Parameter text: Makes the text when somebody looks at the trace; nil where the event has it.
    func append(_ event: Trace.Event, text: (@Sendable () -> String)? = nil) {
        state.withLock { state in
            guard state.events.count < Self.eventLimit else {
                state.droppedEvents += 1
                return
            }
            state.events.append(RecordedEvent(event: event, text: text))
        }
    }

    /// Changes the state, and releases what the change returns outside the lock, because it may be the caller's.
    func change(_ change: (inout State) throws -> some Any) rethrows {
        let old = try state.withLock(change)
        withExtendedLifetime(old) {}
    }

    /// Ends what is still open, if anybody looks at it, and tells the observers.
    func finish(failure: Failure?, response: (any CallResponse)? = nil) {
        // The reader of a stream may still fail, and shows them.
        if failure == nil, !options.observers.isEmpty || subject?.intake != nil {
            let now = elapsed
            state.withLock { $0.closeAttempts(at: now, .ok) }
        }
        guard !options.observers.isEmpty else {
            return
        }
        let (last, values) = state.withLock { ($0.attempts[$0.deciding(.whole)], $0.values) }
        let request = failure?.sentRequests.last ?? last.hops.last
        let response = failure?.receivedResponse ?? last.exchange.response.map { response ?? $0 }
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
            events: events.map(\.whole), droppedEvents: dropped, redaction: options.redaction.knowing(secrets))
    }

    /// Ends the call with a failure.
    func failure(from error: any Error, asked: (any CallRequest)?, retries: Bool) -> Failure {
        // A cancelled call ends as cancelled, whatever the transport threw.
        let reason = Task.isCancelled ? .cancelled : reason(for: error, isCancelled: false)
        let now = elapsed
        let key = asked?.idempotencyKey
        let state = self.state.withLock { state in
            state.isOver = true
            state.keyAtEnd = key
            state.closeAttempts(at: now, .failed(code: reason.code))
            return state
        }
        return failure(reason, error, asked: asked, retries: retries, state, at: now)
    }

    /// The failure of whoever reads the stream of the call, which has ended well or goes on: nothing of it changes.
    func readerFailure(from error: any Error, asked: (any CallRequest)?, retries: Bool) -> Failure {
        failure(
            reason(for: error, isCancelled: true), error, asked: asked, retries: retries, state.withLock { $0 },
            at: elapsed)
    }

    /// What an attempt may have done that ends with this error, or with nil because others need it no longer: what its
    /// failure would say, if it was the only one.
    func doubt(of attempt: AttemptRecord, endingWith error: (any Error)?) -> Doubt {
        guard attempt.doubt == nil, !attempt.safety.isReadOnly || !attempt.safety.isIdempotent || error is Failure
        else {
            return attempt.doubt ?? .nothing
        }
        var state = State(values: CallValues())
        state.attempts = [changed(attempt) { $0.successors = [] }]
        // Whoever cancels it cuts it off, as a time limit does.
        let cut = TimeoutError(.attempt)
        var reason = reason(for: error ?? cut, isCancelled: false)
        if case .cancelled = reason {
            reason = .timeout(cut)
        }
        return failure(reason, error ?? cut, asked: attempt.hops.first, retries: false, state, at: .zero).doubt
    }

    private func reason(for error: any Error, isCancelled: Bool) -> Failure.Reason {
        redaction.whileExplaining { Failure.Reason(classifying: error, isCancelled: isCancelled) }
    }

    private func failure(
        _ reason: Failure.Reason, _ error: any Error, asked: (any CallRequest)?, retries: Bool, _ state: State,
        at now: Duration
    ) -> Failure {
        let deciding = state.attempts[state.deciding(.whole)].number
        let last = state.attempts[state.reporting(.whole)]
        // A policy that did nothing about the failure of a call tells what the call did.
        let passed =
            asked is any OperationRequest && state.attempts.count == 1 && state.stopReason == nil && !retries
            ? (error as? Failure).flatMap { $0.attempts.isEmpty ? nil : $0 } : nil
        let stopReason: StopReason
        if case .cancelled = reason {
            stopReason = .cancelled
        } else {
            let isOfRequest = reason.kind == "request"
            // Whatever the chain would do with it: nothing can answer the call any more.
            let isOpen = subject?.intake?.isOpen == true
            stopReason =
                state.stopReason ?? passed?.stopReason
                ?? (isOpen ? .begun : retries ? isOfRequest ? .notRetryable : .outsideRetry : .noRetry)
        }
        let limit = max(0, options.failureBodyLimit)
        let inner = error as? Failure
        // An error's response is the one that was checked; a nested client throws its own failure; otherwise the record
        // has the transport's response.
        let complete = reason.response ?? inner?.receivedResponse ?? last.exchange.response
        let progress = complete == nil ? last.exchange.progress?() ?? inner?.progress : nil
        let response = (complete ?? progress?.response)?.bounded(to: limit)
        let sent = last.hops + (inner?.sentRequests ?? [])
        let attempts = passed?.attempts ?? state.attempts.map { $0.attempt(at: now) }
        var end = CallEnd(
            isInWait: last.isWaitedAfter, attempt: deciding, sender: last.number == deciding ? nil : last.number,
            remarks: state.remarks)
        end.connection = last.exchange.connection ?? inner?.end.connection
        if case .timeout = reason {
            end.hold = last.exchange.hold ?? inner?.end.hold
        }
        end.isUnseen = inner?.isOfUnknownCall ?? true && last.hops.contains { $0 is any OperationRequest }
        end.onlyReads = asked?.isReadOnly == true && !(asked is any OperationRequest) && state.repeatSafety.isReadOnly
        if !end.onlyReads {
            end.doubt = state.attempts.reduce(last.noted) {
                $1.number == deciding ? $0 : $0.and(doubt(of: $1, endingWith: nil))
            }
            if let key = RepeatSafety(sent).key { end.doubt = end.doubt.under(key) }
            end.doubt = end.doubt.and(inner?.end.doubt ?? .nothing)
        }
        return Failure(
            Failure.Parts(
                reason: reason.bounded(to: limit),
                underlying: inner?.underlying ?? (error as? StatusError)?.bounded(to: limit) ?? error,
                attempts: attempts,
                stopReason: stopReason,
                values: state.values,
                name: name,
                id: id,
                originalRequest: asked ?? inner?.originalRequest,
                sentRequests: sent,
                repeatSafety: state.repeatSafety.including(error),
                receivedResponse: response,
                transfer: subject?.intake?.report ?? inner?.transfer,
                progress: progress.map {
                    TransferProgress(
                        $0.phase, bytesReceived: $0.bytesReceived, response: $0.response == nil ? nil : response)
                },
                end: end,
                trace: Trace(
                    name: shownName, id: id, duration: now, outcome: reason.code, stopReason: stopReason,
                    attempts: attempts, events: state.events.map(\.whole), droppedEvents: state.droppedEvents),
                redaction: options.redaction,
                secrets: CallSecrets(
                    [asked].compactMap { $0 } + state.attempts.flatMap(\.messages) + (inner?.secrets.carriers ?? [])
                        + [response].compactMap { $0 }),
                date: options.clock.date))
    }
}

/// An event of the trace, and what makes its text if that costs something.
struct RecordedEvent: Sendable {
    var event: Trace.Event
    let text: (@Sendable () -> String)?

    var whole: Trace.Event {
        changed(event) { $0.text = text?() ?? $0.text }
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

/// What a client calls, as the core sees it: it gives a call its name, and the client finds its own type in it.
package protocol CallSubject: AnyObject, Sendable {
    /// The call's name, if its options have none.
    var name: String { get }

    /// Where the client's requests go, unless an endpoint has a URL of its own; nil without a base URL.
    var origin: String? { get }

    /// What takes the body while it arrives; nil for a plain call. Default: nil.
    var intake: (any CallIntake)? { get }
}

extension CallSubject {
    package var intake: (any CallIntake)? { nil }
}
