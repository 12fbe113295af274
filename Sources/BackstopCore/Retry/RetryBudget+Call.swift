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

    /// What is asked for: calls of the same name ask for the same. The name is made only in trouble.
    private var resource: Int { context.name.hashValue }

    /// Lets the call go out.
    ///
    /// - Returns: Whose place it has.
    /// - Throws: `RejectionError` with `.silence`.
    func admitCall() throws(RejectionError) -> RetryBudget.Admission {
        // Looked up only if there is a silence to be broken.
        let admission = admit { context.isUserRetry || FailureHandling.isRepeating }
        guard case .refused(let rest) = admission else {
            switch admission {
            case .probe, .personalProbe: context.note("retry budget", "a probe, after a silence")
            case .scout: context.note("retry budget", "a probe, while other calls there are not answered")
            case .call, .refused: break
            }
            return admission
        }
        context.stop(.silence(rest))
        throw RejectionError(
            .silence, "the last calls there were not answered in time, so none is made for another \(rest.text)",
            retryAfter: rest)
    }

    /// Lets the next attempt go out.
    ///
    /// - Returns: Whose place it has; nil when it may not go out, because other calls have found that the service does
    ///   not answer. The reason is recorded.
    func admitRetry() -> RetryBudget.Admission? {
        let admission = admit { false }
        guard case .refused(let rest) = admission else {
            return admission
        }
        abandon(.call, isRetry: true)
        context.stop(.silence(rest))
        return nil
    }

    private func admit(isPersonal: () -> Bool) -> RetryBudget.Admission {
        guard ledger.count > 0 else {
            return .call
        }
        let now = context.clock.now
        let resource = resource
        let admission =
            ledger.existing({ request.destination }) { $0.admit(resource, isPersonal: false, at: now) } ?? .call
        guard case .refused = admission, isPersonal() else {
            return admission
        }
        return ledger.existing({ request.destination }) { $0.admit(resource, isPersonal: true, at: now) } ?? .call
    }

    func succeed() {
        guard ledger.count > 0 else {
            return
        }
        let now = context.clock.now
        let resource = resource
        ledger.existing({ request.destination }) { $0.succeed(resource, at: now, budget) }
        if let other = redirectedDestination {
            ledger.existing({ other }) { $0.answer(resource, at: now) }
        }
    }

    /// Where a redirect has led; nil when it stayed at the same destination, and without one.
    private var redirectedDestination: String? {
        guard let (first, last) = context.redirection else {
            return nil
        }
        // An interceptor that sends elsewhere by itself is no redirect.
        let (asked, answering) = (request.destination, last.destination)
        return first.destination == asked && answering != asked ? answering : nil
    }

    /// Gives back what an attempt took that was not made, or of which nothing is known, such as a cancelled one.
    func abandon(_ admission: RetryBudget.Admission, isRetry: Bool) {
        guard admission != .call || isRetry else {
            return
        }
        ledger.existing({ request.destination }) { account in
            account.release(admission)
            if isRetry {
                account.giveBackRetry(budget)
            }
        }
    }

    /// Notes an attempt that failed.
    ///
    /// After a redirect, the sign is that of the destination that was asked last; the first one has answered.
    func fail(_ sign: RetryBudget.Sign, admitted admission: RetryBudget.Admission, start: Duration, isTransient: Bool) {
        let now = context.clock.now
        // Drawn here, because the caller's source must not run under the lock.
        let unit = if case .timeout = sign { context.random.unit() } else { 0.0 }
        let resource = resource
        func note(
            _ sign: RetryBudget.Sign, of destination: @autoclosure () -> String, _ admission: RetryBudget.Admission,
            isTransient: Bool
        ) {
            let work = { (account: inout RetryBudget.Account) in
                account.fail(
                    sign, of: resource, admitted: admission, start: start, isTransient: isTransient, at: now, budget,
                    unit: unit)
            }
            switch sign {
            case .timeout: ledger.opened(destination, at: now, work)
            case .answer, .none:
                if budget.chargesFailures, isTransient {
                    ledger.opened(destination, at: now, work)
                } else {
                    ledger.existing(destination, work)
                }
            }
        }
        guard let last = redirectedDestination else {
            return note(sign, of: request.destination, admission, isTransient: isTransient)
        }
        note(.answer, of: request.destination, admission, isTransient: isTransient)
        note(sign, of: last, .call, isTransient: false)
    }

    /// Takes a retry.
    ///
    /// - Returns: Why there is none; nil when there was one.
    func takeRetry() -> StopReason? {
        let now = context.clock.now
        let resource = resource
        return ledger.opened({ request.destination }, at: now) { $0.takeRetry(resource, at: now, budget) }
    }

    /// Takes a retry for a copy of a request that is under way.
    ///
    /// - Returns: Why there is none; nil when there was one.
    func takeCopy() -> StopReason? {
        let now = context.clock.now
        let resource = resource
        return ledger.opened({ request.destination }, at: now) { $0.takeCopy(resource, at: now, budget) }
    }
}

extension RetryBudget.Sign {
    /// What a failed attempt says about the service.
    ///
    /// A timeout is a sign of silence only if the whole request may have been sent: before that, a slow network, or a
    /// large body, is as good a reason.
    ///
    /// - Parameters:
    ///   - response: The response of the attempt, or what had arrived of it.
    ///   - phase: How far the exchange had come; nil when nobody knows.
    package init(
        _ reason: Failure.Reason, response: (any CallResponse)?, phase: TransportError.Phase? = nil
    ) {
        if let response {
            // A gateway answers with these while the service behind it does not.
            self = (502...504).contains(response.statusCode ?? 200) ? .none : .answer
            return
        }
        switch (reason, phase) {
        case (_, .queued), (_, .connecting), (_, .sending): self = .none
        case (.timeout(let error), _) where !error.kind.isBeforeSending && error.kind != .deadline:
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

extension RetryLedger {
    /// The budgets of a call: its client's, unless they are those of a policy.
    ///
    /// Here, and not in `Retry`, whose generic code would look up its own type each time.
    func ledger(of context: CallContext, isBound: Bool) -> RetryLedger {
        isBound ? self : context.retryLedger ?? self
    }

    /// Whether the budget has nothing to say to a call: no destination is in trouble.
    func isQuiet(for context: CallContext, isBound: Bool) -> Bool {
        ledger(of: context, isBound: isBound).isQuiet
    }
}
