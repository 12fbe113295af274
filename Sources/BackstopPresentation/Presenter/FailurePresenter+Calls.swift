public import BackstopCore

extension FailurePresenter: FailureHandler {
    /// `presenter`
    public nonisolated var name: String { "presenter" }

    /// Shows a failure, and waits for the person where the choice decides what becomes of the call.
    public nonisolated func handle(_ failure: Failure) async -> Verdict {
        // Before the main actor is waited for, which may be busy: a success in the meantime is news.
        await handle(failure, after: seen.withLock { $0 })
    }

    private func handle(_ failure: Failure, after past: Seen) async -> Verdict {
        var presentation = policy.presentation(of: failure)
        if let kept = outdated(presentation, failure, after: past) {
            guard presentation.decides else {
                return Task.isCancelled ? .unhandled : .handled
            }
            guard !failure.isRetryable || !presentation.offersRetry else {
                FailureHandling.whenRetryingAlone?()
                return Task.isCancelled ? .unhandled : .retry
            }
            presentation = kept
        }
        guard presentation.decides else {
            return !Task.isCancelled && tell(presentation, failure) ? .handled : .unhandled
        }
        FailureHandling.whenWaiting?()
        lastWaiter += 1
        let waiter = PresentationQueue.Waiter(id: lastWaiter, isRepeatable: failure.isRetryable)
        let (verdict, isAlone) = await verdict(on: presentation, failure, waiter)
        if isAlone {
            FailureHandling.whenRetryingAlone?()
        }
        if case .retry = verdict, !FailureHandling.canRetry {
            // The person did what was asked, as by signing in; this call ends with it, and nobody failed to handle it.
            return .handled
        }
        return verdict
    }

    /// Shows a failure, and waits for what the person chooses, or for what comes before that.
    private func verdict(
        on presentation: Presentation, _ failure: Failure, _ waiter: PresentationQueue.Waiter
    ) async -> (verdict: Verdict, isAlone: Bool) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation sets the flag before its handler asks for the main actor, so one of the two sees it.
                waiting[waiter.id] = continuation
                if Task.isCancelled || !show(presentation, failure, waiter: waiter) {
                    wake([(waiter.id, .unhandled)])
                }
            }
        } onCancel: {
            Task { @MainActor in leave(waiter.id) }
        }
    }

    /// How a failure is presented that waits for a success which came before it could be shown; nil when none came.
    private func outdated(_ presentation: Presentation, _ failure: Failure, after past: Seen) -> Presentation? {
        guard presentation.lifetime == .untilSuccess, presentation.kind != .inline else {
            return nil
        }
        let now = seen.withLock { $0 }
        let hasSucceeded = now.successes != past.successes
        guard hasSucceeded || failure.isOffline && now.answers != past.answers else {
            return nil
        }
        return queue.kept(presentation, hasSucceeded ? .untilDismissed : .untilSuccess)
    }

    private func leave(_ waiter: Int) {
        queue.leave(waiter)
        end([(waiter, .unhandled)])
    }
}

extension FailurePresenter: CallObserver {
    /// Learns that a call succeeded that sent something, or that a server answered: what is to go away then goes away.
    public nonisolated func callFinished(_ call: FinishedCall) {
        guard let news = Self.news(of: call) else {
            return
        }
        let isAwaited = seen.withLock { seen in
            if case .success(let name, let callID) = news {
                seen.successes &+= 1
                seen.note(name, callID)
            }
            seen.answers &+= 1
            return seen.awaitsSuccess
        }
        guard isAwaited else {
            return
        }
        Task { @MainActor in
            end(queue.learn(news), isAlone: true)
        }
    }

    /// What a call says of the network; nil for nothing, as when a cache answered.
    private nonisolated static func news(of call: FinishedCall) -> PresentationQueue.News? {
        guard call.request != nil else {
            return nil
        }
        guard let failure = call.failure else {
            let isAnswered = call.trace.attempts.contains { $0.result == .ok }
            return isAnswered ? .success(name: call.name, callID: call.id) : nil
        }
        let isOffline = failure.isOffline || call.trace.attempts.last?.result == .failed(code: "transport.offline")
        return call.response == nil || isOffline ? nil : .answer
    }
}
