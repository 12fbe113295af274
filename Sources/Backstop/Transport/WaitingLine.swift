internal import BackstopCore

/// The places of one origin: how many are taken, and the waiters, first in, first out.
struct WaitingLine {
    /// A call that waits for a place. What ends its wait may come at any time; who gives it a place finds out.
    typealias Waiter = OneShot<Void, Void>

    /// How many places are taken.
    var taken = 0
    /// How many places there are.
    var limit: Int
    /// The waiters by ticket; those that left are not included.
    private var waiting: [UInt64: Waiter] = [:]
    private var firstTicket: UInt64 = 0
    private var nextTicket: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// How many wait.
    var count: Int {
        waiting.count
    }

    /// Takes a place if one is free; while there are waiters, none is.
    mutating func takePlace() -> Bool {
        guard taken < limit else {
            return false
        }
        taken += 1
        return true
    }

    /// Adds a waiter at the end; returns its ticket.
    mutating func append(_ waiter: Waiter) -> UInt64 {
        defer { nextTicket += 1 }
        waiting[nextTicket] = waiter
        return nextTicket
    }

    /// Removes a waiter, if it is still in this line.
    mutating func remove(_ waiter: Waiter, _ ticket: UInt64) {
        if waiting[ticket] === waiter {
            waiting[ticket] = nil
        }
    }

    /// The waiter that has waited longest; nil when there is none.
    mutating func removeFirst() -> Waiter? {
        while !waiting.isEmpty {
            defer { firstTicket += 1 }
            if let waiter = waiting.removeValue(forKey: firstTicket) {
                return waiter
            }
        }
        return nil
    }
}
