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

    private typealias Turn = OneShot<Void, Void>

    private struct Line {
        /// How many places there are, and how many are taken.
        var limit: Int
        var taken = 0
        var waiting = WaitingCalls<Turn>()
    }

    private struct State {
        var lines: [String: Line] = [:]
        var lastNumber: UInt64 = 0
    }

    /// How many exchanges with one origin run at once, each on its own connection.
    let limit: Int
    /// Places and waiters of each origin, guarded by the lock.
    private let state = Lock(State())

    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes a place if one is free; while there are waiters, none is.
    package func take(_ origin: String) -> Bool {
        state.withLock { take(origin, in: &$0) }
    }

    private func take(_ origin: String, in state: inout State) -> Bool {
        let line = state.lines[origin] ?? Line(limit: limit)
        guard line.taken < line.limit else {
            return false
        }
        state.lines[origin, default: line].taken += 1
        return true
    }

    /// Takes a place as soon as one is free; earlier waiters come first.
    ///
    /// - Throws: ``TimeoutError`` with `.connection` when none was free in time, `CancellationError` when the task was
    ///   cancelled; no place is then taken.
    package func wait(for origin: String, atMost patience: Duration, clock: any CallClock) async throws {
        try Task.checkCancellation()
        let turn = Turn()
        let number = state.withLock { state -> UInt64? in
            guard !take(origin, in: &state) else {
                return nil
            }
            state.lastNumber += 1
            state.lines[origin]?.waiting.append(turn, number: state.lastNumber)
            return state.lastNumber
        }
        guard let number else {
            return
        }
        try await turn.value(
            within: patience, clock: clock, or: .failure(TimeoutError(.connection, after: patience)),
            leaving: { _ = self.state.withLock { $0.lines[origin]?.waiting.remove(number) } })
    }

    /// Releases a place, to the next in line if there is one.
    package func giveBack(_ origin: String) {
        // Past those whose wait ended at this moment.
        while let next = release(origin), !next.end(with: .success(())) {}
    }

    /// The next in line, who has the place now; nil when it is free.
    private func release(_ origin: String) -> Turn? {
        state.withLock { state in
            if let next = state.lines[origin]?.waiting.removeFirst() {
                return next
            }
            state.lines[origin]?.taken -= 1
            if state.lines[origin]?.taken == 0 {
                state.lines[origin] = nil
            }
            return nil
        }
    }

    /// Records that an origin carries many exchanges on one connection; remembered until it is idle.
    package func allowMany(at origin: String) {
        let next = state.withLock { state -> [Turn] in
            guard var line = state.lines[origin], line.limit < Self.multiplexed else {
                return []
            }
            line.limit = Self.multiplexed
            var next: [Turn] = []
            while line.taken < line.limit, let turn = line.waiting.removeFirst() {
                line.taken += 1
                next.append(turn)
            }
            state.lines[origin] = line
            return next
        }
        for turn in next where !turn.end(with: .success(())) {
            giveBack(origin)
        }
    }

    /// The number of known origins, taken places and waiters, for tests.
    var counts: (origins: Int, taken: Int, waiting: Int) {
        state.withLock { state in
            state.lines.values.reduce(into: (state.lines.count, 0, 0)) { counts, line in
                counts.1 += line.taken
                counts.2 += line.waiting.count
            }
        }
    }
}
