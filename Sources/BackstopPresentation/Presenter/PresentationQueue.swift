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
        /// How often an alert that went away without an answer is shown again.
        let returns = 3
    }

    /// What a call that ended says about the presentations that wait for a success.
    enum News {
        /// It succeeded.
        case success(name: String, callID: UInt64)
        /// It failed, but a server answered: the device is not offline.
        case answer
    }

    /// What becomes of calls whose presentation went away.
    typealias Decided = [(waiter: Int, verdict: Verdict)]

    private let limits: Limits
    /// The words of "You are offline", and what is true of it once a server has answered.
    private let offline: FailureMessage
    private let interrupted: FailureMessage
    private(set) var entries: [Entry] = []
    /// Those whose action is being carried out: no longer shown, but equal failures still join them.
    private var running: [Entry] = []
    private var lastID = 0
    /// Whether what is shown can be seen; if not, nothing goes away by time.
    private var isSeen = true

    /// - Parameters:
    ///   - limits: How many of each kind there may be.
    ///   - offline: The words of "You are offline".
    ///   - interrupted: What is true of it once a server has answered.
    init(limits: Limits, offline: FailureMessage, interrupted: FailureMessage) {
        self.limits = limits
        self.offline = offline
        self.interrupted = interrupted
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

    /// Whether a call waits for a person, and for nothing else.
    var awaitsAnswer: Bool {
        entries.contains { $0.awaitsAnswer }
    }

    /// The fields at which messages about the latest call stand.
    var latestFields: Set<String> {
        let inlines = entries.filter { $0.key.kind == .inline && $0.key.place != nil }
        let latest = inlines.map(\.latestCall).max()
        return Set(inlines.filter { $0.latestCall == latest }.compactMap(\.key.place))
    }

    subscript(id: Int) -> Entry? {
        entries.first { $0.id == id }
    }

    /// Adds a failure to the presentation that is equal, or makes a new one.
    ///
    /// - Parameters:
    ///   - report: How it is presented, and whose it is.
    ///   - waiter: The call, when it waits; nil when its failure counts as handled.
    ///   - now: The time of the presenter's clock.
    /// - Returns: The entry, and the calls of what had to make room; nil when there is no room.
    mutating func add(_ report: Report, waiter: Waiter?, now: Duration) -> (id: Int, decided: Decided)? {
        let key = Key(report.presentation, field: report.field, call: report.call)
        if let index = running.firstIndex(where: { $0.key == key }) {
            running[index].add(report, waiter: waiter, now: now)
            return (running[index].id, [])
        }
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index].add(report, waiter: waiter, now: now)
            entries[index].setSeen(isSeen, now: now)
            let id = entries[index].id
            if key.kind == .inline {
                // A view shows the last one at its place.
                entries.append(entries.remove(at: index))
            }
            return (id, [])
        }
        guard let decided = makeRoom(for: key) else {
            return nil
        }
        lastID += 1
        var entry = Entry(id: lastID, key: key, report)
        entry.add(report, waiter: waiter, now: now)
        entry.setSeen(isSeen, now: now)
        entries.append(entry)
        return (lastID, decided)
    }

    /// Makes room for one more of its kind.
    ///
    /// Nobody may be kept from a decision, so one that a call waits for gives its place to no other: a new one then finds
    /// no room. A banner that only tells something takes that of the oldest such one, and what stands at a field that of
    /// other words about it.
    private mutating func makeRoom(for key: Key) -> Decided? {
        let same = entries.filter { $0.key.kind == key.kind }
        switch key.kind {
        case .ignore:
            return nil
        case .alert, .fullScreen:
            return entries.filter { $0.key.kind.isModal }.count < limits.modals ? [] : nil
        case .banner:
            return same.count < limits.banners ? [] : same.first(where: \.isTold).map { remove($0.id, .handled) }
        case .inline:
            let outdated =
                same.first { $0.key.place == key.place && $0.key.call == key.call && $0.key.field == key.field }
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
        return running.remove(at: index).waiters.map { ($0.id, verdict) }
    }

    /// Takes a presentation away; its calls get a verdict.
    mutating func remove(_ id: Int, _ verdict: Verdict) -> Decided {
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            return []
        }
        return entries.remove(at: index).waiters.map { ($0.id, verdict) }
    }

    /// Whether a call of the same name that began later was refused, which its message tells.
    func isOvertaken(_ failure: Failure) -> Bool {
        entries.contains {
            failure.id > 0 && $0.key.kind == .inline && $0.key.call == failure.name && $0.latestCall > failure.id
        }
    }

    /// Whether a later call of the name was refused in the same words, about the same.
    func shows(_ presentation: Presentation, after failure: Failure) -> Bool {
        entries.contains {
            $0.key.kind == .inline && $0.key.call == failure.name && $0.latestCall > failure.id
                && $0.key.field == presentation.field && $0.presentation.message == presentation.message
        }
    }

    /// Takes away what stands at fields and at the form of earlier calls of this name.
    mutating func removeInlines(of call: String, before callID: UInt64) -> Decided {
        entries.filter { $0.key.kind == .inline && $0.key.call == call && $0.latestCall < callID }
            .flatMap { remove($0.id, .handled) }
    }

    /// Notes whether what is shown can be seen. While it cannot, what goes away by time waits.
    mutating func setSeen(_ isSeen: Bool, now: Duration) {
        guard isSeen != self.isSeen else {
            return
        }
        self.isSeen = isSeen
        for index in entries.indices {
            entries[index].setSeen(isSeen, now: now)
        }
    }

    /// Nobody can see what is shown: calls that wait for an answer are left to the next handler. What only tells something
    /// stays until it can be seen.
    mutating func abandon() -> Decided {
        entries.filter(\.awaitsAnswer).flatMap { entry -> Decided in
            let waiters = entry.waiters.map(\.id)
            withdraw(waiters, from: entry.id)
            return waiters.map { ($0, .unhandled) }
        }
    }

    /// An alert has gone from the screen without an answer: it is shown again, at most `limits.returns` times.
    mutating func vanish(_ id: Int) -> Decided {
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            return []
        }
        entries[index].vanished += 1
        return entries[index].vanished > limits.returns ? remove(id, .handled) : []
    }

    /// Takes everything away, also what an action is being carried out for; all calls count as handled.
    mutating func removeAll() -> Decided {
        (exchange(&entries, with: []) + exchange(&running, with: [])).flatMap(\.waiters).map { ($0.id, .handled) }
    }

    /// A call ended: takes away what waited for that. Calls that waited are sent again where that is safe; the others keep
    /// their presentation, because the person was offered a choice.
    mutating func learn(_ news: News) -> Decided {
        entries.map(\.id).flatMap { learn(news, $0) }
    }

    private mutating func learn(_ news: News, _ id: Int) -> Decided {
        guard let entry = self[id], entry.presentation.lifetime == .untilSuccess else {
            return []
        }
        let isAnswer = if case .answer = news { true } else { false }
        switch news {
        case .answer where entry.presentation.code != "transport.offline" || entry.presentation.kind == .inline:
            return []
        case .success(let name, let callID) where entry.presentation.kind == .inline:
            // A slow call that began before the refusal says nothing about the input that was refused.
            return entry.key.call == name && callID >= entry.latestCall ? remove(id, .handled) : []
        case .answer, .success:
            let repeated = entry.waiters.filter(\.isRepeatable).map(\.id)
            withdraw(repeated, from: id)
            keep(id, isAnswer ? .untilSuccess : .untilDismissed)
            return repeated.map { ($0, .retry) }
        }
    }

    /// Calls wait for a presentation no longer; what stands for nothing any more goes away.
    private mutating func withdraw(_ waiters: [Int], from id: Int) {
        guard !waiters.isEmpty, let index = entries.firstIndex(where: { $0.id == id }) else {
            return
        }
        entries[index].withdraw(waiters)
        if entries[index].isEmpty {
            entries.remove(at: index)
        }
    }

    /// Keeps a presentation only for the calls that wait for the person's choice, in words that are still true.
    private mutating func keep(_ id: Int, _ lifetime: Presentation.Lifetime) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            return
        }
        guard !entries[index].isTold else {
            entries.remove(at: index)
            return
        }
        let presentation = kept(entries[index].presentation, lifetime)
        entries[index].keep(message: presentation.message, lifetime: lifetime)
        let mine = entries[index]
        if let other = entries.firstIndex(where: { $0.key == mine.key && $0.id != id }) {
            entries[other].absorb(mine)
            entries.remove(at: index)
        }
    }

    /// The same in words that are true after a success, or an answer.
    func kept(_ presentation: Presentation, _ lifetime: Presentation.Lifetime) -> Presentation {
        let message = presentation.message
        guard message.title == offline.title, message.text == offline.text else {
            return presentation.with(message: message, lifetime: lifetime)
        }
        // Whether an order has to be checked stays as true as it was.
        let words = FailureMessage(
            title: interrupted.title, text: interrupted.text,
            suggestion: message.suggestion == offline.suggestion ? interrupted.suggestion : message.suggestion)
        return presentation.with(message: words, lifetime: lifetime)
    }

    /// A call was cancelled: it waits no longer, and what stood for it alone goes away.
    mutating func leave(_ waiter: Int) {
        for index in running.indices where running[index].isAwaited(by: waiter) {
            running[index].withdraw([waiter])
        }
        if let entry = entries.first(where: { $0.isAwaited(by: waiter) }) {
            withdraw([waiter], from: entry.id)
        }
    }

    /// Looks at the time of one presentation.
    ///
    /// - Returns: What becomes of its calls, when its time, or that of some of them, is over.
    mutating func look(at id: Int, now: Duration) -> Decided {
        guard let index = entries.firstIndex(where: { $0.id == id }), let end = entries[index].end else {
            return []
        }
        guard end <= now else {
            entries[index].look(at: now)
            return []
        }
        guard entries[index].presentation.countdown != nil else {
            return remove(id, .handled)
        }
        let due = entries[index].due(at: now)
        withdraw(due, from: id)
        if let index = entries.firstIndex(where: { $0.id == id }) {
            entries[index].look(at: now)
        }
        return due.map { ($0, .retry) }
    }
}
