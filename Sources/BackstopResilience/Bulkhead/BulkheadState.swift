internal import Backstop

/// The state machine of a bulkhead: how many calls run, and which wait.
///
/// A value without clock or lock. Calls wait only while all places are taken; a place that becomes free goes to a
/// waiting call at once, so no call overtakes those that wait.
package struct BulkheadState<Waiter> {
    /// The answer to a call that may wait.
    package enum Admission {
        /// It has a place.
        case runs
        /// It waits; perhaps in the stead of another, which has to be told.
        case waits(displacing: Waiter?)
        /// There is neither a place nor room to wait.
        case refused
    }

    /// How many calls have a place.
    package private(set) var running = 0
    /// Those who were refused, counted by the owner.
    var refusals = Refusals()
    private var queue = WaitingCalls<Waiter>()
    private let fixedLimit: Int
    private var adaptiveLimit: AdaptiveLimit?
    private let rule: BulkheadQueue

    /// Makes a bulkhead with no calls.
    ///
    /// - Parameters:
    ///   - limit: How many calls may run at once, 1 or more.
    ///   - adaptive: A limit that adapts, in the place of that one; nil for none.
    ///   - queue: Where others wait.
    package init(limit: Int = AdaptiveLimit.highest, adaptive: AdaptiveLimit? = nil, queue: BulkheadQueue) {
        fixedLimit = limit
        adaptiveLimit = adaptive
        rule = queue
    }

    /// How many calls may run at once now.
    package var limit: Int { adaptiveLimit?.current ?? fixedLimit }

    /// What judges the result of a call that gets its place now.
    package var mark: AdaptiveLimit.Mark { adaptiveLimit?.mark ?? AdaptiveLimit.Mark() }

    /// How many calls wait.
    package var waiting: Int { queue.count }

    /// Takes a place if one is free.
    package mutating func enter() -> Bool {
        guard running < limit, queue.isEmpty else {
            return false
        }
        running += 1
        return true
    }

    /// Takes a place if one is free, or waits if there is room.
    ///
    /// - Parameter number: Names the call while it waits.
    package mutating func enterOrWait(_ waiter: Waiter, number: UInt64) -> Admission {
        if enter() {
            return .runs
        }
        guard rule.limit > 0 else {
            return .refused
        }
        var displaced: Waiter?
        if queue.count >= rule.limit {
            guard rule.order == .lastInFirstOut else {
                return .refused
            }
            displaced = queue.removeFirst()
        }
        queue.append(waiter, number: number)
        return .waits(displacing: displaced)
    }

    /// Takes a call out of the queue; nil when it does not wait there any more.
    @discardableResult
    package mutating func giveUp(_ number: UInt64) -> Waiter? {
        queue.remove(number)
    }

    /// Raises a limit that adapts if its time is over; the calls that wait may then be admitted.
    package mutating func renew(at now: Duration) {
        adaptiveLimit?.renew(at: now)
    }

    /// Counts the result of a call, before it gives its place back.
    ///
    /// - Parameters:
    ///   - isTimeout: Whether it was sent and ran out of time; otherwise it was answered.
    ///   - mark: That of when it got its place.
    /// - Returns: How many calls in a row have run out of time, if the limit was cut for that.
    package mutating func count(isTimeout: Bool, since mark: AdaptiveLimit.Mark, now: Duration) -> Int? {
        adaptiveLimit?.count(isTimeout: isTimeout, since: mark, running: running, now: now) ?? nil
    }

    /// Gives a place back.
    ///
    /// - Returns: A call that has it now; nil when none waits.
    package mutating func leave() -> Waiter? {
        running -= 1
        return admit()
    }

    /// Gives a place to a waiting call; nil when none waits, or none is free.
    package mutating func admit() -> Waiter? {
        guard running < limit,
            let next = rule.order == .firstInFirstOut ? queue.removeFirst() : queue.removeLast()
        else {
            return nil
        }
        running += 1
        return next
    }
}

extension BulkheadState: KeyedState {
    /// A bulkhead in which calls run must be kept, or more would run than allowed.
    func use(at now: Duration) -> StateUse {
        var adaptive = adaptiveLimit
        adaptive?.renew(at: now)
        return running > 0 ? .kept : adaptive?.isOn == true ? .inUse : .atRest
    }
}
