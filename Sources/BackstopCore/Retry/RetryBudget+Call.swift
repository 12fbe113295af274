/// The budget as one call sees it.
struct CallBudget<Request: CallRequest> {
    let budget: RetryBudget
    let ledger: RetryLedger
    let request: Request
    let context: CallContext

    /// Nil for a budget that limits nothing.
    init?(_ budget: RetryBudget, _ ledger: RetryLedger, _ request: Request, context: CallContext) {
        guard budget.isLimiting else {
            return nil
        }
        self.budget = budget
        self.ledger = ledger
        self.request = request
        self.context = context
    }

    /// Lets the call go out.
    ///
    /// - Returns: Whether it has the place of the probe.
    /// - Throws: `RejectionError` with `.silence`.
    func admitCall() throws(RejectionError) -> Bool {
        // Looked up only if there is a silence to be broken.
        let admission = admit { FailureHandling.isRepeating }
        guard case .refused(let rest) = admission else {
            if admission != .call {
                context.note("retry budget", "a probe, after a silence")
            }
            return admission == .probe
        }
        context.stop(.silence(rest))
        throw RejectionError(
            .silence, "the last calls there were not answered in time, so none is made for another \(rest.text)",
            retryAfter: rest)
    }

    /// Lets the next attempt go out.
    ///
    /// - Returns: Whether it has the place of the probe; nil when it may not go out, because other calls have found
    ///   that the service does not answer. The reason is recorded.
    func admitRetry() -> Bool? {
        let admission = admit { false }
        guard case .refused(let rest) = admission else {
            return admission == .probe
        }
        abandon(isProbe: false, isRetry: true)
        context.stop(.silence(rest))
        return nil
    }

    private func admit(isPersonal: () -> Bool) -> RetryBudget.Admission {
        let now = context.clock.now
        let admission = ledger.existing({ request.destination }) { $0.admit(isPersonal: false, at: now) } ?? .call
        guard case .refused = admission, isPersonal() else {
            return admission
        }
        return ledger.existing({ request.destination }) { $0.admit(isPersonal: true, at: now) } ?? .call
    }

    func succeed() {
        let now = context.clock.now
        _ = ledger.existing({ request.destination }) { $0.succeed(at: now, budget) }
    }

    /// Gives back what an attempt took that was not made, or of which nothing is known, such as a cancelled one.
    func abandon(isProbe: Bool, isRetry: Bool) {
        guard isProbe || isRetry else {
            return
        }
        _ = ledger.existing({ request.destination }) { account in
            if isProbe {
                account.release(.probe)
            }
            if isRetry {
                account.giveBackRetry(budget)
            }
        }
    }

    func fail(_ sign: RetryBudget.Sign, isProbe: Bool, start: Duration, isTransient: Bool) {
        let now = context.clock.now
        // Drawn here, because the caller's source must not run under the lock.
        let unit = if case .timeout = sign { context.random.unit() } else { 0.0 }
        let work = { (account: inout RetryBudget.Account) in
            account.fail(
                sign, admitted: isProbe ? .probe : .call, start: start, isTransient: isTransient, at: now, budget,
                unit: unit)
        }
        switch sign {
        case .timeout: ledger.opened({ request.destination }, at: now, work)
        case .answer, .none:
            if budget.chargesFailures, isTransient {
                ledger.opened({ request.destination }, at: now, work)
            } else {
                ledger.existing({ request.destination }, work)
            }
        }
    }

    /// Takes a retry.
    ///
    /// - Returns: Why there is none; nil when there was one.
    func takeRetry() -> StopReason? {
        let now = context.clock.now
        return ledger.opened({ request.destination }, at: now) { $0.takeRetry(at: now, budget) }
    }

    /// Takes a retry for a copy of a request that is under way.
    ///
    /// - Returns: Why there is none; nil when there was one.
    func takeCopy() -> StopReason? {
        let now = context.clock.now
        return ledger.opened({ request.destination }, at: now) { $0.takeCopy(at: now, budget) }
    }
}

extension RetryBudget.Sign {
    /// What a failed attempt says about the service.
    ///
    /// - Parameter response: The response of the attempt, or what had arrived of it.
    package init(_ reason: Failure.Reason, response: (any CallResponse)?) {
        if let response {
            // A gateway answers with these while the service behind it does not.
            self = (502...504).contains(response.statusCode ?? 200) ? .none : .answer
            return
        }
        switch reason {
        case .timeout(let error) where !error.kind.isBeforeSending && error.kind != .deadline:
            self = .timeout(limit: error.duration)
        default: self = .none
        }
    }

    /// The limit that was reached; nil when none was.
    package var limit: Duration? {
        if case .timeout(let limit) = self {
            return limit
        }
        return nil
    }
}
