#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// Whose call a failure is of: it travels in the values of the call, so that operators further down find the
    /// client's handlers, clock and observers.
    final class CallOrigin: Sendable {
        enum Key: CallKey {
            static var defaultValue: CallOrigin? { nil }
        }

        let handling: FailureHandling
        let clock: any CallClock
        let random: any RandomSource
        /// Whether somebody will tell the observers of the failure, guarded by the lock.
        private let isClaimed = Lock(false)

        init(_ client: Client) {
            handling = client.handling
            clock = client.options.clock
            random = client.options.random
        }

        /// Takes over to tell the observers of the failure; false when another already has.
        func claim() -> Bool {
            isClaimed.withLock { isClaimed in
                defer { isClaimed = true }
                return !isClaimed
            }
        }

        /// Leaves that to whoever gets the failure next.
        func release() {
            isClaimed.withLock { $0 = false }
        }
    }
#endif
