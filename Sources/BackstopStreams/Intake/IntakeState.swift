internal import Backstop
internal import BackstopCore

/// How far the body of a call has come, and what interceptors have asked to happen on its way.
struct IntakeState {
    enum Phase {
        /// No head was accepted.
        case waiting
        /// The body arrives.
        case open
        /// It has arrived.
        case complete
        /// It has not arrived, and why.
        case failed(any Error)
    }

    struct Action {
        let run: @Sendable () -> Void
        /// Undoes it; nil for one that runs once.
        let undo: (@Sendable () -> Void)?
    }

    var phase = Phase.waiting
    /// Whether nothing more may be handed over.
    var isClosed = false
    /// Whether something is being handed over, and who waits until it was.
    var isHandingOver = false
    var closing: CheckedContinuation<Void, Never>?
    /// The error of what takes the body, which no transport should take for its own.
    var sinkError: (any Error)?
    var gates: [String: @Sendable (HTTP.Response) -> Bool] = [:]
    private(set) var checks: [UInt64: @Sendable () throws -> Void] = [:]
    private var actions: [UInt64: Action] = [:]
    private var lastTicket: UInt64 = 0
    /// When the last head was accepted.
    private(set) var opened: Duration?
    /// How long heads had been accepted whose bodies turned out to be no stream.
    private(set) var timeInVain = Duration.zero
    /// What came last in the place of a stream.
    private(set) var answer: WholeAnswer?
    /// The body that is being taken.
    var body: HTTP.IncomingBody?
    var report = TransferReport()

    /// Whether a head was accepted.
    var isOpen: Bool {
        if case .waiting = phase { false } else { true }
    }

    /// Adds an action if a head is accepted, or not, as it was when the caller decided whether to run it; nil otherwise.
    mutating func add(_ action: Action, ifOpen wasOpen: Bool) -> UInt64? {
        guard isOpen == wasOpen else {
            return nil
        }
        lastTicket += 1
        actions[lastTicket] = action
        return lastTicket
    }

    mutating func add(check: @escaping @Sendable () throws -> Void) -> UInt64 {
        lastTicket += 1
        checks[lastTicket] = check
        return lastTicket
    }

    /// Forgets an action, or a check unless a head was accepted.
    ///
    /// - Returns: What is to be released outside of the lock.
    mutating func remove(_ ticket: UInt64) -> Any? {
        actions.removeValue(forKey: ticket) ?? (isOpen ? nil : checks.removeValue(forKey: ticket))
    }

    /// Accepts a head.
    ///
    /// - Returns: The actions to run; nil if another was accepted before, or the call has ended.
    mutating func open(_ head: HTTP.Response, at now: Duration) -> [Action]? {
        guard !isOpen, !isClosed else {
            return nil
        }
        (phase, opened) = (.open, now)
        report.expected = head.announcedLength
        defer { actions = actions.filter { $0.value.undo != nil } }
        return Array(actions.values)
    }

    /// Goes back to the time before the head, as what came is no stream.
    ///
    /// - Returns: The actions to undo.
    mutating func reopen(after answer: WholeAnswer, at now: Duration) -> [Action] {
        timeInVain = timeInVain.adding(now.subtracting(opened ?? now))
        opened = nil
        (phase, sinkError, report) = (.waiting, nil, TransferReport())
        self.answer = answer
        return Array(actions.values)
    }
}
