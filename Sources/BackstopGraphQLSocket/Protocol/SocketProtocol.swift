internal import Backstop
internal import BackstopCore
internal import Foundation

/// The client's side of one connection, in the words of graphql-transport-ws: what happens, and what is to be done then.
///
/// It knows neither sockets nor clocks nor threads, so each order of events can be tried in a test.
struct SocketProtocol {
    /// A wait that is limited.
    enum Limit: Hashable, CaseIterable {
        /// For the connection and its acknowledgement.
        case acknowledgement
        /// Between two pings.
        case ping
        /// Without operations.
        case idle
    }

    /// What happens to an operation.
    enum Event {
        /// It was sent.
        case began
        /// A result, on one line if it is JSON.
        case result(Data)
        /// It was not executed; the list of errors, on one line if it is JSON. Nothing follows.
        case errors(Data)
        /// It is over. Nothing follows.
        case complete
        /// It was not sent, and this is the server's answer to a request of this method. Nothing follows.
        case answered(HTTP.Response, to: HTTP.Method)
        /// The server's answer to the request for it alone. Nothing follows.
        case refused(HTTP.Response)
        /// What came for it cannot be read, or the request for it alone failed. Nothing follows.
        case failed(any Error)
        /// The connection was lost, or could not be opened. Nothing follows.
        case lost(any Error)
    }

    /// What is to be done, in this order.
    enum Action {
        /// Send a message; that of an operation is confirmed by ``written(_:)``.
        case send(ClientMessage, operation: UInt64?)
        /// Close the connection, whatever its state.
        case close(code: UInt16, reason: String)
        /// Call ``expire(_:_:)`` after a time.
        case start(Limit, number: UInt64, after: Duration)
        case stop(Limit)
        case tell(UInt64, Event)
        /// A result came for an operation that has ended on this side.
        case unwanted(UInt64)
    }

    private enum Phase {
        /// There is no connection yet.
        case opening
        /// It waits for the acknowledgement.
        case initializing
        case ready
        case over
    }

    private struct Operation {
        /// The message that waits for the acknowledgement.
        var message: ClientMessage?
        var phase = TransportError.Phase.connecting
    }

    let options: SocketOptions
    /// The payload of the first message; nil for none.
    private let payload: Data?
    private var phase = Phase.opening
    private var operations: [UInt64: Operation] = [:]
    /// Those that wait for the acknowledgement, in their order, and some that have been cancelled since.
    private var waiting: [UInt64] = []
    private var lastID: UInt64 = 0
    /// Whether the connection is closed with its last operation.
    private var isRetired = false
    /// Whether anything has come since the last ping.
    private var hasHeard = true
    /// The limits that run. A timer that was stopped may still call, with an older number.
    private var limits: [Limit: UInt64] = [:]
    private var lastLimit: UInt64 = 0
    /// What an operation is told that would have run on the connection, if that ended before it was acknowledged, and not
    /// by this side; nil otherwise.
    private(set) var refusal: Event?
    private var actions: [Action] = []

    init(_ options: SocketOptions, payload: Data?) {
        self.options = options
        self.payload = payload
    }

    /// Whether it takes operations.
    var isOpen: Bool { phase != .over }

    /// Whether the connection was acknowledged.
    var isReady: Bool { phase == .ready }

    /// How many operations run.
    var count: Int { operations.count }

    /// Takes what is to be done.
    mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    // MARK: From this side

    /// Begins to wait for the connection.
    ///
    /// - Returns: Whether anybody does: all operations may have ended meanwhile.
    mutating func begin() -> Bool {
        guard isOpen else {
            return false
        }
        start(.acknowledgement, after: options.acknowledge)
        return true
    }

    /// Begins an operation: now, or once the connection is acknowledged.
    ///
    /// - Returns: Its id; nil when the connection is over.
    mutating func start(_ body: Data) -> UInt64? {
        guard isOpen else {
            return nil
        }
        lastID += 1
        let message = ClientMessage.subscribe(lastID, body)
        stop(.idle)
        if phase == .ready {
            operations[lastID] = Operation(phase: .sending)
            actions.append(.send(message, operation: lastID))
        } else {
            operations[lastID] = Operation(message: message)
            waiting.append(lastID)
        }
        return lastID
    }

    /// Ends an operation that is not wanted any more.
    ///
    /// - Parameter isSent: Whether the connection may have sent what it was given.
    mutating func cancel(_ id: UInt64, isSent: Bool = true) {
        guard let operation = operations.removeValue(forKey: id) else {
            return
        }
        // One that waits is not sent at all.
        if operation.message == nil, isSent {
            actions.append(.send(.complete(id), operation: nil))
        }
        restIfIdle()
    }

    /// Closes the connection with its last operation: another one has taken its place.
    mutating func retire() {
        isRetired = true
        stop(.idle)
        restIfIdle()
    }

    /// Closes the connection.
    mutating func shutDown() {
        end(closing: (1000, "")) { .lost(TransportError(.lost, phase: $0, detail: "The socket was given up")) }
    }

    // MARK: From the connection

    /// There is a connection.
    mutating func opened() {
        guard phase == .opening else {
            return
        }
        phase = .initializing
        actions.append(.send(.initialize(payload), operation: nil))
    }

    /// The server has acknowledged the connection.
    mutating func acknowledged() {
        guard phase == .initializing else {
            return refuse(4429, "The server acknowledged the connection twice")
        }
        phase = .ready
        stop(.acknowledgement)
        startPinging()
        for id in waiting {
            guard let message = operations[id]?.message else {
                continue
            }
            operations[id] = Operation(phase: .sending)
            actions.append(.send(message, operation: id))
        }
        waiting = []
        restIfIdle()
    }

    /// The server refused to open one.
    mutating func answered(_ response: HTTP.Response, to method: HTTP.Method) {
        end { _ in .answered(response, to: method) }
    }

    /// The message of an operation was sent.
    mutating func written(_ id: UInt64) {
        guard operations[id]?.phase == .sending else {
            return
        }
        operations[id]?.phase = .waiting
        actions.append(.tell(id, .began))
    }

    /// The request for an operation alone was refused, or failed.
    mutating func refused(_ id: UInt64, _ answer: Result<HTTP.Response, any Error>) {
        // An operation that has brought something runs, whatever became of its request.
        guard operations[id]?.phase == .sending else {
            return
        }
        let event: Event =
            switch answer {
            case .success(let response): .refused(response)
            case .failure(let error): .failed(error)
            }
        actions.append(.tell(id, event))
        cancel(id, isSent: Self.mayRun(after: answer))
    }

    /// The server is there.
    mutating func heard() {
        hasHeard = true
    }

    /// A message, or an event, has come.
    ///
    /// - Parameter type: Its type; nil if the message has it.
    mutating func receive(_ bytes: Data, type: String? = nil) {
        guard phase == .initializing || phase == .ready else {
            return
        }
        heard()
        do throws(SocketMessage.Fault) {
            try take(try SocketMessage(bytes, type: type))
        } catch {
            guard phase == .ready, let text = error.id else {
                return refuse(4400, error.detail)
            }
            // The others go on.
            if let id = running(text) {
                actions.append(
                    .tell(id, .failed(TransportError(.badResponse, phase: .receiving, detail: error.detail))))
                cancel(id)
            }
        }
    }

    /// The server broke a rule of the connection.
    ///
    /// - Parameter detail: How, as a sentence.
    mutating func refuse(_ code: UInt16, _ detail: String) {
        // Whose fault it is of several is not known, and the next connection may hold for all others.
        let error: TransportError.Code = phase == .ready && operations.count > 1 ? .lost : .badResponse
        end(closing: (code, "")) { .lost(TransportError(error, phase: $0, detail: detail)) }
    }

    /// The server closed the connection, or it ended.
    mutating func closed(_ close: SocketClose) {
        end { .lost(close.error(in: $0)) }
    }

    /// The connection failed.
    mutating func failed(_ error: any Error) {
        guard phase != .opening else {
            return end { _ in .lost(error) }
        }
        let known = error as? TransportError
        let (detail, cause) = (known?.detail ?? "", known == nil ? error : known?.underlying)
        end { .lost(TransportError(.lost, phase: $0, detail: detail, underlying: cause)) }
    }

    /// The server does not read.
    mutating func stalled() {
        end(closing: (1008, "")) {
            .lost(TransportError(.lost, phase: $0, detail: "The server does not read what it is sent"))
        }
    }

    /// The time of a limit is over.
    mutating func expire(_ limit: Limit, _ number: UInt64) {
        guard limits[limit] == number else {
            return
        }
        limits[limit] = nil
        switch limit {
        case .acknowledgement:
            let time = options.acknowledge
            end(closing: (4504, "Connection acknowledgement timeout")) { _ in
                .lost(TimeoutError(.acknowledgement, after: time))
            }
        case .idle: end(closing: (1000, "")) { .lost(TransportError(.lost, phase: $0)) }
        case .ping:
            guard hasHeard else {
                return end(closing: (4408, "Request timeout")) {
                    .lost(TransportError(.lost, phase: $0, detail: "The server did not answer a ping in time"))
                }
            }
            hasHeard = false
            actions.append(.send(.ping, operation: nil))
            startPinging()
        }
    }
}

// MARK: Inside

extension SocketProtocol {
    private mutating func take(_ message: SocketMessage) throws(SocketMessage.Fault) {
        switch message {
        case .ping(let payload): actions.append(.send(.pong(payload), operation: nil))
        case .pong: break
        case .acknowledged: acknowledged()
        case .next(let id, let payload): try tell(id, .result(payload))
        case .errors(let id, let payload): try tell(id, .errors(payload), isLast: true)
        case .complete(let id): try tell(id, .complete, isLast: true)
        }
    }

    /// The operation with an id; nil if none runs.
    private func running(_ text: String) -> UInt64? {
        begun(text).flatMap { operations[$0] != nil ? $0 : nil }
    }

    /// The operation with an id, whether it runs or has ended.
    private func begun(_ text: String) -> UInt64? {
        UInt64(text).flatMap { String($0) == text && $0 > 0 && $0 <= lastID ? $0 : nil }
    }

    /// Passes something to an operation. One that is unknown has ended before: the messages may have crossed.
    private mutating func tell(_ text: String, _ event: Event, isLast: Bool = false) throws(SocketMessage.Fault) {
        guard phase == .ready else {
            throw SocketMessage.Fault(detail: "The server answered before it acknowledged the connection")
        }
        guard let id = running(text) else {
            if case .result = event, let id = begun(text) {
                actions.append(.unwanted(id))
            }
            return
        }
        if operations[id]?.phase == .sending {
            // The answer came before the system said that the message was sent.
            actions.append(.tell(id, .began))
        }
        operations[id]?.phase = .receiving
        actions.append(.tell(id, event))
        if isLast {
            operations[id] = nil
            restIfIdle()
        }
    }

    /// Waits for the next operation, or closes: at once before the acknowledgement, so that credentials that nobody uses
    /// are not sent.
    private mutating func restIfIdle() {
        guard operations.isEmpty, isOpen else {
            return
        }
        guard phase == .ready, !isRetired, options.idle > .zero else {
            return end(closing: (1000, "")) { .lost(TransportError(.lost, phase: $0)) }
        }
        start(.idle, after: options.idle)
    }

    /// Ends everything, once.
    ///
    /// - Parameters:
    ///   - close: How to close the connection; nil when it has ended.
    ///   - event: What an operation in a phase is told.
    private mutating func end(
        closing close: (code: UInt16, reason: String)? = nil, _ event: (TransportError.Phase) -> Event
    ) {
        guard phase != .over else {
            return
        }
        if close == nil, phase != .ready {
            refusal = event(.connecting)
        }
        phase = .over
        Limit.allCases.forEach { stop($0) }
        for (id, operation) in operations.sorted(by: { $0.key < $1.key }) {
            actions.append(.tell(id, event(operation.phase)))
        }
        operations = [:]
        waiting = []
        if let close {
            actions.append(.close(code: close.code, reason: close.reason))
        }
    }

    private mutating func startPinging() {
        if let ping = options.ping {
            start(.ping, after: ping)
        }
    }

    private mutating func start(_ limit: Limit, after time: Duration) {
        lastLimit += 1
        limits[limit] = lastLimit
        actions.append(.start(limit, number: lastLimit, after: time))
    }

    private mutating func stop(_ limit: Limit) {
        if limits.removeValue(forKey: limit) != nil {
            actions.append(.stop(limit))
        }
    }
}
