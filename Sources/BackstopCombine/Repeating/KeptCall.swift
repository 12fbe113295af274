internal import Backstop
internal import BackstopCore

/// One call, made for the first time or again.
final class KeptCall: RepeatableCall {
    /// What makes the requests of a call: an endpoint, whether its request is made once or several times.
    final class Maker: Sendable {}

    /// What is known of a call.
    struct Record: Sendable {
        var entry: KeptKeys.Entry?
        /// Whether the request as asked for may be sent again; nil before it was made.
        var asked: RepeatSafety?
        /// Whether everything that was sent may be; nil before the end.
        var sent: RepeatSafety?

        var isRepeatable: Bool {
            guard let asked else {
                return true
            }
            guard let sent else {
                return asked.isIdempotent && asked.isReplayable
            }
            return sent.isEmpty
                || sent.isIdempotent && sent.isReplayable && (sent.key == nil || sent.key == asked.key)
        }
    }

    private let round: KeptKeys.Round
    private let position: Int
    private let maker: Maker
    /// Guarded by its lock.
    private let known = Lock<RequestIdentity?>(nil)

    init(in round: KeptKeys.Round, by maker: Maker) {
        self.round = round
        self.maker = maker
        position = round.state.withLock { state in
            state.calls.append(Record())
            return state.calls.count - 1
        }
    }

    /// What was asked for; nil before the request was made.
    var identity: RequestIdentity? {
        known.withLock { $0 }
    }

    /// Gives the request the key that it had before, if it was made before.
    func begin(_ request: inout HTTP.Request, again: () throws -> HTTP.Request) throws -> String? {
        let identity = RequestIdentity(request)
        known.withLock { $0 = identity }
        if request.dependsOnKey {
            try keepKey(in: &request, identity, again: again)
        }
        let asked = RepeatSafety([request])
        let entry = request.idempotencyKey.map { KeptKeys.Entry(maker: maker, identity: identity, key: $0) }
        round.state.withLock { state in
            state.calls[position].entry = entry
            state.calls[position].asked = asked
        }
        return nil
    }

    func end(_ sent: RepeatSafety) {
        round.state.withLock { $0.calls[position].sent = sent }
    }

    private func keepKey(
        in request: inout HTTP.Request, _ identity: RequestIdentity, again: () throws -> HTTP.Request
    ) throws {
        let own = request.idempotencyKey
        if let own, take({ $0.key == own }) != nil {
            return
        }
        let isSame = { (entry: KeptKeys.Entry) in entry.identity == identity && identity.isWhole }
        if let same = take({ $0.maker === maker && isSame($0) }) {
            request.headers[.idempotencyKey] = same.key
            return
        }
        // A key that stays is the endpoint's own, so this is another order. One that changes does not say which it is.
        guard let own, isKnown({ $0.maker === maker || isSame($0) }),
            try again().idempotencyKey != own
        else {
            return
        }
        if let same = take(isSame) {
            request.headers[.idempotencyKey] = same.key
        } else if isKnown({ $0.maker === maker }) {
            throw RejectionError.unknownOrder(request.method)
        }
    }

    private func isKnown(_ fits: (KeptKeys.Entry) -> Bool) -> Bool {
        round.pools.contains { $0.contains(fits) }
    }

    private func take(_ fits: (KeptKeys.Entry) -> Bool) -> KeptKeys.Entry? {
        for pool in round.pools {
            if let entry = pool.take(fits) {
                return entry
            }
        }
        return nil
    }
}
