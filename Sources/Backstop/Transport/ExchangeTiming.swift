internal import BackstopCore
internal import Foundation

/// What was measured of a request, as a line of the trace.
package enum ExchangeTiming {
    /// - Parameter steps: The names of the steps, with their times where they are known.
    package static func text(
        protocolName: String?, isReused: Bool = false, _ steps: [(name: String, time: Duration?)]
    ) -> String {
        // Without interpolation, because every request does this.
        var text = protocolName ?? "no connection"
        if isReused {
            text += ", kept connection"
        }
        for case (let name, let time?) in steps {
            text += ", "
            text += name
            text += " "
            text += String(Int(min(max(0, time.milliseconds), 1e9)))
            text += " ms"
        }
        return text
    }

    /// The time between two events, where the session has both.
    static func time(_ from: Date?, _ to: Date?) -> Duration? {
        from.flatMap { to?.timeIntervalSince($0) }.map { .seconds($0) }
    }
}
