internal import Foundation

/// What was measured of a request, as a line of the trace.
package enum ExchangeTiming {
    /// - Parameter steps: The names of the steps, with their times where they are known.
    package static func text(
        protocolName: String?, isReused: Bool = false, _ steps: [(name: String, time: Duration?)]
    ) -> String {
        let times = steps.compactMap { step in
            step.time.map { "\(step.name) \(Int(min(max(0, $0.seconds), 1e6) * 1000)) ms" }
        }
        return ([protocolName ?? "no connection"] + (isReused ? ["kept connection"] : []) + times)
            .joined(separator: ", ")
    }

    /// The time between two events, where the session has both.
    static func time(_ from: Date?, _ to: Date?) -> Duration? {
        from.flatMap { to?.timeIntervalSince($0) }.map { .seconds($0) }
    }
}
