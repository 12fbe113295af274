internal import Backstop
internal import Foundation

/// What happens on a connection, in this order: ``opened`` or an end; then messages, signs of life and ``refused(_:_:)``
/// of single operations; an end. Nothing follows an end.
enum SocketEvent: Sendable {
    /// There is a connection: the server has switched to WebSocket and to our subprotocol, or sends events.
    case opened
    /// The server has acknowledged the connection in another way than by a message.
    case acknowledged
    /// An end: the server answered a request for it, of this method, with a response instead.
    case answered(HTTP.Response, to: HTTP.Method = .get)
    /// A message, and its type, which is nil if the message has it.
    case text(Data, type: String? = nil)
    /// The server refused one operation by a response to a request of its own, or that failed; the connection goes on.
    case refused(UInt64, Result<HTTP.Response, any Error>)
    /// Bytes have come, perhaps only a part of a message; not every connection tells.
    case heard
    /// An end: the server broke a rule. The connection is still to be closed, with this code.
    case broken(code: UInt16, detail: String)
    /// An end: the server closed it, or it ended.
    case closed(SocketClose)
    /// An end: it could not be opened, or failed; mostly a `TransportError`.
    case failed(any Error)
}

/// A connection to a server: a WebSocket of a system or a library, or what does the same with requests of HTTP.
protocol SocketConnection: AnyObject, Sendable {
    /// Opens the connection.
    ///
    /// - Parameter tell: Gets its events, one at a time; those that end one operation may come beside others.
    func open(_ tell: @escaping @Sendable (SocketEvent) -> Void)

    /// Sends a message, after those before.
    ///
    /// - Parameter written: Called once, with whether the system has taken it; the server, if it answers each message.
    func send(_ message: ClientMessage, written: @escaping @Sendable (Bool) -> Void)

    /// Gives up the message that begins an operation, which is not wanted any more.
    ///
    /// - Returns: Whether nothing of it was sent, nor will be: nothing is to be said to the server then.
    func takeBack(_ id: UInt64) -> Bool

    /// Takes note that a result came for an operation that has ended on this side.
    func endAgain(_ id: UInt64)

    /// Closes it, after what was sent, and tells nothing more. One that is not open yet is given up.
    func close(code: UInt16, reason: String)
}

extension SocketConnection {
    /// Nobody knows what the system still has of what it has taken.
    func takeBack(_ id: UInt64) -> Bool { false }

    /// It may have crossed the message that ended it, which came after the one that began it.
    func endAgain(_ id: UInt64) {}
}

/// What a connection is opened with.
struct SocketTarget: Sendable {
    let url: SocketURL
    /// The header fields of the request that opens it, or of all its requests, beside those of its protocol.
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
