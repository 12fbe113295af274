#if Demo
    /// One stream of `/graphql/stream`, and the operations whose results it brings.
    final class LiveStream: Sendable {
        /// Why an operation is not begun.
        enum Refusal: Sendable {
            case exists, tooMany
        }

        let writer = SharedWriter()
        let tasks = TaskRegistry()
        /// Those that run, guarded by the lock; each leaves when it has ended.
        private let operations = Locked<[String: Task<Void, Never>]>([:])

        /// Begins an operation; nil if it has begun.
        func begin(_ id: String, _ run: @escaping @Sendable () async -> Void) -> Refusal? {
            operations.withLock { operations in
                guard operations[id] == nil else { return .exists }
                guard operations.count < Limits.operations else { return .tooMany }
                // The task cannot leave the list before it is in there.
                operations[id] = tasks.start {
                    await run()
                    _ = self.operations.withLock { $0.removeValue(forKey: id) }
                }
                return nil
            }
        }

        /// Ends an operation. One that has ended meanwhile is unknown: the messages may have crossed.
        func end(_ id: String) {
            operations.withLock { $0[id] }?.cancel()
        }
    }
#endif
