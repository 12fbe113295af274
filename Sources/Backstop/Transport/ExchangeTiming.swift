internal import Foundation

/// What the session measured of a request, as a line of the trace.
enum ExchangeTiming {
    /// - Parameter steps: The names of the steps, with their beginning and end where the session has them.
    static func text(protocolName: String?, isReused: Bool, _ steps: [(name: String, from: Date?, to: Date?)]) -> String
    {
        let times = steps.compactMap { name, from, to in
            from.flatMap { to?.timeIntervalSince($0) }.map { "\(name) \(Int(min(max(0, $0), 1e6) * 1000)) ms" }
        }
        return ([protocolName ?? "no connection"] + (isReused ? ["kept connection"] : []) + times)
            .joined(separator: ", ")
    }
}
