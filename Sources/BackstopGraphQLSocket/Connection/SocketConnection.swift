internal import Backstop
internal import Foundation

/// What happens on a connection, in this order: ``opened`` or an end, messages and signs of life, an end. Nothing follows an end.
enum SocketEvent: Sendable {
    /// The server has switched to WebSocket, and to our subprotocol.
    case opened
    /// An end: the server answered with a response instead.
    case answered(HTTP.Response)
    case text(Data)
    /// Bytes have come, perhaps only a part of a message; not every connection tells.
    case heard
    /// An end: the server broke a rule. The connection is still to be closed, with this code.
    case broken(code: UInt16, detail: String)
    /// An end: the server closed it, or it ended.
    case closed(SocketClose)
    /// An end: it could not be opened, or failed; a `TransportError`.
    case failed(any Error)
}

/// A connection to a server that speaks WebSocket: what a system or a library does for a socket.
protocol SocketConnection: AnyObject, Sendable {
    /// Opens the connection.
    ///
    /// - Parameter tell: Gets its events, one at a time.
    func open(_ tell: @escaping @Sendable (SocketEvent) -> Void)

    /// Sends a text message, after those before.
    ///
    /// - Parameter written: Called once, with whether the system has taken it.
    func send(_ message: Data, written: @escaping @Sendable (Bool) -> Void)

    /// Closes it, after what was sent, and tells nothing more. One that is not open yet is given up.
    func close(code: UInt16, reason: String)
}

/// What a connection is opened with.
struct SocketTarget: Sendable {
    let url: SocketURL
    /// The header fields of the request that opens it, beside those of WebSocket.
    let headers: HTTP.Headers
    /// How many bytes a message may have.
    let longest: Int
    /// After what time nobody waits for the connection any more.
    let patience: Duration

    /// The one subprotocol.
    static let subprotocol = "graphql-transport-ws"
    /// How much is read of the body of a response that refuses to open one.
    static let refusalLimit = 65_536
}

/// Makes a connection that is not open.
typealias SocketConnector = @Sendable (SocketTarget) -> any SocketConnection
