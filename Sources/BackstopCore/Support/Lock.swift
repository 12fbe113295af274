#if canImport(os)
    internal import os
#else
    internal import Synchronization
#endif

/// A lock that owns the state it guards: `OSAllocatedUnfairLock` on Apple platforms, `Mutex` elsewhere.
///
/// `Synchronization.Mutex` needs macOS 15, and Backstop runs on macOS 13. Hold it for a few instructions only, never
/// across an `await`, and never while the caller's code runs.
package final class Lock<State>: @unchecked Sendable {
    // Unchecked, because `State` need not be Sendable: it is reached only inside `withLock`, under the lock.
    #if canImport(os)
        private let storage: OSAllocatedUnfairLock<State>

        package init(_ state: State) {
            storage = OSAllocatedUnfairLock(uncheckedState: state)
        }

        package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try storage.withLockUnchecked(body)
        }
    #else
        private let mutex = Mutex<Void>(())
        private var state: State

        package init(_ state: State) {
            self.state = state
        }

        package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try mutex.withLock { _ in
                try body(&state)
            }
        }
    #endif
}
