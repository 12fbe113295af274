internal import Backstop

/// A bucket of tokens that fills at a constant rate: each call takes one.
///
/// A value without clock or lock. It counts in whole units (time times the number of tokens of a period), so that
/// nothing is rounded, and it does not drift.
package struct TokenBucket: Sendable, Hashable {
    /// The rate of a bucket.
    package struct Rate: Sendable, Hashable {
        /// How many tokens come in a period.
        package let count: Int
        /// The period.
        package let period: Duration
        /// How many tokens the bucket holds.
        package let burst: Int

        package init(count: Int, period: Duration, burst: Int) {
            self.count = count
            self.period = period
            self.burst = burst
        }
    }

    private let rate: Rate
    /// What is in the bucket: a token is worth a period.
    private var content: Duration
    /// When that was so.
    private var time: Duration
    /// Until when nobody gets one; nil for no such pause. Tokens come meanwhile, as at any time.
    private(set) var pauseEnd: Duration?

    /// Makes a full bucket.
    package init(_ rate: Rate, now: Duration) {
        self.rate = rate
        content = rate.period * rate.burst
        time = now
    }

    /// Whether it is full.
    package func isFull(at now: Duration) -> Bool {
        var later = self
        later.fill(until: now)
        return later.content == rate.period * rate.burst
    }

    /// How many whole tokens there are.
    package mutating func tokens(at now: Duration) -> Int {
        fill(until: now)
        // The quotient is a `Double`, which is off by a little for long periods.
        let tokens = Int((content / rate.period).rounded())
        return rate.period * tokens <= content ? tokens : tokens - 1
    }

    /// Takes so many tokens if there are as many.
    package mutating func take(_ tokens: Int = 1, now: Duration) -> Bool {
        fill(until: now)
        // Compared before the product, which could be too large.
        guard tokens <= rate.burst, content >= rate.period * tokens, pauseRest(at: time) == .zero else {
            return false
        }
        content -= rate.period * tokens
        return true
    }

    /// Puts tokens back that were not used.
    package mutating func giveBack(_ tokens: Int = 1) {
        content = min(content + rate.period * tokens, rate.period * rate.burst)
    }

    /// Lets nobody have a token for a time.
    ///
    /// - Returns: Whether it could be had earlier before.
    package mutating func pause(for pause: Duration, now: Duration) -> Bool {
        fill(until: now)
        let end = time.adding(pause)
        guard end > max(time, pauseEnd ?? time) else {
            return false
        }
        pauseEnd = end
        return true
    }

    /// How long nobody gets a token; zero where there is no pause.
    package func pauseRest(at now: Duration) -> Duration {
        pauseEnd.map { max(.zero, $0 - now) } ?? .zero
    }

    /// How long it takes until so many tokens have come, those that are there included.
    package mutating func wait(for tokens: Int, now: Duration) -> Duration {
        fill(until: now)
        // What comes in a pause may be more than it holds.
        var later = self
        let start = max(time, pauseEnd ?? time)
        later.fill(until: start)
        let missing = rate.period * tokens - later.content
        return start - time + (missing > .zero ? Self.quotient(missing, rate.count) : .zero)
    }

    /// Time never goes back: a call that read the clock before another one may be counted after it. Only when the clock
    /// itself went back, by more than it takes to fill the bucket, the time goes on from there.
    private mutating func fill(until now: Duration) {
        guard now > time else {
            let patience = max(Self.quotient(rate.period * rate.burst, rate.count), .seconds(10))
            if now.adding(patience) < time {
                (time, pauseEnd) = (now, pauseEnd.map { now + max(.zero, $0 - time) })
            }
            return
        }
        let missing = rate.period * rate.burst - content
        // Compared before the product, which could be too large for a long time.
        content =
            now - time >= Self.quotient(missing, rate.count) ? content + missing : content + (now - time) * rate.count
        time = now
    }

    /// The smallest time that, times the divisor, is enough.
    private static func quotient(_ time: Duration, _ divisor: Int) -> Duration {
        let quotient = time / divisor
        return quotient * divisor < time ? quotient + Duration(secondsComponent: 0, attosecondsComponent: 1) : quotient
    }
}
