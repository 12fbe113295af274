/// The retry budgets of a client and of all clients derived from it, by destination.
package final class RetryLedger: Sendable {
    /// How many destinations are kept: more than the hosts of any app, and a few hundred kilobytes.
    static let limit = 1000

    /// The accounts, guarded by the lock. No destination is determined under it.
    private let accounts = Lock(KeyedStates<RetryBudget.Account>(limit: limit, lifetime: .seconds(600)))

    package init() {}

    /// The number of destinations known.
    package var count: Int {
        accounts.withLock { $0.count }
    }

    /// Works on the account of a destination.
    @discardableResult
    package func update<Result>(
        _ destination: String, at now: Duration, _ body: (inout RetryBudget.Account) -> Result
    ) -> Result {
        accounts.withLock { accounts in
            let entry = accounts.entry(for: destination, now: now) { RetryBudget.Account() }
            return body(&entry.state)
        }
    }
}
