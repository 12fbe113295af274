internal import BackstopCore

/// The presentations of a presenter, and which calls wait for each: a value without clock and continuations.
///
/// A call that waits is in exactly one entry. Whatever takes an entry away gives its calls back, with their verdicts.
struct PresentationQueue {
    /// How many of each kind there may be.
    struct Limits {
        let modals: Int
        let banners: Int
        let inlines = 50
    }

    /// A call that waits for what the person chooses.
    struct Waiter: Hashable {
        let id: Int
        /// Whether it may be sent again without anybody's doing.
        let isRepeatable: Bool
    }

    /// What makes failures equal: that a person would see the same.
    struct Key: Hashable {
        let kind: Presentation.Kind
        let field: String?
        let message: FailureMessage
        let own: [PresentationAction]
        let counts: Bool
        let lifetime: Presentation.Lifetime

        init(_ presentation: Presentation) {
            kind = presentation.kind
            field = presentation.field
            message = presentation.message
            own = presentation.actions.filter { $0 != .retry && $0 != .dismiss }
            counts = presentation.countdown != nil
            lifetime = presentation.lifetime
        }
    }

    /// One presentation.
    struct Entry {
        let id: Int
        let key: Key
        var presentation: Presentation
        /// How many failures it stands for whose calls do not wait.
        var ended = 0
        /// The calls that wait, by their numbers: whether each may be sent again without anybody's doing.
        var waiters: [Int: Bool] = [:]
        /// The names of the calls.
        var names: Set<String>
        /// When it goes away by itself, or the calls are sent again, by the presenter's clock; nil for never.
        var end: Duration?
        /// How long it was until then when that was last looked at.
        var remaining: Duration?

        var shown: PresentedFailure {
            PresentedFailure(
                id: id, presentation: presentation, count: ended + waiters.count,
                remaining: presentation.countdown == nil ? nil : remaining)
        }
    }

    /// What becomes of calls whose presentation went away.
    typealias Decided = [(waiter: Int, verdict: Verdict)]

    private let limits: Limits
    private(set) var entries: [Entry] = []
    /// Those whose action is being carried out: no longer shown, but equal failures still join them.
    private var running: [Entry] = []
    private var lastID = 0

    init(limits: Limits) {
        self.limits = limits
    }

    /// What is shown and what waits.
    var state: PresenterState {
        var state = PresenterState()
        for entry in entries {
            switch entry.presentation.kind {
            case .ignore: break
            case .inline: state.inlines.append(entry.shown)
            case .banner: state.banners.append(entry.shown)
            case .alert, .fullScreen: state.modals.append(entry.shown)
            }
        }
        return state
    }

    /// Whether something goes away when a call succeeds.
    var awaitsSuccess: Bool {
        entries.contains { $0.presentation.lifetime == .untilSuccess }
    }

    subscript(id: Int) -> Entry? {
        entries.first { $0.id == id }
    }

    /// Adds a failure to the presentation that is equal, or makes a new one.
    ///
    /// - Parameters:
    ///   - presentation: How it is presented.
    ///   - waiter: The call, when it waits; nil when its failure counts as handled.
    ///   - name: The call's name.
    ///   - now: The time of the presenter's clock.
    /// - Returns: The entry, and the calls of what had to make room; nil when there is no room.
    mutating func add(
        _ presentation: Presentation, waiter: Waiter?, name: String, now: Duration
    ) -> (id: Int, decided: Decided)? {
        let key = Key(presentation)
        if let index = running.firstIndex(where: { $0.key == key }) {
            running[index].add(presentation, waiter: waiter, name: name, now: now)
            return (running[index].id, [])
        }
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index].add(presentation, waiter: waiter, name: name, now: now)
            return (entries[index].id, [])
        }
        guard let decided = makeRoom(for: presentation) else {
            return nil
        }
        lastID += 1
        var entry = Entry(id: lastID, key: key, presentation: presentation, names: [])
        entry.add(presentation, waiter: waiter, name: name, now: now)
        entries.append(entry)
        return (lastID, decided)
    }

    /// Makes room for one more of its kind.
    ///
    /// Nobody may be kept from a decision, so a modal one does not take another's place: it finds no room. A banner takes
    /// that of the oldest, and what stands at a field that of the one before.
    private mutating func makeRoom(for presentation: Presentation) -> Decided? {
        let same = entries.filter { $0.presentation.kind == presentation.kind }
        switch presentation.kind {
        case .ignore:
            return nil
        case .alert, .fullScreen:
            return entries.filter { $0.presentation.kind.isModal }.count < limits.modals ? [] : nil
        case .banner:
            return same.count < limits.banners ? [] : same.first.map { remove($0.id, .handled) }
        case .inline:
            let outdated =
                same.first { $0.presentation.field == presentation.field }
                ?? (same.count < limits.inlines ? nil : same.first)
            return outdated.map { remove($0.id, .handled) } ?? []
        }
    }

    /// Takes a presentation away while its action is carried out. Failures that are equal join it meanwhile: a call that
    /// fails while the person signs in waits for that sign-in, and asks for no second one.
    mutating func begin(_ id: Int) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            return
        }
        running.append(entries.remove(at: index))
    }

    /// Ends an action: its calls get a verdict.
    mutating func finish(_ id: Int, _ verdict: Verdict) -> Decided {
        guard let index = running.firstIndex(where: { $0.id == id }) else {
            return []
        }
        return running.remove(at: index).waiters.keys.sorted().map { ($0, verdict) }
    }

    /// Takes a presentation away; its calls get a verdict.
    mutating func remove(_ id: Int, _ verdict: Verdict) -> Decided {
        take(id).map { ($0.id, verdict) }
    }

    /// Takes a presentation away.
    ///
    /// - Returns: The calls that waited for it, in the order in which they came.
    private mutating func take(_ id: Int) -> [Waiter] {
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            return []
        }
        let waiters = entries.remove(at: index).waiters
        return waiters.sorted { $0.key < $1.key }.map { Waiter(id: $0.key, isRepeatable: $0.value) }
    }

    /// Takes away what has become needless by itself: the calls that may be are sent again, the others count as handled.
    mutating func resolve(_ id: Int) -> Decided {
        take(id).map { ($0.id, $0.isRepeatable ? .retry : .handled) }
    }

    /// A call succeeded: takes away what waited for that.
    mutating func succeed(name: String) -> Decided {
        let ids = entries.filter { entry in
            entry.presentation.lifetime == .untilSuccess
                && (entry.presentation.kind != .inline || entry.names.contains(name))
        }.map(\.id)
        return ids.flatMap { resolve($0) }
    }

    /// A call was cancelled: it waits no longer, and what stood for it alone goes away.
    mutating func leave(_ waiter: Int) {
        for index in running.indices {
            running[index].waiters[waiter] = nil
        }
        guard let index = entries.firstIndex(where: { $0.waiters[waiter] != nil }) else {
            return
        }
        entries[index].waiters[waiter] = nil
        if entries[index].waiters.isEmpty, entries[index].ended == 0 {
            entries.remove(at: index)
        }
    }

    /// Looks at the time of one presentation.
    ///
    /// - Returns: What becomes of its calls, when its time is over.
    mutating func look(at id: Int, now: Duration) -> Decided {
        guard let index = entries.firstIndex(where: { $0.id == id }), let end = entries[index].end else {
            return []
        }
        entries[index].remaining = end - now
        guard end <= now else {
            return []
        }
        return entries[index].presentation.countdown == nil ? remove(id, .handled) : resolve(id)
    }
}

extension PresentationQueue.Entry {
    /// One more failure that is equal.
    fileprivate mutating func add(
        _ other: Presentation, waiter: PresentationQueue.Waiter?, name: String, now: Duration
    ) {
        // Of equal ones some calls can be sent again and others not: "Try again" is for those that can.
        if other.actions.count > presentation.actions.count {
            presentation = other
        }
        if let waiter {
            waiters[waiter.id] = waiter.isRepeatable
        } else {
            ended += 1
        }
        // An app whose calls have no end of names would fill the memory.
        if names.count < 100 {
            names.insert(name)
        }
        // Never sooner than any server asked, and a banner is read from the last one on.
        if let time = other.countdown ?? other.lifetime.time {
            let end = max(now + time, end ?? now)
            self.end = end
            remaining = end - now
        }
    }
}

extension Presentation.Lifetime {
    /// How long; nil when that is not a matter of time.
    var time: Duration? {
        if case .lasting(let time) = self {
            return time
        }
        return nil
    }
}
