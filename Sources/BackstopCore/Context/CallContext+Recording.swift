extension CallContext {
    /// Whether the call has failed or was cancelled, so that nothing may be sent for it any more.
    package var isOver: Bool {
        record.state.withLock { $0.isOver }
    }

    /// The attempts so far.
    package var attempts: [Attempt] {
        let now = elapsed
        return record.state.withLock { $0.attempts }.map { $0.attempt(at: now) }
    }

    /// How many attempts the call has made so far.
    package var attemptCount: Int {
        record.state.withLock { $0.attempts.count }
    }

    /// Why no further attempt is made; nil while nothing has said so.
    package var stopReason: StopReason? {
        record.state.withLock { $0.stopReason }
    }

    /// Records that the time of the call is over, whatever was decided before: what came after it used up the time.
    package func stopAtDeadline() {
        record.state.withLock { $0.stopReason = .deadline(wait: nil) }
    }

    /// Finishes a call that succeeded.
    ///
    /// - Parameter response: The response as the chain returned it.
    package func finish(_ response: (any CallResponse)? = nil) {
        record.finish(failure: nil, response: response)
    }

    /// Makes the failure of a call, once, at its outer edge.
    ///
    /// - Parameters:
    ///   - asked: The request as it was made, for a failure before anything was sent.
    ///   - retries: Whether an interceptor of the chain plays the role `retry`.
    package func finish(
        failing error: any Error, asked: (any CallRequest)? = nil, retries: Bool = false
    ) -> Failure {
        let failure = record.failure(from: error, asked: asked, retries: retries)
        record.finish(failure: failure)
        return failure
    }

    /// The failure of whoever reads the stream of the call, which has ended well or goes on: nothing of it changes, and
    /// its observers are not told.
    package func readerFailure(
        _ error: any Error, asked: (any CallRequest)?, retries: Bool
    ) -> Failure {
        record.readerFailure(from: error, asked: asked, retries: retries)
    }

    /// Records what is about to be sent.
    ///
    /// - Returns: The context for the transport: if an interceptor further in has replaced the attempt, and one further
    ///   out asks again, that of the attempt that replaced it.
    /// - Throws: ``KeyChangedError`` when it would be a second order, `CancellationError` if it is not idempotent and the
    ///   call has already failed.
    func send(_ request: any CallRequest) throws -> CallContext {
        let safety = RepeatSafety(request)
        var position = view.position
        try record.change { state in
            guard !state.isOver || state.allowsAfterEnd(safety) else {
                throw CancellationError()
            }
            position = state.deciding(view)
            try state.check(safety, at: position, requiring: requiredKey)
            return state.add(request, safety, to: position)
        }
        return position == view.position ? self : continuing(position)
    }

    /// Records what is actually sent, for a transport that adds something to a request.
    package func recordAsSent(_ request: any CallRequest) {
        record.change { state in
            state.exchanges += 1
            return state.attempts[view.position].replaceLastHop(with: request)
        }
    }

    /// Records what is sent beside the request, so that texts of the call hide its secrets.
    package func recordBeside(_ carrier: any SecretCarrier) {
        let bounded = carrier.bounded
        record.change { state in
            state.exchanges += 1
            return exchange(&state.attempts[view.position].beside, with: bounded)
        }
    }

    /// Removes what was about to be sent, if the transport reports that it sent nothing.
    func takeBack(_ error: any Error) {
        // Only our own errors say so: a system error, such as one about a URL, may concern the target of a redirect.
        let isBeforeSending =
            (error as? TimeoutError)?.kind.isBeforeSending ?? (error as? RequestError)?.code.isBeforeSending ?? false
        guard isBeforeSending else {
            return
        }
        // A response means that a request was sent: after a redirect, only the next one was not.
        let progress = record.state.withLock { $0.attempts[view.position].exchange.progress }
        if progress?().response == nil {
            noteUnsent()
        }
    }

    /// Removes what was about to be sent: a transport was answered before it sent that.
    ///
    /// - Parameter opening: What it had sent, and texts show: a request for a connection. Default: nil.
    package func noteUnsent(behind opening: (any CallRequest)? = nil) {
        record.change { $0.attempts[view.position].takeBackOnlyHop(behind: opening) }
    }

    /// The last status that the transport has returned, or an interceptor judged; nil for none.
    package var knownStatus: Int? {
        get { withAttempt { $0.knownStatus } }
        set { withAttempt { $0.knownStatus = newValue } }
    }

    /// Notes that the attempt went to another server than the call's: no key that was sent since counts for that one.
    package func distrustKeys() {
        record.change { state in
            for position in state.attempts.indices[view.position...] { state.attempts[position].distrustKey() }
        }
    }

    /// Runs an interceptor and records in the trace when it was entered, how long it took and its result.
    nonisolated(nonsending) func traced<Result>(
        _ name: String, depth: Int, _ run: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let start = elapsed
        do {
            let result = try await run()
            leave(name, depth: depth, since: start, with: "ok")
            return result
        } catch {
            let reason = Failure.Reason(classifying: error, isCancelled: Task.isCancelled)
            leave(name, depth: depth, since: start, with: reason.code)
            throw error
        }
    }

    private func leave(_ name: String, depth: Int, since start: Duration, with result: String) {
        record.append(
            Trace.Event(
                time: start, attempt: attempt, kind: .interceptor, name: name, text: result,
                duration: elapsed - start, depth: depth))
    }
}

extension CallContext {
    /// Notes what became of the connection that a transport shares between calls.
    package func note(_ connection: SharedConnection) {
        record.state.withLock { $0.attempts[view.position].exchange.connection = connection }
    }

    /// Whether the attempt shares its connection with others.
    package var sharesConnection: Bool {
        withAttempt { $0.exchange.connection != nil }
    }

    /// The number of the connection that was lost with the attempt and others; nil for none.
    var lostConnection: UInt64? {
        withAttempt { $0.exchange.connection?.lostNumber }
    }

    /// The number of the connection that the attempt before this one, or the call that this one continues, was lost with;
    /// nil for none.
    package var connectionLostBefore: UInt64? {
        record.state.withLock { state in
            guard let before = state.attempts[view.position].predecessor else {
                return record.continuedConnection
            }
            return state.attempts[before].exchange.connection?.lostNumber
        }
    }
}
