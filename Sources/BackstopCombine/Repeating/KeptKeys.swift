internal import Backstop
internal import BackstopCore

/// The idempotency keys of the calls that an operator of a publisher may repeat.
///
/// An endpoint may make another key in each request; for the server, that would be a second order. So a repeated request
/// gets the key of the earlier one, but only if it is the same request: a key never goes to another order. What counts
/// is what is asked (method, URL, body), not in which order calls are made.
///
/// A tree: what repeats has below it the calls that it makes in one round, and others that repeat.
final class KeptKeys: Sendable {
    /// A request with a key.
    struct Entry: Sendable {
        let maker: KeptCall.Maker
        let identity: RequestIdentity
        let key: String
    }

    /// The requests of earlier rounds that were not made again in this one.
    final class Pool: Sendable {
        /// How many are kept; of more, the oldest are forgotten.
        static let limit = 1000

        /// Guarded by its lock.
        private let entries = Lock<[Entry]>([])

        func add(_ new: [Entry]) {
            entries.withLock { $0 = ($0 + new).suffix(Self.limit) }
        }

        /// Whether an entry fits.
        func contains(_ fits: (Entry) -> Bool) -> Bool {
            entries.withLock { $0.contains(where: fits) }
        }

        /// Removes the first entry that fits.
        func take(_ fits: (Entry) -> Bool) -> Entry? {
            entries.withLock { entries in
                entries.firstIndex(where: fits).map { entries.remove(at: $0) }
            }
        }

        func takeAll() -> [Entry] {
            entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
        }
    }

    /// The calls since the last `begin()`.
    final class Round: Sendable {
        struct State {
            var calls: [KeptCall.Record] = []
            var repeaters: [KeptKeys] = []
        }

        /// Where a request is looked up: what this repeats itself first, then what others around it repeat.
        let pools: [Pool]
        /// Guarded by its lock.
        let state = Lock(State())

        init(pools: [Pool]) {
            self.pools = pools
        }

        /// The calls, also those of what repeats within.
        var calls: [KeptCall.Record] {
            let state = state.withLock { $0 }
            return state.calls + state.repeaters.flatMap(\.round.calls)
        }

        /// The requests with a key, also those that something within has not made again.
        func takeEntries() -> [Entry] {
            let state = state.withLock { $0 }
            return state.calls.compactMap(\.entry)
                + state.repeaters.flatMap { $0.pool.takeAll() + $0.round.takeEntries() }
        }
    }

    private let pool = Pool()
    private let outer: [Pool]
    /// The current round, guarded by its lock.
    private let current: Lock<Round>

    /// Makes one with nothing around it.
    convenience init() {
        self.init(within: [])
    }

    private init(within outer: [Pool]) {
        self.outer = outer
        current = Lock(Round(pools: [pool] + outer))
    }

    private var round: Round {
        current.withLock { $0 }
    }

    /// Begins to make calls, for the first time or again.
    func begin() {
        let old = current.withLock { current in
            defer { current = Round(pools: [pool] + outer) }
            return current
        }
        pool.add(old.takeEntries())
    }

    /// The next call of this round.
    ///
    /// - Parameter maker: What makes its request: the same for the same endpoint.
    func call(by maker: KeptCall.Maker) -> KeptCall {
        KeptCall(in: round, by: maker)
    }

    /// Something else that repeats calls, within this round.
    func repeater() -> KeptKeys {
        let round = round
        let inner = KeptKeys(within: round.pools)
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
