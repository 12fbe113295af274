internal import BackstopCore
internal import Foundation

/// How long the session waits for a byte to move; whole seconds, because Linux cuts off fractions.
enum RequestTimeout {
    /// The longest that is handed to the session: a week.
    static let longest = 604_800.0

    /// What the session waits beyond a deadline, so that the deadline's own interceptor comes first.
    static let grace = 5.0

    /// The interval for a request.
    static func interval(remaining: Duration?, idle: Duration) -> TimeInterval {
        guard let remaining else {
            return bounded(idle.seconds)
        }
        return bounded(max(0, remaining.seconds) + grace)
    }

    /// The seconds rounded up, from 1 to a week.
    static func bounded(_ seconds: Double) -> TimeInterval {
        guard !seconds.isNaN else {
            return longest
        }
        return min(longest, max(1, seconds.rounded(.up)))
    }
}
