/// The places of one origin: how many are taken, and who waits for one, first in first out.
struct WaitingLine {
    /// Somebody who waits for a place.
    final class Waiter: @unchecked Sendable {
        // Unchecked, because all of it is reached only under the limiter's lock.
        fileprivate var ticket: UInt64 = 0
        var continuation: CheckedContinuation<Void, any Error>?
        /// Why the wait is over, when that came before it had begun.
        var end: (any Error)?

        /// The continuation, for the one who resumes it.
        func takeContinuation() -> CheckedContinuation<Void, any Error>? {
            defer {
                continuation = nil
            }
            return continuation
        }
    }

    /// How many places are taken.
    var taken = 0
    /// How many there are.
    var limit: Int
    /// Those who wait, by their tickets; who left is not among them.
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

    /// Takes a place if one is free; while somebody waits, none is.
    mutating func takePlace() -> Bool {
        guard taken < limit else {
            return false
        }
        taken += 1
        return true
    }

    /// Puts somebody at the end.
    mutating func append(_ waiter: Waiter) {
        waiter.ticket = nextTicket
        waiting[nextTicket] = waiter
        nextTicket += 1
    }

    /// Lets somebody leave.
    mutating func remove(_ waiter: Waiter) {
        waiting.removeValue(forKey: waiter.ticket)
    }

    /// The one who has waited longest; nil when nobody waits.
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
