internal import Backstop

/// The limit of a bulkhead that adapts: none, until a service answers nothing in time.
///
/// Then it is halved, again and again while the calls that began after it run out of time too. The first answer brings it
/// back to half of what was too much, and further ones raise it: additive increase and multiplicative decrease (AIMD), as
/// of TCP's window (RFC 5681). A value without clock or lock.
package struct AdaptiveLimit: Sendable {
    /// How many calls may run while nothing speaks against it.
    package static let highest = 100_000
    /// How long a limit lasts after the last sign of trouble, and how often it is doubled from then on.
    private static let (lifetime, step) = (Duration.seconds(60), Duration.seconds(10))
    /// How many timeouts in a row are such a sign: as many as may run, within these bounds.
    private static let inARow = 10...100

    /// What a call has to know of the time when it began, so that its result can be judged.
    package struct Mark: Sendable, Hashable {
        /// Grows with each cut: the results of calls that began before it say nothing about it.
        package fileprivate(set) var round: UInt64 = 0
        /// How many calls were answered and ran out of time so far.
        fileprivate var (answers, timeouts) = (UInt64(0), UInt64(0))

        /// That of before the first call.
        package init() {}
    }

    /// How many calls may run.
    package private(set) var current = highest
    /// That of a call that begins now.
    package private(set) var mark = Mark()
    private let minimum: Int
    /// How many timeouts there were in a row, and how many calls ran meanwhile.
    private var timeouts = 0
    private var peak = 0
    /// Half of what was too much.
    private var threshold = highest
    private var progress = 0
    private var hasSucceeded = true
    private var lastSign = Duration.zero

    /// - Parameter minimum: How many calls may run in any case, 1 or more.
    package init(minimum: Int) {
        self.minimum = minimum
    }

    /// Whether there is a limit.
    package var isOn: Bool { current < Self.highest }

    /// Raises a limit whose time is over, until it is gone.
    package mutating func renew(at now: Duration) {
        while isOn, now.subtracting(lastSign) >= Self.lifetime {
            current = min(current * 2, Self.highest)
            lastSign = lastSign.adding(Self.step)
        }
    }

    /// Counts a result.
    ///
    /// - Parameters:
    ///   - isTimeout: Whether the call was sent and ran out of time; otherwise it was answered.
    ///   - mark: That of when the call got its place.
    ///   - running: How many calls run, this one included.
    /// - Returns: How many calls in a row have run out of time, if that was too many.
    package mutating func count(isTimeout: Bool, since mark: Mark, running: Int, now: Duration) -> Int? {
        renew(at: now)
        guard mark.round == self.mark.round else {
            return nil
        }
        guard isTimeout else {
            self.mark.answers += 1
            (timeouts, peak, hasSucceeded) = (0, 0, true)
            grow(running)
            return nil
        }
        self.mark.timeouts += 1
        // Of calls that begin together, those that run out of time end last.
        guard (self.mark.answers - mark.answers) * 10 <= self.mark.timeouts - mark.timeouts else {
            return nil
        }
        timeouts += 1
        peak = max(peak, running)
        guard timeouts >= Self.inARow.lowerBound else {
            return nil
        }
        lastSign = now
        let all = timeouts
        // Who has few calls under way anyhow is not the one who overloads a service.
        guard timeouts >= min(max(current, Self.inARow.lowerBound), Self.inARow.upperBound),
            isOn || peak / 2 >= minimum
        else {
            return nil
        }
        cut()
        return all
    }

    /// A limit that is not used says nothing about a higher one.
    private mutating func grow(_ running: Int) {
        guard isOn else {
            return
        }
        if current < threshold {
            (current, progress) = (threshold, 0)
        } else if running >= current / 2 {
            progress += 1
            (current, progress) = progress < current ? (current, progress) : (current + 1, 0)
        }
    }

    private mutating func cut() {
        current = max(minimum, min(current, peak) / 2)
        threshold = hasSucceeded ? current : threshold
        (hasSucceeded, progress, timeouts, peak) = (false, 0, 0, 0)
        mark.round += 1
    }
}
