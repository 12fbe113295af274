internal import Backstop
internal import BackstopCore
internal import BackstopStreams
internal import BackstopTransfers
internal import Foundation

/// A connection of HTTP requests: the mode of a single connection of GraphQL over Server-Sent Events
/// (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md).
///
/// A reservation gives a token, with which one stream brings the events of all operations; each operation has a request
/// that begins it, and one that ends it. What fails is not repeated here: each operation's own call decides that.
final class EventConnection: SocketConnection {
    private struct State {
        /// Who is told; nil after the end.
        var tell: (@Sendable (SocketEvent) -> Void)?
        /// The token, once the stream is open.
        var token: String?
        var isClosed = false
        /// What reads the stream.
        var stream: Task<Void, Never>?
        /// The requests for operations that are not answered.
        var begins: [UInt64: Begin] = [:]
        /// What makes the requests that end operations, by the id of the first.
        var ends: [UInt64: Task<Void, Never>] = [:]
        /// The operations that are ended after those.
        var leaving: [UInt64] = []
        /// Those whose requests got no answer, to begin or to end: the server may run them.
        var unanswered: Set<UInt64> = []
        /// Until when none of them is ended once more.
        var restsUntil = Duration.zero
    }

    private struct Begin {
        let task: Task<Void, Never>
        let departure: EventDeparture
        /// Whether the operation is not wanted any more.
        var isEnded = false
        /// Ends the wait for its answer then.
        var limit: LimitTimer?
    }

    /// How long a token may be; servers refuse longer heads.
    private static let longestToken = 4096
    /// How many bytes an answer may have that is no stream: a token, or errors.
    private static let longestAnswer = 1 << 20
    /// How many operations are ended at once; a proxy allows few connections, and the stream has one of them.
    private static let endLimit = 4
    /// How long after a request to end one has failed none is ended once more: each result would ask for it.
    private static let rest = Duration.seconds(5)
    /// How many operations that got no answer are remembered.
    private static let unansweredLimit = 1024
    /// How long the answer to a request that ends one may take, of three: the others wait for it.
    private static let endPatience = Duration.seconds(3)

    /// The refusals that may mean that the token is gone, with its stream.
    private static let tokenRefusals: Set<Int> = [401, 404, 409]
    /// How long after one the end of the stream may come, over another connection.
    private static let grace = Duration.milliseconds(250)

    private let target: SocketTarget
    private let clock: any CallClock
    private let options: StreamOptions
    /// What sends the requests, and those that end operations, which are repeated; a failure if it could not be made.
    private let client, ending: Result<Client, Failure>
    /// The state, guarded by the lock; nobody is told anything under it.
    private let state = Lock(State())

    init(_ target: SocketTarget, over transport: any HTTP.Transport, clock: any CallClock, options: StreamOptions) {
        self.target = target
        self.clock = clock
        self.options = options
        var call = CallOptions()
        call.clock = clock
        // A redirect to another origin takes none of the fields along: which ones are secrets, only the app knows.
        call.redaction = target.headers.fields.reduce(call.redaction) { $0.adding($1.name.text) }
        // A GET in the place of a POST would be another request.
        call.values.bounds.keepsMethod = true
        call.values.bounds.responseLimit = Self.longestAnswer
        func made(_ interceptors: () throws -> [any HTTP.Interceptor]) -> Result<Client, Failure> {
            Result {
                try Client(
                    baseURL: nil, chain: HTTP.Chain(transport: transport, interceptors: interceptors()), options: call)
            }.mapError { Failure($0) }
        }
        client = made { [EventDeparture.Watch()] }
        ending = made {
            // Enough for as many as are ended at once: each has two retries, which cost two after a timeout.
            let budget = try RetryBudget(capacity: Double(4 * Self.endLimit))
            return [
                HTTP.Retry(try RetryPolicy(attempts: 3, budget: budget)), StatusValidation(),
                AttemptTimeout(min(target.patience, Self.endPatience)),
            ]
        }
    }

    func open(_ tell: @escaping @Sendable (SocketEvent) -> Void) {
        state.withLock { state in
            guard !state.isClosed else {
                return
            }
            state.tell = tell
            // Detached, here and below: many calls share it, and it takes nothing of the one that is running.
            state.stream = Task.detached { await self.run() }
        }
    }

    func send(_ message: ClientMessage, written: @escaping @Sendable (Bool) -> Void) {
        switch message {
        case .initialize:
            written(true)
            // The server has accepted the stream, and there is nothing else to acknowledge.
            tell(.acknowledged)
        case .subscribe(let id, let body):
            begin(id, body, written)
        case .complete(let id):
            end(id)
            written(true)
        case .ping, .pong:
            // Neither exists; a silent server is noticed by the limit of its stream.
            written(true)
        }
    }

    func takeBack(_ id: UInt64) -> Bool {
        let begin = state.withLock { state in
            guard let begin = state.begins[id], begin.departure.isWaiting else {
                return Begin?.none
            }
            state.begins[id]?.isEnded = true
            return begin
        }
        begin?.task.cancel()
        // It may have left meanwhile.
        return begin?.departure.isWaiting ?? false
    }

    func endAgain(_ id: UInt64) {
        let now = clock.now
        if state.withLock({ $0.ends[id] == nil && $0.restsUntil <= now && $0.unanswered.remove(id) != nil }) {
            end(id)
        }
    }

    func close(code: UInt16, reason: String) {
        // The server ends the operations of a stream with it.
        _ = stop()
    }

    private func tell(_ event: SocketEvent) {
        state.withLock { $0.tell }?(event)
    }

    /// Ends everything that runs.
    ///
    /// - Returns: Who was told until then.
    private func stop() -> (@Sendable (SocketEvent) -> Void)? {
        let old = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state
        }
        old.stream?.cancel()
        for begin in old.begins.values {
            begin.task.cancel()
            begin.limit?.cancel()
        }
        old.ends.values.forEach { $0.cancel() }
        return old.tell
    }
}

// MARK: The stream

extension EventConnection {
    private func run() async {
        var opening = HTTP.Method.put
        do throws(Failure) {
            let token = try await reserve()
            opening = .get
            let events = try await stream(token)
            state.withLock { $0.token = $0.isClosed ? nil : token }
            tell(.opened)
            for try await event in events where ["next", "complete"].contains(event.type) {
                tell(.text(Data(event.data.utf8), type: event.type))
            }
            throw Failure(TransportError(.lost, phase: .receiving, detail: "The server ended the stream of events"))
        } catch {
            let event = end(after: error, of: opening)
            stop()?(event)
        }
    }

    /// Asks for a token.
    private func reserve() async throws(Failure) -> String {
        let response = try await send(.reservation, nil)
        guard response.status == 201 else {
            throw (200..<300).contains(response.status)
                ? EventRequest.reservation.refusal("with the status \(response.status) and not 201")
                : Failure(StatusError(response.status, response: response))
        }
        let token = response.body
        guard !token.isEmpty, token.count <= Self.longestToken, token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw EventRequest.reservation.refusal(
                "without a token of visible characters, or with one of more than \(Self.longestToken) bytes")
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// What the failure of the stream means.
    private func end(after failure: Failure, of opening: HTTP.Method) -> SocketEvent {
        let token = state.withLock { $0.token }
        // Of one that was not open, no operation was sent, whatever was sent of its own.
        let phase = token == nil ? TransportError.Phase.connecting : .receiving
        switch failure.reason {
        case .status(let error):
            return .answered(error.response as? HTTP.Response ?? HTTP.Response(status: error.code), to: opening)
        case .transport(let error) where error.code == .tooLarge && token != nil:
            return .broken(
                code: 1009,
                detail: "The server sent an event of more than the \(target.longest) bytes that "
                    + "GraphQL.Socket.longest accepts")
        case .transport(let error):
            return .failed(
                TransportError(error.code, phase: phase, detail: error.detail, underlying: error.underlying))
        case .timeout(let error) where error.kind.isOnSilence:
            let time = error.duration.map { " for \($0.text)" } ?? ""
            let limit =
                error.duration == options.silence ? "silence of GraphQL.Socket" : "idleTimeout of the transport"
            return .failed(
                TransportError(
                    .lost, phase: phase, detail: "Nothing came over the stream of events\(time), the limit \(limit)"))
        case .timeout, .cancelled, .request:
            return .failed(failure.underlying)
        case .decoding(let error):
            return .failed(EventRequest.events.refusal("with \(error.found) in place of \(error.expected)").underlying)
        default:
            return .failed(
                TransportError(
                    .badResponse, phase: phase, detail: "The stream of events broke off: \(failure.explanation)"))
        }
    }
}

// MARK: Operations

extension EventConnection {
    private func begin(_ id: UInt64, _ body: Data, _ written: @escaping @Sendable (Bool) -> Void) {
        let isOpen = state.withLock { state in
            guard let token = state.token else {
                return false
            }
            let departure = EventDeparture()
            let task = Task.detached {
                let refusal = await self.refusal(of: .operation(id, body), token, departure)
                let begin = self.state.withLock { $0.begins.removeValue(forKey: id) }
                begin?.limit?.cancel()
                written(refusal == nil)
                let mayRun = refusal.map { SocketProtocol.mayRun(after: $0) && !departure.isWaiting } ?? true
                if mayRun, case .failure = refusal {
                    self.noteUnanswered(id)
                }
                if begin?.isEnded != true {
                    refusal.map { self.tell(.refused(id, $0)) }
                } else if mayRun {
                    self.end(id)
                }
            }
            state.begins[id] = Begin(task: task, departure: departure)
            return true
        }
        if !isOpen {
            written(false)
        }
    }

    /// Notes that the server may run an operation that has ended here.
    private func noteUnanswered(_ id: UInt64, resting time: Duration = .zero) {
        let end = clock.now.adding(time)
        state.withLock { state in
            state.restsUntil = max(state.restsUntil, end)
            if state.unanswered.count >= Self.unansweredLimit {
                state.unanswered.removeFirst()
            }
            state.unanswered.insert(id)
        }
    }

    /// Why the server does not run an operation, by its answer to the request for it; nil if it does.
    private func refusal(
        of request: EventRequest, _ token: String, _ departure: EventDeparture
    ) async -> Result<HTTP.Response, any Error>? {
        let response: HTTP.Response
        do throws(Failure) {
            response = try await send(request, token, departure)
        } catch {
            // Only what a redirect asked for was not sent: the server has the operation.
            if case .timeout(let timeout) = error.reason, timeout.kind.isBeforeSending, !error.repeatSafety.isEmpty {
                return .failure(
                    TransportError(
                        .lost, phase: .receiving,
                        detail: "A redirect of the request to begin an operation found no free connection in time",
                        underlying: timeout))
            }
            return .failure(error.underlying)
        }
        switch response.status {
        case 202:
            return nil
        case 200..<300 where !response.body.withUnsafeBytes { JSONScan.hasTopLevelKeys(["errors"], in: $0) }:
            return .failure(
                request.refusal("with the status \(response.status) and not 202, and without errors")
                    .underlying)
        case let status where Self.tokenRefusals.contains(status):
            // If the stream ends, this ends with it, and the operation is told that it was lost.
            try? await clock.sleep(for: Self.grace)
        default: break
        }
        return .success(response)
    }

    private func end(_ id: UInt64) {
        let unsent: Task<Void, Never>? = state.withLock { state in
            // One whose beginning has just failed may be ended by its call as well.
            guard let token = state.token, state.ends[id] == nil else {
                return nil
            }
            if let begin = state.begins[id] {
                state.begins[id]?.isEnded = true
                guard begin.departure.isUnderWay else {
                    return begin.task
                }
                // The server may take the second request before the first, and not know the operation then.
                state.begins[id]?.limit = LimitTimer(after: target.patience, clock: clock) { begin.task.cancel() }
                return nil
            }
            guard state.ends.count < Self.endLimit else {
                state.leaving.append(id)
                return nil
            }
            state.ends[id] = Task.detached {
                var next: UInt64? = id
                while let ended = next {
                    if (try? await self.send(.end(ended), token)) == nil {
                        self.noteUnanswered(ended, resting: Self.rest)
                    }
                    next = self.nextLeaving(after: id)
                }
            }
            return nil
        }
        // It would leave later. Not under the lock, because the transport is told.
        unsent?.cancel()
    }

    /// The next operation to end; nil for none, after which the task ends.
    private func nextLeaving(after first: UInt64) -> UInt64? {
        state.withLock { state in
            guard let next = state.leaving.popLast() else {
                state.ends[first] = nil
                return nil
            }
            return next
        }
    }
}

// MARK: Requests

extension EventConnection {
    /// Makes a request, and returns its whole response.
    private func send(
        _ request: EventRequest, _ token: String?, _ departure: EventDeparture? = nil
    ) async throws(Failure) -> HTTP.Response {
        var client = if case .end = request { try ending.get() } else { try client.get() }
        client.options.values[EventDeparture.Key.self] = departure
        do {
            let response = try await client.send(request.call(to: target.url.url, target.headers, token: token))
            return token.map { response.without(token: $0) } ?? response
        } catch {
            guard case .transport(let error) = error.reason, error.code == .tooLarge else {
                throw error
            }
            throw request.refusal("with more than \(Self.longestAnswer) bytes")
        }
    }

    /// Opens the stream.
    private func stream(_ token: String) async throws(Failure) -> HTTP.Stream<ServerEvent> {
        do {
            return try await client.get().stream(
                EventRequest.events.call(to: target.url.url, target.headers, token: token),
                as: .events(reconnects: false, longest: target.longest), options: options)
        } catch {
            guard case .status(let status) = error.reason, let response = status.response as? HTTP.Response else {
                throw error
            }
            throw Failure(StatusError(status.code, response: response.without(token: token)))
        }
    }
}
