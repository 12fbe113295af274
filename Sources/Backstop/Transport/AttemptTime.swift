internal import BackstopCore

/// The time limit of one attempt, over all its redirects; it runs only while the attempt has a connection.
struct AttemptTime {
    private let limit: Duration?
    private var left: Duration
    private var timer: LimitTimer?
    private var start = Duration.zero

    /// - Parameter limit: Nil for no limit.
    init(limit: Duration?) {
        self.limit = limit
        left = limit ?? .zero
    }

    /// Ends an exchange when the time is up.
    mutating func begin(_ exchange: Exchange, clock: any CallClock) {
        guard let limit else {
            return
        }
        start = clock.now
        timer = LimitTimer(after: left, clock: clock) {
            exchange.end(with: TimeoutError(.attempt, after: limit))
        }
    }

    /// Pauses the time until the next exchange starts.
    mutating func pause(clock: any CallClock) {
        guard let running = timer else {
            return
        }
        running.cancel()
        timer = nil
        left -= clock.now - start
    }
}
