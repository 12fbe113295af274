/// What is known about one call while it runs: attempt, deadline, clock, randomness, typed values and trace.
///
/// Every link gets it. Attempts have contexts of their own, derived from the call's; what they record goes into the
/// one record of the call.
///
/// ```swift
/// func remaining(_ context: CallContext) -> Duration? {
///     context.deadline.map { $0 - context.clock.now }
/// }
/// ```
public final class CallContext: Sendable {
    /// What all contexts of the call share.
    let record: CallRecord

    /// The number of this attempt, from 1.
    public let attempt: Int

    /// When the call must be over, on the scale of ``clock``'s `now`; nil for no limit.
    public let deadline: Duration?

    /// Whether entering and leaving links is recorded in the trace.
    public let tracesLinks: Bool

    /// Whether a link outside ends the call at the deadline, so that links inside need not.
    let isDeadlineEnforced: Bool

    /// Makes the context of a new call.
    public init(options: CallOptions = CallOptions()) {
        let record = CallRecord(options: options)
        self.record = record
        attempt = 1
        deadline = options.deadline.map { record.start + $0 }
        tracesLinks = options.tracesLinks
        isDeadlineEnforced = false
    }

    private init(_ other: CallContext, attempt: Int? = nil, deadline: Duration?, isDeadlineEnforced: Bool) {
        record = other.record
        self.attempt = attempt ?? other.attempt
        self.deadline = deadline
        tracesLinks = other.tracesLinks
        self.isDeadlineEnforced = isDeadlineEnforced
    }

    /// The number of the call in this process, from 1.
    public var id: UInt64 { record.id }

    /// What the call is named; empty when it was given no name.
    public var name: String { record.options.name }

    /// The call's clock.
    public var clock: any CallClock { record.options.clock }

    /// The call's random source.
    public var random: any RandomSource { record.options.random }

    /// What is hidden in what links write about the call.
    public var redaction: Redaction { record.options.redaction }

    /// The time since the call began.
    public var elapsed: Duration { clock.now - record.start }

    /// The values that travel with the call, shared by all its attempts.
    ///
    /// Reading and then writing is two steps; use ``withValues(_:)`` where attempts run side by side.
    public var values: CallValues {
        get { record.state.withLock { $0.values } }
        set { record.state.withLock { $0.values = newValue } }
    }

    /// Changes the values in one step.
    public func withValues<Result>(_ change: (inout CallValues) throws -> Result) rethrows -> Result {
        try record.state.withLock { try change(&$0.values) }
    }

    /// The request as last sent; nil before anything was sent.
    public var sentRequest: (any CallRequest)? {
        record.state.withLock { $0.request }
    }

    /// The last response of the current attempt; nil while none has arrived.
    public var receivedResponse: (any CallResponse)? {
        record.state.withLock { $0.response }
    }

    /// Records the request as it goes out. Transports call it; a failure shows it.
    ///
    /// A cancelled task records nothing: its attempt was given up, and the next one may be under way.
    public func recordSent(_ request: some CallRequest) {
        guard !Task.isCancelled else {
            return
        }
        record.state.withLock { state in
            state.request = request
            state.response = nil
        }
    }

    /// Records the response as it came. Transports, and links that answer by themselves, call it; a failure shows it.
    ///
    /// A cancelled task records nothing: its attempt was given up, and the next one may be under way.
    public func recordReceived(_ response: some CallResponse) {
        guard !Task.isCancelled else {
            return
        }
        record.state.withLock { $0.response = response }
    }

    /// Writes a line into the trace: a name for machines and a text for people. At most 1,000 lines a call are kept.
    ///
    /// The text is kept redacted, and cut at 1,000 characters. Do not put secrets into it all the same.
    public func note(_ name: String, _ text: @autoclosure () -> String = "") {
        let shown = redaction.text(Excerpt.cut(text(), to: 1000))
        record.append(Trace.Event(time: elapsed, attempt: attempt, kind: .note, name: name, text: shown))
    }

    /// What happened so far.
    public var trace: Trace {
        record.trace(outcome: nil)
    }

    /// The same context with an earlier end; a later one than there is already changes nothing.
    ///
    /// - Parameter deadline: The moment on the scale of ``clock``'s `now`.
    public func withDeadline(_ deadline: Duration) -> CallContext {
        guard deadline < self.deadline ?? .seconds(Int64.max) else {
            return self
        }
        return CallContext(self, deadline: deadline, isDeadlineEnforced: false)
    }

    /// The same context for the links inside one that ends the call at the deadline.
    func enforcingDeadline() -> CallContext {
        CallContext(self, deadline: deadline, isDeadlineEnforced: true)
    }

    /// Ends the current attempt with an error and begins the next one after a wait, for links such as retry.
    ///
    /// - Parameters:
    ///   - error: Why the attempt failed, as thrown.
    ///   - wait: How long was waited since.
    ///   - reason: Why that long, in words: "backoff", "Retry-After".
    /// - Returns: The context of the next attempt.
    public func nextAttempt(after error: any Error, waited wait: Duration, because reason: String) -> CallContext {
        let number = record.beginAttempt(after: error, waited: wait, because: reason)
        return CallContext(self, attempt: number, deadline: deadline, isDeadlineEnforced: isDeadlineEnforced)
    }

    /// Ends the current attempt with an error, before a wait whose end is not known yet.
    public func endAttempt(failing error: any Error) {
        record.endAttempt(failing: error)
    }

    /// Says why no further attempt will be made, for links such as retry. The last word counts.
    public func stop(_ reason: StopReason) {
        record.state.withLock { $0.stopped = reason }
    }
}

extension CallContext {
    /// Marks the end of a call that gave a value.
    package func finish() {
        record.finish(failure: nil)
    }

    /// Makes the failure of a call, once, at its outer edge.
    ///
    /// - Parameter asked: The request as it was made, for a failure before anything was sent.
    package func finish(failing error: any Error, asked: (any CallRequest)? = nil) -> Failure {
        let failure = record.failure(from: error, asked: asked)
        record.finish(failure: failure)
        return failure
    }

    /// Keeps the links of a chain alive for as long as any context of the call is.
    func hold(_ links: any AnyObject & Sendable) {
        record.state.withLock { state in
            if !state.links.contains(where: { $0 === links }) {
                state.links.append(links)
            }
        }
    }

    /// Keeps alive what another context keeps alive, for a link that goes on with the context of another call.
    func holdLinks(of other: CallContext) {
        guard other.record !== record else {
            return
        }
        for links in other.record.state.withLock({ $0.links }) {
            hold(links)
        }
    }

    /// Runs a link and writes into the trace when it was entered, how long it took and what came of it.
    func traced<Result>(_ name: String, depth: Int, _ run: () async throws -> Result) async throws -> Result {
        let start = elapsed
        do {
            let result = try await run()
            leave(name, depth: depth, since: start, with: "ok")
            return result
        } catch {
            leave(name, depth: depth, since: start, with: Failure.Reason(classifying: error).code)
            throw error
        }
    }

    private func leave(_ name: String, depth: Int, since start: Duration, with result: String) {
        var event = Trace.Event(time: start, attempt: attempt, kind: .link, name: name, text: result)
        event.duration = elapsed - start
        event.depth = depth
        record.append(event)
    }
}
