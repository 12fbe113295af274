#if Demo
    internal import Dispatch
    internal import Foundation
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// Control-C, `kill` and a closed terminal, as events to wait for.
    ///
    /// Only the first signal is such an event. After it, and once nobody waits any more, signals end the process as they
    /// end any other, whatever it is blocked on.
    enum Interrupt {
        /// Waits for the first signal, or until the task is cancelled.
        static func wait(for signals: AsyncStream<Int32>) async {
            for await _ in signals {
                return
            }
        }

        /// Cancels a task at the first signal while the operation runs.
        static func cancelling<Result: Sendable>(_ operation: @escaping @Sendable () async -> Result) async -> Result {
            let signals = signals()
            let task = Task { await operation() }
            let watcher = Task {
                await wait(for: signals)
                task.cancel()
            }
            let result = await task.value
            watcher.cancel()
            await watcher.value
            return result
        }

        /// SIGINT, SIGTERM, SIGHUP and SIGQUIT from now on; the first replaces its default action.
        static func signals() -> AsyncStream<Int32> {
            AsyncStream { continuation in
                let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { number in
                    let earlier = signal(number, SIG_IGN)
                    // A command under `nohup` outlives its terminal.
                    return number != SIGHUP || !isIgnoring(earlier)
                }
                let sources = numbers.map { number in
                    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                    source.setEventHandler {
                        restore(numbers)
                        continuation.yield(number)
                    }
                    source.resume()
                    return source
                }
                let box = Sources(all: sources)
                continuation.onTermination = { _ in
                    box.cancel()
                    restore(numbers)
                }
            }
        }

        /// Gives the signals their default actions again.
        private static func restore(_ numbers: [Int32]) {
            for number in numbers {
                signal(number, SIG_DFL)
            }
        }

        private static func isIgnoring<Handler>(_ handler: Handler) -> Bool {
            unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
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
