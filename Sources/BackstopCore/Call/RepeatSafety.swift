/// Whether requests that were sent may be sent again without repeating their effect (RFC 9110, 9.2.2).
package struct RepeatSafety: Sendable, Equatable {
    /// Whether nothing was sent.
    package private(set) var isEmpty = true
    /// Whether each of them may be sent twice, because of its method or its key.
    package private(set) var isIdempotent = true
    /// Whether each body can be sent again.
    package private(set) var isReplayable = true
    /// Whether each of them only reads, also one that was taken back.
    package private(set) var isReadOnly = true
    /// The key that this depends on; nil for none.
    package private(set) var key: String?

    package init() {}

    /// Queries the request, which has the caller's type, so do not call this under a lock.
    package init(_ hop: any CallRequest) {
        isEmpty = false
        isIdempotent = hop.isIdempotent
        isReplayable = hop.isReplayable
        isReadOnly = hop.isReadOnly
        key = hop.idempotencyKey
    }

    /// The same for several.
    package init(_ hops: [any CallRequest]) {
        for hop in hops {
            add(RepeatSafety(hop))
        }
    }

    /// Includes further requests. Two keys mean two orders.
    package mutating func add(_ other: RepeatSafety) {
        isEmpty = isEmpty && other.isEmpty
        isIdempotent = isIdempotent && other.isIdempotent
        isReplayable = isReplayable && other.isReplayable
        isReadOnly = isReadOnly && other.isReadOnly
        guard let own = other.key else {
            return
        }
        isIdempotent = isIdempotent && (key ?? own) == own
        key = key ?? own
    }

    /// Goes by the methods alone, because the server that is asked next does not know the key.
    mutating func distrustKey() {
        isIdempotent = isIdempotent && key == nil
    }

    /// Forgets the requests, because none was sent. It remains known whether one was to change something.
    mutating func takeBack() {
        self = changed(RepeatSafety()) { $0.isReadOnly = isReadOnly }
    }

    /// Whether a parallel attempt sends the same order, if there is one: a request that may be sent only once, or that
    /// depends on a key.
    func allows(_ other: RepeatSafety) -> Bool {
        guard let key, isIdempotent else {
            return isIdempotent || other.isIdempotent
        }
        return other.isIdempotent && (other.key ?? key) == key
    }
}
