internal import Backstop

/// The state machine of a rate limiter: its bucket, and the calls that wait for tokens, first in, first out.
///
/// A value without clock or lock. No call takes a token while others wait.
package struct RateLimiterState<Waiter> {
    /// The answer to a call that may wait.
    package enum Admission {
        /// It has a token.
        case goes
        /// It waits for its token, so long if nobody gives up.
        case waits(Duration)
        /// Its token would come too late, after this time.
        case refused(Duration)
    }

    private var bucket: TokenBucket
    private var line = WaitingCalls<(waiter: Waiter, tokens: Int, end: Duration)>()
    /// How many tokens those who wait take in all.
    private var due = 0
    /// When the last pause began.
    private var pauseStart = Duration.zero
    /// The end of the pause for which it was looked last who waits too long.
    private var checkedEnd: Duration?
    /// When the pause would end that the service asked for, if it is too long; nil otherwise.
    private var refusalEnd: Duration?

    /// Makes a limiter with a full bucket.
    package init(_ rate: TokenBucket.Rate, now: Duration) {
        bucket = TokenBucket(rate, now: now)
    }

    /// How many calls wait.
    package var waiting: Int { line.count }

    /// How many whole tokens there are.
    package mutating func tokens(at now: Duration) -> Int {
        bucket.tokens(at: now)
    }

    /// Takes tokens if there are as many, and nobody waits for them.
    package mutating func enter(_ tokens: Int = 1, now: Duration) -> Bool {
        line.isEmpty && bucket.take(tokens, now: now)
    }

    /// Takes tokens, or waits for them if they come in time.
    ///
    /// - Parameters:
    ///   - tokens: How many, at most as many as the bucket holds.
    ///   - number: Names the call while it waits.
    ///   - patience: How long it may wait.
    package mutating func enterOrWait(
        _ waiter: Waiter, _ tokens: Int = 1, number: UInt64, now: Duration, patience: Duration
    ) -> Admission {
        if enter(tokens, now: now) {
            return .goes
        }
        let isRefused = refusalEnd != nil && bucket.pauseRest(at: now) > .zero
        let wait = isRefused ? pauseRest(at: now) : bucket.wait(for: due + tokens, now: now)
        guard !isRefused, wait <= patience else {
            return .refused(wait)
        }
        line.append((waiter, tokens, now.adding(patience)), number: number)
        due += tokens
        return .waits(wait)
    }

    /// Gives the tokens that have come to those who wait.
    ///
    /// - Returns: The calls that have theirs now, in order, and how many.
    package mutating func grant(now: Duration) -> [(waiter: Waiter, tokens: Int)] {
        var granted: [(waiter: Waiter, tokens: Int)] = []
        while let (waiter, tokens, _) = line.firstWaiter, bucket.take(tokens, now: now) {
            _ = line.removeFirst()
            due -= tokens
            granted.append((waiter, tokens))
        }
        return granted
    }

    /// How long it takes until the next call that waits has its tokens; nil when none waits.
    package mutating func nextToken(now: Duration) -> Duration? {
        line.firstWaiter.map { bucket.wait(for: $0.tokens, now: now) }
    }

    /// Takes a call out of the line; nil when it does not wait there any more.
    @discardableResult
    package mutating func giveUp(_ number: UInt64) -> Waiter? {
        let call = line.remove(number)
        due -= call?.tokens ?? 0
        return call?.waiter
    }

    /// Lets nobody through for a time.
    ///
    /// - Parameters:
    ///   - time: How long that is, as the service says.
    ///   - limit: The longest pause. Where the service says more, calls are refused instead of waiting for its end.
    /// - Returns: The calls whose tokens would come too late now, and after how long; nil when that is no news. Many
    ///   answers say it at one time, so a call may wait a sixty-fourth of the time longer than it wanted, or 10 ms.
    package mutating func pause(
        for time: Duration, atMost limit: Duration, now: Duration
    ) -> [(waiter: Waiter, wait: Duration)]? {
        let (isFirst, isRefusal) = (bucket.pauseRest(at: now) == .zero, time > limit)
        let believed = min(time, limit)
        guard isFirst || isRefusal || refusalEnd == nil, bucket.pause(for: believed, now: now) else {
            return nil
        }
        if isFirst {
            (pauseStart, refusalEnd) = (now, nil)
        }
        if isRefusal {
            refusalEnd = now.adding(time)
        }
        let end = now.adding(believed)
        if !isRefusal, let checkedEnd, end >= checkedEnd, end - max(believed / 64, .milliseconds(10)) <= checkedEnd {
            return []
        }
        checkedEnd = end
        var (bucket, due) = (bucket, 0)
        let refusal = refusalEnd == nil ? nil : pauseRest(at: now)
        var late: [(waiter: Waiter, wait: Duration)] = []
        line.removeAll { call in
            let wait = refusal ?? bucket.wait(for: due + call.tokens, now: now)
            guard refusal != nil || now + wait > call.end else {
                due += call.tokens
                return false
            }
            late.append((call.waiter, wait))
            return true
        }
        self.due = due
        return late
    }

    /// How much of a time nobody is let through, as is known now.
    package func pause(from start: Duration, to end: Duration, now: Duration) -> Duration {
        guard let pauseEnd = bucket.pauseEnd else {
            return .zero
        }
        let last = now < pauseEnd ? max(pauseEnd, refusalEnd ?? pauseEnd) : pauseEnd
        return max(.zero, min(end, last) - max(start, pauseStart))
    }

    /// How long nobody is let through, as the service says; zero where there is no pause.
    package func pauseRest(at now: Duration) -> Duration {
        let rest = bucket.pauseRest(at: now)
        return rest > .zero ? refusalEnd.map { max(rest, $0 - now) } ?? rest : .zero
    }

    /// Puts tokens back that were not used.
    package mutating func giveBack(_ tokens: Int = 1) {
        bucket.giveBack(tokens)
    }

    /// Whether the bucket is full and nobody waits, nor has to.
    package func isIdle(at now: Duration) -> Bool {
        line.isEmpty && bucket.isFull(at: now) && bucket.pauseRest(at: now) == .zero
    }
}
