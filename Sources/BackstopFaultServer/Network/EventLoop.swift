#if Demo
    import FlyingSocks

    /// The one place of the process where sockets wait until they can be read or written.
    ///
    /// Why one and not one per server: FlyingSocks' pool does not give back the descriptor that wakes it when it ends,
    /// so a pool per server would leak one descriptor each time a server is stopped.
    actor EventLoop {
        #if canImport(Darwin)
            typealias Pool = SocketPool<kQueue>
        #else
            typealias Pool = SocketPool<ePoll>
        #endif

        /// The loop that every server of this process shares.
        static let shared = EventLoop()

        #if canImport(Darwin)
            private let pool: Pool = .kQueue(maxEvents: 256)
        #else
            private let pool: Pool = .ePoll(maxEvents: 256)
        #endif

        /// Set by the first caller; later callers wait for the same start. Guarded by this actor.
        private var starting: Task<Void, any Error>?

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
        /// leaves a stale entry behind, and the next connection with the same descriptor would wait for ever; so
        /// call this before closing.
        func settle() {}
    }
#endif
