/// The state of one call while it runs: attempt, deadline, clock, random source, typed values and trace.
///
/// Every interceptor gets it. Each attempt has its own context, derived from the call's, and requests and responses are
/// recorded for the attempt of the context.
///
/// ```swift
/// func remaining(_ context: CallContext) -> Duration? {
///     context.deadline.map { $0 - context.clock.now }
/// }
/// ```
public final class CallContext: Sendable {
    /// The state that all contexts of the call share.
    let record: CallRecord

    /// Which attempt it is, and how many interceptors further out start attempts.
    let view: AttemptView

    /// The deadline; for one that stands still while a stream is open, what it would be without those that were none.
    let fixedDeadline: Duration?

    /// Whether the deadline stands still while a stream is open.
    let holdsUntilOpen: Bool

    /// How long the attempt may take from when it has a connection, for a transport that ends it itself
    /// (``Transport/endsAttemptsInTime``); nil when there is no limit, or an interceptor enforces it.
    public let attemptLimit: Duration?

    /// How many bytes sent or received make the limit a second longer; 0 when none do.
    package let attemptRate: Int32

    /// Whether entering and leaving interceptors is recorded in the trace.
    public let tracesInterceptors: Bool

    /// Whether an interceptor outside ends the call at the deadline, so that interceptors inside need not.
    package let isDeadlineEnforced: Bool

    /// The key that each request must have, because it was sent before with that key; nil for any.
    package let requiredKey: String?

    /// Makes the context of a new call.
    public convenience init(options: CallOptions = CallOptions()) {
        self.init(options: Shared(options), subject: nil)
    }

    /// Makes the context of a client's call.
    ///
    /// - Parameters:
    ///   - subject: What is called.
    ///   - retryLedger: The retry budgets of the client; nil without a client.
    ///   - connection: The number of the connection that was lost with the call that this one continues; nil for none.
    package init(
        options: Shared<CallOptions>, subject: (any CallSubject)?, retryLedger: RetryLedger? = nil,
        continuing connection: UInt64? = nil
    ) {
        let record = CallRecord(
            options: options, subject: subject, retryLedger: retryLedger, continuing: connection)
        self.record = record
        view = .whole
        fixedDeadline = options.value.deadline.map { record.start.adding($0) }
        holdsUntilOpen = false
        attemptLimit = nil
        attemptRate = 0
        tracesInterceptors = options.value.tracesInterceptors
        isDeadlineEnforced = false
        requiredKey = nil
    }

    /// The same with a few changes. A new position is that of an attempt, which starts one interceptor further in.
    init(
        _ other: CallContext, position: Int? = nil, deadline: (time: Duration, holdsUntilOpen: Bool)? = nil,
        attemptLimit: (time: Duration, rate: Int32)? = nil, isDeadlineEnforced: Bool? = nil,
        requiredKey: String?? = nil
    ) {
        record = other.record
        view = position.map { AttemptView(position: $0, depth: other.view.depth + 1) } ?? other.view
        fixedDeadline = deadline?.time ?? other.fixedDeadline
        holdsUntilOpen = deadline?.holdsUntilOpen ?? other.holdsUntilOpen
        self.attemptLimit = attemptLimit?.time ?? other.attemptLimit
        attemptRate = attemptLimit?.rate ?? other.attemptRate
        tracesInterceptors = other.tracesInterceptors
        self.isDeadlineEnforced = isDeadlineEnforced ?? other.isDeadlineEnforced
        self.requiredKey = requiredKey ?? other.requiredKey
    }

    /// The number of this attempt, from 1.
    public var attempt: Int { view.position + 1 }

    /// The call's number in this process, from 1.
    public var id: UInt64 { record.id }

    /// The call's name; empty when it has none.
    public var name: String { record.name }

    /// What is called; nil without a client.
    package var subject: (any CallSubject)? { record.subject }

    /// The retry budgets of the client; nil without a client.
    var retryLedger: RetryLedger? { record.retryLedger }

    /// The call's clock.
    public var clock: any CallClock { record.options.clock }

    /// Whether a person tries again what has failed before: ``CallOptions/isUserRetry``.
    public var isUserRetry: Bool { record.options.isUserRetry }

    /// The call's source of random numbers.
    public var random: any RandomSource { record.options.random }

    /// The redaction for everything that interceptors write about the call.
    public var redaction: Redaction { record.redaction }

    /// The time since the call began.
    public var elapsed: Duration { record.elapsed }

    /// The values that travel with the call, shared by all its attempts.
    ///
    /// Reading and writing are two steps; use ``withValues(_:)`` if attempts run in parallel.
    public var values: CallValues {
        get { record.state.withLock { $0.values } }
        set { record.replaceValues(newValue) }
    }

    /// Changes the values atomically.
    ///
    /// The closure works on a copy and runs again if the values changed meanwhile, so it should have no other effect.
    /// It may read ``values``, which do not have the change yet; if it also sets them, the change of its copy wins.
    public func withValues<Result>(_ change: (inout CallValues) throws -> Result) rethrows -> Result {
        try record.edit(change)
    }

    /// Every request that the attempt sent, in order, including redirects and the second request of a persisted query.
    /// At most 64 are kept. Empty before anything is sent.
    ///
    /// An interceptor outside retry sees the last attempt, one inside retry its own; one outside hedging sees a copy
    /// that was sent while the first request was held up further in.
    public var sentRequests: [any CallRequest] {
        record.state.withLock { $0.attempts[$0.reporting(view)].hops }
    }

    /// The request as the attempt last sent it; nil before anything is sent. (`Failure.sentRequest`, in contrast, is
    /// then the request as the caller made it.)
    public var sentRequest: (any CallRequest)? {
        sentRequests.last
    }

    /// The first and the last request of the attempt; nil while there are not several.
    package var redirection: (first: any CallRequest, last: any CallRequest)? {
        let hops = withAttempt { $0.hops }
        guard hops.count > 1, let first = hops.first, let last = hops.last else {
            return nil
        }
        return (first, last)
    }

    /// When the attempt began, by the call's clock; nil while it has sent nothing.
    var sendingStart: Duration? {
        withAttempt { $0.hops.isEmpty ? nil : $0.start }.map(record.start.adding)
    }

    /// How far the exchange of the attempt had come; nil when the transport does not say.
    package var phase: TransportError.Phase? { progress?.phase }

    /// The same, with what has arrived.
    package var progress: TransferProgress? {
        withAttempt { $0.exchange.progress }?()
    }

    /// The response to the attempt, or what has arrived of it; nil while nothing has.
    public var receivedResponse: (any CallResponse)? {
        let exchange = record.state.withLock { $0.attempts[$0.reporting(view)].exchange }
        return exchange.response ?? exchange.progress?().response
    }

    /// Records a further request of the attempt before it is sent, such as a redirected one.
    ///
    /// The request passed to the transport is already recorded. Every request sent decides whether the call may be
    /// retried, so each must be recorded.
    public func recordHop(_ request: some CallRequest) {
        // It is never refused: a transport that follows a redirect cannot undo what it has sent.
        let safety = RepeatSafety(request)
        record.change { $0.add(request, safety, to: view.position) }
    }

    /// Records what the attempt may have done, whatever comes of its last request: one that a transport sent twice, or
    /// one that is not sent again because a refusal does not tell.
    package func recordDoubt(_ doubt: Doubt) {
        record.state.withLock { state in
            let position = state.deciding(view)
            state.attempts[position].noted = state.attempts[position].noted.and(doubt)
        }
    }

    /// Records the response to the attempt, for interceptors that answer themselves, or that fail because of a response
    /// changed further inside. A failure shows it.
    ///
    /// The chain records the transport's response.
    public func recordReceived(_ response: some CallResponse) {
        record.change { $0.receive(response, $0.deciding(view)) }
    }

    /// Records the response of this attempt's transport.
    func recordTransportResponse(_ response: any CallResponse) {
        let status = response.statusCode
        record.change { state in
            state.attempts[view.position].knownStatus = status
            return state.receive(response, view.position)
        }
    }

    /// Registers a closure that returns the progress of the exchange, for transports. The last registration counts.
    ///
    /// It is called when a time limit is reached or the attempt fails before the response is complete, perhaps on
    /// another thread. It must not block.
    public func track(_ progress: @escaping @Sendable () -> TransferProgress) {
        record.change { exchange(&$0.attempts[view.position].exchange.progress, with: progress) }
    }

    /// Adds a line to the trace: a name for machines and a text for people. At most 1,000 lines per call are kept.
    ///
    /// The text is cut at 1,000 characters and stored redacted by names and shapes; the call's secrets are hidden when
    /// ``Trace/text`` or ``Trace/json`` is made. Do not put secrets into it anyway.
    public func note(_ name: String, _ text: @autoclosure () -> String = "") {
        // The secrets of the call are looked for when the trace is printed.
        let shown = redaction.ofNames.text(Excerpt.cut(text(), to: 1000))
        record.append(Trace.Event(time: elapsed, attempt: attempt, kind: .note, name: name, text: shown))
    }

    /// Adds a line to the trace whose text is made when somebody looks at it, and has no words of others: it is not
    /// redacted.
    package func note(_ name: String, later text: @escaping @Sendable () -> String) {
        record.append(Trace.Event(time: elapsed, attempt: attempt, kind: .note, name: name, text: ""), text: text)
    }

    /// The trace so far.
    public var trace: Trace {
        record.trace(outcome: nil)
    }

    /// The same context, for a call that was sent before with this key.
    package func requiring(_ key: String) -> CallContext {
        CallContext(self, requiredKey: key)
    }

    /// The same context, for another attempt that replaced this one.
    func continuing(_ position: Int) -> CallContext {
        CallContext(self, position: position)
    }

    /// The context of the first of several attempts, for interceptors such as retry and hedging.
    ///
    /// Pass it to `next` for the first attempt. Then inner interceptors never mistake a later attempt for their own,
    /// and nothing that an abandoned attempt does is attributed to a later one.
    public func firstAttempt() -> CallContext {
        continuing(record.state.withLock { $0.deciding(view) })
    }

    /// Ends the current attempt and starts the next, for interceptors such as retry.
    ///
    /// - Parameters:
    ///   - error: Why the attempt failed, as thrown.
    ///   - wait: The wait since then.
    ///   - reason: The reason for the wait: "backoff", "Retry-After", "RateLimit", "rejection".
    /// - Returns: The context of the next attempt.
    public func nextAttempt(after error: any Error, waited wait: Duration, because reason: String) -> CallContext {
        nextAttempt(after: error, waited: wait, because: reason, requiring: requiredKey, isRetry: false)
    }

    /// Same, but each request must have the key.
    ///
    /// - Parameters:
    ///   - isRetry: Whether everything sent before is known to be safe to send again.
    ///   - isElsewhere: Whether it asks another server than the call's.
    @inline(never)
    package func nextAttempt(
        after error: any Error, waited wait: Duration, because reason: String, requiring key: String?,
        isRetry: Bool = true, isElsewhere: Bool = false
    ) -> CallContext {
        let now = elapsed
        end(at: now.subtracting(wait), failing: error, waiting: true)
        return begin(
            AttemptRecord(
                start: now, wait: wait, waitReason: reason, parent: view, isRetry: isRetry, isElsewhere: isElsewhere),
            requiring: key)
    }

    @inline(never)
    private func begin(_ attempt: AttemptRecord, requiring key: String?) -> CallContext {
        CallContext(self, position: record.state.withLock { $0.begin(attempt) }, requiredKey: .some(key))
    }

    /// Starts an attempt parallel to the current one, for interceptors such as hedging.
    ///
    /// Only one of them sends a request that is not idempotent: for the others `next` throws.
    ///
    /// Unless ``decide(by:)`` says otherwise, a failure is about the current attempt.
    ///
    /// - Parameter reason: Why it is started, in words: "hedging".
    /// - Returns: The context of the parallel attempt.
    public func parallelAttempt(because reason: String) -> CallContext {
        parallelAttempt(because: reason, repeatsUnsafe: false)
    }

    /// Same, but it may repeat a request that is not idempotent, because the app said so.
    package func parallelAttempt(because reason: String, repeatsUnsafe: Bool) -> CallContext {
        begin(
            AttemptRecord(
                start: elapsed, waitReason: reason, parent: view, isParallel: true, repeatsUnsafe: repeatsUnsafe),
            requiring: requiredKey)
    }

    /// Records which parallel attempt decided the outcome.
    ///
    /// - Parameter winner: A context returned by ``parallelAttempt(because:)`` of this one, or one derived from it.
    public func decide(by winner: CallContext) {
        guard winner.record === record else {
            return
        }
        record.state.withLock { state in
            let own = state.deciding(view)
            let other = state.deciding(AttemptView(position: winner.view.position, depth: view.depth))
            if own != other {
                state.attempts[own].successors.append(AttemptView(position: other, depth: view.depth))
            }
        }
    }

    /// Ends the current attempt with an error, before a wait of unknown length.
    public func endAttempt(failing error: any Error) {
        end(at: elapsed, failing: error, waiting: true)
    }

    /// Ends the current attempt with an error; no other follows.
    package func closeAttempt(failing error: any Error) {
        end(at: elapsed, failing: error, waiting: false)
    }

    /// Ends the current attempt as cancelled, because a parallel one has decided.
    package func cancelAttempt() {
        end(at: elapsed, failing: nil, waiting: false)
    }

    /// - Parameter error: Nil for a cancellation.
    @inline(never)
    private func end(at time: Duration, failing error: (any Error)?, waiting: Bool) {
        let code = error.map { Failure.Reason(classifying: $0).code } ?? "cancelled"
        // Now, because what it has sent is released when another one sends.
        let judged = withAttempt { $0 }
        let doubt = record.doubt(of: judged, endingWith: error)
        withAttempt { attempt in
            attempt.close(at: time, .failed(code: code), doubt: attempt.number == judged.number ? doubt : nil)
            attempt.isWaitedAfter = waiting
        }
    }

    /// Reads or changes the attempt that decides.
    func withAttempt<Result>(_ body: (inout AttemptRecord) -> Result) -> Result {
        record.state.withLock { body(&$0.attempts[$0.deciding(view)]) }
    }

    /// Removes the attempt, because it failed before it sent anything and says nothing about the call.
    func abandonAttempt(failing error: any Error) {
        let (now, code) = (elapsed, Failure.Reason(classifying: error).code)
        record.state.withLock { state in
            state.attempts[view.position].close(at: now, .failed(code: code))
            state.abandon(view.position)
        }
    }

    /// Whether everything the call has sent so far, in all attempts, may be sent again.
    package var repeatSafety: RepeatSafety {
        record.state.withLock { $0.repeatSafety }
    }

    /// How many requests the attempt has sent so far.
    package var sentCount: Int {
        record.state.withLock { $0.attempts[view.position].sentCount }
    }

    /// The key that an interceptor's request was sent with, in this attempt and in those further in; nil where nothing
    /// depends on one.
    ///
    /// - Parameters:
    ///   - own: That of the request as the interceptor got it; it counts if it was sent.
    ///   - first: How many requests the attempt had sent before.
    ///   - withoutLast: Whether the last request does not count: it was refused, unseen.
    package func keySent(for own: String?, after first: Int, withoutLast: Bool) -> String? {
        let (keys, hops) = record.state.withLock { state in
            let last = state.reporting(view)
            let inner = state.attempts.indices[view.position...].filter { $0 != last }
            let keys = inner.filter { $0 != view.position || first == 0 }.compactMap { state.attempts[$0].safety.key }
            return (keys, state.attempts[last].hops.dropFirst(last == view.position ? first : 0))
        }
        let sent = hops.map(\.idempotencyKey)
        let known = keys + sent.dropLast(withoutLast ? 1 : 0).compactMap(\.self)
        if let own, known.contains(own) || sent.last == own {
            return known.contains(own) ? own : nil
        }
        return known.first
    }

    /// Whether no request reached the transport, of this attempt or of those started since, beside it or in its place.
    var isUntouched: Bool {
        record.state.withLock { $0.isUntouched(since: view.position) }
    }

    /// Whether the transport reported that the attempt sent nothing.
    package var isUnsent: Bool {
        withAttempt { $0.exchange.isUnsent }
    }

    /// Whether it is an attempt beside another that runs, or part of one. Such a copy must not wait in line for a place: it
    /// would get that of the request that it copies, at the moment in which that is answered.
    package var isBesideAnother: Bool {
        record.state.withLock { state in
            var view = view
            guard state.attempts.indices.contains(where: { $0 != view.position && state.attempts[$0].end == nil })
            else {
                return false
            }
            while !state.attempts[view.position].isParallel {
                view = state.attempts[view.position].parent
                guard view.depth > 0 else {
                    return false
                }
            }
            return true
        }
    }

    /// The number of the attempt that decides, from 1.
    package var decidingAttempt: Int {
        withAttempt { $0.number }
    }

    /// The response that made an attempt fail, or what has arrived of it; nil while nothing has. A status error has the
    /// one that was checked; a nested client throws its own failure.
    package func response(to error: any Error, _ reason: Failure.Reason) -> (any CallResponse)? {
        reason.response ?? (error as? Failure)?.receivedResponse ?? receivedResponse
    }

    /// Records why no retry follows, for interceptors such as retry.
    ///
    /// The first reason after an attempt counts, because it comes from the interceptor that decided; a further attempt
    /// discards it.
    public func stop(_ reason: StopReason) {
        record.state.withLock { $0.stopReason = $0.stopReason ?? reason }
    }
}
