extension Duration {
    /// A hundred years: longer than any wait, and short enough for sums not to overflow.
    package static let century = Duration.seconds(3_153_600_000 as Int64)

    /// The duration in seconds, with the precision of a `Double`.
    package var seconds: Double {
        // Not with `components`, which crash beyond 2^63 seconds, as for the sum of two long durations.
        self / .seconds(1)
    }

    /// The duration in milliseconds, with the precision of a `Double`.
    package var milliseconds: Double {
        seconds * 1000
    }

    /// The duration in readable units: `850 µs`, `12 ms`, `1.5 s`, `2 min 5 s`, `1 h 30 min`, `3 days 4 h`, `68 years`.
    package var text: String {
        let value = seconds
        return value < 0 ? "-" + Self.text(ofSeconds: -value) : Self.text(ofSeconds: value)
    }

    private static func text(ofSeconds value: Double) -> String {
        if value == 0 {
            return "0 ms"
        }
        // Rounded before the unit is chosen, so that 999.9 ms is 1 s and not 1000 ms.
        let micros = (value * 1_000_000).rounded()
        if micros < 1000 {
            return "\(Int(micros)) µs"
        }
        let millis = (value * 1000).rounded()
        if millis < 1000 {
            return "\(Int(millis)) ms"
        }
        let tenths = (value * 10).rounded()
        if tenths < 1200 {
            let whole = Int(tenths)
            return whole % 10 == 0 ? "\(whole / 10) s" : "\(whole / 10).\(whole % 10) s"
        }
        // Each unit with the next smaller one: nobody needs the minutes of a year.
        let units = [
            (31_536_000.0, "year", 86_400.0, "day"), (86_400, "day", 3600, "h"), (3600, "h", 60, "min"),
            (60, "min", 1, "s"),
        ]
        for (size, name, smaller, smallerName) in units {
            // Rounded before the unit is chosen here too, so that 59 min 59.9 s is 1 h.
            let rounded = (value / smaller).rounded() * smaller
            guard rounded >= size else {
                continue
            }
            guard rounded / size < 1e6 else {
                return "forever"
            }
            let whole = Int(rounded / size)
            let rest = Int(((rounded - Double(whole) * size) / smaller).rounded())
            let first = "\(whole) \(plural(name, whole))"
            // After years, days do not matter.
            return rest == 0 || size > 86_400 && whole >= 10
                ? first : "\(first) \(rest) \(plural(smallerName, rest))"
        }
        return "\(Int(value.rounded())) s"
    }

    private static func plural(_ unit: String, _ count: Int) -> String {
        ["day", "year"].contains(unit) && count != 1 ? unit + "s" : unit
    }

    /// The duration times a factor, within the range of `Duration`: a factor that is not finite gives `limit`.
    package func scaled(by factor: Double, limit: Duration) -> Duration {
        let value = seconds * factor
        guard value.isFinite, value < limit.seconds else {
            return limit
        }
        // Whole factors exactly.
        return factor.rounded() == factor && abs(factor) < 1e9 ? self * Int(factor) : .seconds(value)
    }
}
