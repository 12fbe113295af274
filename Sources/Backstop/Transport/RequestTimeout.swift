internal import BackstopCore
internal import Foundation

/// How long a transport waits without a byte.
package enum RequestTimeout {
    /// The longest timeout: a week.
    package static let longest = 604_800.0

    /// How long a transport waits beyond a deadline, so that the Deadline interceptor comes first.
    static let grace = 5.0

    /// The interval for a request of the session; whole seconds, because Linux drops fractions.
    static func interval(remaining: Duration?, idle: Duration) -> TimeInterval {
        bounded(limit(remaining: remaining, idle: idle).seconds)
    }

    /// The limit for a request: with a deadline, until a little beyond it.
    package static func limit(remaining: Duration?, idle: Duration) -> Duration {
        remaining.map { max(.zero, $0) + .seconds(grace) } ?? idle
    }

    /// The seconds rounded up, from 1 to a week.
    static func bounded(_ seconds: Double) -> TimeInterval {
        guard !seconds.isNaN else {
            return longest
        }
        return min(longest, max(1, seconds.rounded(.up)))
    }
}
