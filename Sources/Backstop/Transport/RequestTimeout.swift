internal import BackstopCore
internal import Foundation

/// How long the session waits without a byte; whole seconds, because Linux drops fractions.
enum RequestTimeout {
    /// The longest timeout for the session: a week.
    static let longest = 604_800.0

    /// How long the session waits beyond a deadline, so that the Deadline interceptor comes first.
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
