/// So many turns, which are given out in the order in which they are asked for.
package actor Turns {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let width: Int
    private var free: Int
    private var nextID = 0
    private var waiters: [Waiter] = []
    private var onRest: [CheckedContinuation<Void, Never>] = []

    /// - Parameter width: How many turns there are at a time, 1 or more.
    package init(width: Int) {
        self.width = width
        free = width
    }

    /// How many wait for a turn.
    package var waiting: Int { waiters.count }

    /// Returns when it is the caller's turn, which ends with `giveBack()`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn. There is nothing to give back then.
    package func take() async throws {
        try Task.checkCancellation()
        guard free == 0 else {
            free -= 1
            return
        }
        let id = nextID
        nextID += 1
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiters.append(Waiter(id: id, continuation: continuation))
                }
            }
        } onCancel: {
            Task { await leave(id) }
        }
    }

    /// Ends a turn. The one who has waited longest has the next.
    package func giveBack() {
        if waiters.isEmpty {
            free += 1
            if free == width {
                onRest.forEach { $0.resume() }
                onRest = []
            }
        } else {
            waiters.removeFirst().continuation.resume()
        }
    }

    /// Returns when nobody has a turn, or waits for one.
    package func rest() async {
        if free < width {
            await withCheckedContinuation { onRest.append($0) }
        }
    }

    private func leave(_ id: Int) {
        if let index = waiters.firstIndex(where: { $0.id == id }) {
            waiters.remove(at: index).continuation.resume(throwing: CancellationError())
        }
    }
}

extension Turns {
    /// For calls of Foundation's own session, one at a time.
    ///
    /// On Linux, `URLSession.data(for:)` waits, on a thread of the pool, for the queue that all sessions share, and which
    /// may wait for the next chunk of a body. With as many calls as the pool has threads, nobody makes that chunk any
    /// more, and everything stands still until a limit strikes.
    package static let foundation = Turns(width: 1)

    /// Does something in a turn of its own.
    package nonisolated(nonsending) func alone<Value: Sendable>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        try await take()
        do {
            let value = try await body()
            await giveBack()
            return value
        } catch {
            await giveBack()
            throw error
        }
    }
}
