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
        /// The requests for operations that are not answered; each returns whether it was accepted.
        var begins: [UInt64: Task<Bool, Never>] = [:]
        /// What makes the requests that end operations, by the id of the first.
        var ends: [UInt64: Task<Void, Never>] = [:]
        /// The operations that are ended after those.
        var leaving: [UInt64] = []
    }

    /// How long a token may be; servers refuse longer heads.
    private static let longestToken = 4096
    /// How many operations are ended at once; a proxy allows few connections, and the stream has one of them.
    private static let endLimit = 4

    private let target: SocketTarget
    private let options: StreamOptions
    /// What sends the requests, and those that end operations, which have a limit; an error if it could not be made.
    private let client, ending: Result<Client, any Error>
    /// The state, guarded by the lock; nobody is told anything under it.
    private let state = Lock(State())

    init(_ target: SocketTarget, over transport: any HTTP.Transport, clock: any CallClock, options: StreamOptions) {
        self.target = target
        self.options = options
        var call = CallOptions()
        call.clock = clock
        // A redirect to another origin takes none of the fields along: which ones are secrets, only the app knows.
        call.redaction = target.headers.fields.reduce(call.redaction) { $0.adding($1.name.text) }
        func made(_ limits: [any HTTP.Interceptor]) -> Result<Client, any Error> {
            Result {
                try Client(
                    baseURL: nil, chain: HTTP.Chain(transport: transport, interceptors: limits), options: call)
            }
        }
        client = made([])
        ending = made([AttemptTimeout(target.patience)])
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
        old.begins.values.forEach { $0.cancel() }
        old.ends.values.forEach { $0.cancel() }
        return old.tell
    }
}

// MARK: The stream

extension EventConnection {
    private func run() async {
        do throws(Failure) {
            let token = try await reserve()
            let events = try await stream(
                .events, token, as: .events(reconnects: false, longest: target.longest), options)
            state.withLock { $0.token = $0.isClosed ? nil : token }
            tell(.opened)
            for try await event in events {
                switch event.type {
                case "next", "complete": tell(.text(Data(event.data.utf8), type: event.type))
                default: break
                }
            }
            throw Failure(TransportError(.lost, phase: .receiving, detail: "The server ended the stream of events"))
        } catch {
            let event = end(after: error)
            stop()?(event)
        }
    }

    /// Asks for a token.
    private func reserve() async throws(Failure) -> String {
        let answer = try await stream(.reservation, nil, as: .chunks)
        let token = try await start(of: answer)
        guard answer.response.status == 201 else {
            throw refusal("with the status \(answer.response.status) and not 201")
        }
        guard !token.isEmpty, token.count <= Self.longestToken, token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw refusal("without a token of visible characters, or with one of more than \(Self.longestToken) bytes")
        }
        return String(decoding: token, as: UTF8.self)
    }

    private func refusal(_ problem: String) -> Failure {
        Failure(
            TransportError(
                .badResponse, phase: .connecting,
                detail: "The server answered the request for a stream of events \(problem)"))
    }

    /// What the failure of the stream means.
    private func end(after failure: Failure) -> SocketEvent {
        let token = state.withLock { $0.token }
        // Of one that was not open, no operation was sent, whatever was sent of its own.
        let phase = token == nil ? TransportError.Phase.connecting : .receiving
        switch failure.reason {
        case .status(let error):
            return .answered(error.response as? HTTP.Response ?? HTTP.Response(status: error.code))
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
            return .failed(
                TransportError(.lost, phase: phase, detail: "Nothing came over the stream of events\(time)"))
        case .timeout, .cancelled, .request:
            return .failed(failure.underlying)
        default:
            let broken = TransportError(
                .badResponse, phase: phase, detail: "The server sent something else over the stream of events")
            return .failed(token == nil ? refusal("with something else").underlying : broken)
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
            state.begins[id] = Task.detached {
                let refused = await self.failure(of: .operation(id, body), token)
                self.state.withLock { $0.begins[id] = nil }
                written(refused == nil)
                if let refused {
                    self.tell(.refused(id, self.answer(of: refused)))
                }
                return refused == nil
            }
            return true
        }
        if !isOpen {
            written(false)
        }
    }

    private func end(_ id: UInt64) {
        let unwanted: Task<Bool, Never>? = state.withLock { state in
            guard let token = state.token else {
                return nil
            }
            let begin = state.begins.removeValue(forKey: id)
            guard state.ends.count < Self.endLimit else {
                state.leaving.append(id)
                return begin
            }
            state.ends[id] = Task.detached {
                await self.requestEnd(of: id, token)
                if let begin {
                    begin.cancel()
                    // It was accepted meanwhile, perhaps after the request that ends it.
                    if await begin.value {
                        await self.requestEnd(of: id, token)
                    }
                }
                while let next = self.nextLeaving(after: id) {
                    await self.requestEnd(of: next, token)
                }
            }
            return nil
        }
        unwanted?.cancel()
    }

    private func requestEnd(of id: UInt64, _ token: String) async {
        _ = await failure(of: .end(id), token)
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

    /// Why a request was not accepted; nil if it was.
    private func failure(of request: EventRequest, _ token: String) async -> Failure? {
        do throws(Failure) {
            let answer = try await stream(request, token, as: .chunks)
            // To its end, so that the connection is used again; what is wrong with it does not matter.
            _ = try? await start(of: answer)
            return nil
        } catch {
            return error
        }
    }

    /// What an operation is told.
    private func answer(of failure: Failure) -> Result<HTTP.Response, any Error> {
        guard case .status(let error) = failure.reason, let response = error.response as? HTTP.Response else {
            return .failure(failure.underlying)
        }
        return .success(response)
    }
}

// MARK: Requests

extension EventConnection {
    /// Makes a request whose response is read while it arrives, as far as it is wanted.
    private func stream<Element>(
        _ request: EventRequest, _ token: String?, as format: StreamFormat<Element>,
        _ options: StreamOptions = .standard
    ) async throws(Failure) -> HTTP.Stream<Element> {
        let client: Client
        do {
            client = if case .end = request { try ending.get() } else { try self.client.get() }
        } catch {
            throw Failure(error)
        }
        do {
            return try await client.stream(
                request.call(to: target.url.url, target.headers, token: token), as: format, options: options)
        } catch {
            throw token.map { Self.failure(error, without: $0) } ?? error
        }
    }

    /// A failure without the token, which the server may repeat.
    private static func failure(_ failure: Failure, without token: String) -> Failure {
        guard case .status(let error) = failure.reason, var response = error.response as? HTTP.Response else {
            return failure
        }
        func scrubbed(_ bytes: Data) -> Data { bytes.replacing(Data(token.utf8), with: Data("…".utf8)) }
        response.body = scrubbed(response.body)
        response.headers = response.headers.reduce(into: HTTP.Headers()) { headers, field in
            headers.addReceived(String(decoding: scrubbed(Data(field.value.utf8)), as: UTF8.self), for: field.name.text)
        }
        return Failure(StatusError(error.code, response: response))
    }

    /// The body of a response; of one that is longer than a token, its beginning.
    private func start(of stream: HTTP.Stream<Data>) async throws(Failure) -> Data {
        var body = Data()
        for try await chunk in stream {
            body.append(chunk)
            guard body.count <= Self.longestToken else {
                break
            }
        }
        return body
    }
}
