/// How an interceptor sees the attempts: the position of its own, and how many interceptors outside it start attempts.
struct AttemptView {
    let position: Int
    let depth: Int

    /// The view of the whole call.
    static let whole = AttemptView(position: 0, depth: 0)
}

/// The tree of the attempts.
extension CallRecord.State {
    /// The position of the attempt that decides for an interceptor: its own, or the last that replaced it for
    /// interceptors at this depth or further in.
    func deciding(_ view: AttemptView) -> Int {
        var position = view.position
        while let next = attempts[position].successors.first(where: { $0.depth >= view.depth }) {
            position = next.position
        }
        return position
    }

    /// Begins an attempt, in place of the one that decides for the interceptor that starts it, or parallel to it.
    ///
    /// - Returns: Its position.
    mutating func begin(_ attempt: AttemptRecord) -> Int {
        var attempt = attempt
        attempt.number = attempts.count + 1
        if !attempt.isParallel {
            let predecessor = deciding(attempt.parent)
            attempt.predecessor = predecessor
            attempt.heldUntil = attempts[predecessor].heldUntil
            attempts[predecessor].successors.append(
                AttemptView(position: attempts.count, depth: attempt.parent.depth))
        }
        attempts.append(attempt)
        stopReason = nil
        return attempts.count - 1
    }

    /// Removes an attempt that never sent anything: the one before it decides again.
    mutating func abandon(_ position: Int) {
        if let predecessor = attempts[position].predecessor {
            attempts[predecessor].successors.removeAll { $0.position == position }
            attempts[predecessor].isWaitedAfter = false
        }
    }

    /// Ends the attempt that decided, and any parallel ones still running, which nothing waits for.
    mutating func closeAttempts(at time: Duration, _ result: Attempt.Result) {
        attempts[deciding(.whole)].close(at: time, result)
        for position in attempts.indices {
            attempts[position].close(at: time, .failed(code: "cancelled"))
        }
    }

    /// Whether no request of an attempt came to the transport, nor of those started since, beside it or instead of it.
    ///
    /// One that the transport took back did: what was recorded of the attempt before has been released for it.
    func isUntouched(since position: Int) -> Bool {
        attempts[position...].allSatisfy { $0.safety.isEmpty && !$0.exchange.isUnsent }
    }

    /// The attempt that tells what was sent and received for an interceptor: the one that decides for it, or, while that
    /// one has sent nothing, one parallel to it that has.
    func reporting(_ view: AttemptView) -> Int {
        let position = deciding(view)
        guard attempts.count > 1, attempts[position].safety.isEmpty else {
            return position
        }
        return attempts.indices.first { other in
            guard other != position, !attempts[other].hops.isEmpty else {
                return false
            }
            let fork = fork(of: position, and: other)
            return fork.depth >= view.depth && fork.isParallel && !fork.isRetried
        } ?? position
    }

    /// Where the lines of two attempts part: at two attempts of one interceptor, or of two at the same depth.
    private struct Fork {
        let depth: Int
        /// Whether one of these is parallel.
        let isParallel: Bool
        let repeatsUnsafe: Bool
        /// Whether retry lies between them.
        let isRetried: Bool
        /// Whether that of the attempt itself is the later one. The attempts themselves do not say: a task that was
        /// given up may start one after retry has started the next.
        let isLater: Bool
    }

    private func fork(of one: Int, and other: Int) -> Fork {
        func outer(_ position: Int, at depth: Int) -> Int {
            let parent = attempts[position].parent
            return parent.depth > depth ? outer(parent.position, at: depth) : position
        }
        var depth = 0
        while outer(one, at: depth) == outer(other, at: depth) {
            depth += 1
        }
        let (one, other) = (outer(one, at: depth), outer(other, at: depth))
        let later = attempts[(min(one, other) + 1)...max(one, other)]
        return Fork(
            depth: depth, isParallel: attempts[one].isParallel || attempts[other].isParallel,
            repeatsUnsafe: attempts[one].repeatsUnsafe || attempts[other].repeatsUnsafe,
            isRetried: later.contains { $0.isRetry && $0.parent.depth == depth }, isLater: one > other)
    }
}

/// What may be sent, given all that the call has sent so far.
extension CallRecord.State {
    /// Whether everything sent in all attempts may be sent again.
    var repeatSafety: RepeatSafety {
        attempts.dropFirst().reduce(into: attempts[0].safety) { $0.add($1.safety) }
    }

    /// Whether an interceptor may still send for a call that has failed: an idempotent request may continue for other
    /// calls that share it. A key unknown to the caller does not count: the caller's next call gets another one.
    func allowsAfterEnd(_ safety: RepeatSafety) -> Bool {
        safety.isIdempotent && (safety.key == nil || safety.key == keyAtEnd)
    }

    /// Records a request of an attempt.
    ///
    /// - Returns: What is no longer needed, to be released outside the lock.
    mutating func add(_ request: any CallRequest, _ safety: RepeatSafety, to position: Int) -> some Any {
        exchanges += 1
        let old = attempts[position].add(request, safety: safety)
        return (old, attempts[position].predecessor.map { attempts[$0].release() })
    }

    /// Records the response of an attempt.
    mutating func receive(_ response: any CallResponse, _ position: Int) -> some Any {
        exchanges += 1
        return attempts[position].receive(response)
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
            let sent = attempts[other].safety
            let isAllowed = sent.allows(safety) && (sent.key == nil || server(of: other) == server(of: position))
            // Most are, and where they stand in the tree is a long way to look.
            guard !isAllowed || !sent.isIdempotent else {
                continue
            }
            let fork = fork(of: position, and: other)
            guard fork.isRetried || fork.isParallel && !fork.repeatsUnsafe else {
                continue
            }
            guard isAllowed, !fork.isRetried || !fork.isLater else {
                throw KeyChangedError()
            }
        }
    }

    /// The attempt that asks another server, of which this one is part; nil where the call's own is asked.
    private func server(of position: Int) -> Int? {
        guard position > 0, !attempts[position].isElsewhere else {
            return position > 0 ? position : nil
        }
        return server(of: attempts[position].parent.position)
    }
}
