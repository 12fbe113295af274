/// The budgets of a client and of all clients derived from it, by destination.
///
/// Only destinations in trouble have an account: where everything goes well, there is nothing to look up. So this is no
/// `KeyedStates`, which keeps those at rest too.
package final class RetryLedger: Sendable {
    /// How many destinations are kept. More than the hosts of any app, and a few hundred kilobytes.
    static let limit = 1000

    /// The accounts that are not at rest, guarded by the lock. No destination is determined under it.
    private let accounts = Lock<[String: RetryBudget.Account]>([:])

    package init() {}

    /// The number of destinations in trouble, or recently so.
    package var count: Int {
        accounts.withLock { $0.count }
    }

    /// Whether no destination is in trouble.
    var isQuiet: Bool {
        accounts.withLock { $0.isEmpty }
    }

    /// Works on the account of a destination, if there is one.
    @discardableResult
    func existing<Result>(
        _ destination: () -> String, _ body: (inout RetryBudget.Account) -> Result
    ) -> Result? {
        guard !isQuiet else {
            return nil
        }
        let key = KeyText.bounded(destination())
        return accounts.withLock { accounts in
            guard var account = accounts[key] else {
                return nil
            }
            let result = body(&account)
            accounts[key] = account.isAtRest ? nil : account
            return result
        }
    }

    /// Works on the account of a destination, which is opened if there is none.
    @discardableResult
    func opened<Result>(
        _ destination: () -> String, at now: Duration, _ body: (inout RetryBudget.Account) -> Result
    ) -> Result {
        let key = KeyText.bounded(destination())
        return accounts.withLock { accounts in
            var account = accounts[key] ?? RetryBudget.Account()
            let result = body(&account)
            if !account.isAtRest, accounts[key] == nil {
                Self.makeRoom(in: &accounts, at: now)
            }
            accounts[key] = account.isAtRest ? nil : account
            return result
        }
    }

    /// Drops what is forgotten, or else the account that was not used for the longest time.
    private static func makeRoom(in accounts: inout [String: RetryBudget.Account], at now: Duration) {
        guard accounts.count >= limit else {
            return
        }
        accounts = accounts.filter { !$0.value.isForgotten(at: now) }
        if accounts.count >= limit, let oldest = accounts.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            accounts.removeValue(forKey: oldest.key)
        }
    }
}
