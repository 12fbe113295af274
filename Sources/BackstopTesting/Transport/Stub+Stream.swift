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
            var response = HTTP.Response(status: status, headers: headers, url: request.url)
            let script = StreamScript(pieces, of: response)
            context.track { script.progress }
            if let intake = context.intake {
                return try await intake.receive(response, HTTP.IncomingBody { try await script.next(context) })
            }
            while let data = try await script.next(context) {
                response.body += data
            }
            return response
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

    var progress: TransferProgress {
        let bytes = state.withLock { $0.bytes }
        return TransferProgress(
            .receiving, bytesReceived: bytes, response: head.withoutBody(ofSize: Int(clamping: bytes)))
    }

    func next(_ context: CallContext) async throws -> Data? {
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
