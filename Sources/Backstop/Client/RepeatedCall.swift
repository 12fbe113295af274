internal import BackstopCore

/// A call that a handler, or an operator of a publisher, may make again.
///
/// Endpoints and interceptors may make another idempotency key for each request; for the server, that would be a second
/// order. So a repeated request gets the key that it was sent with before, which interceptors must not change, but only if
/// it is the same request: a key never goes to another order. What counts is what is asked (method, URL, body), not in
/// which order calls are made.
package final class RepeatedCall: Sendable {
    /// What makes the requests of a call: an endpoint, whether its request is made once or several times.
    package final class Maker: Sendable {
        package init() {}
    }

    /// A request with a key.
    package struct Entry: Sendable {
        fileprivate let maker: Maker?
        fileprivate let identity: RequestIdentity
        /// The key of the endpoint; nil if an interceptor has added one.
        fileprivate let own: String?
        /// The key that the request was sent with.
        package let key: String
    }

    /// Requests that were made before and not yet made again.
    package final class Pool: Sendable {
        /// How many are kept; of more, the oldest are forgotten.
        package static let limit = 1000

        /// Guarded by its lock.
        private let entries: Lock<[Entry]>
        /// Whether they are made again though nobody has decided it, so that they are the same orders.
        fileprivate let isAutomatic: Bool

        package init(_ entries: [Entry] = [], isAutomatic: Bool = false) {
            self.entries = Lock(entries)
            self.isAutomatic = isAutomatic
        }

        package func add(_ new: [Entry]) {
            entries.withLock { $0 = ($0 + new).suffix(Self.limit) }
        }

        package func takeAll() -> [Entry] {
            entries.withLock { exchange(&$0, with: []) }
        }

        fileprivate func contains(_ fits: (Entry) -> Bool) -> Bool {
            entries.withLock { $0.contains(where: fits) }
        }

        /// Removes the first entry that fits.
        fileprivate func take(_ fits: (Entry) -> Bool) -> Entry? {
            entries.withLock { entries in
                entries.firstIndex(where: fits).map { entries.remove(at: $0) }
            }
        }
    }

    private struct State {
        var identity: RequestIdentity?
        /// The key of the endpoint.
        var own: String?
        /// The key that the request was last sent with, or will be.
        var key: String?
        /// Whether the request as asked for may be sent again; nil before it was made.
        var asked: RepeatSafety?
        /// Whether everything that was sent may be; nil before the end.
        var sent: RepeatSafety?
        /// The call while it runs: a key that an interceptor has given counts before the call has ended.
        var context: CallContext?
    }

    private let maker: Maker?
    private let pools: [Pool]
    /// Guarded by its lock.
    private let state = Lock(State())

    /// Makes a call.
    ///
    /// - Parameters:
    ///   - maker: What makes its request. Default: nil, the call itself is made again.
    ///   - pools: Where requests that were made before are looked up. Default: none, only what this call has asked for.
    package init(by maker: Maker? = nil, in pools: [Pool] = []) {
        self.maker = maker
        self.pools = pools
    }

    /// What was asked for; nil before the request was made.
    package var identity: RequestIdentity? {
        state.withLock { $0.identity }
    }

    /// The request, if it has a key.
    package var entry: Entry? {
        let state = state.withLock { $0 }
        guard let identity = state.identity, let key = state.context?.repeatSafety.key ?? state.key else {
            return nil
        }
        return Entry(maker: maker, identity: identity, own: state.own, key: key)
    }

    /// Whether it may be made again without repeating its effect, as far as it is known.
    package var isRepeatable: Bool {
        let state = state.withLock { $0 }
        return (state.sent ?? state.asked).map { $0.isIdempotent && $0.isReplayable } ?? true
    }

    /// Looks at the request, and gives it the key that it had before.
    ///
    /// - Parameter again: Makes the request once more, to see whether its key stays.
    /// - Returns: The key that interceptors must not change; nil for none.
    /// - Throws: A `RejectionError` when the endpoint asks for something else, and no key of its own says which order that
    ///   is, or for the same under another key, though nobody has decided that: for the server it would be another one,
    ///   beside the one that was to be repeated.
    func begin(_ request: inout HTTP.Request, again: () throws -> HTTP.Request) throws -> String? {
        let earlier = entry.map { [Pool([$0])] } ?? pools
        // A call that is made again itself keeps its body anyway.
        let identity = RequestIdentity(request, keepsBody: pools.isEmpty)
        let own = request.idempotencyKey
        let key = try key(of: request, identity, in: earlier, again: again)
        if let key {
            request.headers[.idempotencyKey] = key
        }
        let asked = RepeatSafety(request)
        state.withLock { $0 = State(identity: identity, own: own, key: key ?? own, asked: asked) }
        return key
    }

    /// Looks at what a running call sends.
    package func follow(_ context: CallContext) {
        state.withLock { $0.context = context }
    }

    /// Records what was sent.
    package func end(_ sent: RepeatSafety) {
        let context = state.withLock { state in
            state.sent = sent
            state.key = sent.key ?? state.key
            return state.context.take()
        }
        withExtendedLifetime(context) {}
    }

    private func key(
        of request: HTTP.Request, _ identity: RequestIdentity, in pools: [Pool], again: () throws -> HTTP.Request
    ) throws -> String? {
        let own = request.idempotencyKey
        func take(_ fits: (Entry) -> Bool) -> String? {
            for pool in pools {
                if let entry = pool.take(fits) {
                    return entry.key
                }
            }
            return nil
        }
        func isMine(_ entry: Entry) -> Bool { entry.maker === maker }
        // The bytes of a stream are unknown, so that a key of the endpoint may say otherwise.
        func isSame(_ entry: Entry) -> Bool { entry.identity == identity && (identity.isWhole || own == nil) }
        if let own, let key = take({ $0.own == own || $0.key == own }) {
            return key
        }
        if let key = take({ isMine($0) && isSame($0) }) {
            return key
        }
        // A request that needs no key may have become one that does only further inside, with the key that was found.
        guard request.dependsOnKey,
            pools.contains(where: { $0.contains { isMine($0) || $0.identity.hasTarget(of: identity) } })
        else {
            return nil
        }
        // A key that stays is the endpoint's own, so this is another order, unless nobody has decided anything. Another
        // key does not say which order it is.
        let stays = try own.map { try again().idempotencyKey == $0 } ?? false
        if stays, !pools.contains(where: { $0.isAutomatic && $0.contains(isSame) }) {
            return nil
        }
        // That of another endpoint with the same body; which stream it was nobody knows.
        if !stays, identity.isWhole, let key = take(isSame) {
            return key
        }
        throw RejectionError(
            .idempotencyKey,
            "\(request.method) was to be repeated, but "
                + (stays
                    ? "an equal request came with another Idempotency-Key. Make the endpoint, or its key, outside the "
                        + "publisher, and retry each of several equal orders by itself."
                    : "the endpoint now asks for something else, without an Idempotency-Key that stays. Store the key "
                        + "in the endpoint, so that it says which order it is."))
    }
}
