public import BackstopGraphQL

extension GraphQL.Socket {
    /// The error of an operation whose connection a server closes with a code, for scripted transports in tests.
    ///
    /// ```swift
    /// func makeRestart() -> ScriptedTransport {
    ///     ScriptedTransport(.failure(GraphQL.Socket.error(forClose: 1012)), .json(200, #"{"data":{"votes":1}}"#))
    /// }
    /// ```
    /// - Parameters:
    ///   - code: The code: 1000 to 1015 are those of RFC 6455, 4400 to 4504 those of graphql-transport-ws.
    ///   - reason: The server's reason. Default: empty, for none.
    ///   - isAcknowledged: Whether the connection was acknowledged before, so that the operation was sent. Default: true.
    public static func error(
        forClose code: Int, reason: String = "", isAcknowledged: Bool = true
    ) -> any Error {
        SocketClose(code: UInt16(clamping: code), reason: reason).error(in: isAcknowledged ? .waiting : .connecting)
    }
}
