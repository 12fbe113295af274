internal import Backstop
internal import BackstopCore

/// Responses by key, the least recently used going first when the memory is used up.
final class CacheStorage: Sendable {
    fileprivate struct Entry {
        var response: HTTP.Response
        var size: Int
        var used: UInt64
    }

    fileprivate struct State {
        var entries: [CacheKey: Entry] = [:]
        /// The keys by the time of their last use; entries that were used again since are stale.
        var order: [(used: UInt64, key: CacheKey)] = []
        var head = 0
        var size = 0
        var clock: UInt64 = 0
    }

    private let capacity: Int
    /// Entries, their order and their size, guarded by the lock.
    private let state = Lock(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    func response(for key: CacheKey) -> HTTP.Response? {
        state.withLock { state -> HTTP.Response? in
            guard let response = state.entries[key]?.response else {
                return nil
            }
            state.touch(key)
            return response
        }
    }

    func store(_ response: HTTP.Response, for key: CacheKey) {
        // The content is decoded anew, so that the memory is that of the bodies.
        let response = response.withoutContent()
        let headers = response.headers.fields.reduce(0) { $0 + $1.name.text.utf8.count + $1.value.utf8.count }
        let size = response.body.count + headers + (key.variables?.count ?? 0) + key.document.utf8.count + 500
        state.withLock { state in
            state.remove(key)
            guard size <= max(capacity / 8, 1) else {
                return
            }
            state.entries[key] = Entry(response: response, size: size, used: 0)
            state.size += size
            state.touch(key)
            state.shrink(to: capacity)
        }
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }
}

extension CacheStorage.State {
    fileprivate mutating func touch(_ key: CacheKey) {
        clock += 1
        entries[key]?.used = clock
        order.append((clock, key))
        compact()
    }

    fileprivate mutating func remove(_ key: CacheKey) {
        guard let entry = entries.removeValue(forKey: key) else {
            return
        }
        size -= entry.size
    }

    fileprivate mutating func shrink(to capacity: Int) {
        while size > capacity, head < order.count {
            let oldest = order[head]
            head += 1
            // An entry that was used again stands further back.
            if entries[oldest.key]?.used == oldest.used {
                remove(oldest.key)
            }
        }
        compact()
    }

    /// Drops what is stale, when that is most of the list: each use costs constant time on average.
    private mutating func compact() {
        guard order.count > 2 * entries.count + 64 else {
            return
        }
        order = order[head...].filter { entries[$0.key]?.used == $0.used }
        head = 0
    }
}
