/// What may be sent, given all that the call has sent so far.
extension CallRecord.State {
    /// Whether an interceptor may still send for a call that has failed: an idempotent request may continue for other
    /// calls that share it. A key unknown to the caller does not count: the caller's next call gets another one.
    func allowsAfterEnd(_ safety: RepeatSafety) -> Bool {
        safety.isIdempotent && (safety.key == nil || safety.key == keyAtEnd)
    }

    /// Records a request of an attempt.
    ///
    /// - Returns: What is no longer needed, to be released outside the lock.
    mutating func add(
        _ request: any CallRequest, _ safety: RepeatSafety, to position: Int
    ) -> (AttemptRecord.Released, AttemptRecord.Released?) {
        let own = AttemptRecord.Released(
            response: attempts[position].response, progress: attempts[position].progress, hops: [])
        attempts[position].add(request, safety: safety)
        exchanges += 1
        return (own, attempts[position].predecessor.map { attempts[$0].release() })
    }

    /// Whether no request of an attempt came to the transport, nor of those started since, beside it or instead of it.
    ///
    /// One that the transport took back did: what was recorded of the attempt before has been released for it.
    func isUntouched(since position: Int) -> Bool {
        attempts[position...].allSatisfy { $0.safety.isEmpty && !$0.isUnsent }
    }

    /// The attempt that tells what was sent and received for an interceptor: the one that decides for it, or, while that
    /// one has sent nothing, one parallel to it that has.
    func telling(_ view: AttemptView) -> Int {
        let position = deciding(view)
        guard attempts.count > 1, attempts[position].safety.isEmpty else {
            return position
        }
        return attempts.indices.first { other in
            guard other != position, !attempts[other].hops.isEmpty else {
                return false
            }
            let (own, beside, depth) = parting(of: position, from: other)
            let later = attempts[(min(own, beside) + 1)...max(own, beside)]
            return depth >= view.depth && (attempts[own].isParallel || attempts[beside].isParallel)
                && !later.contains { $0.isRetry && $0.depth == depth }
        } ?? position
    }

    /// Where two attempts part: the two attempts of one interceptor, or of two at the same depth, to which they belong.
    ///
    /// Their positions say which of these is later. Those of the attempts themselves do not: a task that was given up
    /// may start an attempt after retry has started the next.
    func parting(of one: Int, from other: Int) -> (one: Int, other: Int, depth: Int) {
        func outer(_ position: Int, at depth: Int) -> Int {
            var position = position
            while attempts[position].depth > depth {
                position = attempts[position].origin
            }
            return position
        }
        var depth = 0
        while true {
            let (one, other) = (outer(one, at: depth), outer(other, at: depth))
            if one != other {
                return (one, other, depth)
            }
            depth += 1
        }
    }

    /// Refuses a request that would be a second order: after or beside an attempt that depended on its key, or if an
    /// abandoned attempt has sent one meanwhile.
    func check(_ safety: RepeatSafety, at position: Int, requiring key: String?) throws {
        if let key, !safety.isIdempotent || (safety.key ?? key) != key {
            throw KeyChangedError()
        }
        guard attempts.count > 1 else {
            return
        }
        for other in attempts.indices where other != position {
            let (own, beside, depth) = parting(of: position, from: other)
            let later = (min(own, beside) + 1)...max(own, beside)
            let isRetried = attempts[later].contains { $0.isRetry && $0.depth == depth }
            guard isRetried || attempts[own].isParallel || attempts[beside].isParallel else {
                continue
            }
            guard isRetried || !attempts[own].repeatsUnsafe && !attempts[beside].repeatsUnsafe else {
                continue
            }
            let sent = attempts[other].safety
            guard sent.allows(safety), sent.isIdempotent || !isRetried || own < beside else {
                throw KeyChangedError()
            }
        }
    }
}
