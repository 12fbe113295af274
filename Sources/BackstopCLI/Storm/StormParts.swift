#if Demo
    internal import BackstopCore
    internal import BackstopResilience

    extension Storm {
        /// A call that is under way, in a place that others use after it.
        struct Call {
            var client: Int32 = 0
            /// Changes with each request, and when the call ends.
            var generation: Int32 = 0
            var attempts: Int32 = 0
            var start: Int64 = 0
            var repeatsTimeout = false
            var permit: Circuit.Permit?
            /// What judges its result in the client's bulkhead, where it has a place.
            var mark = AdaptiveLimit.Mark()
            /// Why its request fails, if it does so before the timeout.
            var cause = Cause.fault
        }

        /// A request of a call.
        typealias Job = (slot: Int32, generation: Int32)

        struct Counts {
            var begun = 0, succeeded = 0, refused = 0, served = 0, wasted = 0, begunInOutage = 0, sentInOutage = 0
        }

        /// Why an attempt fails.
        enum Cause: Int {
            case timeout, refused, fault
        }
    }

    /// The settings in nanoseconds.
    struct StormTimes {
        let outage: Range<Int64>
        let end: Int64
        let service: Int64
        /// How long a request takes while only a part of the servers works.
        let partialService: Int64
        let timeout: Int64
        let failure: Int64
        /// How long a call waits for a place in a bulkhead.
        let wait: Int64
        /// The mean time between two calls.
        let between: Double

        init(_ settings: StormSettings) {
            func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }
            outage =
                nanoseconds(
                    Double(settings.outageTime.lowerBound))..<nanoseconds(
                    Double(settings.outageTime.upperBound))
            end = nanoseconds(Double(settings.duration))
            service = max(1, nanoseconds(1 / settings.capacity))
            partialService = settings.down < 1 ? nanoseconds(1 / settings.capacity / (1 - settings.down)) : service
            timeout = nanoseconds(settings.timeout)
            wait = nanoseconds(BulkheadQueue.standard.timeout.seconds)
            failure = nanoseconds(StormSettings.failureDelay)
            between = 1e9 / settings.callRate
        }
    }

    /// Random numbers of the model itself (SplitMix64); each purpose has a stream of its own, so that all policies meet
    /// the same calls.
    struct StormRandom {
        private var state: UInt64

        init(seed: UInt64, stream: UInt64) {
            state = seed &* 0xD129_0B2A_4F35_9E6D &+ stream &* 0x2545_F491_4F6C_DD1D
        }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }

        mutating func unit() -> Double {
            Double(next() >> 11) * 0x1p-53
        }

        mutating func below(_ bound: Int) -> Int {
            Int(next().multipliedFullWidth(by: UInt64(bound)).high)
        }
    }

    /// A request that is never sent.
    struct UnsentRequest: CallRequest {
        var isIdempotent: Bool { true }
        var isReplayable: Bool { true }
        func summary(_ redaction: Redaction) -> String { "" }
    }

    struct StormClock: CallClock {
        var now: Duration { .zero }
        var date: Duration { .zero }
        func sleep(for duration: Duration) async throws {}
    }
#endif
