/// The places of one origin: how many are taken, and the waiters, first in, first out.
struct WaitingLine {
    /// A waiter for a place.
    final class Waiter: @unchecked Sendable {
        // Unchecked, because it is accessed only under the limiter's lock.
        fileprivate var ticket: UInt64 = 0
        var continuation: CheckedContinuation<Void, any Error>?
        /// Why the wait is over, if that came before it began.
        var end: (any Error)?

        /// The continuation, for the caller to resume.
        func takeContinuation() -> CheckedContinuation<Void, any Error>? {
            defer {
                continuation = nil
            }
            return continuation
        }
    }

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

    /// Adds a waiter at the end.
    mutating func append(_ waiter: Waiter) {
        waiter.ticket = nextTicket
        waiting[nextTicket] = waiter
        nextTicket += 1
    }

    /// Removes a waiter.
    mutating func remove(_ waiter: Waiter) {
        waiting.removeValue(forKey: waiter.ticket)
    }

    /// The waiter that has waited longest; nil when there is none.
    mutating func removeFirst() -> Waiter? {
        guard !waiting.isEmpty else {
            return nil
        }
        while firstTicket < nextTicket {
            defer { firstTicket += 1 }
            if let waiter = waiting.removeValue(forKey: firstTicket) {
                return waiter
            }
        }
        return nil
    }
}
