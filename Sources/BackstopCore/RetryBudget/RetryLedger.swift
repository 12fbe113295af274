/// The retry budgets of a client and of all clients derived from it, by destination.
package final class RetryLedger: Sendable {
    /// How many destinations are kept: more than the hosts of any app, and a few hundred kilobytes.
    static let limit = 1000

    /// How many lost connections are remembered; whoever was on one asks as soon as it is lost.
    private static let connectionLimit = 64

    /// The accounts by the hashes of their destinations, which may be long: a redirect leads where a server likes.
    /// Guarded by the lock; no destination is determined under it.
    private let accounts = Lock<[Int: RetryBudget.Account]>([:])
    /// The last connections whose loss was paid for, guarded by the lock, which is taken before that of the accounts.
    private let paid = Lock<[UInt64]>([])

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

    /// Takes a retry from the account of a destination; after the loss of a connection, one for all calls that it carried.
    ///
    /// - Returns: Whether there was one.
    package func take(
        _ cost: Double = 1, for connection: UInt64?, from destination: String, at now: Duration, _ budget: RetryBudget
    ) -> Bool {
        // Where failures pay, they have.
        pay(for: budget.chargesFailures ? nil : connection) {
            update(destination, at: now) { $0.take(cost, at: now, budget) }
        }
    }

    /// Pays for the loss of a connection, unless another of the calls that it carried has.
    ///
    /// - Parameters:
    ///   - connection: Its number; nil when nothing was lost with others.
    ///   - pay: Returns whether the account could.
    func pay(for connection: UInt64?, _ pay: () -> Bool) -> Bool {
        guard let connection else {
            return pay()
        }
        return paid.withLock { paid in
            let isPaid = paid.contains(connection)
            guard !isPaid, pay() else {
                return isPaid
            }
            paid = paid.suffix(Self.connectionLimit - 1) + [connection]
            return true
        }
    }
}
