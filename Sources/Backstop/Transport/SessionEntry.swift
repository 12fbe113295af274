#if canImport(FoundationNetworking)
    internal import BackstopCore
    internal import Dispatch

    /// Where the tasks of sessions are made and started on Linux.
    ///
    /// All sessions of the process share one queue, and whoever makes or starts a task waits for it. While the queue
    /// itself waits for the next chunk of a stream, no thread of the few that run Swift tasks may do that: the chunk is
    /// made on one of them. So as long as there is a stream, tasks start on a thread of their own.
    enum SessionEntry {
        private struct State {
            /// How many streams there are.
            var streams = 0
            /// How many starts are under way on threads of callers.
            var direct = 0
            /// The starts of streams that wait for those.
            var waiting: [@Sendable () -> Void] = []
        }

        /// A stream that the queue may wait for, from now until the object goes.
        final class Stream: Sendable {
            init() {
                SessionEntry.state.withLock { $0.streams += 1 }
            }

            deinit {
                SessionEntry.state.withLock { $0.streams -= 1 }
            }
        }

        /// Who enters, guarded by the lock: all transports share it.
        private static let state = Lock(State())
        private static let queue = DispatchQueue(label: "Backstop.URLSessionTransport.start")

        /// Runs something that waits for the queue: here, or on a thread of its own while there is a stream.
        static func enter(_ start: @escaping @Sendable () -> Void) {
            let isDirect = state.withLock { state in
                guard state.streams > 0 else {
                    state.direct += 1
                    return true
                }
                // Those that have begun where they were must not meet a queue that waits.
                guard state.direct == 0 else {
                    state.waiting.append(start)
                    return false
                }
                queue.async(execute: start)
                return false
            }
            guard isDirect else {
                return
            }
            start()
            // Handed over and released outside the lock: a start may hold the last reference to its stream, whose end
            // takes the lock.
            let waiting = state.withLock { state -> [@Sendable () -> Void] in
                state.direct -= 1
                guard state.direct == 0 else {
                    return []
                }
                defer { state.waiting = [] }
                return state.waiting
            }
            for start in waiting {
                queue.async(execute: start)
            }
        }
    }
#endif
