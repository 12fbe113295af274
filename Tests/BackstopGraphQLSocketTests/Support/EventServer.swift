import Backstop
import BackstopCore
import BackstopStreams
import Foundation

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

/// A server of the single connection mode of graphql-sse, in memory: it answers as the protocol has it unless a test says
/// otherwise, and a test sends the events.
final class EventServer: HTTP.Transport {
    /// A request that has come.
    struct Received: Sendable {
        var method: String
        var target: String
        var headers: HTTP.Headers
        var body = ""
        /// Whether the client reads the response while it arrives.
        var isStream = false

        var token: String? { headers["X-GraphQL-Event-Stream-Token"] }
    }

    /// A response.
    struct Reply: Sendable {
        var status: Int
        var type = "application/json"
        var body = ""
        var field: String?
        /// What comes after it, piece by piece; nil for nothing.
        var pieces: AsyncStream<Data>?

        static func errors(_ status: Int, _ message: String) -> Reply {
            Reply(status: status, body: #"{"errors":[{"message":"\#(message)"}]}"#)
        }
    }

    struct State: Sendable {
        var requests: [Received] = []
        /// The streams in the order in which they were opened, and their tokens.
        var streams: [(token: String, pieces: AsyncStream<Data>.Continuation)] = []
        /// Which streams have ended, by the client or the server.
        var ended: Set<Int> = []
    }

    let state = WatchedState(State())
    /// What is answered in place of the server's own; nil for that.
    private let rule: @Sendable (Received) async throws -> Reply?
    /// How far each exchange says that it is.
    private let phase: TransportError.Phase

    init(
        phase: TransportError.Phase = .waiting,
        _ rule: @escaping @Sendable (Received) async throws -> Reply? = { _ in nil }
    ) {
        self.phase = phase
        self.rule = rule
    }

    func answer(_ request: Received) async throws -> Reply {
        let reservations = state.withLock { state in
            state.requests.append(request)
            return state.requests.count { $0.method == "PUT" }
        }
        if let reply = try await rule(request) {
            return reply
        }
        switch request.method {
        case "PUT":
            return Reply(status: 201, type: "text/plain; charset=utf-8", body: "token-of-stream-\(reservations)")
        case "GET":
            return open(request.token ?? "")
        case "POST":
            return isOpen(request.token) ? Reply(status: 202) : .errors(404, "Stream not found")
        case "DELETE":
            return isOpen(request.token) ? Reply(status: 200) : .errors(404, "Stream not found")
        default:
            return Reply(status: 405)
        }
    }

    private func open(_ token: String) -> Reply {
        guard token.hasPrefix("token-of-stream-"), !isOpen(token) else {
            return .errors(409, "Stream already open")
        }
        let (stream, pieces) = AsyncStream<Data>.makeStream()
        let index = state.withLock { state in
            state.streams.append((token, pieces))
            return state.streams.count - 1
        }
        pieces.onTermination = { [state] _ in state.withLock { _ = $0.ended.insert(index) } }
        pieces.yield(Data(":\n\n".utf8))
        return Reply(status: 200, type: "text/event-stream", pieces: stream)
    }

    private func isOpen(_ token: String?) -> Bool {
        state.withLock { state in
            state.streams.indices.contains { state.streams[$0].token == token && !state.ended.contains($0) }
        }
    }

    func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
        context.track { [phase] in TransferProgress(phase) }
        let reply = try await answer(
            Received(
                method: request.method.name, target: request.url.absoluteString, headers: request.headers,
                body: String(decoding: request.body.data ?? Data(), as: UTF8.self), isStream: context.isStream))
        var response = HTTP.Response(
            status: reply.status, headers: ["Content-Type": reply.type], body: Data(reply.body.utf8), url: request.url)
        response.headers["X-Field"] = reply.field
        guard let pieces = reply.pieces else {
            return response
        }
        let body = HTTP.IncomingBody {
            var pieces = pieces.makeAsyncIterator()
            return await pieces.next()
        }
        guard let intake = context.intake else {
            return response
        }
        response.body = Data()
        return try await intake.receive(response, body)
    }
}

// MARK: What a test does

extension EventServer {
    /// A socket to this server, with more patience than a slow machine needs.
    func socket(
        _ options: SocketOptions = SocketOptions(ping: nil, acknowledge: .seconds(170)), silence: Duration? = nil,
        clock: any CallClock = SystemClock()
    ) throws -> GraphQL.Socket {
        try GraphQL.Socket(
            events: "https://a.example/graphql/stream", over: self, silence: silence, options: options, clock: clock)
    }

    /// The requests with a method.
    func requests(_ method: String) -> [Received] {
        state.withLock { $0.requests.filter { $0.method == method } }
    }

    /// Waits for so many requests with a method that contain a text.
    @discardableResult
    func wait(for method: String, times: Int = 1, with text: String = "") async throws -> [Received] {
        let isMeant: @Sendable (Received) -> Bool = {
            $0.method == method && (text.isEmpty || $0.body.contains(text) || $0.target.contains(text))
        }
        await state.wait { $0.requests.count(where: isMeant) >= times }
        try Task.checkCancellation()
        return state.withLock { $0.requests.filter(isMeant) }
    }

    func send(_ text: String, on stream: Int = 0) {
        _ = state.withLock { $0.streams[stream].pieces }.yield(Data(text.utf8))
    }

    func next(_ id: Int, _ payload: String, on stream: Int = 0) {
        send("event: next\ndata: {\"id\":\"\(id)\",\"payload\":\(payload)}\n\n", on: stream)
    }

    func complete(_ id: Int, on stream: Int = 0) {
        send("event: complete\ndata: {\"id\":\"\(id)\"}\n\n", on: stream)
    }

    /// Ends a stream as a server does that goes away.
    func end(_ stream: Int = 0) {
        state.withLock { $0.streams[stream].pieces }.finish()
    }

    /// Waits until a stream has ended.
    func waitForEnd(of stream: Int = 0) async {
        await state.wait { $0.ended.contains(stream) }
    }
}
