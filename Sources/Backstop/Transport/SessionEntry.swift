#if canImport(FoundationNetworking)
    internal import Dispatch

    /// Where the tasks of sessions are made and started on Linux: on a thread of their own.
    ///
    /// All sessions of the process share one queue, and whoever makes or starts a task waits for it. The queue itself may
    /// wait for the next chunk of a stream, or read without a pause what a server sends in tiny chunks: none of the few
    /// threads that run Swift tasks may wait for that.
    enum SessionEntry {
        private static let queue = DispatchQueue(label: "Backstop.URLSessionTransport.start")

        /// Runs something that waits for the queue.
        static func enter(_ start: @escaping @Sendable () -> Void) {
            queue.async(execute: start)
        }
    }
#endif
