#if Demo
    import Foundation

    /// A value behind a lock, for state that several connections share.
    ///
    /// `Synchronization.Mutex` would do the same, but needs macOS 15.
    final class Locked<Value>: @unchecked Sendable {
        private let lock = NSLock()
        /// Only touched while `lock` is held.
        private var value: Value

        init(_ value: Value) {
            self.value = value
        }

        /// Runs the body while no one else can read or change the value.
        func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        }
    }
#endif
