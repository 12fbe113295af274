package import BackstopCore

/// The time limit of one attempt, over all its redirects; it runs only while the attempt has a connection.
package struct AttemptTime {
    private let limit: Duration?
    /// How many bytes make the limit a second longer; 0 when none do.
    private let rate: Int32
    private var left: Duration
    private var timer: LimitTimer?
    private var start = Duration.zero
    /// How many bytes the running exchange has sent and received.
    private var moved: (@Sendable () -> Int64)?

    package init(_ context: CallContext) {
        limit = context.attemptLimit
        rate = context.attemptRate
        left = limit ?? .zero
    }

    /// The time that is left; nil for no limit.
    package var remaining: Duration? {
        limit == nil ? nil : left
    }

    /// Ends an exchange when the time is up.
    ///
    /// - Parameter moved: How many bytes the exchange has sent and received; asked when the time is up.
    package mutating func begin(
        clock: any CallClock, moved: @escaping @Sendable () -> Int64, end: @escaping @Sendable (TimeoutError) -> Void
    ) {
        guard let limit else {
            return
        }
        start = clock.now
        self.moved = moved
        let (left, start, rate) = (left, start, rate)
        timer = .repeating(after: left, clock: clock) {
            let earned = Self.earned(by: moved, rate)
            let rest = left + earned - (clock.now - start)
            guard earned > .zero, rest > .zero else {
                end(TimeoutError(.attempt, after: limit + earned))
                return nil
            }
            return rest
        }
    }

    /// Pauses the time until the next exchange starts.
    ///
    /// - Parameter end: Since when it has stood still; nil for now.
    package mutating func pause(clock: any CallClock, since end: Duration? = nil) {
        guard let running = timer else {
            return
        }
        running.cancel()
        timer = nil
        // What the bytes earned pays for their own exchange only.
        left -= max(.zero, (end ?? clock.now) - start - Self.earned(by: moved, rate))
        moved = nil
    }

    private static func earned(by moved: (@Sendable () -> Int64)?, _ rate: Int32) -> Duration {
        rate > 0 ? .seconds((moved?() ?? 0) / Int64(rate)) : .zero
    }
}
