#if Demo
    internal import Backstop
    internal import Foundation

    /// The results of a storm as text.
    enum StormReport {
        /// A table with a line for each policy.
        static func table(_ results: [StormResult], _ settings: StormSettings, style: Style) -> String {
            let outage = settings.outage > 0
            let heads = ["policy", "sent per call", "peak load", "recovery", "succeeded", "wasted", "refused"]
            let rows = results.map { result in
                [
                    result.policy,
                    String(format: "%.2f", result.amplification),
                    String(format: "%.2f", result.peakLoad),
                    outage ? result.recoverySeconds.map { "\($0) s" } ?? "never" : "",
                    percent(result.succeeded), percent(result.wasted), percent(result.refusedLocally),
                ]
            }
            return ([summary(settings), ""] + lines(heads, rows, style: style) + ["", legend(settings)])
                .joined(separator: "\n")
        }

        /// The lines of a table: the first column to the left, the others to the right.
        static func lines(_ heads: [String], _ rows: [[String]], style: Style) -> [String] {
            let widths = heads.indices.map { column in
                ([heads] + rows).map { $0[column].count }.max() ?? 0
            }
            func line(_ cells: [String]) -> String {
                cells.indices.map { column in
                    let gap = String(repeating: " ", count: widths[column] - cells[column].count)
                    return column == 0 ? cells[column] + gap : gap + cells[column]
                }
                .joined(separator: "  ")
            }
            return [style.bold(line(heads))] + rows.map(line)
        }

        /// The storm in words.
        static func summary(_ settings: StormSettings) -> String {
            var parts = [
                "\(settings.clients + settings.secondClients) clients, a call each every "
                    + "\(number(settings.interval))\(settings.secondInterval.map { " or \(number($0))" } ?? "") s",
                "load \(number(settings.load)) of the capacity of \(number(settings.capacity.rounded())) requests a second",
                "timeout \(number(settings.timeout)) s",
            ]
            if settings.outage > 0 {
                let isPart = settings.down < 1
                let what =
                    switch settings.outageKind {
                    case .hang: isPart ? "hang" : "hangs"
                    case .refuse: isPart ? "refuse" : "refuses"
                    case .gone: isPart ? "are gone" : "is gone"
                    }
                let who = isPart ? "\(percent(settings.down)) of the servers" : "the server"
                parts.append("\(who) \(what) for \(settings.outage) s")
            }
            if settings.failureRate > 0 {
                let kind =
                    switch settings.failureKind {
                    case .fast: "fast faults"
                    case .timeout: "requests lost"
                    case .idle: "dead connections"
                    }
                parts.append("\(percent(settings.failureRate)) \(kind)")
            }
            return parts.joined(separator: ", ") + "; \(settings.duration) s in all"
        }

        private static func legend(_ settings: StormSettings) -> String {
            let when = settings.outage > 0 ? "in the outage" : "in the whole run"
            return "sent per call: requests over calls begun, \(when); peak load: requests in a second over capacity; "
                + "recovery: until six seconds in a row serve 97 % of the offered load; wasted: served after the caller "
                + "had gone; refused: by the client itself."
        }

        /// An array with an object for each policy.
        static func json(_ results: [StormResult]) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(results.map(row)), as: UTF8.self)
        }

        /// What the JSON says of a policy.
        private static func row(_ result: StormResult) -> JSONValue {
            func rounded(_ value: Double) -> JSONValue { .double((value * 1e6).rounded() / 1e6) }
            return [
                "policy": .string(result.policy), "clients": .int(Int64(result.clients)),
                "outageSeconds": .int(Int64(result.outageSeconds)), "amplification": rounded(result.amplification),
                "peakLoad": rounded(result.peakLoad),
                // Null, and not left out, for never.
                "recoverySeconds": result.recoverySeconds.map { .int(Int64($0)) } ?? .null,
                "succeeded": rounded(result.succeeded), "wasted": rounded(result.wasted),
                "refusedLocally": rounded(result.refusedLocally),
            ]
        }

        static func percent(_ share: Double) -> String {
            // Near 100 %, what is missing counts.
            share > 0.99 && share < 1
                ? String(format: "%.3f %%", share * 100) : String(format: "%.1f %%", share * 100)
        }

        static func number(_ value: Double) -> String {
            value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
        }
    }
#endif
