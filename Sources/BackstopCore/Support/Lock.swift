#if canImport(os)
    internal import os
#elseif BACKSTOP_PTHREAD_LOCK
    internal import Glibc
#else
    internal import Synchronization
#endif

/// A lock that owns the state it guards: `OSAllocatedUnfairLock` on Apple platforms, `Mutex` elsewhere.
///
/// `Synchronization.Mutex` needs macOS 15, and Backstop runs on macOS 13. On Linux, the thread sanitizer does not know
/// it, so a build with `-D BACKSTOP_PTHREAD_LOCK` has a lock of the C library, which it knows. Hold it for a few instructions only, never
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
    #elseif BACKSTOP_PTHREAD_LOCK
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private var state: State

        package init(_ state: State) {
            self.state = state
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state)
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
