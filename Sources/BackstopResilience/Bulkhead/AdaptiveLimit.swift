internal import Backstop

/// The limit of a bulkhead that adapts: none, until a service answers next to nothing in time.
///
/// Then it is halved, again and again while the calls that began after it run out of time too. The first answer brings it
/// back to half of what was too much, and further ones raise it: additive increase and multiplicative decrease (AIMD), as
/// of TCP's window (RFC 5681). A value without clock or lock.
package struct AdaptiveLimit: Sendable {
    /// How many calls may run while nothing speaks against it.
    package static let highest = 100_000
    /// How long a limit lasts after the last sign of trouble; twice as long where trouble came back as soon as the last
    /// one was gone, up to ten times.
    private static let (lifetime, longestLifetime) = (Duration.seconds(60), Duration.seconds(600))
    /// The share of timeouts among the last 100 results that is such a sign, and how many results it takes.
    private static let (share, results) = (0.9, 10)

    /// How many calls may run.
    package private(set) var current = highest
    /// Grows with each cut: the results of calls that began before it say nothing about it.
    package private(set) var round: UInt64 = 0
    private let minimum: Int
    private var counts = CircuitCounts(.standard)
    /// Half of what was too much.
    private var threshold = highest
    private var progress = 0
    private var hasSucceeded = true
    private var lastSign = Duration.zero
    private var lifetime = Self.lifetime
    /// When the last limit was gone; nil for never.
    private var lastEnd: Duration?

    /// - Parameter minimum: How many calls may run in any case, 1 or more.
    package init(minimum: Int) {
        self.minimum = minimum
    }

    /// Forgets a limit whose time is over.
    package mutating func renew(at now: Duration) {
        if current < Self.highest, now.subtracting(lastSign) >= lifetime {
            (current, threshold, progress, lastEnd) = (Self.highest, Self.highest, 0, now)
            counts.clear()
        }
    }

    /// Counts a result.
    ///
    /// - Parameters:
    ///   - outcome: A failure for a call that ran out of time, a success for one that was answered.
    ///   - round: That in which the call got its place.
    ///   - running: How many calls run, this one included.
    /// - Returns: What it saw, if that was a sign of trouble.
    package mutating func count(
        _ outcome: CircuitOutcome, of round: UInt64, running: Int, now: Duration
    ) -> CircuitTransition.Cause? {
        renew(at: now)
        guard round == self.round, outcome != .ignored else {
            return nil
        }
        counts.add(isFailure: outcome == .failure, isSlow: false, now: now)
        if outcome == .success {
            hasSucceeded = true
            grow(running)
            return nil
        }
        let (failures, all) = (counts.failures, counts.calls)
        guard all >= Self.results, Double(failures) >= Self.share * Double(all) else {
            return nil
        }
        cut(running, now)
        return .failures(failures, of: all)
    }

    /// A limit that is not used says nothing about a higher one.
    private mutating func grow(_ running: Int) {
        if current < threshold {
            (current, progress) = (threshold, 0)
        } else if current < Self.highest, running >= current / 2 {
            progress += 1
            (current, progress) = progress < current ? (current, progress) : (current + 1, 0)
        }
    }

    private mutating func cut(_ running: Int, _ now: Duration) {
        if current == Self.highest {
            let isBack = lastEnd.map { now.subtracting($0) < lifetime } ?? false
            lifetime = isBack ? min(lifetime * 2, Self.longestLifetime) : Self.lifetime
        }
        current = max(minimum, min(current, running) / 2)
        threshold = hasSucceeded ? current : threshold
        (hasSucceeded, progress, lastSign) = (false, 0, now)
        round += 1
        counts.clear()
    }
}
