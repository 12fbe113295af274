internal import Backstop
internal import BackstopCore
internal import Foundation

/// One operation on a connection, as its call sees it.
final class SocketOperation: Sendable {
    /// What the call waits for.
    enum Answer: Sendable {
        /// A subscription has begun: its body arrives.
        case stream
        /// The body of a response.
        case body(Data)
        /// The server's answer to the request of this method for a connection; without one, to that for the operation.
        case response(HTTP.Response, to: HTTP.Method? = nil)
    }

    private struct State {
        var session: SocketSession?
        var id: UInt64 = 0
        /// Whether the connection had been acknowledged before.
        var wasReady = false
        var phase = TransportError.Phase.connecting
        var bytes: Int64 = 0
        /// The result of an operation that has one.
        var result: Data?
        /// The number of the connection, once that was lost.
        var lost: UInt64?
    }

    /// The JSON object of the operation.
    let body: Data
    /// What hands the results over; nil for an operation with one result.
    let pipe: (any ResponsePipe)?
    /// How many bytes may wait to be read.
    private let unreadLimit: Int
    private let answer = OneShot<Answer, Void>()
    /// The state, guarded by the lock.
    private let state = Lock(State())

    init(_ body: Data, pipe: (any ResponsePipe)?, unreadLimit: Int) {
        self.body = body
        self.pipe = pipe
        self.unreadLimit = unreadLimit
    }

    /// How far it has come.
    var progress: TransferProgress {
        let (phase, bytes) = state.withLock { ($0.phase, $0.bytes) }
        return TransferProgress(phase, bytesReceived: phase == .receiving ? bytes : nil)
    }

    /// Whether a connection was lost that others had used before, and it may not have been sent.
    var isUnsentOnKept: Bool {
        state.withLock { $0.lost != nil && $0.wasReady && [.connecting, .sending].contains($0.phase) }
    }

    /// What became of its connection.
    var connection: SharedConnection {
        state.withLock { $0.lost }.map { .lost($0) } ?? .used
    }

    /// Notes where it runs.
    func begin(on session: SocketSession, id: UInt64, wasReady: Bool) {
        state.withLock { ($0.session, $0.id, $0.wasReady) = (session, id, wasReady) }
    }

    /// Notes that it is given to the connection: from now on, nobody knows whether the server has it.
    func depart() {
        state.withLock { state in
            if state.phase == .connecting {
                state.phase = .sending
            }
        }
    }

    /// Waits for the answer.
    ///
    /// - Parameter unsent: Called if it is cancelled before it was sent.
    nonisolated(nonsending) func value(unsent: @Sendable () -> Void = {}) async throws -> Answer {
        try await answer.value(leaving: {
            self.leave()
            if [.queued, .connecting].contains(self.progress.phase) {
                unsent()
            }
        })
    }

    /// Ends it, if it runs: the server is told, unless it waits in the line of a transport.
    func leave() {
        let (session, id) = state.withLock { ($0.session, $0.id) }
        let isTakenBack = session?.cancel(id) == true
        // Only now: whoever leaves at the same time looks whether it was sent, and must not before that is sure.
        state.withLock { state in
            state.session = nil
            state.phase = isTakenBack ? .queued : state.phase
        }
    }

    /// Ends it with an error of the caller's side.
    func end(with error: any Error) {
        leave()
        fail(error)
    }

    /// Takes what has happened.
    func take(_ event: SocketProtocol.Event) {
        switch event {
        case .began:
            state.withLock { $0.phase = .waiting }
            if pipe != nil {
                answer.end(with: .success(.stream))
            }
        case .result(let result): add(result)
        // Without the data that came before, they would say that nothing was executed.
        case .errors where state.withLock({ $0.result }) != nil:
            end(with: Self.badResult("errors over the socket after the result of"))
        case .errors(let errors): finish(with: Data(#"{"errors":"#.utf8) + errors + Data("}".utf8))
        case .complete: complete()
        case .answered(let response, let method):
            loseConnection()
            answer.end(with: .success(.response(response, to: method)))
        case .refused(let response): answer.end(with: .success(.response(response)))
        case .failed(let error): fail(error)
        case .lost(let error):
            loseConnection()
            // A result that has come is a result, though nothing said that it was the last.
            if let result = state.withLock({ $0.result }) {
                answer.end(with: .success(.body(result)))
            }
            fail(error)
        }
    }

    /// Takes what others were told that were on a connection with a number.
    func take(_ event: SocketProtocol.Event, of number: UInt64) {
        state.withLock { $0.lost = number }
        take(event)
    }

    private func loseConnection() {
        state.withLock { $0.lost = $0.session?.number ?? $0.lost }
    }

    private func add(_ result: Data) {
        let isSecond = state.withLock { state in
            state.phase = .receiving
            state.bytes += Int64(result.count)
            guard pipe == nil else {
                return false
            }
            defer { state.result = result }
            return state.result != nil
        }
        guard let pipe else {
            if isSecond {
                // Parts of one result, which nobody would put together.
                end(with: Self.badResult("several results over the socket for"))
            }
            return
        }
        guard pipe.unread == 0 || pipe.unread + result.count <= unreadLimit else {
            pipe.end(
                .failure(
                    TransportError(
                        .overrun, phase: .receiving,
                        detail: "More than \(unreadLimit) bytes of the subscription waited to be read, and a "
                            + "connection that others share cannot make the server wait")))
            return leave()
        }
        pipe.push(Self.line(result)) {}
    }

    /// A line of its own. What has line breaks is no JSON: a character takes their place that JSON does not have, and
    /// whoever reads the lines puts them back, to say where it is wrong.
    private static func line(_ result: Data) -> Data {
        var line = result + [0x0A]
        line.withUnsafeMutableBytes { bytes in
            for index in bytes.indices.dropLast() {
                bytes[index] = bytes[index] == 0x0A ? 0 : max(bytes[index], 1)
            }
        }
        return line
    }

    private static func badResult(_ what: String) -> TransportError {
        TransportError(
            .badResponse, phase: .receiving, detail: "The server sent \(what) an operation that has one")
    }

    private func finish(with last: Data) {
        guard let pipe else {
            answer.end(with: .success(.body(last)))
            return
        }
        pipe.push(Self.line(last)) {}
        pipe.end(.success(()))
    }

    private func complete() {
        guard pipe == nil else {
            pipe?.end(.success(()))
            return
        }
        if let result = state.withLock({ $0.result }) {
            answer.end(with: .success(.body(result)))
        } else {
            fail(
                TransportError(
                    .badResponse, phase: .receiving,
                    detail: "The server ended an operation over the socket without a result"))
        }
    }

    private func fail(_ error: any Error) {
        answer.end(with: .failure(error))
        pipe?.end(.failure(error))
    }
}
