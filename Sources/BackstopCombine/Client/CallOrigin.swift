#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// The client of a failed call: it travels in the values of the call, so that operators downstream find the
    /// client's handlers, clock and observers.
    final class CallOrigin: Sendable {
        enum Key: CallKey {
            static var defaultValue: CallOrigin? { nil }
        }

        let handling: FailureHandling
        let clock: any CallClock
        let random: any RandomSource
        /// Whether an operator will report the failure to the observers, guarded by the lock.
        private let isClaimed = Lock(false)

        init(_ client: Client) {
            handling = client.handling
            clock = client.options.clock
            random = client.options.random
        }

        /// Claims the report to the observers; false when another already has.
        func claim() -> Bool {
            isClaimed.withLock { isClaimed in
                defer { isClaimed = true }
                return !isClaimed
            }
        }

        /// Leaves the report to the next that receives the failure.
        func release() {
            isClaimed.withLock { $0 = false }
        }
    }
#endif
