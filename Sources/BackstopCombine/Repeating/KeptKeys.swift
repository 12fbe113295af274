internal import Backstop
internal import BackstopCore

/// The idempotency keys of the calls that an operator of a publisher may repeat.
///
/// A tree: what repeats has below it the calls that it makes in one round, and others that repeat.
final class KeptKeys: Sendable {
    /// The calls since the last `begin()`.
    final class Round: Sendable {
        struct State {
            var calls: [RepeatedCall] = []
            var repeaters: [KeptKeys] = []
        }

        /// Where a request is looked up: what this repeats itself first, then what others around it repeat.
        let pools: [RepeatedCall.Pool]
        /// Guarded by its lock.
        let state = Lock(State())

        init(pools: [RepeatedCall.Pool]) {
            self.pools = pools
        }

        /// The calls, also those of what repeats within.
        var calls: [RepeatedCall] {
            let state = state.withLock { $0 }
            return state.calls + state.repeaters.flatMap(\.round.calls)
        }

        /// The requests with a key, also those that something within has not made again.
        func takeEntries() -> [RepeatedCall.Entry] {
            let state = state.withLock { $0 }
            return state.calls.compactMap(\.entry)
                + state.repeaters.flatMap { $0.pool.takeAll() + $0.round.takeEntries() }
        }
    }

    private let pool: RepeatedCall.Pool
    private let outer: [RepeatedCall.Pool]
    /// The current round, guarded by its lock.
    private let current: Lock<Round>

    /// Makes one with nothing around it.
    ///
    /// - Parameter isAutomatic: Whether a policy repeats, and nobody who may have another order meanwhile. Default: false.
    convenience init(isAutomatic: Bool = false) {
        self.init(within: [], isAutomatic: isAutomatic)
    }

    private init(within outer: [RepeatedCall.Pool], isAutomatic: Bool) {
        pool = RepeatedCall.Pool(isAutomatic: isAutomatic)
        self.outer = outer
        current = Lock(Round(pools: [pool] + outer))
    }

    private var round: Round {
        current.withLock { $0 }
    }

    /// Begins to make calls, for the first time or again.
    func begin() {
        let old = current.withLock { exchange(&$0, with: Round(pools: [pool] + outer)) }
        pool.add(old.takeEntries())
    }

    /// The next call of this round.
    ///
    /// - Parameter maker: What makes its request: the same for the same endpoint.
    func call(by maker: RepeatedCall.Maker) -> RepeatedCall {
        let round = round
        let call = RepeatedCall(by: maker, in: round.pools)
        round.state.withLock { $0.calls.append(call) }
        return call
    }

    /// Something else that repeats calls, within this round.
    func repeater(isAutomatic: Bool) -> KeptKeys {
        let round = round
        let inner = KeptKeys(within: round.pools, isAutomatic: isAutomatic)
        round.state.withLock { $0.repeaters.append(inner) }
        return inner
    }

    /// Whether a call of this round has this key, and has it again in the next.
    func holds(_ key: String) -> Bool {
        round.calls.contains { $0.entry?.key == key }
    }

    /// Whether every call of this round may be made again without repeating its effect, as far as it is known.
    var allowRepeating: Bool {
        round.calls.allSatisfy(\.isRepeatable)
    }
}
