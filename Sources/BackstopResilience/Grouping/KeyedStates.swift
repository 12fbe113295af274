/// What may be done with a state that was not used for a while.
enum StateUse: Sendable {
    /// It equals a new one, or tells no more than that: forgetting it loses nothing.
    case atRest
    /// It is in use. It is forgotten only when there are too many.
    case inUse
    /// It must not be forgotten.
    case kept
}

/// A state that belongs to a key.
protocol KeyedState {
    /// Whether it may be forgotten.
    func use(at now: Duration) -> StateUse
}

/// A state with its key. A call keeps it as long as it runs, so that its end needs no second look-up.
final class KeyedEntry<State: KeyedState>: @unchecked Sendable {
    // Unchecked, because it is accessed only under the lock of those who own the states.
    let key: String
    var state: State
    fileprivate var lastUse: Duration
    /// The entries used next and before; nil at the ends. Not owned: the dictionary owns all.
    fileprivate unowned var newer: KeyedEntry?
    fileprivate unowned var older: KeyedEntry?

    init(key: String, state: State, now: Duration) {
        self.key = key
        self.state = state
        lastUse = now
    }
}

/// Keys as they are kept: a key may come from a hostile server, and be as long as that likes.
enum KeyText {
    /// How many bytes a key may have.
    static let limit = 256

    /// The key; of a long one its beginning and a hash of all of it, which nobody outside this process can foresee.
    ///
    /// What it returns is short, so that it stays the same when it is used as a key.
    static func bounded(_ key: String) -> String {
        guard key.utf8.count > limit else {
            return key
        }
        var hasher = Hasher()
        hasher.combine(key)
        let hash = String(UInt(bitPattern: hasher.finalize()), radix: 16)
        return String(decoding: key.utf8.prefix(200), as: UTF8.self) + "…#" + hash
    }
}

/// States by key, bounded in number: those that were not used for the longest time are forgotten first.
///
/// Every operation has constant cost. It forgets nothing by itself, without a call.
struct KeyedStates<State: KeyedState> {
    typealias Entry = KeyedEntry<State>

    /// How many entries are examined to make room for a new one.
    private static var examined: Int { 8 }

    private var entries: [String: Entry] = [:]
    /// The one without a key; nil before its first use. It is not counted, and never forgotten.
    private var shared: Entry?
    private var newest: Entry?
    private var oldest: Entry?
    private let limit: Int
    private let limitInUse: Int
    private let lifetime: Duration

    /// Makes an empty collection.
    ///
    /// - Parameters:
    ///   - limit: How many states are kept, 1 or more. Only states that must not be forgotten may exceed it.
    ///   - limitInUse: How many may be kept because they are in use; nil for no more than others.
    ///   - lifetime: How long an unused state is kept.
    init(limit: Int, inUse limitInUse: Int? = nil, lifetime: Duration) {
        self.limit = limit
        self.limitInUse = limitInUse ?? limit
        self.lifetime = lifetime
    }

    /// How many keys there are.
    var count: Int { entries.count }

    /// The entries of all keys, in no order.
    var keyed: Dictionary<String, Entry>.Values { entries.values }

    /// All entries.
    var all: [Entry] { (shared.map { [$0] } ?? []) + entries.values }

    /// The entry of a key, if there is one; for nil all entries.
    func all(of key: String?) -> [Entry] {
        key == nil ? all : [existing(key)].compactMap { $0 }
    }

    /// The entry of a key, or of none, if there is one; that is no use of it.
    func existing(_ key: String?) -> Entry? {
        key.map { entries[KeyText.bounded($0)] } ?? shared
    }

    /// The entry of a key, or of none, created if there is none.
    mutating func entry(for key: String?, now: Duration, make: () -> State) -> Entry {
        guard let key else {
            let entry = shared ?? Entry(key: "", state: make(), now: now)
            shared = entry
            return entry
        }
        return entry(ofBounded: KeyText.bounded(key), now: now, make: make)
    }

    private mutating func entry(ofBounded key: String, now: Duration, make: () -> State) -> Entry {
        // Most calls are like the one before.
        if let newest, newest.key == key {
            newest.lastUse = max(newest.lastUse, now)
            forgetOldest(at: now)
            return newest
        }
        if let known = entries[key] {
            known.lastUse = max(known.lastUse, now)
            moveToFront(known)
            forgetOldest(at: now)
            return known
        }
        makeRoom(at: now)
        let entry = Entry(key: key, state: make(), now: now)
        entries[key] = entry
        link(entry)
        return entry
    }

    /// Forgets the oldest entry if its time is over.
    private mutating func forgetOldest(at now: Duration) {
        guard let oldest, oldest !== newest, now - oldest.lastUse > lifetime else {
            return
        }
        guard oldest.state.use(at: now) == .atRest else {
            // It is looked at again when all others have been.
            moveToFront(oldest)
            return
        }
        forget(oldest)
    }

    private mutating func makeRoom(at now: Duration) {
        forgetOldest(at: now)
        var candidate: Entry?
        var examined = 0
        while entries.count >= limit, examined < Self.examined, let oldest {
            examined += 1
            switch oldest.state.use(at: now) {
            case .atRest:
                forget(oldest)
                continue
            case .inUse: candidate = candidate ?? oldest
            case .kept: break
            }
            moveToFront(oldest)
        }
        if entries.count >= limitInUse, let candidate {
            forget(candidate)
        }
    }

    private mutating func forget(_ entry: Entry) {
        unlink(entry)
        entries.removeValue(forKey: entry.key)
    }

    private mutating func moveToFront(_ entry: Entry) {
        unlink(entry)
        link(entry)
    }

    private mutating func link(_ entry: Entry) {
        entry.older = newest
        newest?.newer = entry
        newest = entry
        oldest = oldest ?? entry
    }

    private mutating func unlink(_ entry: Entry) {
        if let newer = entry.newer {
            newer.older = entry.older
        } else {
            newest = entry.older
        }
        if let older = entry.older {
            older.newer = entry.newer
        } else {
            oldest = entry.newer
        }
        entry.newer = nil
        entry.older = nil
    }
}
