internal import Backstop

/// How long the last attempts took, by key: bounded in times, keys and age.
final class LatencyRecord: Sendable {
    /// How many times a key keeps.
    static let sampleLimit = 100
    /// How long a time counts: a service that was slow this morning may be fast now.
    static let maximumAge = Duration.seconds(600)

    /// The times by key, guarded by the lock.
    private let windows = Lock(KeyedStates<Window>(limit: CallGrouping<Never>.maximumKeys, lifetime: maximumAge))

    /// How many keys have times.
    var keyCount: Int {
        windows.withLock { $0.count }
    }

    /// Adds the time of an attempt.
    func add(_ time: Duration, to key: String, at now: Duration) {
        windows.withLock { windows in
            let entry = windows.entry(for: key, now: now) { Window() }
            entry.state.add(time, at: now)
        }
    }

    /// The time within which a share of the attempts succeeded: the nearest rank. Nil when fewer than so many are known.
    func time(of share: Double, minimumSamples: Int, key: String, at now: Duration) -> Duration? {
        let times = windows.withLock { $0.existing(key)?.state.times(at: now) } ?? []
        guard times.count >= max(1, minimumSamples) else {
            return nil
        }
        // Less than a rounding error, which would make 56 of 0.55 times 100.
        let rank = Int((share * Double(times.count) - 1e-9).rounded(.up))
        return times.sorted()[min(max(rank, 1), times.count) - 1]
    }

    /// The times of one key.
    private struct Window: KeyedState {
        /// In the order in which they were added.
        private var samples: [(added: Duration, time: Duration)] = []

        func use(at now: Duration) -> StateUse {
            samples.last.map { now - $0.added <= LatencyRecord.maximumAge } == true ? .inUse : .atRest
        }

        mutating func add(_ time: Duration, at now: Duration) {
            expire(at: now)
            samples = samples.suffix(LatencyRecord.sampleLimit - 1) + [(now, time)]
        }

        mutating func times(at now: Duration) -> [Duration] {
            expire(at: now)
            return samples.map(\.time)
        }

        private mutating func expire(at now: Duration) {
            samples.removeFirst(samples.prefix { now - $0.added > LatencyRecord.maximumAge }.count)
        }
    }
}
