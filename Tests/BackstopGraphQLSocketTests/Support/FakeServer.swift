import Backstop
import BackstopCore
import Foundation

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

/// A server in memory: connections that a test answers by hand.
final class FakeServer: Sendable {
    /// The connections, in the order in which they were made.
    let connections = WatchedState<[FakeConnection]>([])
    /// What the server says at once to each connection; nil to wait.
    let refusal = WatchedState<SocketEvent?>(nil)

    /// What a socket connects with.
    var connector: SocketConnector {
        { target in
            let connection = FakeConnection(target, refusal: self.refusal.withLock { $0 })
            self.connections.withLock { $0.append(connection) }
            return connection
        }
    }

    /// A socket to this server.
    func socket(
        _ options: SocketOptions = SocketOptions(), clock: any CallClock = SystemClock(),
        initialize: GraphQL.Socket.Initialize? = nil
    ) throws -> GraphQL.Socket {
        try GraphQL.Socket(
            "wss://a.example/graphql", options: options, clock: clock, initialize: initialize, connect: connector)
    }

    /// Waits for a connection to be made.
    func connection(_ index: Int = 0) async throws -> FakeConnection {
        await connections.wait { $0.count > index }
        try Task.checkCancellation()
        return connections.withLock { $0[index] }
    }
}

/// A connection that takes everything and answers nothing.
final class FakeConnection: SocketConnection {
    struct State: Sendable {
        var tell: (@Sendable (SocketEvent) -> Void)?
        var sent: [String] = []
        var closed: UInt16?
        /// What was not written; nil if all is at once.
        var held: [@Sendable (Bool) -> Void]?
        /// Called with what is sent, before that returns.
        var onSend: (@Sendable (String) -> Void)?
    }

    let target: SocketTarget
    let state = WatchedState(State())
    private let refusal: SocketEvent?

    init(_ target: SocketTarget, refusal: SocketEvent? = nil) {
        self.target = target
        self.refusal = refusal
    }

    func open(_ tell: @escaping @Sendable (SocketEvent) -> Void) {
        state.withLock { $0.tell = tell }
        if let refusal {
            tell(refusal)
        }
    }

    func send(_ message: ClientMessage, written: @escaping @Sendable (Bool) -> Void) {
        let text = String(decoding: message.json, as: UTF8.self)
        let (isHeld, onSend) = state.withLock { state in
            state.sent.append(text)
            state.held?.append(written)
            return (state.held != nil, state.onSend)
        }
        onSend?(text)
        if !isHeld {
            written(true)
        }
    }

    func close(code: UInt16, reason: String) {
        state.withLock { state in
            state.closed = code
            state.tell = nil
        }
    }

    /// Holds what is sent from now on.
    func hold() {
        state.withLock { $0.held = [] }
    }

    func tell(_ event: SocketEvent) {
        state.withLock { $0.tell }?(event)
    }

    func say(_ text: String) {
        tell(.text(Data(text.utf8)))
    }

    /// Opens it, and acknowledges.
    func acknowledge() async {
        await state.wait { $0.tell != nil }
        tell(.opened)
        say(#"{"type":"connection_ack"}"#)
    }

    func next(_ id: Int, _ payload: String = "{}") {
        say(#"{"type":"next","id":"\#(id)","payload":\#(payload)}"#)
    }

    func complete(_ id: Int) {
        say(#"{"type":"complete","id":"\#(id)"}"#)
    }

    /// What was sent.
    var sent: [String] { state.withLock { $0.sent } }

    /// Waits until something was sent.
    func waitForSent(_ part: String, times: Int = 1) async {
        await state.wait { state in state.sent.count { $0.contains(part) } >= times }
    }
}
