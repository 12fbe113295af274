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
        windows.withLock { $0.entry(for: key, now: now) { Window() }.state.add(time, at: now) }
    }

    /// The time within which a share of the attempts succeeded: the nearest rank. Nil when fewer than so many are known.
    func time(of share: Double, minimumSamples: Int, key: String, at now: Duration) -> Duration? {
        windows.withLock { $0.existing(key)?.state.time(of: share, minimumSamples: minimumSamples, at: now) }
    }

    /// The times of one key.
    private struct Window: KeyedState {
        /// The times, oldest first, with the moment each was added.
        private var samples: [(added: Duration, time: Duration)] = []
        /// The same times, shortest first.
        private var sorted: [Duration] = []

        func use(at now: Duration) -> StateUse {
            samples.last.map { now - $0.added <= LatencyRecord.maximumAge } == true ? .inUse : .atRest
        }

        mutating func add(_ time: Duration, at now: Duration) {
            expire(at: now)
            if samples.count == LatencyRecord.sampleLimit {
                removeOldest()
            }
            samples.append((now, time))
            sorted.insert(time, at: position(of: time))
        }

        mutating func time(of share: Double, minimumSamples: Int, at now: Duration) -> Duration? {
            expire(at: now)
            guard sorted.count >= max(1, minimumSamples) else {
                return nil
            }
            // Less than a rounding error, which would make 56 of 0.55 times 100.
            let rank = Int((share * Double(sorted.count) - 1e-9).rounded(.up))
            return sorted[min(max(rank, 1), sorted.count) - 1]
        }

        private mutating func expire(at now: Duration) {
            while let oldest = samples.first, now - oldest.added > LatencyRecord.maximumAge {
                removeOldest()
            }
        }

        private mutating func removeOldest() {
            sorted.remove(at: position(of: samples.removeFirst().time))
        }

        /// The position of the first time that is not shorter.
        private func position(of time: Duration) -> Int {
            var low = 0
            var high = sorted.count
            while low < high {
                let middle = (low + high) / 2
                if sorted[middle] < time {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }
    }
}
