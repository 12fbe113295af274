internal import Backstop
internal import BackstopCore
internal import Foundation

/// One connection with its operations: does what ``SocketProtocol`` says.
///
/// Events come from the connection, from timers and from the tasks of calls. Each changes the protocol's state under the
/// lock; what is to be done then is done outside of it, by one thread at a time and in order.
final class SocketSession: Sendable {
    private struct State {
        var rules: SocketProtocol
        var operations: [UInt64: SocketOperation] = [:]
        /// Those that were cancelled when they were about to be sent, until their ends would be.
        var unsent: Set<UInt64> = []
        var timers: [SocketProtocol.Limit: LimitTimer] = [:]
        /// Whether somebody does what is to be done.
        var isActing = false
        /// How many bytes were given to the connection and are not written.
        var unwritten = 0
    }

    /// The last number of a connection of the process, guarded by the lock.
    private static let counter = Lock<UInt64>(0)

    /// The number of the connection.
    let number: UInt64
    private let connection: any SocketConnection
    /// The clock of pings and of idleness.
    private let clock: any CallClock
    /// The clock of the call that opens the connection.
    private let openingClock: any CallClock
    private let ended: @Sendable (SocketSession) -> Void
    /// The state, guarded by the lock; nobody is told anything under it.
    private let state: Lock<State>

    /// - Parameters:
    ///   - openingClock: The clock of the limit on the acknowledgement.
    ///   - ended: Called once it takes no operations any more.
    init(
        _ connection: any SocketConnection, _ rules: SocketProtocol, clock: any CallClock,
        openingClock: any CallClock, ended: @escaping @Sendable (SocketSession) -> Void
    ) {
        number = Self.counter.withLock { last in
            last += 1
            return last
        }
        self.connection = connection
        self.clock = clock
        self.openingClock = openingClock
        self.ended = ended
        state = Lock(State(rules: rules))
    }

    /// How many operations run.
    var count: Int { state.withLock { $0.operations.count } }

    /// See ``SocketProtocol/refusal``.
    var refusal: SocketProtocol.Event? { state.withLock { $0.rules.refusal } }

    /// Opens the connection.
    func open() {
        if change({ $0.rules.begin() }) {
            connection.open { self.take($0) }
        }
    }

    /// Begins an operation.
    ///
    /// - Returns: Whether it could: not on a connection that is over.
    func start(_ operation: SocketOperation) -> Bool {
        change { state in
            let wasReady = state.rules.isReady
            guard let id = state.rules.start(operation.body) else {
                return false
            }
            state.operations[id] = operation
            operation.begin(on: self, id: id, wasReady: wasReady)
            return true
        }
    }

    /// Ends an operation that is not wanted any more.
    ///
    /// - Returns: Whether the connection had it, and did not send it.
    func cancel(_ id: UInt64) -> Bool {
        let isTakenBack = connection.takeBack(id)
        let operation = change { state in
            state.rules.cancel(id, isSent: !isTakenBack)
            return state.operations.removeValue(forKey: id)
        }
        return withExtendedLifetime(operation) { isTakenBack }
    }

    /// Closes the connection with its last operation.
    func retire() {
        change { $0.rules.retire() }
    }

    /// Closes the connection.
    func shutDown() {
        change { $0.rules.shutDown() }
    }

    private func take(_ event: SocketEvent) {
        change { state in
            switch event {
            case .opened: state.rules.opened()
            case .acknowledged: state.rules.acknowledged()
            case .answered(let response, let method): state.rules.answered(response, to: method)
            case .text(let message, let type): state.rules.receive(message, type: type)
            case .refused(let id, let answer): state.rules.refused(id, answer)
            case .heard: state.rules.heard()
            case .broken(let code, let detail): state.rules.refuse(code, detail)
            case .closed(let close): state.rules.closed(close)
            case .failed(let error): state.rules.failed(error)
            }
        }
    }

    @discardableResult
    private func change<Answer>(_ body: (inout State) -> Answer) -> Answer {
        let (answer, acts) = state.withLock { state in
            let answer = body(&state)
            defer { state.isActing = true }
            return (answer, !state.isActing)
        }
        if acts {
            act()
        }
        return answer
    }

    private func act() {
        while true {
            let actions = state.withLock { state in
                let actions = state.rules.takeActions()
                state.isActing = !actions.isEmpty
                return actions
            }
            guard !actions.isEmpty else {
                return
            }
            for action in actions {
                run(action)
            }
            if !state.withLock({ $0.rules.isOpen }) {
                ended(self)
            }
        }
    }

    private func run(_ action: SocketProtocol.Action) {
        switch action {
        case .send(let message, let id): send(message, of: id)
        case .close(let code, let reason): connection.close(code: code, reason: reason)
        case .start(let limit, let number, let time): start(limit, number, after: time)
        case .stop(let limit): state.withLock { $0.timers.removeValue(forKey: limit) }?.cancel()
        case .tell(let id, let event):
            guard let operation = state.withLock({ $0.operations[id] }) else {
                return
            }
            if event.isLast {
                state.withLock { _ = $0.operations.removeValue(forKey: id) }
            }
            operation.take(event)
        case .unwanted(let id): connection.endAgain(id)
        }
    }

    private func send(_ message: ClientMessage, of id: UInt64?) {
        let size = message.size
        let isStalled = state.withLock { state -> Bool? in
            if case .complete(let id) = message, state.unsent.remove(id) != nil {
                return nil
            }
            let operation = id.flatMap { state.operations[$0] }
            if let id, operation == nil {
                state.unsent.insert(id)
                return nil
            }
            // A message that is larger than the limit may be sent by itself.
            guard state.unwritten <= state.rules.options.unwritten else {
                return true
            }
            state.unwritten += size
            // Here, so that whoever cancels it either keeps it from being sent or sees that it is.
            operation?.depart()
            return false
        }
        guard let isStalled else {
            return
        }
        guard !isStalled else {
            return change { $0.rules.stalled() }
        }
        connection.send(message) { [weak self] isWritten in
            self?.change { state in
                state.unwritten -= size
                if isWritten, let id {
                    state.rules.written(id)
                }
            }
        }
    }

    private func start(_ limit: SocketProtocol.Limit, _ number: UInt64, after time: Duration) {
        let clock = limit == .acknowledgement ? openingClock : clock
        let timer = LimitTimer(after: time, clock: clock) { [weak self] in
            self?.change { $0.rules.expire(limit, number) }
        }
        state.withLock { $0.timers.updateValue(timer, forKey: limit) }?.cancel()
    }
}

extension SocketProtocol.Event {
    /// Whether nothing follows.
    var isLast: Bool {
        switch self {
        case .began, .result: false
        case .errors, .complete, .answered, .refused, .failed, .lost: true
        }
    }
}
