#if Demo
    /// Someone who waits until something has happened often enough.
    struct EventWaiter {
        /// What a server counts per path.
        enum Event: Sendable {
            case request, disconnection
        }

        let id: Int
        let event: Event
        let path: String
        let count: Int
        /// Resumed once: with true when the count is reached, with false when it never will be.
        let continuation: CheckedContinuation<Bool, Never>
    }
#endif
