#if canImport(os)
    package import os
#elseif BACKSTOP_PTHREAD_LOCK
    package import Glibc
#else
    package import Synchronization
#endif

/// A lock that owns the state it guards: `OSAllocatedUnfairLock` on Apple platforms, `Mutex` elsewhere.
///
/// `Synchronization.Mutex` needs macOS 15, and Backstop runs on macOS 13. On Linux, the thread sanitizer does not know
/// it, so a build with `-D BACKSTOP_PTHREAD_LOCK` has a lock of the C library, which it knows. Hold it for a few
/// instructions only, never across an `await`, and never while the caller's code runs. It can be inlined, because other
/// modules would look up its types at run time otherwise, each time.
package final class Lock<State>: @unchecked Sendable {
    // Unchecked, because `State` need not be Sendable: it is reached only inside `withLock`, under the lock.
    #if canImport(os)
        @usableFromInline let storage: OSAllocatedUnfairLock<State>

        @inlinable
        package init(_ state: State) {
            storage = OSAllocatedUnfairLock(uncheckedState: state)
        }

        @inlinable
        package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try storage.withLockUnchecked(body)
        }
    #elseif BACKSTOP_PTHREAD_LOCK
        @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        @usableFromInline var state: State

        @inlinable
        package init(_ state: State) {
            self.state = state
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }

        @inlinable
        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        @inlinable
        package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state)
        }
    #else
        @usableFromInline let mutex = Mutex<Void>(())
        // Unchecked, because the lock is held wherever it is used.
        @exclusivity(unchecked) @usableFromInline var state: State

        @inlinable
        package init(_ state: State) {
            self.state = state
        }

        @inlinable
        package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try mutex.withLock { _ in
                try body(&state)
            }
        }
    #endif
}
