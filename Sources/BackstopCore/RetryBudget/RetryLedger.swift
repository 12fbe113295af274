/// The retry budgets of a client and of all clients derived from it, by destination.
package final class RetryLedger: Sendable {
    /// How many destinations are kept: more than the hosts of any app, and a few hundred kilobytes.
    static let limit = 1000

    /// How many lost connections are remembered; whoever was on one asks as soon as it is lost.
    private static let connectionLimit = 64

    /// The accounts by the hashes of their destinations, which may be long: a redirect leads where a server likes.
    /// Guarded by the lock; no destination is determined under it.
    private let accounts = Lock<[Int: RetryBudget.Account]>([:])
    /// The last lost connections, guarded by the lock, which is taken before that of the accounts.
    private let losses = Lock<[Loss]>([])

    /// What the loss of a connection has cost, whichever of its calls came first.
    private struct Loss {
        let connection: UInt64
        var isCharged = false
        /// Whether one has paid for a retry.
        var isPaid = false
        /// When the first of them asked, and when it goes on, and those whose policies allow it with it, so that they
        /// share the next connection too; nil before one has chosen. All were lost at once, whenever they ask.
        var first: (start: Duration, end: Duration)?
    }

    package init() {}

    /// The number of destinations known.
    package var count: Int {
        accounts.withLock { $0.count }
    }

    /// Works on the account of a destination.
    @discardableResult
    @inline(never)
    package func update<Result>(
        _ destination: String, at now: Duration, _ body: (inout RetryBudget.Account) -> Result
    ) -> Result {
        let key = destination.hashValue
        return accounts.withLock { accounts in
            if accounts[key] == nil, accounts.count >= Self.limit {
                Self.makeRoom(in: &accounts, at: now)
            }
            return body(&accounts[key, default: RetryBudget.Account()])
        }
    }

    @inline(never)
    private static func makeRoom(in accounts: inout [Int: RetryBudget.Account], at now: Duration) {
        accounts = accounts.filter { !$0.value.isFull(at: now) }
        // All are in use: the one that was not used for the longest time makes room.
        if accounts.count >= limit, let oldest = accounts.min(by: { $0.value.time < $1.value.time }) {
            accounts[oldest.key] = nil
        }
    }

    /// Takes a retry from the account of a destination; after the loss of a connection, one for all calls that it carried.
    ///
    /// - Parameters:
    ///   - cost: 0 for a call that has led further: it waits, and pays nothing.
    ///   - wait: How long the call wants to wait before it.
    ///   - rest: How much time the call has; nil for any. It waits for the others only within that.
    /// - Returns: How long it waits; nil when there is no retry.
    package func take(
        _ cost: Double = 1, for connection: UInt64?, from destination: String, at now: Duration, before wait: RetryWait,
        within rest: Duration? = nil, _ budget: RetryBudget
    ) -> Duration? {
        func pay() -> Bool {
            cost == 0 || update(destination, at: now) { $0.take(cost, at: now, budget) }
        }
        guard let connection else {
            return pay() ? wait.chosen : nil
        }
        return change(connection) { loss in
            guard loss.isPaid && !budget.chargesFailures || pay() else {
                return nil
            }
            loss.isPaid = loss.isPaid || cost > 0
            let shared = loss.first.flatMap { first in
                wait.sharing(first.end.subtracting(first.start), rest: first.end.subtracting(now))
            }
            if let shared, rest.map({ shared < $0 }) ?? true {
                return shared
            }
            let end = now.adding(wait.chosen)
            // One that is over is nobody's any more.
            if loss.first.map({ end < $0.end || now.subtracting($0.end) > RetryWait.tolerance }) ?? true {
                loss.first = (now, end)
            }
            return wait.chosen
        }
    }

    /// Charges for a failure; for the loss of a connection, once for all calls that it carried.
    func charge(for connection: UInt64?, _ charge: () -> Void) {
        guard let connection else {
            return charge()
        }
        change(connection) { loss in
            if !loss.isCharged {
                loss.isCharged = true
                charge()
            }
        }
    }

    private func change<Result>(_ connection: UInt64, _ body: (inout Loss) -> Result) -> Result {
        losses.withLock { losses in
            let index = losses.lastIndex { $0.connection == connection }
            var loss = index.map { losses.remove(at: $0) } ?? Loss(connection: connection)
            defer { losses = losses.suffix(Self.connectionLimit - 1) + [loss] }
            return body(&loss)
        }
    }
}
