internal import Backstop
internal import BackstopCore
internal import Foundation

/// What it means when a server closes a connection.
struct SocketClose {
    /// What becomes of the operations.
    enum Meaning: Equatable {
        /// The next connection may hold: `transport.lost`.
        case lost
        /// It will be the same the next time: `transport.badResponse`.
        case refused
        /// Like a response with a status: before anything was sent, it is one.
        case status(Int)
        /// Nobody knows: `transport.unknown`, which is not tried again.
        case unknown
    }

    /// The code (RFC 6455, 7.4, and the protocol graphql-transport-ws); nil when the connection ended without a close.
    let code: UInt16?
    /// The server's reason; may be empty.
    let reason: String

    /// Each known code, what becomes of the operations, and what the code says.
    static let table: [(code: UInt16, meaning: Meaning, text: String)] = [
        (1000, .lost, "a normal end"),  // but not for operations that run
        (1001, .lost, "it is going away"),  // restarts, scales down
        (1002, .refused, "what it received breaks the rules of WebSockets"),  // ours or a proxy's fault, every time
        (1003, .refused, "it takes no such data"),  // the same every time
        (1005, .lost, "nothing about why"),  // a close without a code
        (1006, .lost, "the connection had ended"),  // reserved; some proxies send it
        (1007, .refused, "what it received is not UTF-8"),  // the same every time
        (1008, .refused, "a policy forbids it"),  // the policy stays
        (1009, .refused, "what it received is too large"),  // it will be as large
        (1010, .refused, "it requires an extension"),  // none is offered
        (1011, .status(500), "it failed"),  // like a 500
        (1012, .lost, "it restarts"),  // will be back
        (1013, .lost, "it is overloaded"),  // may have room later
        (1014, .lost, "a gateway got no valid answer"),  // like a 502
        (4400, .refused, "what it received breaks the rules of the protocol"),  // the same every time
        (4401, .refused, "an operation came before its acknowledgement"),  // the order of messages, not the credentials
        (4403, .status(403), "it forbids the connection"),  // other credentials may be accepted
        (4406, .refused, "it does not speak graphql-transport-ws"),  // nor will it the next time
        (4408, .lost, "the beginning of the connection took too long"),  // the next one may be faster
        (4409, .refused, "an operation with this id runs already"),  // a fault of the server: ids are used once
        (4429, .refused, "the connection was begun twice"),  // a fault of the server: it is begun once
        (4499, .lost, "it ended the connection"),  // some servers' word for a restart
        (4500, .status(500), "it failed"),  // like a 500
        (4504, .lost, "the acknowledgement took too long"),  // the next one may be faster
    ]

    private var row: (code: UInt16, meaning: Meaning, text: String)? {
        Self.table.first { $0.code == code }
    }

    /// What becomes of an operation.
    ///
    /// - Parameter isOpening: Whether the connection was not acknowledged, so that nothing of the operation was sent.
    func meaning(isOpening: Bool) -> Meaning {
        switch (code, isOpening) {
        case (nil, _): .lost
        case (4401, true): .status(401)
        // The operation may have been executed, and credentials that are out of date are refused the next time.
        case (4403, false): .lost
        // What failed is the connection.
        case (1011, true), (4500, true): .lost
        default: row?.meaning ?? .unknown
        }
    }

    /// What happened, as a sentence. The server's words are quoted.
    func detail(isOpening: Bool) -> String {
        guard let code else {
            return "The connection ended without a close"
        }
        guard code != 1005 else {
            return "The server closed the WebSocket without a code"
        }
        // No operation was sent yet.
        let text = isOpening && code == 4401 ? "it does not accept the credentials" : row?.text
        let words = reason.isEmpty ? "" : "; its reason was \(Redaction.quoted(reason))"
        return
            "The server closed the WebSocket with the code \(code)\(text.map { ", which says: \($0)" } ?? "")\(words)"
    }

    /// The error of an operation.
    ///
    /// - Parameter phase: How far it had come.
    func error(in phase: TransportError.Phase) -> any Error {
        let isOpening = phase == .connecting
        let detail = detail(isOpening: isOpening)
        return switch meaning(isOpening: isOpening) {
        case .lost: TransportError(.lost, phase: phase, detail: detail)
        case .refused: TransportError(.badResponse, phase: phase, detail: detail)
        case .status(let status):
            // Whoever renews credentials sees it as the response that it stands for.
            StatusError(status, detail: detail, response: isOpening ? HTTP.Response(status: status) : nil)
        case .unknown: TransportError(.unknown, phase: phase, detail: detail)
        }
    }
}
