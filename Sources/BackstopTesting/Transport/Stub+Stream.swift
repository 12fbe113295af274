public import Backstop
internal import BackstopCore
internal import BackstopStreams
public import Foundation

/// A piece of a scripted stream.
public enum StreamPiece: Sendable {
    /// Bytes that arrive at once.
    case bytes(String)
    /// The same, of any kind.
    case data(Data)
    /// A silence, on the call's clock.
    case wait(Duration)
    /// The end of the connection: nothing follows.
    case lost
    /// Another error in the place of the rest.
    case failure(any Error)
}

extension Stub where Request == HTTP.Request, Response == HTTP.Response {
    /// Responds with a body that arrives piece by piece, and ends after the last.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(
    ///     .status(503), .stream([.bytes("{\"id\":1}\n"), .wait(.seconds(30)), .lost]))
    /// ```
    /// A call that is no stream gets the whole of it.
    ///
    /// - Parameters:
    ///   - pieces: What arrives, in order.
    ///   - status: The status. Default: 200.
    ///   - headers: The header fields. Default: none.
    public static func stream(
        _ pieces: [StreamPiece], status: Int = 200, headers: HTTP.Headers = [:]
    ) -> Stub {
        Stub("stream of \(pieces.count) pieces") { request, context in
            try await StreamScript(pieces, of: HTTP.Response(status: status, headers: headers, url: request.url))
                .play(context)
        }
    }

    /// Responds with the results of a GraphQL subscription, in what the request asks for: `multipart/mixed` by Apollo's
    /// protocol, or server-sent events.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(
    ///     .subscription([.result(#"{"data":{"votes":1}}"#), .wait(.seconds(30)), .lost]),
    ///     .subscription([.result(#"{"data":{"votes":2}}"#), .complete]))
    /// ```
    /// Without a `.complete`, the connection ends after the last piece as if it was lost.
    ///
    /// - Parameter pieces: What arrives, in order.
    public static func subscription(_ pieces: [SubscriptionPiece]) -> Stub {
        Stub("subscription of \(pieces.count) pieces") { request, context in
            let isEvents = request.headers["Accept"]?.hasPrefix("text/event-stream") == true
            let type = isEvents ? "text/event-stream" : "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0"
            let head = HTTP.Response(status: 200, headers: ["Content-Type": type], url: request.url)
            let first: [StreamPiece] = isEvents ? [] : [.bytes("--graphql")]
            return try await StreamScript(first + pieces.map { $0.piece(isEvent: isEvents) }, of: head).play(context)
        }
    }
}

/// A piece of a scripted subscription.
public enum SubscriptionPiece: Sendable {
    /// A GraphQL response, as JSON.
    case result(String)
    /// The content of a part, or the lines of an event, as a server writes them that does not keep to the protocol.
    case raw(String)
    /// A sign of life.
    case heartbeat
    /// A silence, on the call's clock.
    case wait(Duration)
    /// The end of the subscription, as the server says it.
    case complete
    /// The end of the connection: nothing follows.
    case lost
    /// Another error in the place of the rest.
    case failure(any Error)

    fileprivate func piece(isEvent: Bool) -> StreamPiece {
        func part(_ json: String) -> StreamPiece {
            .bytes("\r\nContent-Type: application/json\r\n\r\n\(json)\r\n--graphql")
        }
        switch self {
        case .result(let json):
            let lines = json.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
            let data = lines.map { "data: \($0)\n" }.joined()
            return isEvent ? .bytes("event: next\n\(data)\n") : part("{\"payload\":\(json)}")
        case .raw(let text): return isEvent ? .bytes("\(text)\n\n") : part(text)
        case .heartbeat: return isEvent ? .bytes(":\n\n") : part("{}")
        case .wait(let duration): return .wait(duration)
        case .complete: return .bytes(isEvent ? "event: complete\ndata:\n\n" : "--\r\n")
        case .lost: return .lost
        case .failure(let error): return .failure(error)
        }
    }
}

/// How far a scripted stream has come.
private final class StreamScript: Sendable {
    private let pieces: [StreamPiece]
    private let head: HTTP.Response
    /// The next piece, and how many bytes came before, guarded by the lock.
    private let state = Lock((next: 0, bytes: Int64(0)))

    init(_ pieces: [StreamPiece], of head: HTTP.Response) {
        self.pieces = pieces
        self.head = head
    }

    /// Gives the response, or what reads it while it arrives.
    func play(_ context: CallContext) async throws -> HTTP.Response {
        var response = head
        context.track { self.progress }
        if let intake = context.intake {
            return try await intake.receive(response, HTTP.IncomingBody { try await self.next(context) })
        }
        while let data = try await next(context) {
            response.body += data
        }
        return response
    }

    private var progress: TransferProgress {
        let bytes = state.withLock { $0.bytes }
        return TransferProgress(
            .receiving, bytesReceived: bytes, response: head.withoutBody(ofSize: Int(clamping: bytes)))
    }

    private func next(_ context: CallContext) async throws -> Data? {
        while let piece = take() {
            switch piece {
            case .bytes(let text): return arrived(Data(text.utf8))
            case .data(let data): return arrived(data)
            case .wait(let duration): try await context.clock.sleep(for: duration)
            case .lost: throw TransportError(.lost, phase: .receiving, bytesReceived: state.withLock { $0.bytes })
            case .failure(let error): throw error
            }
        }
        return nil
    }

    private func take() -> StreamPiece? {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next < pieces.count ? pieces[state.next] : nil
        }
    }

    private func arrived(_ data: Data) -> Data {
        state.withLock { $0.bytes += Int64(data.count) }
        return data
    }
}
