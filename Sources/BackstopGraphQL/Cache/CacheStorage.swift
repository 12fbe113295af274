internal import Backstop
internal import BackstopCore

/// Responses by key; when the memory is used up, the least recently used are evicted first.
final class CacheStorage: Sendable {
    /// A stored response.
    struct Entry: Sendable {
        let response: HTTP.Response
        /// When the service sent it, since 1970.
        let date: Duration
    }

    /// A place in the list from the newest to the oldest entry.
    fileprivate struct Slot {
        let key: CacheKey
        let entry: Entry
        let size: Int
        var newer: Int?
        var older: Int?
    }

    fileprivate struct State {
        /// The slots of the keys. A dropped entry leaves only an empty slot, which the next entry reuses.
        var places: [CacheKey: Int] = [:]
        var slots: [Slot?] = []
        var free: [Int] = []
        var newest: Int?
        var oldest: Int?
        var size = 0
        /// How often the storage was cleared.
        var generation: UInt64 = 0
    }

    /// The approximate overhead of an entry beyond its bytes.
    static let overhead = 500

    private let capacity: Int
    /// Entries, their order and their size, guarded by the lock.
    private let state = Lock(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How often the storage was cleared: a response requested before that must not be stored after it.
    var generation: UInt64 {
        state.withLock { $0.generation }
    }

    /// How many bytes are used.
    var size: Int {
        state.withLock { $0.size }
    }

    func entry(for key: CacheKey) -> Entry? {
        state.withLock { state -> Entry? in
            guard let place = state.places[key], let slot = state.slots[place] else {
                return nil
            }
            state.unlink(place)
            state.linkAsNewest(place)
            return slot.entry
        }
    }

    /// Stores a response, unless the storage was cleared since it was requested.
    ///
    /// - Parameters:
    ///   - date: When the service sent it, since 1970.
    ///   - generation: The ``generation`` when it was requested; nil when that does not matter.
    /// - Returns: Whether the response is small enough to be kept.
    @discardableResult
    func store(
        _ response: HTTP.Response, for key: CacheKey, date: Duration = .zero, generation: UInt64? = nil
    ) -> Bool {
        // The content is decoded again on use, so that only the bytes take memory.
        let entry = Entry(response: response.withoutContent(), date: date)
        let headers = response.headers.fields.reduce(0) { $0 + $1.name.text.utf8.count + $1.value.utf8.count }
        let size = response.body.count + headers + key.size + Self.overhead
        let fits = size <= max(capacity / 8, 1)
        // Evicted entries are released outside the lock: the bytes may be the caller's, whose code may run then.
        let released = state.withLock { state -> [Entry?] in
            guard generation ?? state.generation == state.generation else {
                return []
            }
            var released = [state.remove(key)]
            guard fits else {
                return released
            }
            state.insert(key, entry, size: size)
            while state.size > capacity, let oldest = state.oldest, let key = state.slots[oldest]?.key {
                released.append(state.remove(key))
            }
            return released
        }
        withExtendedLifetime(released) {}
        return fits
    }

    func removeAll() {
        let old = state.withLock { state in
            let old = state
            state = State(generation: old.generation &+ 1)
            return old
        }
        // Stored entries are released here, outside the lock.
        _ = old
    }
}

extension CacheStorage.State {
    fileprivate mutating func insert(_ key: CacheKey, _ entry: CacheStorage.Entry, size: Int) {
        let slot = CacheStorage.Slot(key: key, entry: entry, size: size)
        let place: Int
        if let last = free.popLast() {
            place = last
            slots[place] = slot
        } else {
            place = slots.count
            slots.append(slot)
        }
        places[key] = place
        self.size += size
        linkAsNewest(place)
    }

    /// Removes an entry; nil when there is none.
    fileprivate mutating func remove(_ key: CacheKey) -> CacheStorage.Entry? {
        guard let place = places.removeValue(forKey: key) else {
            return nil
        }
        unlink(place)
        let slot = slots[place]
        size -= slot?.size ?? 0
        slots[place] = nil
        free.append(place)
        return slot?.entry
    }

    fileprivate mutating func linkAsNewest(_ place: Int) {
        slots[place]?.older = newest
        slots[place]?.newer = nil
        if let newest {
            slots[newest]?.newer = place
        }
        newest = place
        oldest = oldest ?? place
    }

    fileprivate mutating func unlink(_ place: Int) {
        guard let slot = slots[place] else {
            return
        }
        if let newer = slot.newer {
            slots[newer]?.older = slot.older
        } else {
            newest = slot.older
        }
        if let older = slot.older {
            slots[older]?.newer = slot.newer
        } else {
            oldest = slot.newer
        }
    }
}

extension CacheStorage: CustomReflectable {
    /// Only the size: keys and responses are private.
    var customMirror: Mirror {
        Mirror(self, children: ["size": size], displayStyle: .class)
    }
}
