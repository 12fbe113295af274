internal import Backstop

/// The state machine of a rate limiter: its bucket, and the calls that wait for tokens, first in, first out.
///
/// A value without clock or lock. No call takes a token while others wait.
package struct RateLimiterState<Waiter> {
    /// The answer to a call that may wait.
    package enum Admission {
        /// It has a token.
        case goes
        /// It waits for its token.
        case waits
        /// Its token would come too late, after this time.
        case refused(Duration)
    }

    private var bucket: TokenBucket
    private var line = WaitingCalls<Waiter>()

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

    /// Takes a token if there is one, and nobody waits for it.
    package mutating func enter(now: Duration) -> Bool {
        line.isEmpty && bucket.take(now: now)
    }

    /// Takes a token, or waits for one if it comes in time.
    ///
    /// - Parameters:
    ///   - number: Names the call while it waits.
    ///   - patience: How long it may wait.
    package mutating func enterOrWait(
        _ waiter: Waiter, number: UInt64, now: Duration, patience: Duration
    ) -> Admission {
        if enter(now: now) {
            return .goes
        }
        let wait = bucket.wait(for: line.count + 1, now: now)
        guard wait <= patience else {
            return .refused(wait)
        }
        line.append(waiter, number: number)
        return .waits
    }

    /// Gives the tokens that have come to those who wait.
    ///
    /// - Returns: The calls that have one now, in order.
    package mutating func grant(now: Duration) -> [Waiter] {
        var granted: [Waiter] = []
        while !line.isEmpty, bucket.take(now: now) {
            if let waiter = line.removeFirst() {
                granted.append(waiter)
            }
        }
        return granted
    }

    /// How long it takes until the next token comes, if somebody waits for it.
    package mutating func nextToken(now: Duration) -> Duration? {
        line.isEmpty ? nil : bucket.wait(for: 1, now: now)
    }

    /// Takes a call out of the line; nil when it does not wait there any more.
    @discardableResult
    package mutating func giveUp(_ number: UInt64) -> Waiter? {
        line.remove(number)
    }

    /// Puts a token back that was not used.
    package mutating func giveBack() {
        bucket.giveBack()
    }

    /// Whether the bucket is full and nobody waits.
    package func isIdle(at now: Duration) -> Bool {
        line.isEmpty && bucket.isFull(at: now)
    }
}
