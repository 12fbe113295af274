package import Backstop
package import BackstopCore

/// What a stream or a transfer knows that consists of several calls, because it goes on where one of them has ended.
package protocol CallSeries: AnyObject, Sendable {
    /// Adds to the request of the next call what makes it go on.
    ///
    /// - Throws: What is wrong with the request.
    func prepare(_ request: inout HTTP.Request) throws

    /// What follows a call that ended well, so long after the head of its response.
    func follow(_ head: HTTP.Response, lasting: Duration) -> SeriesStep

    /// What follows a call that failed, so long after the head of its response; zero for none.
    func follow(_ failure: Failure, lasting: Duration) async -> SeriesStep
}

/// What follows a call of a series.
package enum SeriesStep: Sendable {
    /// Nothing: it is complete.
    case over
    /// Another call, if the policy allows.
    ///
    /// - Parameters:
    ///   - cause: Why the last one was not enough; nil if it failed, and that is why.
    ///   - least: The shortest wait.
    ///   - isProgress: Whether the last one has led further, so that it does not count as an attempt.
    case again(because: (any Error)? = nil, least: Duration = .zero, isProgress: Bool)
    /// Another call after so long: the last one has brought its part, and that is not all.
    case more(after: Duration)
    /// Nothing: it has failed.
    ///
    /// - Parameters:
    ///   - error: Why; nil for the failure of the call.
    ///   - stopped: Why no other call follows, if its chain only knows that it had begun.
    case failed((any Error)? = nil, stopped: StopReason? = nil)
}

/// The calls of a stream or a transfer: one, or several that follow each other.
package final class Legs: Sendable {
    private struct State {
        /// The intake of the last call that began to arrive.
        var open: HTTP.Intake?
        /// The one before it, which counts again if what began to arrive was no stream.
        var before: HTTP.Intake?
        /// The intake of the call that runs.
        var running: HTTP.Intake?
        var count = 0
        /// The error of the reader, which ends them all.
        var error: (any Error)?
        /// Makes a failure of the reader's of the call that began last.
        var failing: (@Sendable (any Error) -> Failure)?
        /// Waits for the next call.
        var sleeper: Task<Void, any Error>?
        /// Tells when an account has left, to the end of all calls.
        var watch: AccountChanges.Watch?
    }

    let sink: any BodySink
    let silence: Duration?
    let clock: any CallClock
    let series: (any CallSeries)?
    /// The state, guarded by the lock.
    private let state = Lock(State())

    package init(_ sink: any BodySink, silence: Duration?, clock: any CallClock, series: (any CallSeries)?) {
        self.sink = sink
        self.silence = silence
        self.clock = clock
        self.series = series
        let watch = AccountChanges.watch { [weak self] in
            self?.failIfUnconfirmed()
        }
        state.withLock { $0.watch = watch }
    }

    /// Ends the calls if they are not the account's any more: the server may be silent.
    private func failIfUnconfirmed() {
        do {
            try confirm()
        } catch {
            _ = fail(with: error)
        }
    }

    /// Makes the intake of the next call.
    ///
    /// - Throws: The error of the reader.
    func next() throws -> HTTP.Intake {
        // Outside the lock, because the sink is asked.
        let before = TransferReport(bytes: report.bytes, legs: count)
        let intake = HTTP.Intake(sink, silence: silence, clock: clock, after: before)
        try state.withLock { state in
            if let error = state.error {
                throw error
            }
            state.count += 1
            state.running = intake
        }
        _ = intake.whenOpen { [weak self, weak intake] in
            let old = self?.state.withLock { state in
                defer { (state.open, state.before) = (intake, state.open) }
                return state.before
            }
            withExtendedLifetime(old) {}
        } undo: { [weak self] in
            let old = self?.state.withLock { state in
                defer { (state.open, state.before) = (state.before, nil) }
                return state.open
            }
            withExtendedLifetime(old) {}
        }
        return intake
    }

    /// How many calls have begun.
    var count: Int { state.withLock { $0.count } }

    /// How much has arrived, in all calls.
    package var report: TransferReport {
        let open = state.withLock { $0.open }
        if let report = open?.report {
            return report
        }
        return changed(TransferReport()) { sink.complete(&$0) }
    }

    /// A failure with what the calls before the last one have brought.
    func complete(_ failure: Failure) -> Failure {
        let report = report
        let hasBegun = state.withLock { $0.open != nil } || report.bytes > 0
        return failure.transfer == nil && hasBegun ? failure.replacing(report) : failure
    }

    /// Checks what the interceptors of the last call check before each part.
    func confirm() throws {
        try state.withLock { $0.open }?.confirm()
    }

    /// Notes that a call has ended, and that none runs until the next begins.
    ///
    /// - Returns: How long its stream was open; zero for none.
    func pause() -> Duration {
        state.withLock { exchange(&$0.running, with: nil) }?.timeOpen ?? .zero
    }

    /// Waits for the next call, or for an error of the reader's.
    func sleep(for wait: Duration, clock: any CallClock) async throws {
        let sleeper = Task { try await clock.sleep(for: wait) }
        let isOver = state.withLock { state in
            state.sleeper = sleeper
            return state.error != nil
        }
        defer { state.withLock { $0.sleeper = nil } }
        if isOver {
            sleeper.cancel()
        }
        try await withTaskCancellationHandler {
            try await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
    }

    /// Ends the calls with an error of the reader's.
    ///
    /// - Returns: Whether a call runs, which ends with it; otherwise nothing notices before the next begins.
    func fail(with error: any Error) -> Bool {
        let (running, sleeper) = state.withLock { state in
            state.error = state.error ?? error
            return (state.running, state.sleeper)
        }
        running?.fail(with: error)
        sleeper?.cancel()
        return running != nil
    }

    /// Notes how a failure of the reader's is made of the call that begins.
    func begin(_ failing: @escaping @Sendable (any Error) -> Failure) {
        let old = state.withLock { exchange(&$0.failing, with: failing) }
        withExtendedLifetime(old) {}
    }

    /// The failure of the reader, with the call that began last and all that has arrived.
    package func failure(_ error: any Error) -> Failure {
        state.withLock { $0.failing }?(error) ?? Failure(error)
    }

    /// The error of the reader; nil for none.
    var readerError: (any Error)? { state.withLock { $0.error } }
}
