#if Demo
    import Foundation

    /// The connections of one server that wait for a request, so that those that wait too long can be ended.
    ///
    /// Why not a timer for each: a request would cost one, and a timer that is cancelled stays until its time has come.
    final class IdleConnections: Sendable {
        private struct Contents {
            var nextID = 0
            var waiting: [Int: (since: ContinuousClock.Instant, connection: Connection)] = [:]
        }

        /// How long a connection may wait for a request, or take to send one.
        let limit: Duration
        /// Guards the list of connections that wait. One that is in it is open.
        private let contents = Locked(Contents())

        init(limit: Duration) {
            self.limit = limit
        }

        /// Waits with a connection; when that takes too long, the client seems to have ended its side.
        func waiting<Result>(
            with connection: Connection, since: ContinuousClock.Instant = .now,
            for operation: () async throws -> Result
        ) async rethrows -> Result {
            let id = contents.withLock { contents in
                contents.nextID += 1
                contents.waiting[contents.nextID] = (since, connection)
                return contents.nextID
            }
            defer { _ = contents.withLock { $0.waiting.removeValue(forKey: id) } }
            return try await operation()
        }

        /// Ends those that wait too long, again and again, until the task is cancelled.
        func watch() async {
            while (try? await Task.sleep(for: max(limit / 4, .milliseconds(1)))) != nil {
                endExpired(at: .now)
            }
        }

        /// Ends those that have waited for longer than the limit.
        func endExpired(at now: ContinuousClock.Instant) {
            contents.withLock { contents in
                for (since, connection) in contents.waiting.values where now - since > limit {
                    connection.socket.endReceiving()
                }
            }
        }
    }
#endif
