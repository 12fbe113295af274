internal import Backstop
internal import BackstopCore
internal import Foundation

/// Responses by key; when the memory is used up, the least recently used are evicted first.
///
/// Calls are numbered in the order they begin, so that an earlier call's response never takes the place of a later
/// one's, however late it arrives.
final class CacheStorage: Sendable {
    /// A stored response.
    struct Entry: Sendable {
        let response: HTTP.Response
        /// When it was stored, on the clock of the call.
        var moment: Duration = .zero
        /// The same, since 1970.
        var date: Duration = .zero
        /// The name of the operation.
        var operation = ""
        /// The variables as JSON; nil when there were none.
        var variables: Data?
        /// The values, in the request, of headers that `Vary` names and the key lacks.
        var varying: [HTTP.Headers.Name: [String]] = [:]
    }

    private struct Slot {
        let entry: Entry
        /// The number of the call that got it.
        let number: UInt64
        let size: Int
        /// When it was last used, as a number.
        var use: UInt64
    }

    /// The calls for a key that are under way.
    private struct Calls {
        var count = 0
        /// The number of the latest that was answered.
        var answered: UInt64 = 0
    }

    private struct State {
        var slots: [CacheKey: Slot] = [:]
        var calls: [CacheKey: Calls] = [:]
        var size = 0
        /// The last number given to a call, a use, a removal or a change.
        var last: UInt64 = 0
        /// Responses to calls that began before are not stored.
        var removal: UInt64 = 0
        /// Responses to calls that began before are stale.
        var change: UInt64 = 0

        mutating func next() -> UInt64 {
            last += 1
            return last
        }

        mutating func remove(_ key: CacheKey) -> (CacheKey, Slot)? {
            guard let index = slots.index(forKey: key) else {
                return nil
            }
            size -= slots[index].value.size
            let removed = slots.remove(at: index)
            return (removed.key, removed.value)
        }
    }

    /// The approximate overhead of an entry beyond its bytes.
    static let overhead = 500

    private let capacity: Int
    /// Entries, calls and numbers, guarded by the lock.
    private let state = Lock(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many bytes are used.
    var size: Int {
        state.withLock { $0.size }
    }

    /// Begins a call; ``end(_:)`` ends it.
    ///
    /// - Returns: Its number.
    func begin(_ key: CacheKey) -> UInt64 {
        state.withLock { state in
            state.calls[key, default: Calls()].count += 1
            return state.next()
        }
    }

    /// Ends a call.
    func end(_ key: CacheKey) {
        state.withLock { state in
            state.calls[key]?.count -= 1
            if state.calls[key]?.count == 0 {
                state.calls[key] = nil
            }
        }
    }

    /// The entry of a key, and whether something was changed since it was requested; nil when there is none.
    func entry(for key: CacheKey) -> (entry: Entry, isStale: Bool)? {
        state.withLock { state in
            let use = state.next()
            state.slots[key]?.use = use
            return state.slots[key].map { ($0.entry, $0.number < state.change) }
        }
    }

    /// Stores the answer to a call, unless a later call has been answered, or entries were removed since it began.
    ///
    /// - Parameter entry: Nil for an answer that must not be kept: it only removes an older one.
    /// - Returns: Whether the response is small enough to be kept.
    @discardableResult
    func store(_ entry: Entry?, for key: CacheKey, number: UInt64) -> Bool {
        let size = entry.map { Self.size(of: $0, key) } ?? 0
        let fits = size <= max(capacity / 8, 1)
        // Evicted entries are released outside the lock: the bytes may be the caller's, whose code may run then.
        let released = state.withLock { state -> [(CacheKey, Slot)?] in
            guard number > state.removal, number > state.calls[key]?.answered ?? 0 else {
                return []
            }
            state.calls[key]?.answered = number
            var released = [state.remove(key)]
            guard let entry, fits else {
                return released
            }
            state.slots[key] = Slot(entry: entry, number: number, size: size, use: state.next())
            state.size += size
            if state.size > capacity {
                // A quarter at a time, because finding the least recently used takes a look at all of them.
                for (key, _) in state.slots.sorted(by: { $0.value.use < $1.value.use })
                where state.size > capacity - capacity / 4 {
                    released.append(state.remove(key))
                }
            }
            return released
        }
        withExtendedLifetime(released) {}
        return fits
    }

    private static func size(of entry: Entry, _ key: CacheKey) -> Int {
        let varying = entry.varying.values.joined().reduce(0) { $0 + $1.utf8.count }
        return entry.response.headers.fields.reduce(
            entry.response.body.count + (entry.variables?.count ?? 0) + key.size + varying + overhead
        ) { $0 + $1.name.text.utf8.count + $1.value.utf8.count }
    }

    /// Makes everything stale, and what calls under way will get.
    func noteChange() {
        state.withLock { $0.change = $0.next() }
    }

    /// Removes entries. Responses to calls under way will not be stored, because they may be as old.
    func removeAll(where isRemoved: (CacheKey, Entry) -> Bool) {
        let slots = state.withLock { state in
            state.removal = state.next()
            return state.slots
        }
        let keys = slots.filter { isRemoved($0.key, $0.value.entry) }.map(\.key)
        let released = state.withLock { state in keys.map { state.remove($0) } }
        withExtendedLifetime((slots, released)) {}
    }
}
