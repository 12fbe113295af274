#if Demo
    /// The tasks of one server: it can cancel them all and wait until the last one has ended.
    ///
    /// Why not a task group: the one that forgets finished tasks needs macOS 14.
    final class TaskRegistry: Sendable {
        private struct Contents {
            var isStopped = false
            var nextID = 0
            var tasks: [Int: Task<Void, Never>] = [:]
        }

        /// Guards the list of running tasks, and whether new ones may start.
        private let contents = Locked(Contents())

        /// Starts a task that leaves the list when it has ended; after `stop` it starts cancelled.
        @discardableResult
        func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
            contents.withLock { contents in
                let id = contents.nextID
                contents.nextID += 1
                let task = Task.detached {
                    await operation()
                    _ = self.contents.withLock { $0.tasks.removeValue(forKey: id) }
                }
                contents.tasks[id] = task
                if contents.isStopped { task.cancel() }
                return task
            }
        }

        /// Cancels every task, now and later, and returns when the last one has ended.
        func stop() async {
            let running = contents.withLock { contents in
                contents.isStopped = true
                return Array(contents.tasks.values)
            }
            for task in running { task.cancel() }
            while let task = contents.withLock({ $0.tasks.values.first }) {
                await task.value
            }
        }
    }
#endif
