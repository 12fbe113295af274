package import BackstopCore

/// The time limit of one attempt, over all its redirects; it runs only while the attempt has a connection.
package struct AttemptTime {
    private let limit: Duration?
    private var left: Duration
    private var timer: LimitTimer?
    private var start = Duration.zero

    /// - Parameter limit: Nil for no limit.
    package init(limit: Duration?) {
        self.limit = limit
        left = limit ?? .zero
    }

    /// The time that is left; nil for no limit.
    package var remaining: Duration? {
        limit == nil ? nil : left
    }

    /// Ends an exchange when the time is up.
    package mutating func begin(clock: any CallClock, end: @escaping @Sendable (TimeoutError) -> Void) {
        guard let limit else {
            return
        }
        start = clock.now
        timer = LimitTimer(after: left, clock: clock) {
            end(TimeoutError(.attempt, after: limit))
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
        left -= (end ?? clock.now) - start
    }
}
