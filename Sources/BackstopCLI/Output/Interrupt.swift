#if Demo
    internal import Foundation
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// Control-C, `kill` and a closed terminal, as events to wait for.
    ///
    /// Only the first signal is such an event. After it, and once nobody waits any more, signals end the process as they
    /// end any other, whatever it is blocked on.
    enum Interrupt {
        /// Waits for the first signal, or until the task is cancelled.
        ///
        /// - Returns: The signal; nil when the task was cancelled.
        @discardableResult
        static func wait(for signals: AsyncStream<Int32>) async -> Int32? {
            await signals.first { _ in true }
        }

        /// Cancels a task at the first signal while the operation runs.
        ///
        /// - Returns: What the operation returns, and the signal; nil for none.
        static func cancelling<Result: Sendable>(
            _ operation: @escaping @Sendable () async -> Result
        ) async -> (result: Result, signal: Int32?) {
            let signals = signals()
            let task = Task { await operation() }
            let watcher = Task {
                let signal = await wait(for: signals)
                task.cancel()
                return signal
            }
            let result = await task.value
            watcher.cancel()
            return (result, await watcher.value)
        }

        /// Ends the process as a signal does that was waited for, so that a loop of a shell ends as well.
        static func end(by signal: Int32) {
            // The threads of tasks block signals.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, signal)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(signal)
        }

        /// SIGINT, SIGTERM, SIGHUP and SIGQUIT from now on; the first replaces its default action.
        ///
        /// Why no signal source of Dispatch: on a busy Linux it loses about one signal in three hundred.
        static func signals() -> AsyncStream<Int32> {
            AsyncStream { continuation in
                var ends: [Int32] = [-1, -1]
                // Without a pipe, signals keep their default actions.
                guard pipe(&ends) == 0 else { return }
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                signalPipe = ends[1]
                let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { number in
                    let earlier = signal(number) { number in
                        let before = errno
                        var byte = UInt8(truncatingIfNeeded: number)
                        _ = write(signalPipe, &byte, 1)
                        errno = before
                    }
                    // A command under `nohup` outlives its terminal.
                    guard number == SIGHUP, isIgnoring(earlier) else { return true }
                    signal(number, SIG_IGN)
                    return false
                }
                let reading = ends[0]
                Thread.detachNewThread {
                    var byte: UInt8 = 0
                    while read(reading, &byte, 1) < 0, errno == EINTR {}
                    restore(numbers)
                    continuation.yield(Int32(byte))
                }
                continuation.onTermination = { _ in restore(numbers) }
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
    }

    /// Where the handler of signals writes their numbers. Written once, before the handler is there; -1 before that.
    nonisolated(unsafe) private var signalPipe: Int32 = -1
#endif
