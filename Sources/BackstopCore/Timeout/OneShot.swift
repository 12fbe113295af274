/// A result that may come from several sides, such as an operation, a time limit and a cancellation: the first one
/// counts, and the caller resumes exactly once.
///
/// It guards a state of its owner too, so that nothing of it changes at the same moment as the result.
package final class OneShot<Value: Sendable, State>: Sendable {
    @usableFromInline struct Guarded {
        @usableFromInline var state: State
        @usableFromInline var isOver = false
        var continuation: CheckedContinuation<Value, any Error>?
        /// The result, if it came before the continuation.
        var early: Result<Value, any Error>?
    }

    /// State, continuation and result, guarded by the lock.
    @usableFromInline let guarded: Lock<Guarded>

    package init(_ state: State) {
        guarded = Lock(Guarded(state: state))
    }

    /// Whether there is a result.
    package var isOver: Bool {
        guarded.withLock { $0.isOver }
    }

    /// Works on the state.
    @inlinable
    package func withLock<Answer>(_ body: (inout State) -> Answer) -> Answer {
        guarded.withLock { body(&$0.state) }
    }

    /// Works on the state, unless there is a result; nil then.
    @discardableResult
    @inlinable
    package func update<Answer>(_ body: (inout State) -> Answer) -> Answer? {
        guarded.withLock { $0.isOver ? nil : body(&$0.state) }
    }

    /// Waits for the result.
    ///
    /// - Parameters:
    ///   - begin: What leads to it; not called if there is one already. The caller does not resume before it returns.
    ///   - cancel: Called when the task is cancelled, perhaps before all else.
    nonisolated(nonsending) package func value(
        _ begin: () -> Void, onCancel cancel: @Sendable () -> Void
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early = guarded.withLock { guarded in
                    guarded.continuation = guarded.isOver ? nil : continuation
                    return guarded.early.take()
                }
                if let early {
                    continuation.resume(with: early)
                } else {
                    begin()
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Sets the result, unless there is one.
    ///
    /// - Parameter take: Takes out of the state what ends with it. Nothing is released meanwhile.
    /// - Returns: What was taken, and what resumes the caller once all that is ended; nil when there was a result.
    package func end<Rest>(
        with result: Result<Value, any Error>, _ take: (inout State) -> Rest
    ) -> (rest: Rest, resume: () -> Void)? {
        guarded.withLock { guarded in
            guard !guarded.isOver else {
                return nil
            }
            guarded.isOver = true
            let continuation = guarded.continuation.take()
            guarded.early = continuation == nil ? result : nil
            return (take(&guarded.state), { continuation?.resume(with: result) })
        }
    }
}

extension OneShot where State == Void {
    package convenience init() {
        self.init(())
    }

    /// Waits for the result; a cancellation of the task is one.
    ///
    /// - Parameter leave: Called by whoever cancels, before that is the result: the task may resume much later.
    nonisolated(nonsending) package func value(
        _ begin: () -> Void = {}, leaving leave: @Sendable () -> Void = {}
    ) async throws -> Value {
        try await value(
            begin,
            onCancel: {
                leave()
                self.end(with: .failure(CancellationError()))
            })
    }

    /// Waits for the result, for a limited time; a cancellation of the task is one.
    ///
    /// - Parameters:
    ///   - late: The result when the time is over.
    ///   - leave: Called when it is over or cancelled, before that is the result.
    nonisolated(nonsending) package func value(
        within limit: Duration, clock: any CallClock, or late: Result<Value, any Error>,
        leaving leave: @escaping @Sendable () -> Void = {}
    ) async throws -> Value {
        let timer = LimitTimer(after: limit, clock: clock) {
            leave()
            self.end(with: late)
        }
        defer {
            timer.cancel()
        }
        return try await value(leaving: leave)
    }

    /// Sets the result, unless there is one.
    ///
    /// - Returns: Whether there was none.
    @discardableResult
    package func end(with result: Result<Value, any Error>) -> Bool {
        guard let (_, resume) = end(with: result, { _ in }) else {
            return false
        }
        resume()
        return true
    }
}
