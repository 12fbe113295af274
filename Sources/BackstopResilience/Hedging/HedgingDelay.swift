internal import Backstop

/// When ``Hedging`` sends the next copy of a request.
public enum HedgingDelay: Sendable, Hashable {
    /// After a time, since the copy before.
    case fixed(Duration)
    /// After the time within which this share of attempts succeeded; after `initially` while fewer than
    /// `minimumSamples` times are known, or never if that is nil.
    case percentile(Double, minimumSamples: Int, initially: Duration?)

    /// The delay; nil when no copy is sent.
    ///
    /// - Parameter times: Returns the time within which a share of the attempts succeeded; nil when fewer than so many
    ///   are known.
    func duration(_ times: (_ share: Double, _ minimumSamples: Int) -> Duration?) -> Duration? {
        switch self {
        case .fixed(let delay): delay
        case .percentile(let share, let minimumSamples, let initially): times(share, minimumSamples) ?? initially
        }
    }

    /// What is out of its range.
    var invalid: [ConfigurationError] {
        var invalid: [ConfigurationError] = []
        func require(_ delay: Duration) {
            invalid.require(
                delay > .zero, "Hedging.delay", "must be more than 0, but is \(delay)",
                fix: "Set a delay that few requests exceed; without one, each request is sent twice")
        }
        switch self {
        case .fixed(let delay): require(delay)
        case .percentile(let share, let minimumSamples, let initially):
            initially.map(require)
            invalid.require(
                (0.5..<1).contains(share), "Hedging.percentile", "must be from 0.5 to less than 1, but is \(share)",
                fix: "Set the share of attempts that are faster; 0.95 sends about one request in twenty twice")
            invalid.require(
                (1...LatencyRecord.sampleLimit).contains(minimumSamples), "Hedging.minimumSamples",
                "must be from 1 to \(LatencyRecord.sampleLimit), but is \(minimumSamples)",
                fix: "Set how many times must be known before copies are sent; 20 have a 95th percentile")
        }
        return invalid
    }
}
