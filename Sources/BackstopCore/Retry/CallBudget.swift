/// The budget as one call sees it.
package struct CallBudget {
    let budget: RetryBudget
    let ledger: RetryLedger
    let request: any CallRequest
    let context: CallContext

    /// Notes a success.
    ///
    /// - Returns: How much of a retry it has given back.
    @discardableResult package func succeed() -> Double {
        let now = context.clock.now
        let start = context.sendingStart ?? now
        let gain = ledger.update(request.destination, at: now) { account in
            account.noteAnswer(toAttemptAt: start)
            return account.succeed(at: now, budget)
        }
        if let other = redirectedDestination {
            ledger.update(other, at: now) { $0.noteAnswer(toAttemptAt: start) }
        }
        return gain
    }

    /// Takes back what a success has given: it was none, though an answer.
    func takeBack(_ gain: Double) {
        ledger.update(request.destination, at: context.clock.now) { $0.takeBack(gain, budget) }
    }

    /// Notes an attempt that failed.
    ///
    /// After a redirect, the destination that was asked first has answered.
    ///
    /// - Parameters:
    ///   - isAnswered: Whether a response had arrived, or its beginning.
    ///   - isTransient: Whether the failure is transient.
    package func fail(isAnswered: Bool, isTransient: Bool) {
        let now = context.clock.now
        let other = redirectedDestination
        let start = context.sendingStart ?? now
        if budget.chargesFailures, isTransient {
            let destination = request.destination
            ledger.charge(for: context.lostConnection) {
                ledger.update(destination, at: now) { $0.fail(at: now, budget) }
            }
        }
        if isAnswered || other != nil {
            ledger.update(request.destination, at: now) { $0.noteAnswer(toAttemptAt: start) }
        }
        if isAnswered, let other {
            ledger.update(other, at: now) { $0.noteAnswer(toAttemptAt: start) }
        }
    }

    /// Whether the destination that was asked last has answered a later attempt of this client.
    package var hasAnsweredLater: Bool {
        guard let start = context.sendingStart else {
            return false
        }
        let destination = redirectedDestination ?? request.destination
        return ledger.update(destination, at: context.clock.now) { $0.hasAnsweredAttempt(after: start) }
    }

    /// Takes a retry.
    ///
    /// - Returns: Whether there was one.
    package func take(_ cost: Double = 1) -> Bool {
        let now = context.clock.now
        return ledger.update(request.destination, at: now) { $0.take(cost, at: now, budget) }
    }

    /// Takes a retry, after the loss of a connection one for all calls that it carried.
    ///
    /// - Returns: How long to wait before it; nil when there was none.
    func take(_ cost: Double, before wait: RetryWait) -> Duration? {
        let now = context.clock.now
        return ledger.take(
            cost, for: context.lostConnection, from: request.destination, at: now, before: wait,
            within: context.deadline.map { $0.subtracting(now) }, budget)
    }

    /// Gives back a retry that was taken and not made.
    package func giveBack(_ cost: Double = 1) {
        ledger.update(request.destination, at: context.clock.now) { $0.giveBack(cost, budget) }
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
}
