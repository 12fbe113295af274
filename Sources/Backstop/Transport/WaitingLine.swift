internal import BackstopCore

/// The places of one origin: how many are taken, and the waiters, first in, first out.
struct WaitingLine {
    /// A call that waits for a place. What ends its wait may come at any time; who gives it a place finds out.
    typealias Waiter = OneShot<Void, Void>

    /// How many places are taken.
    var taken = 0
    /// How many places there are.
    var limit: Int
    /// The waiters by the limiter's tickets; those that left are not included.
    var waiting = WaitingCalls<Waiter>()

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a place if one is free; while there are waiters, none is.
    mutating func takePlace() -> Bool {
        guard taken < limit else {
            return false
        }
        taken += 1
        return true
    }
}
