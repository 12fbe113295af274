#if Demo
    internal import Dispatch
    internal import Foundation

    /// Control-C and `kill`, as events to wait for.
    enum Interrupt {
        /// Waits for the first SIGINT or SIGTERM, or until the task is cancelled.
        ///
        /// - Parameter signals: The signals observed so far, in case one comes before the wait.
        static func wait(for signals: AsyncStream<Int32> = signals()) async {
            for await _ in signals {
                return
            }
        }

        /// Cancels a task at the first SIGINT or SIGTERM while the operation runs.
        static func cancelling<Result: Sendable>(_ operation: @escaping @Sendable () async -> Result) async -> Result {
            let task = Task { await operation() }
            let watcher = Task {
                await wait()
                task.cancel()
            }
            defer { watcher.cancel() }
            return await task.value
        }

        /// SIGINT and SIGTERM from now on, instead of their default actions.
        static func signals() -> AsyncStream<Int32> {
            AsyncStream { continuation in
                let sources = [SIGINT, SIGTERM].map { number in
                    signal(number, SIG_IGN)
                    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                    source.setEventHandler { continuation.yield(number) }
                    source.resume()
                    return source
                }
                let box = Sources(all: sources)
                continuation.onTermination = { _ in box.cancel() }
            }
        }

        /// Dispatch sources may be cancelled from any thread, but are marked so only on Apple platforms.
        private struct Sources: @unchecked Sendable {
            let all: [any DispatchSourceSignal]

            func cancel() {
                for source in all {
                    source.cancel()
                }
            }
        }
    }
#endif
