extension Duration {
    /// The duration in seconds, with the precision of a `Double`.
    package var seconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }

    /// The duration in milliseconds, with the precision of a `Double`.
    package var milliseconds: Double {
        seconds * 1000
    }

    /// The duration in words of a human size: `850 µs`, `12 ms`, `1.5 s`, `2 min 5 s`.
    package var text: String {
        let value = seconds
        if value < 0 {
            return "-" + (Duration.zero - self).text
        }
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
        guard value < 1e15 else {
            return "forever"
        }
        let whole = Int(value.rounded())
        return whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s"
    }

    /// The duration times a factor, held inside what a `Duration` can say: a factor that is not finite gives `limit`.
    package func scaled(by factor: Double, limit: Duration) -> Duration {
        let value = seconds * factor
        guard value.isFinite, value < limit.seconds else {
            return limit
        }
        return .seconds(value)
    }
}
