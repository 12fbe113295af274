/// Whether requests that went out may go out again without doing their work twice (RFC 9110, 9.2.2).
package struct RepeatSafety: Sendable, Hashable {
    /// Whether nothing went out.
    package private(set) var isEmpty = true
    /// Whether each of them may be done twice, by its method or by its key.
    package private(set) var isIdempotent = true
    /// Whether each body can be sent again.
    package private(set) var isReplayable = true
    /// The key on which that depends; nil when it depends on none.
    package private(set) var key: String?

    package init() {}

    /// Asks the requests, which are of the caller's types, so not under a lock.
    package init(_ hops: [any CallRequest]) {
        for hop in hops {
            var safety = RepeatSafety()
            safety.isEmpty = false
            safety.isIdempotent = hop.isIdempotent
            safety.isReplayable = hop.isReplayable
            safety.key = hop.idempotencyKey
            add(safety)
        }
    }

    /// Counts further requests as well. Two keys are two orders.
    package mutating func add(_ other: RepeatSafety) {
        isEmpty = isEmpty && other.isEmpty
        isIdempotent = isIdempotent && other.isIdempotent
        isReplayable = isReplayable && other.isReplayable
        guard let own = other.key else {
            return
        }
        isIdempotent = isIdempotent && (key ?? own) == own
        key = key ?? own
    }

    /// Whether what an attempt beside sends is the same order, where there is one: one that may be done only once, or
    /// that depends on a key.
    func allows(_ other: RepeatSafety) -> Bool {
        guard let key, isIdempotent else {
            return isIdempotent || other.isIdempotent
        }
        return other.isIdempotent && (other.key ?? key) == key
    }
}
