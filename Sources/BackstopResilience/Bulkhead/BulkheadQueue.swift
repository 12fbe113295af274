public import Backstop

/// Where calls wait for a place in a ``Bulkhead``: how many, in which order, and for how long.
public struct BulkheadQueue: Sendable, Hashable {
    /// Which of the waiting calls comes next.
    public enum Order: Sendable, Hashable {
        /// The one that has waited longest. When the queue is full, the new call is rejected.
        case firstInFirstOut
        /// The one that came last. When the queue is full, the one that has waited longest is rejected.
        case lastInFirstOut
    }

    /// Which of the waiting calls comes next.
    public let order: Order
    /// How many calls may wait. Range: 0 to 100,000.
    public let limit: Int
    /// How long a call may wait, up to a day.
    public let timeout: Duration

    /// 100 calls, first in, first out, 10 s each: as many as an app starts at once, and as long as a person waits.
    public static let standard = BulkheadQueue(order: .firstInFirstOut, limit: 100, timeout: .seconds(10))

    /// No queue: a call that finds no place is rejected at once.
    public static let none = BulkheadQueue(order: .firstInFirstOut, limit: 0, timeout: .zero)

    private init(order: Order, limit: Int, timeout: Duration) {
        self.order = order
        self.limit = limit
        self.timeout = timeout
    }

    /// A fair queue: for work that all has to be done, such as uploads.
    ///
    /// - Parameters:
    ///   - limit: How many calls may wait, from 0 to 100,000.
    ///   - timeout: How long a call may wait, more than 0, up to a day.
    /// - Throws: `ConfigurationError` when a value is out of its range.
    public static func firstInFirstOut(
        _ limit: Int, timeout: Duration = .seconds(10)
    ) throws(ConfigurationError) -> BulkheadQueue {
        try checked(.firstInFirstOut, limit, timeout)
    }

    /// A queue in which the newest call comes first: for what people look at. Under overload somebody is served in time,
    /// whereas in a fair queue everybody waits until it is too late.
    ///
    /// - Parameters:
    ///   - limit: How many calls may wait, from 0 to 100,000.
    ///   - timeout: How long a call may wait, more than 0, up to a day.
    /// - Throws: `ConfigurationError` when a value is out of its range.
    public static func lastInFirstOut(
        _ limit: Int, timeout: Duration = .seconds(10)
    ) throws(ConfigurationError) -> BulkheadQueue {
        try checked(.lastInFirstOut, limit, timeout)
    }

    private static func checked(
        _ order: Order, _ limit: Int, _ timeout: Duration
    ) throws(ConfigurationError) -> BulkheadQueue {
        try ConfigurationError.require(
            (0...100_000).contains(limit), "BulkheadQueue.limit", "must be from 0 to 100000, but is \(limit)",
            fix: "Set how many calls may wait for a place; 0 rejects them at once")
        try ConfigurationError.require(
            timeout > .zero && timeout <= .seconds(86_400), "BulkheadQueue.timeout",
            "must be more than 0 and up to a day, but is \(timeout.text)",
            fix: "Set how long a call may wait for a place, for example .seconds(10)")
        return BulkheadQueue(order: order, limit: limit, timeout: timeout)
    }
}
