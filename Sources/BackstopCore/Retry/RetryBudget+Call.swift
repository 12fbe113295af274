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
        self.ledger = context.retryLedger ?? ledger
        self.request = request
        self.context = context
    }

    /// How the call goes out.
    ///
    /// - Throws: `RejectionError` with `.silence`.
    func admitCall() throws(RejectionError) -> RetryBudget.Admission {
        // Looked up only if there is a silence to be broken.
        let admission = admit { FailureHandling.isRepeating }
        guard case .refused(let rest) = admission else {
            if admission != .call {
                context.note("retry budget", "a probe, after a silence")
            }
            return admission
        }
        context.stop(.silence(rest))
        throw RejectionError(
            .silence, "the last calls there were not answered in time, so none is made for another \(rest.text)",
            retryAfter: rest)
    }

    /// How the next attempt goes out.
    ///
    /// - Returns: Nil when it does not, because other calls met a silence meanwhile; the reason is recorded.
    func admitRetry() -> RetryBudget.Admission? {
        let admission = admit { false }
        guard case .refused(let rest) = admission else {
            return admission
        }
        giveBackRetry()
        context.stop(.silence(rest))
        return nil
    }

    /// Gives back a retry that was taken and is not made.
    func giveBackRetry() {
        _ = ledger.existing({ request.destination }) { $0.giveBackRetry(budget) }
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

    /// Notes an attempt of which nothing is known, such as a cancelled one.
    func release(_ admission: RetryBudget.Admission) {
        if admission == .probe {
            _ = ledger.existing({ request.destination }) { $0.release(admission) }
        }
    }

    func fail(_ sign: RetryBudget.Sign, admitted admission: RetryBudget.Admission, start: Duration, isTransient: Bool) {
        let now = context.clock.now
        let work = { (account: inout RetryBudget.Account) in
            account.fail(
                sign, admitted: admission, start: start, isTransient: isTransient, at: now, budget,
                random: context.random)
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
