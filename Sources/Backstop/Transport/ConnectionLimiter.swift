package import BackstopCore

/// Hands out the connections to each origin, so that waiting for one does not count toward an exchange's time limit.
///
/// Pools of connections open a few to a host and queue further requests invisibly, so that with a slow server calls
/// time out that were never sent. Here they wait in front of the pool, first in, first out; a waiter that is
/// cancelled or times out leaves the line, and a released place goes to the next.
///
/// An origin is forgotten when its last place is released, so there are never more of them than running exchanges.
package final class ConnectionLimiter: Sendable {
    /// How many concurrent exchanges a multiplexing origin gets: the minimum that HTTP/2 recommends servers to allow
    /// (RFC 9113, 6.5.2).
    static let multiplexed = 100

    /// How many exchanges with one origin run at once, each on its own connection.
    let limit: Int
    /// Places and waiters of each origin, guarded by the lock.
    private let lines = Lock<[String: WaitingLine]>([:])

    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes a place if one is free.
    package func take(_ origin: String) -> Bool {
        lines.withLock { take(origin, in: &$0) }
    }

    private func take(_ origin: String, in lines: inout [String: WaitingLine]) -> Bool {
        lines[origin, default: WaitingLine(limit: limit)].takePlace()
    }

    /// Takes a place as soon as one is free; earlier waiters come first.
    ///
    /// - Throws: ``TimeoutError`` with `.connection` when none was free in time, `CancellationError` when the task was
    ///   cancelled; no place is then taken.
    package func wait(for origin: String, atMost patience: Duration, clock: any CallClock) async throws {
        try Task.checkCancellation()
        let waiter = WaitingLine.Waiter()
        let ticket = lines.withLock { lines in
            take(origin, in: &lines) ? nil : lines[origin]?.append(waiter)
        }
        guard let ticket else {
            return
        }
        try await waiter.value(
            within: patience, clock: clock, or: .failure(TimeoutError(.connection, after: patience)),
            leaving: { self.lines.withLock { $0[origin]?.remove(waiter, ticket) } })
    }

    /// Releases a place, to the next in line if there is one.
    package func giveBack(_ origin: String) {
        var next: WaitingLine.Waiter?
        repeat {
            next = lines.withLock { lines in
                guard var line = lines.removeValue(forKey: origin) else {
                    return nil
                }
                let next = line.removeFirst()
                line.taken -= next == nil ? 1 : 0
                lines[origin] = line.taken > 0 ? line : nil
                return next
            }
            // Past those whose wait ended at this moment.
        } while next?.end(with: .success(())) == false
    }

    /// Records that an origin carries many exchanges on one connection; remembered until it is idle.
    package func allowMany(at origin: String) {
        let next = lines.withLock { lines -> [WaitingLine.Waiter] in
            guard var line = lines[origin], line.limit < Self.multiplexed else {
                return []
            }
            line.limit = Self.multiplexed
            var next: [WaitingLine.Waiter] = []
            while line.taken < line.limit, let waiter = line.removeFirst() {
                line.taken += 1
                next.append(waiter)
            }
            lines[origin] = line
            return next
        }
        for waiter in next where !waiter.end(with: .success(())) {
            giveBack(origin)
        }
    }

    /// The number of known origins, taken places and waiters, for tests.
    var counts: (origins: Int, taken: Int, waiting: Int) {
        lines.withLock { lines in
            lines.values.reduce(into: (lines.count, 0, 0)) { counts, line in
                counts.1 += line.taken
                counts.2 += line.count
            }
        }
    }
}
