#if Demo
    import FlyingSocks

    /// The one place of the process where sockets wait until they can be read or written.
    ///
    /// Why one and not one per server: each pool keeps a thread.
    actor EventLoop {
        #if os(Linux)
            typealias Queue = ReadinessQueue
        #else
            typealias Queue = kQueue
        #endif
        typealias Pool = SocketPool<Queue>

        /// The loop that every server of this process shares.
        static let shared = EventLoop()

        private let pool = Pool(queue: EventLoop.makeQueue())

        /// Set by the first caller; later callers wait for the same start. Guarded by this actor.
        private var starting: Task<Void, any Error>?

        /// A queue that is not open yet.
        static func makeQueue() -> Queue {
            #if os(Linux)
                ReadinessQueue()
            #else
                kQueue(maxEvents: 256)
            #endif
        }

        /// The running pool; the first call starts it.
        func runningPool() async throws -> Pool {
            if let starting {
                try await starting.value
                return pool
            }
            let starting = Task.detached { [pool] in
                try await pool.prepare()
                Task.detached { try await pool.run() }
            }
            self.starting = starting
            try await starting.value
            return pool
        }
    }

    extension SocketPool {
        /// Returns when the pool has nothing half done.
        ///
        /// The pool resumes a waiting task first and forgets the socket afterwards. A socket that is closed in between
        /// leaves a stale entry behind, and the next connection with the same descriptor would never be
        /// reported as ready. Call this before closing.
        func settle() {}
    }
#endif
