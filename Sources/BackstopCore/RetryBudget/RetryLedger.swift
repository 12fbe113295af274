/// The retry budgets of a client and of all clients derived from it, by destination.
package final class RetryLedger: Sendable {
    /// How many destinations are kept: more than the hosts of any app, and a few hundred kilobytes.
    static let limit = 1000

    /// The accounts by the hashes of their destinations, which may be long: a redirect leads where a server likes.
    /// Guarded by the lock; no destination is determined under it.
    private let accounts = Lock<[Int: RetryBudget.Account]>([:])

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
        let key = destination.hashValue
        return accounts.withLock { accounts in
            if accounts[key] == nil, accounts.count >= Self.limit {
                accounts = accounts.filter { !$0.value.isFull(at: now) }
                // All are in use: the one that was not used for the longest time makes room.
                if accounts.count >= Self.limit, let oldest = accounts.min(by: { $0.value.time < $1.value.time }) {
                    accounts[oldest.key] = nil
                }
            }
            return body(&accounts[key, default: RetryBudget.Account()])
        }
    }
}
