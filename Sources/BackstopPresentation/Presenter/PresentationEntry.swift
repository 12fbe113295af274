internal import BackstopCore

extension PresentationQueue {
    /// What makes failures equal: that a person would see the same, and could do the same.
    struct Key: Hashable {
        let kind: Presentation.Kind
        /// The field that the failure is about, and that at which it stands.
        let field: String?
        let place: String?
        /// The call's name, for what stands at a field: another call's success says nothing about this one's input.
        let call: String?
        let message: FailureMessage
        let own: [PresentationAction]
        let counts: Bool
        let lifetime: Presentation.Lifetime

        init(_ presentation: Presentation, field: String?, call: String?) {
            kind = presentation.kind
            self.field = field
            place = presentation.field
            self.call = kind == .inline ? call : nil
            message = presentation.message
            own = presentation.actions.filter { $0 != .retry && $0 != .dismiss }
            counts = presentation.countdown != nil
            lifetime = presentation.lifetime
        }
    }

    /// A call that waits for what the person chooses.
    struct Waiter {
        let id: Int
        /// Whether it may be sent again without anybody's doing.
        let isRepeatable: Bool
    }

    /// A failure that is shown, and whose it is.
    struct Report {
        /// How it is presented.
        let presentation: Presentation
        /// The field that it is about, also where no view shows it.
        let field: String?
        /// The call's name.
        let call: String
        /// The call's number.
        let callID: UInt64
    }

    /// One presentation.
    struct Entry {
        /// A call that waits.
        private struct Waiting {
            let isRepeatable: Bool
            let presentation: Presentation
            /// When it is sent again by itself; nil for never.
            let due: Duration?
        }

        let id: Int
        private(set) var key: Key
        /// What is shown: of equal failures some calls can be sent again and others not, and "Try again" is for those that
        /// can.
        private(set) var presentation: Presentation
        /// How many failures it stands for whose calls do not wait, and how such a one is presented.
        private var ended = 0
        private var told: Presentation?
        /// The calls that wait, by their numbers.
        private var waiting: [Int: Waiting] = [:]
        /// The number of the latest call.
        private(set) var latestCall: UInt64 = 0
        /// When it goes away by itself, or the first call is sent again, by the presenter's clock; nil for never.
        private(set) var end: Duration?
        /// How long it was until then when that was last looked at.
        private(set) var remaining: Duration?
        /// How much of its time is left, while nobody can see it.
        private var left: Duration?
        /// How often it has gone from the screen without an answer.
        var vanished = 0

        init(id: Int, key: Key, _ report: Report) {
            self.id = id
            self.key = key
            presentation = report.presentation
        }
    }
}

extension PresentationQueue.Entry {
    var shown: PresentedFailure {
        PresentedFailure(
            id: id, presentation: presentation, count: ended + waiting.count,
            remaining: presentation.countdown == nil ? nil : remaining)
    }

    /// The calls that wait, in the order in which they came.
    var waiters: [PresentationQueue.Waiter] {
        waiting.sorted { $0.key < $1.key }.map { .init(id: $0.key, isRepeatable: $0.value.isRepeatable) }
    }

    /// Whether no call waits.
    var isTold: Bool {
        waiting.isEmpty
    }

    /// Whether a call waits for a person, and for nothing else.
    var awaitsAnswer: Bool {
        !waiting.isEmpty && presentation.countdown == nil
    }

    /// Whether it stands for no failure any more.
    var isEmpty: Bool {
        waiting.isEmpty && ended == 0
    }

    func isAwaited(by waiter: Int) -> Bool {
        waiting[waiter] != nil
    }

    /// One more failure that is equal.
    mutating func add(_ report: PresentationQueue.Report, waiter: PresentationQueue.Waiter?, now: Duration) {
        let other = report.presentation
        if other.actions.count > presentation.actions.count {
            presentation = other
        }
        if let waiter {
            waiting[waiter.id] = Waiting(
                isRepeatable: waiter.isRepeatable, presentation: other, due: other.countdown.map { now.adding($0) })
        } else {
            ended += 1
            told = told ?? other
        }
        latestCall = max(latestCall, report.callID)
        if case .lasting(let time) = other.lifetime {
            // A banner is read from the last one on.
            end = max(now.adding(time), end ?? now)
        }
        look(at: now)
    }

    /// Brings the time up to date.
    mutating func look(at now: Duration) {
        if presentation.countdown != nil {
            end = waiting.values.compactMap(\.due).min()
        }
        remaining = end.map { $0 - now }
    }

    /// Notes whether it can be seen. A countdown goes on either way: it is the server that says when to come back.
    mutating func setSeen(_ isSeen: Bool, now: Duration) {
        guard presentation.countdown == nil else {
            return
        }
        if isSeen, let left {
            end = now.adding(left)
            self.left = nil
        } else if !isSeen, let end {
            left = end.subtracting(now)
            self.end = nil
        }
    }

    /// The calls whose own time is over: nobody waits longer because others failed later.
    func due(at now: Duration) -> [Int] {
        waiting.filter { call in call.value.due.map { $0 <= now } ?? false }.keys.sorted()
    }

    /// Calls wait no longer.
    mutating func withdraw(_ waiters: [Int]) {
        for waiter in waiters {
            waiting[waiter] = nil
        }
        // Nobody may be offered what helps no call any more.
        let left = [told].compactMap { $0 } + waiting.values.lazy.map(\.presentation)
        presentation = left.max { $0.actions.count < $1.actions.count } ?? presentation
    }

    /// Stands only for the calls that still wait, in other words, until another time.
    mutating func keep(message: FailureMessage, lifetime: Presentation.Lifetime) {
        (ended, told) = (0, nil)
        waiting = waiting.mapValues { call in
            Waiting(
                isRepeatable: call.isRepeatable,
                presentation: call.presentation.with(message: message, lifetime: lifetime),
                due: call.due)
        }
        presentation = presentation.with(message: message, lifetime: lifetime)
        key = PresentationQueue.Key(presentation, field: key.field, call: key.call)
    }

    /// Stands for the failures of an equal one too.
    mutating func absorb(_ other: Self) {
        ended += other.ended
        told = told ?? other.told
        waiting.merge(other.waiting) { $1 }
        latestCall = max(latestCall, other.latestCall)
        withdraw([])
    }
}
